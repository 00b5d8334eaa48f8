"""Requirements for opening a survey, which a file that is only checked need not meet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from survey.definition import TEXTS
from survey.fields import Problem, as_date

ASKERS = ("organisation", "contact")
"""Texts that say who asks and how to reach them."""

BLANK = re.compile(r"\[(?:help contact|도움받을 곳)\]")
"""The blanks of a template, which must be filled in before the survey is opened."""

BRACKETS = re.compile(r"\[(?!(?:at|dot|@)\])[^\[\]]*\](?!\()", re.IGNORECASE)
"""Blanks in the texts that say who asks; a link is none, nor is "kim [at] hill.example"."""


def unready(table: Mapping[str, Any], earliest: date) -> Iterator[Problem]:
    """Find what keeps a survey from being opened: who asks, how to reach them, and how long the data is kept.

    Parameters
    ----------
    table : Mapping[str, Any]
        The tables of a survey file; `survey.read_definition` checks the rest.
    earliest : date
        The first day that `kept_until` may be: today, or the day on which the survey closes.

    Examples
    --------
    >>> table = {"organisation": {"en": "Hillside"}, "contact": {"en": "[contact]"}, "languages": ["en"]}
    >>> [problem.path for problem in unready(table, date(2027, 1, 1))]
    ['kept_until', 'contact.en']
    >>> print(*unready(table | {"contact": {"en": "Ada"}, "kept_until": "2026-12-31"}, date(2027, 1, 1)))
    kept_until must be 2027-01-01 or a later day before the survey is opened, got '2026-12-31'
    """
    for key in ASKERS:
        texts = table.get(key) or dict.fromkeys(table.get("languages", []))
        for language, text in texts.items():
            if not text:
                yield Problem(f"{key}.{language}", "open_text", {"most": TEXTS[key]}, None)
    if not (written := table.get("kept_until")):
        yield Problem("kept_until", "open_date", {}, None)
    elif (day := as_date(str(written))) and day < earliest:
        yield Problem("kept_until", "open_earliest", {"earliest": earliest}, str(day))
    for place, text in texts_of(table):
        if blank := blank_in(place, text):
            yield Problem(place, "open_blank", {"blank": blank}, text)


def blank_in(place: str, text: str) -> str | None:
    """Find a blank in the text of a key."""
    blank = (BRACKETS if place.partition(".")[0] in ASKERS else BLANK).search(text)
    return blank and blank[0]


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
