"""The JSON Schema of survey files; text editors find it by ``#:schema <address>`` in a file's first line."""

from functools import cache

from flask import Blueprint, Response

from server.web.constant_answer import constant_answer
from survey.schema import as_json

blueprint = Blueprint("schema", __name__)


@blueprint.get("/survey.schema.json")
def show() -> Response:
    """Send the schema."""
    return constant_answer(written(), "application/schema+json")


@cache
def written() -> bytes:
    """Write the schema as bytes, once."""
    return as_json().encode()
