"""The versions of the survey file: the keys that each added, and the version that a file needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

FORMAT = 1
"""The first version of the survey file, written as ``candor = 1``."""

WITH_SECTIONS = 2
WITH_TEXTS = 3

NEW_KEYS: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        WITH_SECTIONS: ("sections", "asked", "quick_exit"),
        WITH_TEXTS: (
            "questions.help",
            "questions.picture",
            "questions.matrix",
            "questions.matrix_wording",
            "invitations",
            "preview",
            "sections.linked",
        ),
    }
)
"""Version -> the keys that came with it; those of every question or section after a dot."""

VERSIONS = (FORMAT, *NEW_KEYS)


def version_needed(table: Mapping[str, Any]) -> int:
    """Return the lowest version that has all keys of a survey file, or of a draft of one.

    Parameters
    ----------
    table : Mapping[str, Any]
        It may hold anything: only the names of keys are looked at.

    Examples
    --------
    >>> version_needed({"questions": [{"id": "copied"}]}), version_needed({"asked": 3})
    (1, 2)
    >>> version_needed({"sections": [{"questions": [{"help": {"en": "What this means"}}]}]})
    3
    """
    used = set(keys(table))
    return max((version for version, new in NEW_KEYS.items() if used & set(new)), default=FORMAT)


def keys(table: Mapping[str, Any]) -> Iterator[str]:
    """List the keys of a survey file as `NEW_KEYS` has them."""
    yield from table
    for section in tables(table, "sections"):
        yield from (f"sections.{key}" for key in section)
    for holder in (table, *tables(table, "sections")):
        for question in tables(holder, "questions"):
            yield from (f"questions.{key}" for key in question)


def tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the tables in a list, without its other values."""
    listed = table.get(key)
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
