"""Single files about a survey: what its codes mean, its channels, and the survey file itself."""

from __future__ import annotations

from flask import Blueprint
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.results.bundle import tables
from server.results.bundle.codebook_page import codebook_html
from server.results.gathering import VERSION
from server.services import services
from server.staff.guard import only
from server.store import surveys
from server.store.accounts import ROLES
from server.web import offload
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from survey.publication import Publication

blueprint = Blueprint("files", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only(*ROLES))


def published(slug: str) -> Publication:
    """Return what a survey published; a draft is not found."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or survey.publication is None:
        raise NotFound
    return survey.publication


def named(slug: str, publication: Publication, rest: str) -> str:
    """Name a file after the survey and its fingerprint."""
    return f"{slug}-{publication.fingerprint[:FINGERPRINT_DIGITS]}-{rest}"


@blueprint.get("/codebook.csv")
def codebook_csv(slug: str) -> ResponseReturnValue:
    """Send a row for each code of each column."""
    publication = published(slug)
    text = offload.compute(tables.codebook_text, publication)
    return attachment(text, "text/csv; charset=utf-8", named(slug, publication, "codebook.csv"))


@blueprint.get("/codebook.html")
def codebook_page(slug: str) -> ResponseReturnValue:
    """Send the codebook to read and to print."""
    publication = published(slug)
    page = offload.compute(codebook_html, publication, VERSION)
    return attachment(page, "text/html; charset=utf-8", named(slug, publication, "codebook.html"))


@blueprint.get("/channels.json")
def channels_json(slug: str) -> ResponseReturnValue:
    """Send every channel in exact integers."""
    publication = published(slug)
    text = offload.compute(tables.channels_text, publication)
    return attachment(text, "application/json", named(slug, publication, "channels.json"))


@blueprint.get("/survey.toml")
def survey_toml(slug: str) -> ResponseReturnValue:
    """Send the survey file as it was published: whoever sees results may run the same survey again."""
    publication = published(slug)
    text = tables.survey_text(publication)
    return attachment(text, "application/toml; charset=utf-8", named(slug, publication, "survey.toml"))
