"""What the lessons rest on: papers and books, and where the ideas for the pictures come from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class Source:
    """A paper, a book or a page.

    Attributes
    ----------
    key : str
        In the catalogue, which says in a line what it is used for.
    cites : str
        Who and when, as lessons cite it; then what and where.
    at : str
        Its DOI, or its address where it has none; empty where it has neither.
    """

    key: str
    cites: str
    at: str = ""

    @property
    def address(self) -> str:
        """Where it can be read."""
        return f"https://doi.org/{self.at}" if self.at.startswith("10.") else self.at


@cache
def sources() -> dict[str, list[Source]]:
    """Read the sources, by what they are about, in the order of the page."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {about: [Source(key, **each) for key, each in listed.items()] for about, listed in table.items()}
