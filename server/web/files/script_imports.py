"""The imports of scripts. A page names them all at once, so that no browser finds them one by one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cache

IMPORT = re.compile(rb'^(?:import|export)\s[^"\';]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"', re.MULTILINE)
"""A static import. A page itself names the modules that it may load later by ``import(...)``."""


def closure(files: Mapping[str, bytes], scripts: Iterable[str]) -> list[str]:
    """List scripts and everything that they import, directly or indirectly, sorted.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of every file that is served, by its path.
    scripts : iterable of str
        Paths to begin with.

    Raises
    ------
    KeyError
        If an imported file does not exist.

    Examples
    --------
    >>> page = {"a.js": b'import { b } from "./b/b.js";', "b/b.js": b'import "../c.js";', "c.js": b""}
    >>> closure(page | {"d.js": b""}, ["a.js"])
    ['a.js', 'b/b.js', 'c.js']
    """
    paths: set[str] = set()
    waiting = list(scripts)
    while waiting:
        path = waiting.pop()
        if path not in paths:
            paths.add(path)
            waiting += imports(path, files[path])
    return sorted(paths)


@cache
def imports(path: str, content: bytes) -> tuple[str, ...]:
    """List the paths that a script imports; each file is read once, not for every page that names it."""
    names = (match[1] or match[2] for match in IMPORT.finditer(content))
    return tuple(posixpath.normpath(posixpath.join(posixpath.dirname(path), name.decode())) for name in names)
