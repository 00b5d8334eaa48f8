"""Single files about a survey: what its codes mean, its channels, the survey file, and other formats."""

from __future__ import annotations

from functools import partial
from itertools import chain

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.results.downloads.gather_material import VERSION, gather
from server.results.downloads.refusals import NotInstalled
from server.results.downloads.temporary_files import temporary_file
from server.results.estimates import read_figures
from server.results.files import parquet_file, table_texts
from server.results.files.codebook_page import codebook_html
from server.results.files.counted_csv import counted_blocks
from server.results.files.material import Material
from server.results.files.sqlite_file import write_sqlite
from server.results.files.workbook import write_workbook
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import note_mine
from server.staff.guard import needs, only
from server.store import counted_lists, surveys
from server.store.results.sorted_reports import SortedReports
from server.store.results.visible_results import GroupWithheld, ReportsRemoved, ReportsWithheld
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from survey.publication import Publication
from survey.record import layout_of

blueprint = Blueprint("files", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only("read"))

WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def publication_of(slug: str) -> Publication:
    """Return what a survey published; a draft is not found."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or survey.publication is None:
        raise NotFound
    return survey.publication


def file_name(slug: str, publication: Publication, rest: str) -> str:
    """Name a file after the survey and its fingerprint."""
    return f"{slug}-{publication.fingerprint[:FINGERPRINT_DIGITS]}-{rest}"


@blueprint.get("/codebook.csv")
def codebook_csv(slug: str) -> ResponseReturnValue:
    """Send a row for each code of each column."""
    publication = publication_of(slug)
    text = offload.compute(table_texts.codebook_text, publication)
    return attachment(text, "text/csv; charset=utf-8", file_name(slug, publication, "codebook.csv"))


@blueprint.get("/codebook.html")
def codebook_page(slug: str) -> ResponseReturnValue:
    """Send the codebook to read and to print."""
    publication = publication_of(slug)
    page = offload.compute(codebook_html, publication, VERSION)
    return attachment(page, "text/html; charset=utf-8", file_name(slug, publication, "codebook.html"))


@blueprint.get("/channels.json")
def channels_json(slug: str) -> ResponseReturnValue:
    """Send every channel in exact integers."""
    publication = publication_of(slug)
    text = offload.compute(table_texts.channels_text, publication)
    return attachment(text, "application/json", file_name(slug, publication, "channels.json"))


@blueprint.get("/survey.toml")
def survey_toml(slug: str) -> ResponseReturnValue:
    """Send the survey file as it was published: whoever sees results may run the same survey again."""
    publication = publication_of(slug)
    text = offload.compute(table_texts.survey_text, publication)
    return attachment(text, "application/toml; charset=utf-8", file_name(slug, publication, "survey.toml"))


@blueprint.get("/estimates.xlsx")
def estimates_xlsx(slug: str) -> ResponseReturnValue:
    """Send the estimates and the codebook as a workbook."""
    figures = read_figures(slug, request.args)
    sent = temporary_file(lambda path: offload.compute(write_workbook, figures, path))
    return attachment(sent, WORKBOOK, f"{slug}-estimates.xlsx")


@blueprint.get("/reports.sqlite")
@needs("rows")
def reports_sqlite(slug: str) -> ResponseReturnValue:
    """Send the reports with the codebook, the channels and the estimates as a SQLite file."""
    material, reports = reports_to_send(slug)
    sent = temporary_file(partial(write_sqlite, material, reports))
    return attachment(
        sent, "application/vnd.sqlite3", file_name(slug, material.publication, "reports.sqlite")
    )


@blueprint.get("/reports.parquet")
@needs("rows")
def reports_parquet(slug: str) -> ResponseReturnValue:
    """Send the reports as Parquet, if the server can write it."""
    if not parquet_file.INSTALLED:
        raise NotInstalled
    material, reports = reports_to_send(slug)
    sent = temporary_file(partial(parquet_file.write_parquet, material, reports))
    return attachment(
        sent, "application/vnd.apache.parquet", file_name(slug, material.publication, "reports.parquet")
    )


@blueprint.get("/counted.csv")
@needs("rows")
def counted_csv(slug: str) -> ResponseReturnValue:
    """Send the reports of a closed survey with their salts, from which the root of its list follows."""
    material, _ = reports_to_send(slug)
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or survey.state != "closed":
        raise ReportsWithheld(f"{slug} is open; the list of what was counted is made when it is closed")
    layout = layout_of(material.publication)
    portions = counted_lists.salted_rows(services().storage, survey.id, layout.size)
    try:
        first = next(portions, [])
    except counted_lists.NotToBeHad as error:
        raise ReportsRemoved(f"the reports of {slug} were removed") from error
    sent = counted_blocks(layout, chain([first], portions))
    return attachment(sent, "text/csv; charset=utf-8", file_name(slug, material.publication, "counted.csv"))


def reports_to_send(slug: str) -> tuple[Material, SortedReports]:
    """Gather a survey whose reports may be had.

    Raises
    ------
    ReportsWithheld
        If it keeps them back.
    ReportsRemoved
        If they are gone.
    """
    material = gather(slug, request.args)
    if material.figures.withheld:
        raise GroupWithheld(f"too few people of a group answered {slug}")
    if material.reports is None and material.figures.state == "closed":
        raise ReportsRemoved(f"the reports of {slug} were removed")
    if material.reports is None:
        raise ReportsWithheld(f"{slug} is open; its reports can be had when it is closed")
    note_mine("rows_downloaded", slug)
    return material, material.reports
