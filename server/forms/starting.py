"""What an admin types for the blanks in the texts of a survey to begin from."""

from __future__ import annotations

from wtforms import Form, StringField

from server.forms.texts import length_limit, tidy

LONGEST_BLANK = 200


class BlanksForm(Form):  # type: ignore[misc]  # WTForms has no types
    """Names and contacts; what is left empty stays marked in the draft."""

    organisation = StringField(filters=[tidy], validators=[length_limit(LONGEST_BLANK)])
    help = StringField(filters=[tidy], validators=[length_limit(LONGEST_BLANK)])
