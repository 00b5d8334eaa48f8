"""Forms to begin a survey: its address, the blanks of a survey to begin from, or a file."""

from __future__ import annotations

import re

from wtforms import BooleanField, Field, Form, StringField, TextAreaField

from server.forms.day import check_day
from server.forms.faults import fault
from server.forms.texts import length_limit, tidy
from survey.definition import TEXTS
from survey.limits import LONGEST_SLUG
from survey.read_definition import SLUG

LONGEST_BLANK = 200


def check_slug(form: Form, field: Field) -> None:
    """Check the last part of the survey's address, which also a draft has."""
    if not (SLUG.fullmatch(field.data) and len(field.data) <= LONGEST_SLUG):
        raise fault("editor.error.slug", most=LONGEST_SLUG, value=field.data)


def as_address(text: str) -> str:
    """Write words as the last part of an address, where they differ from one in capitals and spaces alone.

    Examples
    --------
    >>> as_address("Thirty Questions"), as_address("Thirty questions?")
    ('thirty-questions', 'Thirty questions?')
    """
    joined = re.sub(r"[\s_-]+", "-", text.lower())
    return joined if SLUG.fullmatch(joined) else text


class NewSurveyForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The address of a new draft, which may be typed as a title is."""

    slug = StringField(filters=[tidy, as_address], validators=[check_slug])


class ImportForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A survey file as text; an upload takes its place."""

    text = TextAreaField(filters=[tidy])
    leave_out = BooleanField()


class BlanksForm(Form):  # type: ignore[misc]  # WTForms has no types
    """Names, contacts and a day; what is left empty stays open in the draft."""

    organisation = StringField(filters=[tidy], validators=[length_limit(TEXTS["organisation"])])
    contact = StringField(filters=[tidy], validators=[length_limit(TEXTS["contact"])])
    kept_until = StringField(filters=[tidy], validators=[check_day])
    help = StringField(filters=[tidy], validators=[length_limit(LONGEST_BLANK)])
