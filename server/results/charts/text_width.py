"""The approximate width of letters: a picture by itself breaks its own lines, whatever its font will be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

NARROW, WIDE = frozenset("ijl.,:;|!'()[]{}tfI -·"), frozenset("mwMW%@—…")
EM_OF = {"narrow": 0.36, "usual": 0.58, "capital": 0.72, "wide": 0.92, "full": 1.0, "mark": 0.0}
"""Widths in shares of the font's size: rather too wide, as the font may be any without serifs."""


def width(text: str) -> float:
    """Return about how wide a text is, in shares of the font's size.

    Examples
    --------
    >>> width("14%") < width("Never") < width("네 가지")
    True
    """
    return sum(EM_OF[class_of(letter)] for letter in text)


def class_of(letter: str) -> str:
    """Return which of the widths a letter has."""
    if unicodedata.category(letter) in ("Mn", "Cf"):
        return "mark"
    if unicodedata.east_asian_width(letter) in "WF":
        return "full"
    if letter in NARROW:
        return "narrow"
    return "wide" if letter in WIDE else "capital" if letter.isupper() else "usual"


def wrap(text: str, room: float) -> list[str]:
    """Break a text into lines between words, and inside a word that is longer than a line.

    Parameters
    ----------
    text : str
    room : float
        In shares of the font's size.

    Returns
    -------
    list of str
        At least one; characters that XML cannot hold are left out.

    Examples
    --------
    >>> wrap("Games, films or shopping", 9)
    ['Games, films or', 'shopping']
    """
    lines, line = [], ""
    for word in printable(text).split():
        longer = f"{line} {word}".strip()
        if width(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = cut(word, room)
        lines += full
    return [*lines, line] if line or not lines else lines


def cut(word: str, room: float) -> Iterator[str]:
    """Yield a word in pieces that fit, letter by letter: Japanese puts no space between a thousand of them.

    Examples
    --------
    >>> list(cut("네가지네가지", 4)), list(cut("word", 4))
    (['네가지네', '가지'], ['word'])
    """
    piece, used = "", 0.0
    for letter in word:
        wide = width(letter)
        if piece and used + wide > room:
            yield piece
            piece, used = "", 0.0
        piece += letter
        used += wide
    yield piece


def printable(text: str) -> str:
    """Leave out control characters and what is no character: XML holds none of them."""
    return "".join(
        letter if unicodedata.category(letter) not in ("Cc", "Cs", "Cn") else " " for letter in text
    )
