"""The name and the direction of a language, from the Unicode Common Locale Data Repository."""

from __future__ import annotations

from babel import Locale, UnknownLocaleError


def locale(code: str) -> Locale | None:
    """Return the locale of a language, or None if the repository does not know it."""
    try:
        return Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def called(code: str, language: str) -> str:
    """Return the name of a language in another one, or its code if the name is unknown.

    Examples
    --------
    >>> called("ko", "en"), called("en", "ko"), called("pt-BR", "en"), called("xx", "en")
    ('Korean', '영어', 'Portuguese (Brazil)', 'xx')
    """
    named, by = locale(code), locale(language)
    return (named and by and named.get_display_name(by)) or code


def direction(code: str) -> str:
    """Return the ``dir`` of texts in a language: ``rtl`` if it is written from right to left, else ``ltr``.

    Examples
    --------
    >>> direction("ar"), direction("he-IL"), direction("az-Arab"), direction("ko"), direction("xx")
    ('rtl', 'rtl', 'rtl', 'ltr', 'ltr')
    """
    known = locale(code)
    return known.text_direction if known else "ltr"
