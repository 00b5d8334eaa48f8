"""The headings of an XLSForm: the name and the language of each column (https://xlsform.org)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from server.language.language_names import own_name
from survey.read_definition import LANGUAGE

OUR_PREFIX = "ldp"
"""Beginning of headings that XLSForm does not know; its converters leave such columns alone."""

LANGUAGE_OF_HEADING = re.compile(rf"(?:.*\()?({LANGUAGE.pattern})\)?", re.DOTALL)
"""``English (en)`` or ``en``."""

TEXT_COLUMNS = {"label", "hint", "guidance_hint", "ldp::unit", "ldp::title", "ldp::matrix_wording"}
"""Columns that may stand once for each language."""

DEFAULT = "default_language"


@dataclass(frozen=True)
class Heading:
    """One column's heading.

    Attributes
    ----------
    name : str
        Without its language.
    language : str or None
        The code of the language, None of a column that is in none.
    """

    name: str
    language: str | None = None


def read_heading(text: str, default: str | None = None) -> Heading | None:
    """Read a heading.

    Parameters
    ----------
    text : str
    default : str or None
        The language of a text whose heading names none.

    Returns
    -------
    Heading or None
        None if the column holds a text in a language without a code.

    Examples
    --------
    >>> read_heading("label::한국어 (ko)"), read_heading("ldp::unit::en")
    (Heading(name='label', language='ko'), Heading(name='ldp::unit', language='en'))
    >>> read_heading("ldp::epsilon"), read_heading("label::French")
    (Heading(name='ldp::epsilon', language=None), None)
    """
    parts = [part.strip() for part in text.split("::")]
    length = 2 if parts[0].lower() == OUR_PREFIX else 1
    name = "::".join(parts[:length]).lower().replace(" ", "_")
    if name not in TEXT_COLUMNS:
        return Heading("::".join([name, *parts[length:]]))
    code = language_of("::".join(parts[length:])) if len(parts) > length else default
    return Heading(name, code) if code else None


def language_of(text: str) -> str | None:
    """Return the code in a language's name such as ``English (en)``, or None."""
    match = LANGUAGE_OF_HEADING.fullmatch(text.strip())
    return match[1] if match else None


def language_name(code: str) -> str:
    """Return a language's own name with its code.

    Examples
    --------
    >>> language_name("ko"), language_name("en"), language_name("xx")
    ('한국어 (ko)', 'English (en)', 'xx (xx)')
    """
    return f"{own_name(code)} ({code})"


def text_heading(name: str, language: str) -> str:
    """Write the heading of a text's column in one language."""
    return f"{name}::{language_name(language)}"


def languages_of(headings: Iterable[Heading | None], default: str | None) -> list[str]:
    """Return the languages that headings name, in order, the form's default language first."""
    named = [heading.language for heading in headings if heading is not None and heading.language]
    return list(dict.fromkeys([default, *named] if default in named else named))
