"""The parameters and JSON bodies of requests: each part must be known, valid, and there only once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn, cast

from flask import Request, request
from flask_smorest import Blueprint as DocumentedBlueprint
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from webargs.flaskparser import FlaskParser

from server.api.problems import Refused
from server.runtime import offload
from server.web.json_body import read_object
from survey.fields import Problem
from survey.rules import Refusal

MOST_NAMED = 20
"""Most wrong fields or parameters that one response names."""


class Parser(FlaskParser):
    """A parser of query parameters and short bodies that refuses unknown and repeated names."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """Return the query parameters; refuse one that is repeated."""
        faults = [
            Problem(name, "once", {}, values)
            for name, values in req.args.lists()
            if len(values) > 1 and name in schema.fields
        ]
        if faults:
            raise Refused(422, "parameters", faults)
        return super().load_querystring(req, schema)

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Return the JSON object in the body."""
        return json_body()

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_more: object) -> NoReturn:
        """Refuse the request with a sentence for each wrong field or parameter."""
        ((place, names),) = cast("Mapping[str, Mapping[str, Any]]", error.messages).items()
        values = req.args if place == "query" else json_body()
        code = "parameters" if place == "query" else "fields"
        raise Refused(422, code, faults_of(names, values, schema))


class Blueprint(DocumentedBlueprint):
    """A blueprint whose operations describe themselves and take parameters from `Parser`."""

    ARGUMENTS_PARSER = Parser()


def faults_of(names: Iterable[str], values: Mapping[str, Any], schema: Schema) -> Iterator[Problem]:
    """Yield the problem of each wrong field or parameter."""
    known = tuple(sorted(schema.fields))
    for name in islice(names, MOST_NAMED):
        field = schema.fields.get(name)
        if field is not None:
            rule, limits = rule_of(field)
        else:
            rule, limits = ("known", {"known": known}) if known else ("none_known", {})
        yield Problem(name, rule, limits, values.get(name))


def rule_of(field: fields.Field[Any]) -> tuple[str, Mapping[str, object]]:
    """Return the rule of a field or parameter, and its limits.

    Examples
    --------
    >>> rule_of(fields.Integer(validate=validate.Range(1, 9)))
    ('whole', {'low': 1, 'high': 9})
    >>> rule_of(fields.String(validate=validate.OneOf(["a", "b"])))
    ('one_of', {'choices': ('a', 'b')})
    """
    for validator in field.validators:
        if isinstance(validator, validate.Range):
            return "whole", {"low": validator.min, "high": validator.max}
        if isinstance(validator, validate.Regexp):
            return str(validator.error), {}
        if isinstance(validator, validate.OneOf):
            return "one_of", {"choices": tuple(validator.choices)}
    return "truth" if isinstance(field, fields.Boolean) else "any_text", {}


def json_body() -> dict[str, Any]:
    """Return the JSON object of the request; refuse repeated names and text that cannot be stored."""
    if request.mimetype != "application/json":
        raise Refused(415, "type", value=request.mimetype[:80] or "–")
    try:
        return offload.compute(read_object, request.get_data())
    except Refusal as refusal:
        raise Refused(400, "json", reason=str(refusal)) from None
