"""What a request brings besides its address: every part is known, comes once, and is what it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, cast

from flask import Request
from flask_smorest import Blueprint as DocumentedBlueprint
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from webargs.flaskparser import FlaskParser

from server.api.problems import Refused
from survey.fields import Problem


class Parser(FlaskParser):
    """Reads the parameters of an address, and refuses unknown and repeated ones."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """Return the parameters, each of which may come once."""
        faults = [
            Problem(name, "given once", values)
            for name, values in req.args.lists()
            if len(values) > 1 and name in schema.fields
        ]
        if faults:
            raise Refused(422, "parameters", faults)
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_more: object) -> NoReturn:
        """Refuse the request with a sentence for each wrong parameter."""
        raise Refused(422, "parameters", faults_of(error, req.args, schema))


class Blueprint(DocumentedBlueprint):
    """Views that describe themselves, whose parameters this module reads."""

    ARGUMENTS_PARSER = Parser()


def faults_of(error: ValidationError, values: Mapping[str, str], schema: Schema) -> Iterator[Problem]:
    """Yield what is wrong with each parameter."""
    known = f"absent (known parameters here: {', '.join(sorted(schema.fields)) or 'none'})"
    for name in cast("Mapping[str, Any]", error.messages)["query"]:
        field = schema.fields.get(name)
        yield Problem(name, known if field is None else allowed(field), values.get(name))


def allowed(field: fields.Field[Any]) -> str:
    """Return what a parameter may hold, in words that follow "must be".

    Examples
    --------
    >>> allowed(fields.Integer(validate=validate.Range(1, 9)))
    'a whole number from 1 to 9'
    >>> allowed(fields.String(validate=validate.OneOf(["a", "b"]))), allowed(fields.Boolean())
    ('one of a, b', 'true or false')
    """
    for each in field.validators:
        if isinstance(each, validate.Range):
            return f"a whole number from {each.min} to {each.max}"
        if isinstance(each, validate.OneOf):
            return f"one of {', '.join(map(str, each.choices))}"
    return "true or false" if isinstance(field, fields.Boolean) else "a text"
