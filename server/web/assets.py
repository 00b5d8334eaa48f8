"""Script, style and pictures: served under a hash of all of them, so that they may be kept for ever."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Flask, Response, abort, request, send_from_directory

YEAR = 365 * 24 * 60 * 60


def folder(name: str) -> Path:
    """Find ``static`` or ``templates``: in the package in a wheel, next to the package in a checkout.

    Raises
    ------
    FileNotFoundError
        If it is in neither place.
    """
    here = Path(__file__).resolve().parent.parent
    for place in (here / name, here.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"{name} must be a folder in {here} or {here.parent}")


def folder_hash(root: Path) -> str:
    """Hash every file of a folder with its name: 16 hexadecimal digits that change when any of them does."""
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        for part in (path.relative_to(root).as_posix().encode(), path.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:16]


def init_app(app: Flask) -> None:
    """Serve ``/static/<hash>/<path>`` and bind ``asset(path)`` in templates."""
    root = folder("static")
    version = folder_hash(root)

    def asset(path: str, root: str | None = None) -> str:
        """Return the address of a file, which changes when any file does; `root` makes it relative."""
        return f"{request.script_root if root is None else root}/static/{version}/{path}"

    def static(asked: str, path: str) -> Response:
        """Serve a file of this version."""
        if asked != version:
            abort(404)  # never this version's bytes under another's address: they would be kept for ever
        response = send_from_directory(root, path, max_age=YEAR)
        response.cache_control.public = True
        response.cache_control.immutable = True
        return response

    app.jinja_env.globals["asset"] = asset
    app.add_url_rule("/static/<asked>/<path:path>", "static", static)
