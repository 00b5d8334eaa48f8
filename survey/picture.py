"""A picture of a question, which the survey names by the SHA-256 of its bytes; these are stored elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from survey.fields import Fields, Texts

SHA256 = re.compile(r"[0-9a-f]{64}")
TYPES = ("png", "jpeg", "webp")
MOST_SIDE = 1600
"""The most pixels of a side."""

LONGEST_ALT = 500
"""The most characters of the text that replaces a picture."""


@dataclass(frozen=True)
class Picture:
    """A picture, with a text for readers who do not see it.

    Attributes
    ----------
    sha256 : str
        The hash of its bytes, 64 hexadecimal digits. So the fingerprint of a survey fixes the bytes too.
    type : str
        ``png``, ``jpeg`` or ``webp``: the end of its MIME type, and of its file's name.
    width, height : int
        Pixels.
    alt : Texts
        The text for readers who do not see it, per language.
    """

    sha256: str
    type: str
    width: int
    height: int
    alt: Texts

    @property
    def file(self) -> str:
        """The name of its file, beside a survey file in the folder ``pictures``."""
        return f"{self.sha256}.{self.type}"

    def as_dict(self) -> dict[str, Any]:
        """Return the picture as the table that a survey file holds."""
        size = {"width": self.width, "height": self.height}
        return {"sha256": self.sha256, "type": self.type, **size, "alt": dict(self.alt)}


def read_picture(fields: Fields, languages: tuple[str, ...]) -> Picture | None:
    """Read the key ``picture`` of a table, if it is there."""
    if fields.get("picture") is None:
        return None
    inner = fields.inner("picture")
    picture = Picture(
        sha256=inner.name("sha256", SHA256, "sha256"),
        type=inner.choice("type", TYPES),
        width=read_side(inner, "width"),
        height=read_side(inner, "height"),
        alt=inner.texts("alt", languages, LONGEST_ALT),
    )
    inner.refuse_unknown()
    return picture


def read_side(fields: Fields, key: str) -> int:
    """Read the number of pixels of a side, which is required."""
    if fields.get(key) is None:
        fields.problem(key, "whole", low=1, high=MOST_SIDE)
    return fields.whole(key, 1, MOST_SIDE, default=1)


def named_in(table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the place and the table of every picture that a survey file names, or a draft of one.

    Parameters
    ----------
    table : Mapping[str, Any]
        It may hold anything.

    Examples
    --------
    >>> list(named_in({"questions": [{}, {"picture": {"sha256": "ab" * 32}}]})) == [
    ...     ("questions[1].picture", {"sha256": "ab" * 32})
    ... ]
    True
    """
    for place, question in questions(table):
        picture = question.get("picture")
        if isinstance(picture, Mapping) and SHA256.fullmatch(str(picture.get("sha256"))):
            yield f"{place}.picture", picture


def questions(table: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the place and the table of every question, within sections too."""
    for key in ("sections", "questions"):
        listed = table.get(key)
        for index, question in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(question, Mapping):
                here = f"{place}{key}[{index}]"
                if key == "questions":
                    yield here, question
                else:
                    yield from questions({"questions": question.get("questions")}, f"{here}.")
