"""What an admin types for what a survey to begin from leaves open."""

from __future__ import annotations

from wtforms import Form, StringField

from server.forms.day import check_day
from server.forms.texts import length_limit, tidy
from survey.definition import TEXTS

LONGEST_BLANK = 200


class BlanksForm(Form):  # type: ignore[misc]  # WTForms has no types
    """Names, contacts and a day; what is left empty stays open in the draft."""

    organisation = StringField(filters=[tidy], validators=[length_limit(TEXTS["organisation"])])
    contact = StringField(filters=[tidy], validators=[length_limit(TEXTS["contact"])])
    kept_until = StringField(filters=[tidy], validators=[check_day])
    help = StringField(filters=[tidy], validators=[length_limit(LONGEST_BLANK)])
