"""A day as it is typed."""

from __future__ import annotations

from wtforms import Field, Form

from server.forms.faults import fault
from survey.fields import as_date


def check_day(form: Form, field: Field) -> None:
    """Check that a field holds a date, or nothing."""
    if field.data and as_date(field.data) is None:
        raise fault("editor.error.day", value=field.data)
