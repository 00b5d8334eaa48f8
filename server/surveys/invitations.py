"""The invitations to a survey: made as a file of links that nobody can have again, counted, withdrawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from random import SystemRandom

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from server.forms.inviting import InviteForm
from server.language.request_language import translate
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me, note_mine
from server.staff.guard import only
from server.staff.survey_lookup import survey_named
from server.store import invitation_list, invitations
from server.store.engine import Unavailable
from server.store.invitations import MOST, SHEET, NewInvitations, TooMany
from server.store.results import visible_results
from server.store.surveys import Survey
from server.web.attachment import attachment
from survey.invitations import LISTED

blueprint = Blueprint("invitations", __name__, url_prefix="/admin/surveys/<slug>/invitations")
blueprint.before_request(only("invite"))

FEW = 100
"""A group of fewer invited people is warned of: who knows them can guess more from results."""

PART = 100 * SHEET
"""Invitations that one transaction stores, in two or three milliseconds of a processor: others wait."""

CSV = "text/csv; charset=utf-8"


@blueprint.get("")
def show(slug: str) -> ResponseReturnValue:
    """Show how many there are, and make more."""
    survey = survey_named(slug)
    if not asks_for_them(survey):
        return refused("not_asked")
    return page(survey, InviteForm())


@blueprint.post("")
def make(slug: str) -> ResponseReturnValue:
    """Make invitations and give their links, once."""
    survey = survey_named(slug)
    if not asks_for_them(survey) or survey.state != "open":
        return refused("not_open" if asks_for_them(survey) else "not_asked")
    form = InviteForm(request.form)
    if not form.validate():
        return make_response(page(survey, form), 422)
    number = int(form.number.data)
    drawn, hashes = offload.compute(drawn_and_hashed, number)
    made: list[NewInvitations] = []
    try:
        while len(made) * PART < number:
            made.append(store(survey, hashes[len(made) * PART :], number))
    except (TooMany, Unavailable) as error:
        if made:
            cut_short(made, survey)
        elif isinstance(error, Unavailable):
            raise
        else:
            return make_response(page(survey, form, full=True), 422)
    address = url_for("respond.page", slug=slug, _external=True)
    body = offload.compute(links, address, made, drawn, not kept_list(survey))
    answer = attachment(body, CSV, f"{slug}-invitations-from-{made[0].first}.csv")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def store(survey: Survey, hashes: Sequence[bytes], number: int) -> NewInvitations:
    """Store the first of these hashes, if there is room for all: nobody who sends a report waits long.

    Parameters
    ----------
    survey : Survey
    hashes : sequence of bytes
        Those that are not stored yet.
    number : int
        How many are made in all, which is noted once, with the last: only then somebody gets the links.
    """
    noted = by_me(invitations.make, "invitations_made", survey.slug, str(number))
    deed = noted if len(hashes) <= PART else invitations.make
    return services().storage.write(deed, survey.id, hashes[:PART], len(hashes))


def cut_short(made: Sequence[NewInvitations], survey: Survey) -> None:
    """Note how many were made, where the others could not be stored. Nobody has the links of these yet.

    Raises
    ------
    Unavailable
        If the database still cannot be used. No links are given of which no line tells.
    """
    note_mine("invitations_made", survey.slug, str(len(made) * PART))


@blueprint.post("/withdraw")
def withdraw(slug: str) -> ResponseReturnValue:
    """Let none of the invitations be used that were not used yet."""
    survey = survey_named(slug)
    if not asks_for_them(survey) or survey.state != "open":
        return refused("not_open" if asks_for_them(survey) else "not_asked")
    services().storage.write(by_me(invitations.withdraw, "invitations_withdrawn", slug), survey.id)
    return redirect(url_for("invitations.show", slug=slug, withdrawn=1))


@blueprint.get("/not-used.csv")
def not_used(slug: str) -> ResponseReturnValue:
    """Send the numbers of the invitations that were not used, where the survey keeps a list."""
    survey = survey_named(slug)
    if not kept_list(survey):
        return refused("not_listed")
    numbers = services().storage.read(invitation_list.not_used, survey.id)
    note_mine("list_downloaded", slug)
    rows = offload.compute(written, ["number"], ([number] for number in numbers))
    return attachment(rows, CSV, f"{slug}-not-used.csv")


def page(survey: Survey, form: InviteForm, *, full: bool = False) -> str:
    """Show the page of a survey's invitations."""
    held = services().storage.read(invitations.invitation_totals, survey.id)
    return render_template(
        "surveys/invitations.html",
        survey=survey,
        definition=survey.publication.definition if survey.publication else None,
        held=held,
        results=services().storage.read(visible_results.results, survey),
        listed=kept_list(survey),
        together=services().storage.shows_together,
        few=FEW,
        most=MOST if full else None,
        form=form,
        withdrawn="withdrawn" in request.args,
        made="made" in request.args,
        lost="lost" in request.args,
    )


def refused(what: str) -> ResponseReturnValue:
    """Answer that a survey has no invitations, or takes none, or keeps no list."""
    title, text = (translate(f"invitations.{what}.{part}") for part in ("title", "text"))
    return make_response(render_template("staff/message.html", title=title, text=text), 409)


def asks_for_them(survey: Survey) -> bool:
    """Return whether a survey is published and only for those who were invited."""
    return survey.publication is not None and bool(survey.publication.definition.invitations)


def kept_list(survey: Survey) -> bool:
    """Return whether a survey keeps a list of the invitations that were not used."""
    return survey.publication is not None and survey.publication.definition.invitations == LISTED


def drawn_and_hashed(number: int) -> tuple[list[bytes], list[bytes]]:
    """Draw secrets, and hash them."""
    drawn = invitations.draw(number)
    return drawn, [invitations.hash_of(each) for each in drawn]


def links(address: str, made: Sequence[NewInvitations], drawn: Sequence[bytes], shuffled: bool) -> str:
    """Write the file of links: a number and a link in each row.

    Shuffled, as no list needs the numbers, they say nothing about where the database holds which.
    """
    numbers: list[int] = []
    tokens: list[str] = []
    for part, start in zip(made, range(0, len(drawn), PART), strict=False):  # fewer where it was cut short
        some = part.tokens(drawn[start : start + PART])
        numbers += range(part.first, part.first + len(some))
        tokens += some
    if shuffled:
        SystemRandom().shuffle(tokens)
    rows = ([number, f"{address}#i={token}"] for number, token in zip(numbers, tokens, strict=True))
    return written(["number", "link"], rows)


def written(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV. Nothing in it is anybody's text: numbers, and links that begin with http."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
