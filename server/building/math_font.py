"""The mathematics font of the lessons: a small part of STIX Two Math.

Without a font for mathematics, browsers draw roots that do not cover their fractions, and leave out letters
that no other font of the machine has. The whole font has 1.5 MB, the part that the lessons use 21 kB. It
comes with `ziamath`, which pip installs for the build alone.
"""

from __future__ import annotations

import importlib.util
import io
import string
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

SOURCE = Path("fonts", "STIXTwoMath-Regular.ttf")
"""The path of the font in `ziamath`."""

NAME = "Candor Math"
"""The licence reserves the font's own name for the whole font."""

SLANTED = "".join(chr(0x1D434 + place) for place in range(52) if place != 33) + "ℎ𝛼𝛽𝛾𝛿𝜀𝜎𝜋𝜆𝜇𝜌𝜑𝛥𝛷"
"""The letters that browsers draw for a single letter in <mi>; Unicode had the slanted h before the others."""

SIGNS = (
    "δεσπλμφΔΦ −×·⋅±≤≥<>≠≈≪~∼∝∈∉∑∏∫√∞…⋯|‖⌈⌉⌊⌋→↔⇒⇔↦∪∩⊆⊂∧∨ℝℕℓ′^¯ˆ˜"
    "\u0302\u0303\u0304\u00a0\u2061\u2062"  # accents that are set above a letter, spaces that are not seen
)

CHARACTERS = SLANTED + SIGNS + string.digits + string.ascii_letters + "()[]{}.,;:!?%/+=-"

NAMES = {1: NAME, 3: f"{NAME}; from STIX Two Math 2.11", 4: NAME, 6: NAME.replace(" ", "")}
"""Number of a record -> the name in it; copyright and licence stay as they are."""


def part(font: bytes) -> bytes:
    """Reduce a font to the characters that the lessons use, and write it as WOFF2.

    The table MATH stays, with the constants for roots and fractions and every size of a sign that grows. The
    same version of fontTools always writes the same bytes.
    """
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = []  # the drawings for small letters would double the size
    options.drop_tables += ["GDEF", "GPOS"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    with TTFont(io.BytesIO(font), recalcTimestamp=False) as whole:
        subsetter = Subsetter(options)
        subsetter.populate(text=CHARACTERS)
        subsetter.subset(whole)
        for record in whole["name"].names:
            record.string = NAMES.get(record.nameID, record.toUnicode())
        whole.flavor = "woff2"
        written = io.BytesIO()
        whole.save(written)
        return written.getvalue()


def carried() -> bytes:
    """Read the whole font from `ziamath`.

    Raises
    ------
    ModuleNotFoundError
        If the package is not installed.
    """
    found = importlib.util.find_spec("ziamath")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("ziamath is needed for its font; see [build-system] in pyproject.toml")
    return (Path(found.origin).parent / SOURCE).read_bytes()
