"""The step of the build that makes what git does not have: the font, the cards, and the one package."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parents[2]))  # what is being built is not installed

from server.building.lesson_cards import cards
from server.building.math_font import carried, part
from server.building.namespace import package_files

FONTS, CARDS = Path("static", "fonts"), Path("static", "cards")
"""Folders among those that are served. Git ignores them."""


class MadeFiles(BuildHookInterface[Any]):
    """A step of the build that puts the font, its licence and the cards into their folders.

    The wheel gets the package `candor`, which holds all; in a checkout it leads to the packages there.
    """

    PLUGIN_NAME = "custom"
    package: TemporaryDirectory[str]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files before they are collected."""
        font = {"math.woff2": part(carried()), "OFL.txt": Path(__file__).with_name("OFL.txt").read_bytes()}
        pictures = {f"{name}.png": card for name, card in cards().items()}
        for folder, files in ((FONTS, font), (CARDS, pictures)):
            place = Path(self.root) / folder
            shutil.rmtree(place, ignore_errors=True)  # what an earlier version made is not served again
            for name, content in files.items():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content)
        root = Path(self.root)
        if version == "editable":
            build_data["force_include_editable"][str(root / "server/building/checkout.py")] = (
                "candor/__init__.py"
            )
            return
        self.package = TemporaryDirectory()
        for name, content in package_files(root):
            place = Path(self.package.name) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        build_data["force_include"][self.package.name] = "candor"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Forget what was made for the wheel."""
        if version != "editable":
            self.package.cleanup()
