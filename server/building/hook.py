"""The step of the build that makes what git does not have: the mathematics font and the lessons' cards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parents[2]))  # what is being built is not installed

from server.building.lesson_cards import cards
from server.building.math_font import carried, part

FONTS, CARDS = Path("static", "fonts"), Path("static", "cards")
"""Folders among those that are served. Git ignores them."""


class MadeFiles(BuildHookInterface[Any]):
    """A step of the build that puts the font, its licence and the cards into their folders."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files before they are collected."""
        font = {"math.woff2": part(carried()), "OFL.txt": Path(__file__).with_name("OFL.txt").read_bytes()}
        pictures = {f"{name}.png": card for name, card in cards().items()}
        for folder, files in ((FONTS, font), (CARDS, pictures)):
            place = Path(self.root) / folder
            place.mkdir(exist_ok=True)
            for name, content in files.items():
                (place / name).write_bytes(content)
