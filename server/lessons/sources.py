"""The sources of the lessons: papers and books, and pages that inspired their pictures."""

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
        Its key in the catalogue, which says what the source is used for.
    cites : str
        Author and year, as lessons cite it; then title and publisher.
    at : str
        Its DOI, or else its address; empty if it has neither.
    """

    key: str
    cites: str
    at: str = ""

    @property
    def address(self) -> str:
        """The address at which it can be read."""
        return f"https://doi.org/{self.at}" if self.at.startswith("10.") else self.at


@cache
def sources() -> dict[str, list[Source]]:
    """Read the sources by subject, in the order of the page."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        about: [Source(key, **fields) for key, fields in listed.items()] for about, listed in table.items()
    }
