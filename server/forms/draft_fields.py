"""The fields from which the page draws the cards of a draft: each is named after its unit of the document.

They hold nothing and check nothing: the script fills them, and `survey.draft` checks what was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wtforms import BooleanField, Form, FormField, RadioField, StringField, TextAreaField

from survey.definition import TEXTS
from survey.mechanisms.independent_boxes import SCOPES
from survey.question import KINDS
from survey.question.question import MARKED
from survey.section import TEXTS as TEXTS_OF_SECTION

NODE, OPTION = "node", "option"
"""Stand in names for the uid of a question or a part, and for that of an option."""

SKIPS = ("", "randomized", "apart")


@dataclass(frozen=True)
class DraftFields:
    """The fields of a draft in some languages.

    Attributes
    ----------
    survey : Form
        Those of the survey itself.
    part : Form
    questions : Mapping[str, Form]
        Name of a template -> its fields: a kind of question, or ``<kind>-first`` and ``<kind>-line`` of a
        group on one scale.
    """

    survey: Form
    part: Form
    questions: Mapping[str, Form]


@cache
def draft_fields(languages: tuple[str, ...]) -> DraftFields:
    """Make the fields of a draft.

    Parameters
    ----------
    languages : tuple of str
        Those in which texts have fields.
    """
    question = question_form(languages)
    names = [name for kind in KINDS for name in (kind, f"{kind}-first", f"{kind}-line")]
    questions = {name: question(prefix=f"{NODE}.") for name in names}
    return DraftFields(survey_form(languages)(), part_form(languages)(prefix=f"{NODE}."), questions)


def texts(languages: tuple[str, ...]) -> FormField:
    """Make the fields of one text, one for each language."""
    form = type("TextFields", (Form,), {code: TextAreaField() for code in languages})
    return FormField(form, separator=".")


def inner(**fields: Any) -> FormField:
    """Make the fields of a table within a table."""
    return FormField(type("InnerFields", (Form,), fields), separator=".")


def survey_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of what a survey says of itself."""
    fields: dict[str, Any] = {name: texts(languages) for name in TEXTS}
    fields |= {name: StringField() for name in ("slug", "kept_until", "expected", "asked", "quick_exit")}
    fields |= {name: BooleanField() for name in ("outcome", "invitations")}
    fields["languages"] = StringField()
    fields["budget"] = inner(limit=StringField(), waves=StringField())
    fields["results"] = inner(step=StringField(), reports_while_open=BooleanField())
    return type("SurveyFields", (Form,), fields)


def part_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of a part."""
    fields: dict[str, Any] = {name: texts(languages) for name in TEXTS_OF_SECTION}
    return type("PartFields", (Form,), fields | {"id": StringField(), "always": BooleanField()})


def question_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of a question of any kind, of which a template draws some fields."""
    fields: dict[str, Any] = {name: texts(languages) for name in (*MARKED, "unit")}
    numbers = ("low", "high", "step", "epsilon", "delta", "size")
    fields |= {name: StringField() for name in ("id", "section", *numbers)}
    fields |= {name: BooleanField() for name in ("ordered", "by_hand")}
    fields |= {"utility": TextAreaField(), "mechanism": RadioField(choices=[])}
    fields |= {"scope": RadioField(choices=list(SCOPES)), "skip": RadioField(choices=list(SKIPS))}
    fields["picture"] = inner(alt=texts(languages))
    fields[OPTION] = inner(text=texts(languages))
    return type("QuestionFields", (Form,), fields)
