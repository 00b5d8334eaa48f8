"""Libraries that others import merely because they are installed, for features that are not used here."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Let an import not find a library, unless it is imported already: to import it would take long.

    Examples
    --------
    >>> with hidden("antigravity"):
    ...     import antigravity
    Traceback (most recent call last):
    ModuleNotFoundError: import of antigravity halted; None in sys.modules
    """
    modules: dict[str, Any] = sys.modules
    if name in modules:
        yield
        return
    modules[name] = None
    try:
        yield
    finally:
        del modules[name]


class Postponed:
    """Finds one module, and lets it be read only when something of it is used.

    Parameters
    ----------
    name : str
        The whole name of the module.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find the module; leave all others to the finders that follow."""
        spec = PathFinder.find_spec(name, path, target) if name == self.name else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


@contextmanager
def postponed(name: str) -> Iterator[None]:
    """Let an import find a module without reading it: that happens, if at all, when it is first used.

    Examples
    --------
    >>> with postponed("this"):  # prints a poem when it is read
    ...     import this
    """
    finder = Postponed(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
