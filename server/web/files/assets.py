"""Scripts, styles and pictures, served under a hash of them all so that browsers may cache them for ever."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flask import Flask, current_app, request

from server.web.files.ready_files import ReadyFiles
from server.web.files.script_imports import closure
from server.web.files.survey_scripts import scripts

STYLES = {
    "linked.css": ("candor.css", "matrix.css"),
    "survey.css": ("candor.css", "matrix.css", "questions.css", "texts.css", "pictures.css"),
}
"""Several styles in one file, for a survey's page that needs more than the first: a request takes longer."""

COMMENT = re.compile(rb"^ */\*.*?\*/\n| */\*.*?\*/", re.MULTILINE | re.DOTALL)


def folder(name: str) -> Path:
    """Find ``static`` or ``templates``: inside the package in a wheel, beside the package in a checkout.

    Raises
    ------
    FileNotFoundError
        If it is in neither place.
    """
    here = Path(__file__).resolve().parents[2]
    for place in (here / name, here.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"{name} must be a folder in {here} or {here.parent}")


def read(root: Path) -> dict[str, bytes]:
    """Read every file of a folder; return its content by its path in the folder, with slashes."""
    start = len(str(root)) + 1
    return {
        path[start:].replace(os.sep, "/"): Path(path).read_bytes()
        for folder, _, names in os.walk(str(root))
        for path in (os.path.join(folder, name) for name in names)  # noqa: PTH118
    }


def plain(path: str, content: bytes) -> bytes:
    """Leave the comments of a style out: on a survey's page they would take a tenth of its bytes."""
    return COMMENT.sub(b"", content) if path.endswith(".css") else content


@cache
def collected() -> Mapping[str, bytes]:
    """Read the folder ``static``, once, and add the scripts and styles of surveys' pages."""
    files = {path: plain(path, content) for path, content in read(folder("static")).items()}
    styles = {style: b"".join(files[name] for name in names) for style, names in STYLES.items()}
    return files | scripts(files) | styles


def served() -> Mapping[str, bytes]:
    """Return the files that this application serves, which are those of the moment when it started."""
    files: Mapping[str, bytes] = current_app.extensions["candor.assets"]
    return files


def hash_of(files: Mapping[str, bytes]) -> str:
    """Hash files with their names; return 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path, content in sorted(files.items()):
        for part in (path.encode(), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:16]


@cache
def version_served() -> str:
    """Hash all files that are served, once."""
    return hash_of(collected())


def init_app(app: Flask) -> None:
    """Serve ``/static/<hash>/<path>`` and bind ``asset(path)`` and ``scripts(path, ...)`` in templates."""
    files = app.extensions["candor.assets"] = collected()
    version = version_served()

    def asset(path: str, root: str | None = None) -> str:
        """Return the address of a file; it changes with any file. `root` replaces the prefix."""
        return f"{request.script_root if root is None else root}/static/{version}/{path}"

    app.jinja_env.globals["asset"] = asset
    app.jinja_env.globals["scripts"] = lambda *paths: closure(files, paths)
    ready = ReadyFiles(app.wsgi_app, files, f"/static/{version}/")
    app.extensions["candor.ready_files"] = app.wsgi_app = ready  # type: ignore[method-assign]
