"""The blueprint of the API's operations, and the decorator that describes an operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from marshmallow import Schema

from server.api.access import admit
from server.api.deprecation import REMOVALS
from server.api.problems import MIMETYPE
from server.api.request_parameters import Blueprint
from server.api.schemas import ProblemSchema
from server.language.catalogue import FIRST, say
from survey.limits import LONGEST_SLUG

View = TypeVar("View", bound=Callable[..., Any])

blueprint = Blueprint("v1", __name__, url_prefix="/api/v1")
blueprint.before_request(admit)

EVERYWHERE = (401, 429, 503)
"""Problems that every operation can answer with."""

SLUG = {
    "name": "slug",
    "in": "path",
    "required": True,
    "description": say(FIRST, "api.parameter.slug"),
    "schema": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": LONGEST_SLUG},
}


def documented(
    status: int,
    schema: type[Schema] | None,
    *problems: int,
    accepted: type[Schema] | None = None,
    **more: Any,
) -> Callable[[View], View]:
    """Describe an operation by the words of the catalogue at ``api.operation.<name of its function>``.

    Parameters
    ----------
    status : int
        Of the answer when all goes well.
    schema : Schema or None
        Of the body of that answer.
    *problems : int
        Statuses of the problems that this operation may answer with, besides those of every operation.
    accepted : Schema, optional
        Of the body of an answer 202, where the operation may wait for a second admin.
    **more
        Further entries of the description.
    """

    def described(view: View) -> View:
        name = view.__name__
        words = {key: say(FIRST, f"api.operation.{name}.{key}") for key in ("summary", "description")}
        view = blueprint.doc(operationId=name, deprecated=name in REMOVALS, **words, **more)(view)
        for problem_status in sorted({*problems, *EVERYWHERE}):
            view = blueprint.alt_response(
                problem_status,
                schema=ProblemSchema,
                content_type=MIMETYPE,
                description=say(FIRST, f"api.status.{problem_status}"),
            )(view)
        if accepted is not None:
            waits = say(FIRST, "api.status.202")
            view = blueprint.alt_response(202, schema=accepted, description=waits)(view)
        description = say(FIRST, f"api.status.{status}")
        return cast("View", blueprint.response(status, schema, description=description)(view))

    return described
