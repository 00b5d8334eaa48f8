"""Texts in several languages, as they are typed: one field a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from wtforms import Field, Form, TextAreaField

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


@cache
def texts_form(languages: tuple[str, ...], most: int) -> type[Form]:
    """Make the form of one text in several languages."""
    fields = {code: TextAreaField(filters=[tidy], validators=[length_limit(most)]) for code in languages}
    return type("TextsForm", (Form,), fields)


def written_texts(texts: Mapping[str, str], languages: list[str]) -> dict[str, str]:
    """Keep the texts that are there, in the survey's languages."""
    return {code: texts[code] for code in languages if texts.get(code)}
