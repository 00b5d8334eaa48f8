"""Surveys from files and as files: the survey file, and the XLSForm that other programs read."""

from __future__ import annotations

from functools import cache
from importlib import resources

import tomli_w
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from server.editor.lookup import survey_named
from server.forms.editor import ImportForm
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import made_by_me
from server.staff.guard import needs, only
from server.store import surveys
from server.store.surveys import SlugTaken, Survey
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from server.xlsform.reader import CannotHold
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.definition import Definition
from survey.fields import DefinitionError, Problem
from survey.read_definition import from_dict, parse

blueprint = Blueprint("exchange", __name__, url_prefix="/admin")
blueprint.before_request(only("create"))

EXAMPLE = "student-life"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@blueprint.get("/import")
def ask() -> ResponseReturnValue:
    """Ask for a file."""
    return render_template("editor/import.html", form=ImportForm())


@blueprint.get("/import/example.xlsx")
def example() -> ResponseReturnValue:
    """Send an XLSForm with every kind of question, to begin a form from."""
    return attachment(offload.compute(example_form), XLSX, f"{EXAMPLE}.xlsx")


@cache
def example_form() -> bytes:
    """Write the form of the example that has every kind of question."""
    text = (resources.files("server.examples") / f"{EXAMPLE}.toml").read_text(encoding="utf-8")
    return write_xlsform(parse(text, EXAMPLE))


@blueprint.post("/import")
def take() -> ResponseReturnValue:
    """Make a draft from a file, uploaded or pasted; what a form holds and no survey can hold is named."""
    form = ImportForm(request.form)
    data, source = (form.text.data or "").encode(), "the text"
    upload = request.files.get("file")
    if upload and upload.filename:
        data, source = upload.read(), upload.filename
        form.text.data = shown_again(data)
    try:
        found = offload.compute(read_file, data, source, form.leave_out.data)
        take = made_by_me(surveys.import_definition, "draft_imported", found.definition.slug)
        survey = services().storage.write(take, found.definition)
    except DefinitionError as error:
        foreign = isinstance(error, CannotHold)
        page = render_template("editor/import.html", form=form, problems=error.problems, foreign=foreign)
        return page, 422
    except SlugTaken:
        problem = Problem("slug", "slug_free", {}, found.definition.slug)
        return render_template("editor/import.html", form=form, problems=[problem]), 409
    if found.left_out:
        return render_template("editor/imported.html", survey=survey, left_out=found.left_out)
    return redirect(url_for("editor.survey", slug=survey.slug))


def shown_again(data: bytes) -> str:
    """Return an uploaded text, to be mended on the page; nothing of a workbook, which is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


@blueprint.get("/surveys/<slug>/survey.toml")
@needs("look")
def survey_file(slug: str) -> ResponseReturnValue:
    """Send the survey file. That of a draft may be incomplete."""
    found = survey_named(slug)
    if found.publication is not None:
        text = found.publication.definition.as_toml()
    else:
        text = tomli_w.dumps(found.draft or {}, multiline_strings=True)
    return attachment(text, "application/toml; charset=utf-8", f"{file_name(found)}.toml")


@blueprint.get("/surveys/<slug>/survey.xlsx")
@needs("look")
def xlsform(slug: str) -> ResponseReturnValue:
    """Send the survey as an XLSForm, or say what it lacks to be one."""
    found = survey_named(slug)
    try:
        data = offload.compute(workbook_of, found)
    except DefinitionError as error:
        page = render_template("editor/not_exported.html", survey=found, problems=error.problems)
        return make_response(page, 409)
    return attachment(data, XLSX, f"{file_name(found)}.xlsx")


def workbook_of(found: Survey) -> bytes:
    """Write the XLSForm of a published survey, or of a draft that is complete."""
    return write_xlsform(definition_of(found))


def definition_of(found: Survey) -> Definition:
    """Return what a survey is, published or not.

    Raises
    ------
    DefinitionError
        If it is a draft that is not complete.
    """
    return found.publication.definition if found.publication else from_dict(found.draft or {}, found.slug)


def file_name(found: Survey) -> str:
    """Return the survey's name, with the beginning of its fingerprint once it has one."""
    publication = found.publication
    return f"{found.slug}-{publication.fingerprint[:FINGERPRINT_DIGITS]}" if publication else found.slug
