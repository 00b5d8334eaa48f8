"""The documentation of the API: one page, made from its OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from flask import Blueprint, Response, current_app, render_template

from server.language.catalogue import FIRST, section
from server.web.constant_answer import constant_answer
from server.web.files.assets import folder

blueprint = Blueprint("api", __name__)

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "surveys": ("token", "surveys", "survey", "definition"),
        "results": ("estimates", "quantities", "reports", "cross", "channels", "codebook"),
        "writing": ("check", "create", "replace", "open_survey", "close_survey", "delete_survey"),
    }
)
"""The operations, in the order in which they are read."""

EXAMPLES = ("estimates.py", "reports.py", "draft.py", "estimates.R")

FILLED = MappingProxyType(
    {"slug": "exams", "n": 8}
    | dict.fromkeys(("state", "value", "reason", "section", "linked", "apart", "who", "since"), "…")
)
"""Sample values for the names in a problem's text."""


@dataclass(frozen=True)
class Operation:
    """An operation as the page shows it.

    Attributes
    ----------
    name, method, path : str
    parameters : list of dict
        As in the description.
    takes_file, gives_file : bool
        Whether the body of the request, or of the answer, is a survey file.
    body, answer : list of Field
        Of another request, and of another answer when all goes well.
    statuses : list of str
    deprecated : bool
    """

    name: str
    method: str
    path: str
    parameters: list[dict[str, Any]]
    takes_file: bool
    gives_file: bool
    body: list[Field]
    answer: list[Field]
    statuses: list[str]
    deprecated: bool


@dataclass(frozen=True)
class Field:
    """A field of a body: its place, such as ``surveys[].slug``, its name, and what it may be."""

    place: str
    name: str
    kind: str


@blueprint.get("/api/v1/", strict_slashes=False)
def documentation() -> Response:
    """Show every operation of the API, with examples."""
    description = current_app.extensions["candor.api"].description()
    known = {operation.name: operation for operation in operations(description)}
    texts = folder("templates") / "api"
    page = render_template(
        "api/page.html",
        groups={group: [known[name] for name in names] for group, names in GROUPS.items()},
        examples={name: (texts / name).read_text(encoding="utf-8") for name in EXAMPLES},
        problems=[
            key.split(".")[1]
            for key in section(FIRST, "api")
            if key.startswith("problem.") and key.endswith(".title")
        ],
        filled=FILLED,
        kind=kind,
        version=description["info"]["version"],
    )
    return constant_answer(page.encode())


def operations(description: Mapping[str, Any]) -> Iterator[Operation]:
    """Yield every operation of a description."""
    schemas = description["components"]["schemas"]
    for path, entry in description["paths"].items():
        for method, operation in entry.items():
            if method == "parameters":
                continue
            sent = operation.get("requestBody", {})
            answer = next(
                response for status, response in operation["responses"].items() if status.startswith("2")
            )
            yield Operation(
                name=operation["operationId"],
                method=method.upper(),
                path=path,
                parameters=[*entry.get("parameters", []), *operation.get("parameters", [])],
                takes_file=is_file(sent),
                gives_file=is_file(answer),
                body=[] if is_file(sent) else list(fields(schemas, sent)),
                answer=[] if is_file(answer) else list(fields(schemas, answer)),
                statuses=sorted(operation["responses"]),
                deprecated=operation.get("deprecated", False),
            )


def is_file(holder: Mapping[str, Any]) -> bool:
    """Return whether a body is a survey file: the page links to its schema instead of listing its fields."""
    content = holder.get("content", {}).get("application/json", {"schema": {}})
    return str(content["schema"].get("$ref")).endswith(("/SurveyFile", "/Definition"))


def fields(schemas: Mapping[str, Any], holder: Mapping[str, Any]) -> Iterator[Field]:
    """Yield the fields of a body and of the objects in its lists."""
    content = holder.get("content", {}).get("application/json")
    if content is not None:
        yield from fields_of(schemas, resolved(schemas, content["schema"]), "")


def fields_of(schemas: Mapping[str, Any], schema: Mapping[str, Any], before: str) -> Iterator[Field]:
    """Yield the fields of an object, each with its place after `before`."""
    for name, field in schema.get("properties", {}).items():
        yield Field(before + name, name, kind(field))
        items = field.get("items", {})
        if "$ref" in items:
            yield from fields_of(schemas, resolved(schemas, items), f"{before}{name}[].")


def resolved(schemas: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow the reference of a schema, if it is one."""
    target: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return target


def kind(schema: Mapping[str, Any]) -> str:
    """Say in JSON's own words what a value may be.

    Examples
    --------
    >>> kind({"type": ["string", "null"]}), kind({"type": "array", "items": {"type": "integer"}})
    ('string or null', 'array of integer')
    >>> kind({"type": "string", "enum": ["a", "b"]}), kind({"type": "integer", "minimum": 1, "maximum": 9})
    ('a, b', 'integer, 1 to 9')
    """
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    named = schema.get("type", "object" if "$ref" in schema else "any")
    text = " or ".join(named) if isinstance(named, list) else str(named)
    if text == "array":
        return f"array of {kind(schema['items'])}"
    if "maximum" in schema:
        return f"{text}, {schema['minimum']} to {schema['maximum']}"
    return text
