"""What a survey must say before it can be opened, although a file that is only checked may leave it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from survey.definition import TEXTS
from survey.fields import Problem

ASKERS = ("organisation", "contact")
"""Texts that say who asks and how to reach them."""

BLANK = re.compile(r"\[(?:help contact|도움받을 곳)\]")
"""What a template leaves open in a text; whoever opens the survey writes something in its place."""

ALL_BLANK = re.compile(r"\s*\[[^\[\]]*\]\s*")
"""A text that is nothing but something left open."""


def unsaid(table: Mapping[str, Any]) -> Iterator[Problem]:
    """List what keeps a survey from being opened: who asks, how to reach them, until when the data is kept.

    Parameters
    ----------
    table : Mapping[str, Any]
        The tables of a survey file; whatever else they lack, `survey.definition` says.

    Examples
    --------
    >>> told = {"organisation": {"en": "Hillside"}, "contact": {"en": "[contact]"}, "languages": ["en"]}
    >>> [problem.key for problem in unsaid(told)]
    ['contact.en', 'kept_until']
    """
    for key in ASKERS:
        texts = table.get(key) or dict.fromkeys(table.get("languages", []))
        for language, text in texts.items():
            if not text or ALL_BLANK.fullmatch(text):
                allowed = f"a text of 1 to {TEXTS[key]} characters before the survey is opened"
                yield Problem(f"{key}.{language}", allowed, text or None)
    if not table.get("kept_until"):
        yield Problem("kept_until", "a date such as 2027-12-31 before the survey is opened", None)
    for place, text in texts_of(table):
        if found := BLANK.search(text):
            yield Problem(place, f"a text in which {found[0]} is filled in", text)


def texts_of(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in nested tables and lists with its key."""
    match value:
        case str():
            yield place, value
        case Mapping():
            for key, inner in value.items():
                yield from texts_of(inner, f"{place}.{key}".lstrip("."))
        case list():
            for index, inner in enumerate(value):
                yield from texts_of(inner, f"{place}[{index}]")
