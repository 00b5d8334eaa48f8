"""The words on the cards: the title of each page for everybody, as a picture that a browser has drawn.

Pillow brings no font for Korean, and not every machine has one. So tests/benchmarks/title_pictures.py lets a
browser draw the titles, and git keeps the pictures. Each says what is on it; a test compares that with its
page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PIL import Image

FOLDER = Path(__file__).with_name("titles")
"""A folder for each language, with a picture for each card: how dark each place is."""

WIDEST = 850
"""Pixels; a longer title has lines."""


def titles() -> Mapping[str, Image.Image]:
    """Read the pictures: name of a card, such as ``en/suspicion`` -> what is dark of its title."""
    files = sorted(FOLDER.glob("*/*.png"))
    return MappingProxyType(
        {f"{each.parent.name}/{each.stem}": Image.open(each).convert("L") for each in files}
    )
