"""Candor where it is developed: `candor.survey` and `candor.server` are the packages of the checkout.

An installed Candor has one package, `candor`, that holds both. Here they stand side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from server.building.installed import __getattr__, main  # noqa: F401

PREFIX = "candor."


class Checkout(MetaPathFinder, Loader):
    """Finds what is imported as a part of `candor` under its name in the checkout."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec that leads to the module of the checkout."""
        plain = fullname.removeprefix(PREFIX)
        if plain == fullname or plain.partition(".")[0] not in ("survey", "server"):
            return None
        spec = find_spec(plain)
        return spec and ModuleSpec(fullname, self, is_package=spec.submodule_search_locations is not None)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of the checkout itself."""
        module = import_module(spec.name.removeprefix(PREFIX))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Put back the spec that it was imported with: it has run."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, Checkout())  # before what looks into the folders of a package
