"""About how wide letters are: a picture that stands by itself breaks its own lines, in whatever font."""

from __future__ import annotations

import unicodedata

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
        line = word
        while width(line) > room:
            fits = next(end for end in range(len(line), 0, -1) if end == 1 or width(line[:end]) <= room)
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line] if line or not lines else lines


def printable(text: str) -> str:
    """Leave out control characters and what is no character: XML holds none of them."""
    return "".join(
        letter if unicodedata.category(letter) not in ("Cc", "Cs", "Cn") else " " for letter in text
    )
