"""Whether what a script sends in place of a form has the shape of that form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from wtforms import BooleanField, Field, FieldList, Form, FormField, SelectMultipleField

from server.forms.faults import Fault, shortened
from server.forms.rows import Row, digest

UNKEPT = re.compile("[\0\ud800-\udfff]")
"""Characters that no database keeps: NUL, and halves of characters."""


class Misshapen(Exception):
    """Something that no form could hold.

    Attributes
    ----------
    field : str
        The id of the field; empty where it is about all of it.
    typed : bool
        Whether it is about what somebody typed, and not about what a program has sent.
    fault : Fault
        Names the field, what it may hold, and what came.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.field = str(values.get("field", ""))
        self.typed = key == "sign"
        shown = {name: shortened(value) for name, value in values.items()}
        self.fault = Fault(f"saving.refused.{key}", shown)
        super().__init__(self.fault)


def parsed(body: bytes) -> dict[str, Any]:
    """Parse an object of JSON."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Misshapen("json") from None
    if not isinstance(found, dict):
        raise Misshapen("json")
    return found


def require_shape(form: Form, value: Any, where: str = "") -> None:
    """Refuse what has another shape than a form's data: a field that is not there, a number for a text.

    Parameters
    ----------
    form : Form
        Without data.
    value : object
        As parsed from JSON.
    where : str
        The name of the field that holds the form; empty for the outermost.

    Raises
    ------
    Misshapen
    """
    if not isinstance(value, dict):
        raise Misshapen("object", field=where, value=kind_of(value))
    fields: dict[str, Field] = form._fields  # by the names that `data` has
    for name, each in value.items():
        if name not in fields:
            raise Misshapen("unknown", field=joined(where, printable(name)))
        require_value(fields[name], each, joined(where, name))


def require_value(field: Field, value: Any, where: str) -> None:
    """Refuse a value that a field cannot hold."""
    if isinstance(field, FormField):
        require_shape(field.form, value, where)
    elif isinstance(field, FieldList):
        inner = field.unbound_field.bind(form=None, name=field.short_name, _meta=field.meta)
        inner.process(None)
        for place, each in enumerate(rows_of(value, field.max_entries, where)):
            if not (isinstance(inner, Row) and inner.was_right(digest(each))):
                require_value(inner, each, f"{where}-{place}")
    elif isinstance(field, SelectMultipleField):
        for place, each in enumerate(rows_of(value, None, where)):
            require_text(each, f"{where}-{place}")
    elif isinstance(field, BooleanField):
        if not isinstance(value, bool):
            raise Misshapen("tick", field=where, value=kind_of(value))
    else:
        require_text(value, where)


def rows_of(value: Any, most: int | None, where: str) -> list[Any]:
    """Return a list, if it is one and has room."""
    if not isinstance(value, list):
        raise Misshapen("list", field=where, value=kind_of(value))
    if most is not None and len(value) > most:
        raise Misshapen("rows", field=where, most=most, n=len(value))
    return value


def require_text(value: Any, where: str) -> None:
    """Refuse what is no text, or has a character that no database keeps."""
    if not isinstance(value, str):
        raise Misshapen("text", field=where, value=kind_of(value))
    if found := UNKEPT.search(value):
        sign = f"U+{ord(found[0]):04X}"
        raise Misshapen("sign", field=where, place=found.start() + 1, value=sign)


def require_kept(data: dict[str, Any]) -> None:
    """Refuse data in which a text has a character that no database keeps.

    Raises
    ------
    Misshapen
    """
    for where, text in texts_in(data):
        require_text(text, where)


def texts_in(data: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Return every text of a form's data with the name of its field."""
    if isinstance(data, str):
        yield where, data
    elif isinstance(data, dict):
        for name, each in data.items():
            yield from texts_in(each, joined(where, name))
    elif isinstance(data, list):
        for place, each in enumerate(data):
            yield from texts_in(each, f"{where}-{place}")


def kind_of(value: Any) -> str:
    """Name what came instead, shortly."""
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return printable(str(value))


def printable(text: str) -> str:
    """Write what cannot be shown as it would be written in a program."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text[:100])


def joined(where: str, name: str) -> str:
    """Put the name of a field after that of the form that holds it."""
    return f"{where}-{name}" if where else name
