"""Texts in several languages, as they are typed: one field a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from wtforms import Field, Form, TextAreaField

from server.forms.faults import fault
from survey.markdown import DEEPEST, MOST_NODES, TooManyMarks, marked


def tidy(value: str | None) -> str:
    """Drop surrounding white space, and write line breaks as files do: browsers send CRLF."""
    return (value or "").replace("\r\n", "\n").strip()


def length_limit(most: int) -> Callable[[Form, Field], None]:
    """Make a validator for the length of a text."""

    def check(form: Form, field: Field) -> None:
        if len(field.data) > most:
            raise fault("editor.error.text", most=most, length=len(field.data))

    return check


def check_marks(form: Form, field: Field) -> None:
    """Check that a text has no more marks than a page builds."""
    try:
        marked(field.data)
    except TooManyMarks:
        raise fault("texts.error", most=MOST_NODES, deepest=DEEPEST) from None


@cache
def texts_form(languages: tuple[str, ...], most: int, may_have_marks: bool = False) -> type[Form]:
    """Make the form of one text in several languages."""
    checks = [length_limit(most), *([check_marks] if may_have_marks else [])]
    fields = {code: TextAreaField(filters=[tidy], validators=checks) for code in languages}
    return type("TextsForm", (Form,), fields)


def written_texts(texts: Mapping[str, str], languages: list[str]) -> dict[str, str]:
    """Keep the texts that are there, in the survey's languages."""
    return {code: texts[code] for code in languages if texts.get(code)}
