"""The name and the direction of any language, from the Unicode Common Locale Data Repository."""

from __future__ import annotations

import re

from server.language.locale_data import locale_data, own_names

LEFTWARD = re.compile(
    "ar|ary|apc|bal|bgn|bqi|brh|ckb|dv|fa|he|ks|lrc|mzn|nqo|ps|rhg|sd|sdh|skr|syr|trw|ug|ur|yi"
)
LEFTWARD_SCRIPTS = re.compile("Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa")
"""Languages, and scripts, that are written from right to left."""


def called(code: str, language: str) -> str:
    """Return the name of a language in one of ours, or its code if the name is unknown.

    Examples
    --------
    >>> called("ko", "en"), called("en", "ko"), called("pt-BR", "en"), called("xx", "en")
    ('Korean', '영어', 'Portuguese (Brazil)', 'xx')
    """
    names = locale_data(language)["names"]
    base, *parts = code.split("-")
    if base not in names:
        return code
    within = ", ".join(names.get(part, part) for part in parts)
    return f"{names[base]} ({within})" if within else names[base]


def own_name(code: str) -> str:
    """Return the name of a language in itself, or its code if the name is unknown.

    Examples
    --------
    >>> own_name("ko"), own_name("de"), own_name("pt-BR"), own_name("zh-TW"), own_name("xx")
    ('한국어', 'Deutsch', 'português (Brasil)', '中文 (繁體, 台灣)', 'xx')
    """
    return own_names().get(code) or own_names().get(code.partition("-")[0], code)


def direction(code: str) -> str:
    """Return the ``dir`` of texts in a language: ``rtl`` if it is written from right to left, else ``ltr``.

    Examples
    --------
    >>> direction("ar"), direction("he-IL"), direction("az-Arab"), direction("ko"), direction("xx")
    ('rtl', 'rtl', 'rtl', 'ltr', 'ltr')
    """
    base, *parts = code.split("-")
    script = next((part for part in parts if len(part) == 4), None)
    leftward = LEFTWARD_SCRIPTS.fullmatch(script) if script else LEFTWARD.fullmatch(base)
    return "rtl" if leftward else "ltr"
