"""The package `candor` of the wheel: our two packages in it, with their imports changed.

Many projects could have a package `survey` or `server`, and of two in one environment one is silently lost.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("survey", "server")


def moved(source: str) -> str:
    r"""Return a module whose imports of our packages are those of parts of `candor`.

    Examples
    --------
    >>> moved("from survey.block import Codes\nfrom flask import Flask\n")
    'from candor.survey.block import Codes\nfrom flask import Flask\n'
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(name.name.split(".")[0] in PACKAGES for name in node.names):
            raise ValueError(f"line {node.lineno}: write it as from ... import ...")
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            line = lines[node.lineno - 1]
            start = node.col_offset + len("from ")
            lines[node.lineno - 1] = f"{line[:start]}candor.{line[start:]}"
    return "".join(lines)


def package_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the package with its path in it."""
    yield "__init__.py", moved((root / "server/building/installed.py").read_text("utf-8")).encode()
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                content = file.read_bytes()
                name = file.relative_to(root).as_posix()
                yield name, moved(content.decode()).encode() if file.suffix == ".py" else content
