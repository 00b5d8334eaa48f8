"""Texts with marks in a draft: which of its texts may have them, and what they need of the file's version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from survey.definition import MARKED
from survey.markdown import Marked, TooManyMarks, escaped, marked
from survey.question.question import MARKED as MARKED_OF_QUESTION
from survey.version import FORMAT, WITH_TEXTS, tables, version_needed


def version_of(draft: Mapping[str, Any]) -> int:
    """Return the lowest version of the survey file that a draft can be written in."""
    has_marks = any(read(text) is not None for texts in texts_of(draft) for text in texts.values())
    return WITH_TEXTS if has_marks else version_needed(draft)


def read(text: str) -> Marked | None:
    """Return a text with its tree, None where it has no marks, or too many to be one."""
    try:
        found = marked(text)
    except TooManyMarks:
        return None
    return found if isinstance(found, Marked) else None


def as_typed(draft: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a draft as the editor shows it: what looks like a mark in an older one stays as it is."""
    if draft.get("candor", FORMAT) >= WITH_TEXTS:
        return draft
    draft = deepcopy(dict(draft))
    for texts in texts_of(draft):
        texts |= {language: escaped(text) for language, text in texts.items()}
    return draft


def texts_of(draft: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """List the texts of a draft that may have marks, each in all its languages."""
    sections = tables(draft, "sections")
    questions = [each for holder in (draft, *sections) for each in tables(holder, "questions")]
    yield from (draft[key] for key in MARKED if key in draft)
    yield from (section["introduction"] for section in sections if "introduction" in section)
    yield from (each[key] for each in questions for key in MARKED_OF_QUESTION if key in each)
