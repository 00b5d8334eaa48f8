"""Which scripts a script imports: a page names them all at once, so that no browser finds them one by one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

IMPORT = re.compile(rb'^(?:import|export)\s[^"\';]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"', re.MULTILINE)
"""An import that is always made. ``import(...)`` depends on what the page shows: the page names it itself."""


def closure(files: Mapping[str, bytes], scripts: Iterable[str]) -> list[str]:
    """List scripts and all that they import, directly and not, sorted.

    Parameters
    ----------
    files : mapping of str to bytes
        Path -> content of every file that is served.
    scripts : iterable of str
        Paths to begin with.

    Raises
    ------
    KeyError
        If there is no file of a name that is imported.

    Examples
    --------
    >>> page = {"a.js": b'import { b } from "./b/b.js";', "b/b.js": b'import "../c.js";', "c.js": b""}
    >>> closure(page | {"d.js": b""}, ["a.js"])
    ['a.js', 'b/b.js', 'c.js']
    """
    found: set[str] = set()
    waiting = list(scripts)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += imports(path, files[path])
    return sorted(found)


def imports(path: str, content: bytes) -> list[str]:
    """List what one script imports."""
    names = (match[1] or match[2] for match in IMPORT.finditer(content))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(path), name.decode())) for name in names]
