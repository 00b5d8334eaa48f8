"""The files of languages: their parts of the Unicode Common Locale Data Repository.

    .venv/bin/python -m server.building.language_data LANGUAGE ...

Babel brings the repository, 33 MB for all languages. Candor needs two of them, and so only these files.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.localedata import locale_identifiers
from babel.plural import to_gettext

from server.language.locale_data import CATEGORIES, FILE, FOLDER, OWN_NAMES

FIELDS = {"d": "{day}", "MMMM": "{month}", "y": "{year}"}
"""A field of the repository's pattern of a long day -> the same as Python's `format` has it."""


def of(code: str) -> dict[str, Any]:
    """Return the names, the plurals and the form of a day of a language."""
    locale = Locale.parse(code, sep="-")
    rule = locale.plural_form
    named = (locale.languages, locale.scripts, locale.territories)
    formula = to_gettext(rule).partition("plural=")[2].rstrip(";")
    return {
        "plural": re.sub(r"\be\b", "0", formula),  # no whole number is written with an exponent
        "plurals": [category for category in CATEGORIES if category in {*rule.tags, "other"}],
        "day": re.sub(r"'([^']*)'|[a-zA-Z]+", field, locale.date_formats["long"].pattern),
        "months": list(locale.months["format"]["wide"].values()),
        "names": {code: name for names in named for code, name in sorted(names.items()) if "_" not in code},
    }


def field(part: re.Match[str]) -> str:
    """Return a field of a pattern, or the text between its quotes."""
    return FIELDS[part[0]] if part[1] is None else part[1]


def text(code: str) -> str:
    """Return the file of a language, a line for each key."""
    return written(of(code))


def own_names() -> str:
    """Return the file of the names that languages have for themselves, a line for each."""
    names = {}
    for identifier in sorted(locale_identifiers()):
        locale = Locale.parse(identifier)
        names[identifier.replace("_", "-")] = name = locale.get_display_name(identifier) or identifier
        with suppress(UnknownLocaleError):
            if Locale.parse(f"{locale.language}_{locale.territory}") == locale:  # zh-TW is zh-Hant-TW
                names[f"{locale.language}-{locale.territory}"] = name
    return written(dict(sorted(names.items())))


def written(table: dict[str, Any]) -> str:
    """Write a table as JSON, a line for each key."""
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    (FOLDER / OWN_NAMES).write_text(own_names(), encoding="utf-8")
    for language in sys.argv[1:]:
        (FOLDER / language / FILE).write_text(text(language), encoding="utf-8")
