"""The ways to tell people of an open survey: its link, a QR code, a text to send and a poster to print."""

from __future__ import annotations

from io import BytesIO
from math import ceil
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.language.catalogue import LANGUAGES
from server.language.request_language import current
from server.services import services
from server.staff.guard import only
from server.staff.survey_lookup import conflict, survey_named
from server.store.lifecycle import life
from server.store.surveys import Survey
from server.web.attachment import attachment
from survey.privacy.limits import protects_little
from survey.publication import Publication

blueprint = Blueprint("share", __name__, url_prefix="/admin")
blueprint.before_request(only("look"))

QUIET = 4
"""Modules of white around a code, which readers need to find it (ISO/IEC 18004:2015, 5.3.8)."""

PIXELS = 1000
"""The least width of the PNG: on paper 8 cm wide at 300 dots an inch."""

KINDS = {"svg": "image/svg+xml", "png": "image/png"}


@blueprint.get("/surveys/<slug>/share")
def page(slug: str) -> ResponseReturnValue:
    """Show what to hand on; only an open survey has something."""
    survey = survey_named(slug)
    if survey.publication is None or survey.state != "open":
        return conflict("not_open")
    return render_template(
        "surveys/share.html",
        survey=survey,
        definition=survey.publication.definition,
        languages=spoken_here(survey),
        address=address_of(survey),
        promises=may_promise(survey.publication),
        paused=services().storage.read(life.of, survey.id).paused,
    )


@blueprint.get("/surveys/<slug>/share/code.<kind>")
def picture(slug: str, kind: str) -> ResponseReturnValue:
    """Send the QR code as a picture to save; pages show it too."""
    survey = survey_named(slug)
    if kind not in KINDS or survey.state != "open":
        raise NotFound
    return attachment(code_of(address_of(survey), kind), KINDS[kind], f"{slug}.{kind}")


@blueprint.get("/surveys/<slug>/share/poster")
def poster(slug: str) -> ResponseReturnValue:
    """Show a sheet of paper to print, in a language of the survey."""
    survey = survey_named(slug)
    if survey.publication is None or survey.state != "open":
        return conflict("not_open")
    languages = spoken_here(survey)
    wanted = request.args.get("in")
    return render_template(
        "surveys/poster.html",
        survey=survey,
        title=survey.publication.definition.title,
        code=wanted if wanted in languages else languages[0],
        languages=languages,
        address=address_of(survey),
        promises=may_promise(survey.publication),
    )


def may_promise(publication: Publication) -> bool:
    """Return whether the texts may promise what the first screen does: beyond the limits neither may."""
    return not protects_little(publication.guess)


def address_of(survey: Survey) -> str:
    """Return the whole address at which a survey is answered."""
    return url_for("respond.page", slug=survey.slug, _external=True)


def spoken_here(survey: Survey) -> list[str]:
    """Return the survey's languages that Candor speaks, the reader's first; English where there is none."""
    definition: Any = survey.publication.definition if survey.publication else None
    known = [code for code in definition.languages if code in LANGUAGES]
    return sorted(known, key=lambda code: code != current()) or [LANGUAGES[0]]


def code_of(address: str, kind: str) -> bytes:
    """Draw the QR code of an address, black on white whatever it is printed on.

    Parameters
    ----------
    address : str
    kind : str
        Of `KINDS`.

    Notes
    -----
    Correction level M repairs 15 % of the code, which is what a poster suffers.
    """
    import segno  # only this page needs it, and the start of the server is measured

    code = segno.make(address, error="m", micro=False)
    drawn = BytesIO()
    if kind == "svg":
        code.save(drawn, kind="svg", border=QUIET, light="#fff", xmldecl=False, omitsize=True)
    else:
        width = code.symbol_size(border=QUIET)[0]
        code.save(drawn, kind="png", border=QUIET, light="#fff", scale=ceil(PIXELS / width))
    return drawn.getvalue()
