"""Texts as they are typed."""

from __future__ import annotations

from collections.abc import Callable

from wtforms import Field, Form

from server.forms.faults import fault


def tidy(value: str | None) -> str:
    """Drop surrounding white space, and write line breaks as files do: browsers send CRLF."""
    return (value or "").replace("\r\n", "\n").strip()


def length_limit(most: int) -> Callable[[Form, Field], None]:
    """Make a validator for the length of a text."""

    def check(form: Form, field: Field) -> None:
        if len(field.data) > most:
            raise fault("editor.error.text", most=most, length=len(field.data))

    return check
