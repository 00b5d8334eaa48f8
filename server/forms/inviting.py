"""The number of invitations that an admin wants."""

from __future__ import annotations

from wtforms import Field, Form, StringField

from server.forms.faults import fault
from server.forms.numbers import is_whole
from server.forms.texts import tidy
from server.store.invitations import MOST_AT_ONCE


class InviteForm(Form):  # type: ignore[misc]  # WTForms has no types
    """A number of invitations to make."""

    number = StringField(filters=[tidy])

    def validate_number(self, field: Field) -> None:
        """Check that it is one that can be made at once."""
        if not is_whole(field.data, 1, MOST_AT_ONCE):
            raise fault("invitations.error.number", most=f"{MOST_AT_ONCE:,}", value=field.data)
