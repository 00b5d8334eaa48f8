"""The plurals, the days and the names of languages in a language of ours, from Unicode's repository (CLDR).

Each folder of a language has a file of it, which `server/building/language_data.py` writes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FILE, OWN_NAMES = "locale.json", "own_names.json"

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""The categories of plurals in all languages, in the order of the formulas."""


@cache
def locale_data(language: str) -> dict[str, Any]:
    """Read the file of one of the product's languages."""
    data: dict[str, Any] = json.loads((FOLDER / language / FILE).read_text(encoding="utf-8"))
    return data


@cache
def own_names() -> dict[str, str]:
    """Read what every language is called in itself."""
    names: dict[str, str] = json.loads((FOLDER / OWN_NAMES).read_text(encoding="utf-8"))
    return names


@cache
def category_of(language: str) -> Callable[[int], str]:
    """Return the function from a number to the category of its plural.

    Examples
    --------
    >>> [category_of("en")(n) for n in (0, 1, 2)], category_of("ko")(1)
    (['other', 'one', 'other'], 'other')
    """
    data = locale_data(language)
    place = c2py(data["plural"])
    return lambda n: data["plurals"][place(n)]
