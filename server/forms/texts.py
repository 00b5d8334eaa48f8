"""Texts as they are typed."""

from __future__ import annotations

from collections.abc import Callable

from wtforms import Field, Form

from server.forms.faults import fault


def tidy(value: str | None) -> str:
    """Drop surrounding white space, and write line breaks as files do: browsers send CRLF."""
    return (value or "").replace("\r\n", "\n").strip()


def one_line(value: str | None) -> str:
    r"""Write a text on one line, without signs that print nothing.

    Examples
    --------
    >>> one_line(" a court asks\r\nfor it\0 ")
    'a court asks for it'
    """
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value or "").split())


def length_limit(most: int) -> Callable[[Form, Field], None]:
    """Make a validator for the length of a text."""

    def check(form: Form, field: Field) -> None:
        if len(field.data) > most:
            raise fault("editor.error.text", most=most, length=len(field.data))

    return check
