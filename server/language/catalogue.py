"""The catalogues of messages, one for each language: read from this folder, with plurals."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from server.language.locale_data import CATEGORIES, FOLDER, category_of
from server.language.particles import WORD_JOINER, Named, joined

FIRST = "en"
"""The language of messages where the wanted one has no catalogue."""

LANGUAGES = (FIRST, *sorted({file.relative_to(FOLDER).parts[0] for file in FOLDER.rglob("*.toml")} - {FIRST}))
"""The languages of the product: those with a folder here. A survey's own texts may be in any language."""

BASES = frozenset(code.split("-")[0] for code in LANGUAGES)

PLURALS = frozenset(CATEGORIES)

NO_BREAK = "\N{NO-BREAK SPACE}"

Message = str | Mapping[str, str]
"""A text, or a text for each plural category (``one``, ``other``) of its `n`."""


def has_words(language: str) -> bool:
    """Return whether the product speaks a language, in whichever region.

    Examples
    --------
    >>> has_words("ko-KR"), has_words("fr")
    (True, False)
    """
    return language.split("-")[0] in BASES


@cache
def files(language: str) -> Mapping[str, Path]:
    """Return the files of a language by name, from all folders."""
    return {path.stem: path for path in (FOLDER / language).rglob("*.toml")}


@cache
def section(language: str, name: str) -> Mapping[str, Message]:
    """Read one file of messages, flattened: ``[wheel] title`` is ``wheel.title``."""
    text = with_no_breaks(files(language)[name].read_text(encoding="utf-8"))
    return flatten(tomllib.loads(joined(text) if language == "ko" else text))


def with_no_breaks(text: str) -> str:
    """Put no-break spaces between a Greek letter and its value, and between ± and its number.

    Examples
    --------
    >>> with_no_breaks("At ε = {epsilon}, n = 5 ± 2").replace(NO_BREAK, "_")
    'At ε_=_{epsilon}, n = 5 ±_2'
    """
    text = re.sub(r"([α-ω]₀?) = (?=[{\d]|ln)", rf"\1{NO_BREAK}={NO_BREAK}", text)
    return text.replace("± ", f"±{NO_BREAK}")


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Message]:
    """Join nested keys by dots; a table with ``other`` is a plural and stays whole.

    Raises
    ------
    ValueError
        If a plural has a key that is no category of plurals: the texts under it could never be said.
    """
    messages: dict[str, Message] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and "other" not in value:
            messages |= flatten(value, f"{prefix}{key}.")
        elif isinstance(value, Mapping) and (strange := sorted(value.keys() - PLURALS)):
            raise ValueError(f"{prefix}{key} has `other`, so it is a plural and cannot have {strange} too")
        else:
            messages[prefix + key] = value
    return messages


def say(language: str, key: str, **values: object) -> str:
    """Return a message in a language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    key : str
        The file and the key in it, such as ``results.title``.
    **values
        Values of the message's ``{names}``; `n` chooses the plural.

    Raises
    ------
    KeyError
        If the catalogue has no such message: a missing text is a defect, not something to paper over.
    """
    return filled(language, template(language, key, values), values)


def written(language: str, key: str, **values: object) -> str:
    """Return a message for a file or a program: as `say`, without the invisible marks for line breaks."""
    message = template(language, key, values)
    return filled(language, message.replace(WORD_JOINER, "").replace(NO_BREAK, " "), values)


def template(language: str, key: str, values: Mapping[str, object]) -> str:
    """Return the message of the catalogue, in the plural category of `n`."""
    name, _, rest = key.partition(".")
    message = section(language, name)[rest]
    if isinstance(message, str):
        return message
    category = category_of(language)(int(str(values["n"])))
    return message.get(category, message["other"])


def filled(language: str, message: str, values: Mapping[str, object]) -> str:
    """Put values into a message, in Korean with the particles that fit them."""
    if language == "ko":
        values = {name: Named(value) if type(value) is str else value for name, value in values.items()}
    return message.format(**values)
