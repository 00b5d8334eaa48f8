"""Check that a commit only renames: its syntax trees are equal under the mapping that its message prints.

Usage: uv run python tests/benchmarks/renames.py COMMIT [COMMIT ...]

The message maps one name a line, `old -> new`: modules with dots, files and folders with slashes, and what
they define with or without their module. Imports are compared as what they import, in any order; comments
and docstrings are free. Variables and parameters need no line, but no two of a function may become one.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
LINE = re.compile(r"^\s*(\S+) -> (\S+)$", re.MULTILINE)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Pair(NamedTuple):
    """A text in the older tree, such as a name, and what stands in its place in the newer."""

    older: str
    newer: str
    line: int
    function: ast.AST | None
    is_variable: bool


class Reshaped(Exception):
    """Two trees do not have the same nodes."""


@dataclass(frozen=True)
class Mapping:
    """The lines of a commit's message: older name -> newer name."""

    lines: dict[str, str]

    @cached_property
    def words(self) -> set[tuple[str, str]]:
        """The last words of both names, and those of the modules that they are in."""
        listed = [(re.split(r"[./]", older), re.split(r"[./]", newer)) for older, newer in self.lines.items()]
        return {(old[-n], new[-n]) for old, new in listed for n in (1, 2) if len(old) >= n and len(new) >= n}

    @cached_property
    def places(self) -> dict[str, str]:
        """The modules and files, with dots and with slashes."""
        places = {old: new for old, new in self.lines.items() if "/" in old or ("." in old and "." in new)}
        for old, new in list(places.items()):
            places[old.removeprefix("templates/")] = new.removeprefix("templates/")
            if "/" not in old:
                places[old.replace(".", "/")] = new.replace(".", "/")
        return places

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """An expression for the name of any of these places."""
        longest_first = sorted(map(re.escape, self.places), key=len, reverse=True)
        return re.compile(rf"(?<![\w./])({'|'.join(longest_first) or '(?!)'})(?!\w)")

    def explains(self, older: str, newer: str) -> bool:
        """Return whether two texts are the same but for names that are mapped."""
        if older == newer:
            return True
        moved = self.pattern.sub(lambda match: self.places[match[1]], older)
        old, new = re.split(r"(\W+)", moved), re.split(r"(\W+)", newer)
        return len(old) == len(new) and all(
            a == b or (a, b) in self.words for a, b in zip(old, new, strict=True)
        )

    def explains_import(self, older: str, newer: str) -> bool:
        """Return whether a name is imported instead of another, or a module into which a part of it went."""
        into = {new.rpartition(".")[0] for old, new in self.lines.items() if old.startswith(f"{older}.")}
        return self.explains(older, newer) or newer in into


def git(*arguments: str) -> str:
    """Run git on this repository and return what it prints."""
    return subprocess.check_output(["git", "-C", TOP, *arguments], text=True)


def without_imports(source: str) -> tuple[ast.Module, dict[str, str]]:
    """Parse a file, without docstrings and imports: its tree, and local name -> what is imported as that."""
    tree = ast.parse(source)
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        for name, children in ast.iter_fields(node):
            if isinstance(children, list):
                setattr(node, name, [child for child in children if not is_free(child)])
                for child in children:
                    if isinstance(child, ast.Import | ast.ImportFrom):
                        module = f"{child.module}." if isinstance(child, ast.ImportFrom) else ""
                        imported |= {alias.asname or alias.name: module + alias.name for alias in child.names}
    return tree, imported


def is_free(node: object) -> bool:
    """Return whether a node is an import, or a string that stands alone."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def pairs(older: object, newer: object, line: int = 0, function: ast.AST | None = None) -> Iterator[Pair]:
    """Walk through two trees side by side, and list the texts in them.

    Raises
    ------
    Reshaped
        If one has a node that the other has not.
    """
    if isinstance(older, list) and isinstance(newer, list) and len(older) == len(newer):
        for old, new in zip(older, newer, strict=True):
            yield from pairs(old, new, line, function)
    elif isinstance(older, ast.AST) and isinstance(newer, ast.AST) and type(older) is type(newer):
        line = getattr(newer, "lineno", line)
        inside = function or (newer if isinstance(newer, FUNCTIONS) else None)
        for field in newer._fields:
            old, new = getattr(older, field), getattr(newer, field)
            if isinstance(old, str) and isinstance(new, str):
                yield Pair(old, new, line, inside, field == "id" or isinstance(newer, ast.arg))
            else:
                yield from pairs(old, new, line, inside)
    elif older != newer or type(older) is not type(newer):
        raise Reshaped(f"line {line}: more than names differs")


def faults(older: str, newer: str, mapping: Mapping) -> Iterator[str]:
    """List what a file changes besides names that are mapped."""
    (old_tree, old_imports), (new_tree, new_imports) = without_imports(older), without_imports(newer)
    for old in set(old_imports.values()):
        if not any(mapping.explains_import(old, new) for new in new_imports.values()):
            yield f"imports {old} no more"
    for new in set(new_imports.values()):
        if not any(mapping.explains_import(old, new) for old in old_imports.values()):
            yield f"imports {new}"
    origins: dict[tuple[ast.AST, str], set[str]] = defaultdict(set)
    try:
        for pair in pairs(old_tree, new_tree):
            if pair.is_variable and pair.function and pair.newer in bound(pair.function):
                origins[pair.function, pair.newer].add(pair.older)
            elif not mapping.explains(pair.older, pair.newer):
                old, new = old_imports.get(pair.older, "?"), new_imports.get(pair.newer, "")
                if not mapping.explains_import(old, new):
                    yield f"line {pair.line}: `{pair.older:.60}` became `{pair.newer:.60}`"
    except Reshaped as difference:
        yield str(difference)
    for (function, name), names in origins.items():
        if len(names) > 1:
            yield f"line {function.lineno}: {sorted(names)} became `{name}`"  # type: ignore[attr-defined]


def bound(function: ast.AST) -> set[str]:
    """List the parameters and variables of a function."""
    return {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


def check(commit: str) -> int:
    """Print what a commit changes besides names, and count it."""
    mapping = Mapping(dict(LINE.findall(git("log", "-1", "--format=%b", commit))))
    count = 0
    print(git("log", "-1", "--format=%h %s", commit), end="")
    changed = git("diff-tree", "-r", "-M40%", "--name-status", "--no-commit-id", commit).splitlines()
    for status, *paths in (line.split("\t") for line in changed if line.endswith(".py")):
        old = "" if status == "A" else git("show", f"{commit}^:{paths[0]}")
        new = "" if status == "D" else git("show", f"{commit}:{paths[-1]}")
        for fault in faults(old, new, mapping):
            print(f"  {paths[-1]}: {fault}")
            count += 1
    return count


if __name__ == "__main__":
    sys.exit(bool(sum(check(commit) for commit in sys.argv[1:])))
