"""The fields from which the page draws the panels of a draft: each is named after its unit of the document.

They hold nothing and check nothing: the script fills them, and `survey.draft` checks what was typed. Boxes
and radio buttons are drawn without any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from wtforms import Form, FormField, StringField, TextAreaField

from survey import matrix
from survey.definition import TEXTS
from survey.draft import EXPECTED
from survey.question import KINDS
from survey.question.question import MARKED
from survey.read_definition import STEP
from survey.section import TEXTS as TEXTS_OF_SECTION

NODE, OPTION = "node", "option"
"""Stand in names for the uid of a question or a part, and for that of an option."""

MECHANISMS = MappingProxyType(
    {"yes_no": "spinner_coin", "choice": "wheel", "boxes": "sampled_box", "number": "hybrid"}
)
"""Kind -> the mechanism that a new question begins with."""


@dataclass(frozen=True)
class DraftFields:
    """The fields of a draft in some languages.

    Attributes
    ----------
    survey : Form
        Those of the survey itself; a number shows what holds where none is typed.
    part : Form
    questions : Mapping[str, Form]
        Name of a template -> its fields: a kind of question, or ``<kind>-first`` and ``<kind>-line`` of a
        group on one scale.
    mechanisms : Mapping[str, str]
        `MECHANISMS`.
    """

    survey: Form
    part: Form
    questions: Mapping[str, Form]
    mechanisms: Mapping[str, str]


@lru_cache(maxsize=64)
def draft_fields(languages: tuple[str, ...]) -> DraftFields:
    """Make the fields of a draft.

    Parameters
    ----------
    languages : tuple of str
        Those in which texts have fields.
    """
    survey = {name: texts(languages) for name in TEXTS} | lines("slug", "kept_until", "asked", "quick_exit")
    survey |= lines("expected", default=str(EXPECTED))
    survey["budget"] = inner(**lines("limit"), **lines("waves", default="1"))
    survey["results"] = inner(**lines("step", default=str(STEP)))
    part = {name: texts(languages) for name in TEXTS_OF_SECTION} | lines("id", "epsilon", "asked")
    question = {name: texts(languages) for name in (*MARKED, "unit")}
    question |= lines("id", "low", "high", "step", "epsilon", "delta", "size")
    question |= {"picture": inner(alt=texts(languages)), OPTION: inner(text=texts(languages))}
    templates = [*KINDS, *(f"{kind}-{place}" for kind in matrix.KINDS for place in ("first", "line"))]
    of_question = form_of(question)(prefix=f"{NODE}.")
    return DraftFields(
        form_of(survey)(), form_of(part)(prefix=f"{NODE}."), dict.fromkeys(templates, of_question), MECHANISMS
    )


def form_of(fields: Mapping[str, Any]) -> type[Form]:
    """Make a form of fields."""
    return type("Fields", (Form,), dict(fields))


def inner(**fields: Any) -> FormField:
    """Make the fields of a table within a table."""
    return FormField(form_of(fields), separator=".")


def texts(languages: tuple[str, ...]) -> FormField:
    """Make the fields of one text, one for each language."""
    return inner(**{code: TextAreaField() for code in languages})


def lines(*names: str, default: str = "") -> dict[str, StringField]:
    """Make fields of one line."""
    return {name: StringField(default=default) for name in names}
