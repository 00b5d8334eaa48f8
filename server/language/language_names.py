"""What the Unicode Common Locale Data Repository knows about a language: its name, its direction."""

from __future__ import annotations

from babel import Locale, UnknownLocaleError


def locale(code: str) -> Locale | None:
    """Return what is known about a language, None for one that nothing is known about."""
    try:
        return Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def called(code: str, language: str) -> str:
    """Return what a language is called in another one; its code where that is unknown.

    Examples
    --------
    >>> called("ko", "en"), called("en", "ko"), called("pt-BR", "en"), called("xx", "en")
    ('Korean', '영어', 'Portuguese (Brazil)', 'xx')
    """
    named, by = locale(code), locale(language)
    return (named and by and named.get_display_name(by)) or code


def direction(code: str) -> str:
    """Return the ``dir`` of texts in a language: ``rtl`` where it is written from right to left.

    Examples
    --------
    >>> direction("ar"), direction("he-IL"), direction("az-Arab"), direction("ko"), direction("xx")
    ('rtl', 'rtl', 'rtl', 'ltr', 'ltr')
    """
    known = locale(code)
    return known.text_direction if known else "ltr"
