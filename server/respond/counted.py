"""The list of what a closed survey counted, for whoever kept a receipt.

It is the same for everybody, and nobody who asks is counted or noted. To ask for a row is to send the first
bits of its hash, which many rows share.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import NotFound

from server.language.request_language import current
from server.respond.page_cache import VISITED
from server.respond.rendering import spoken_by
from server.respond.unavailable import busy_page, unavailable_page
from server.runtime.bounded_cache import BoundedCache
from server.services import services
from server.store import counted_lists, surveys
from server.store.counted_lists import CountedList
from server.store.engine import Connection, Unavailable
from server.store.results import counted_leaves, visible_results
from server.store.surveys import Survey
from server.web.constant_answer import constant_answer
from survey.counted_list import LEAST
from survey.record import ONE_BYTE, layout_of

PAGES: BoundedCache[bytes] = BoundedCache(100, run=lambda function, *args: function(*args))
"""Survey, root, language and prefix -> the page, drawn in the thread that has the request."""

blueprint = Blueprint("counted", __name__)
blueprint.register_error_handler(Unavailable, busy_page)


@blueprint.get("/s/<slug>/counted")
def page(slug: str) -> Response:
    """Show the root, and what finds a row by its receipt: the same bytes to everybody."""
    listed = services().storage.read(list_of, slug)
    if listed is None:
        return unavailable_page("counted.none", 404)
    survey, made = listed
    key = (survey.id, made.root, current(), request.script_root)
    response = constant_answer(PAGES.get(key, partial(drawn, survey, made)))
    response.cache_control.no_cache = True
    request.environ.get(VISITED, []).append(None)
    return response


def drawn(survey: Survey, made: CountedList) -> bytes:
    """Draw the page of a list."""
    assert survey.publication is not None  # noqa: S101  # it is closed
    definition = survey.publication.definition
    return render_template(
        "respond/counted.html",
        definition=definition,
        made=made,
        least=max(LEAST, definition.step),
        columns=[1 if codes <= ONE_BYTE else 2 for _, codes in layout_of(survey.publication).codes],
        spoken=spoken_by(definition.languages),
    ).encode()


@blueprint.get("/s/<slug>/counted/leaves-")
@blueprint.get("/s/<slug>/counted/leaves-<bits>")
def leaves(slug: str, bits: str = "") -> Response:
    """Send the leaves with these first bits: three numbers of four bytes, the leaves, and their path.

    The numbers are how many leaves there are in all, the place of the first of these, and how many these are.
    """
    answer = services().storage.read(leaves_with, slug, bits)
    if answer is None:
        raise NotFound
    total, start, few, path = answer
    numbers = b"".join(number.to_bytes(4) for number in (total, start, len(few)))
    response = make_response(numbers + b"".join([*few, *path]))
    response.mimetype = "application/octet-stream"
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def list_of(db: Connection, slug: str) -> tuple[Survey, CountedList] | None:
    """Return a survey with its list; None where there is none, or a group has too few people for one."""
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.state != "closed" or visible_results.is_withheld(db, survey):
        return None
    made = counted_lists.of(db, survey.id)
    return None if made is None else (survey, made)


def leaves_with(db: Connection, slug: str, bits: str) -> tuple[int, int, list[bytes], list[bytes]] | None:
    """Return how many leaves there are, and those with some first bits; None if one may not ask for them."""
    listed = list_of(db, slug)
    if listed is None or len(bits) != listed[1].bits or not set(bits) <= {"0", "1"}:
        return None
    _, made = listed
    return made.leaves, *counted_leaves.leaves_with(db, made, int(bits or "0", 2), len(bits))
