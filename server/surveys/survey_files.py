"""Surveys from files and as files: the survey file, and the XLSForm that other programs read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import tomli_w
from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from server.forms.new_survey import ImportForm
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import edited_by_me, made_by_me
from server.staff.guard import needs, only
from server.staff.survey_lookup import conflict, survey_named
from server.store import drafts, surveys
from server.store.drafts import DraftChangedError
from server.store.surveys import SlugTaken, Survey, publication_of
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from server.xlsform.reader import CannotHold
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.definition import Definition
from survey.draft import read_draft
from survey.fields import DefinitionError, Problem
from survey.read_definition import parse

blueprint = Blueprint("survey_files", __name__, url_prefix="/admin")
blueprint.before_request(only("create"))

EXAMPLE = "student-life"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@blueprint.get("/import")
def ask() -> ResponseReturnValue:
    """Ask for a file."""
    return render_template("surveys/import.html", form=ImportForm())


@blueprint.get("/import/example.xlsx")
def example() -> ResponseReturnValue:
    """Send an XLSForm with every kind of question, to begin a form from."""
    return attachment(offload.compute(example_form), XLSX, f"{EXAMPLE}.xlsx")


@cache
def example_form() -> bytes:
    """Write the form of the example that has every kind of question."""
    text = (Path(__file__).parents[1] / "examples" / f"{EXAMPLE}.toml").read_text(encoding="utf-8")
    return write_xlsform(parse(text, EXAMPLE))


@blueprint.post("/import")
def take() -> ResponseReturnValue:
    """Make a draft from a file, uploaded or pasted; what a form holds and no survey can hold is named."""
    form, data, source = file_sent()
    try:
        imported = offload.compute(read_file, data, source, form.leave_out.data)
        take = made_by_me(surveys.import_definition, "draft_imported", imported.definition.slug)
        survey = services().storage.write(take, imported.definition)
    except DefinitionError as error:
        foreign = isinstance(error, CannotHold)
        return import_page(form, error.problems, foreign=foreign), 422
    except SlugTaken:
        problem = Problem("slug", "slug_free", {}, imported.definition.slug)
        return import_page(form, [problem]), 409
    if imported.left_out:
        return render_template("surveys/imported.html", survey=survey, left_out=imported.left_out)
    return redirect(url_for("surveys.show", slug=survey.slug))


@blueprint.post("/surveys/<slug>/survey.toml")
@needs("edit")
def replace(slug: str) -> ResponseReturnValue:
    """Let a survey file, which may be incomplete, take the place of a draft."""
    survey = survey_named(slug)
    if survey.document is None:
        return conflict("frozen")
    form, data, source = file_sent()
    seen = request.form.get("seen", "")
    try:
        text = data.decode("utf-8", errors="backslashreplace")
        document = offload.compute(read_draft, text, source, survey.document)
        write = edited_by_me(drafts.replace, slug)
        replaced = services().storage.write(write, survey.id, seen, document, current_user.name)
    except DefinitionError as error:
        target = url_for("survey_files.replace", slug=slug)
        return import_page(form, error.problems, target=target, seen=seen), 422
    except DraftChangedError:
        return conflict("changed")
    return redirect(url_for("surveys.show", slug=replaced.slug))


def import_page(form: ImportForm, problems: Sequence[Problem], **more: Any) -> str:
    """Show a file again that was not taken, which may have two megabytes, with what is wrong with it."""
    return offload.draw(render_template, "surveys/import.html", form=form, problems=problems, **more)


def file_sent() -> tuple[ImportForm, bytes, str]:
    """Return the form of the request, and the file in it with its name: uploaded or pasted."""
    form = ImportForm(request.form)
    upload = request.files.get("file")
    if not (upload and upload.filename):
        return form, (form.text.data or "").encode(), "the text"
    data = upload.read()
    form.text.data = shown_again(data)
    return form, data, upload.filename


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
    survey = survey_named(slug)
    if survey.publication is not None:
        text = offload.compute(survey.publication.definition.as_toml)
    else:
        text = offload.compute(tomli_w.dumps, survey.draft or {}, multiline_strings=True)
    return attachment(text, "application/toml; charset=utf-8", f"{file_name(survey)}.toml")


@blueprint.get("/surveys/<slug>/survey.xlsx")
@needs("look")
def xlsform(slug: str) -> ResponseReturnValue:
    """Send the survey as an XLSForm, or say what it lacks to be one."""
    survey = survey_named(slug)
    try:
        data = offload.compute(workbook_of, survey)
    except DefinitionError as error:
        page = render_template("surveys/not_exported.html", survey=survey, problems=error.problems)
        return make_response(page, 409)
    return attachment(data, XLSX, f"{file_name(survey)}.xlsx")


def workbook_of(survey: Survey) -> bytes:
    """Write the XLSForm of a published survey, or of a draft that is complete."""
    return write_xlsform(definition_of(survey))


def definition_of(survey: Survey) -> Definition:
    """Return what a survey is, published or not.

    Raises
    ------
    DefinitionError
        If it is a draft that is not complete.
    """
    return (survey.publication or publication_of(survey)).definition


def file_name(survey: Survey) -> str:
    """Return the survey's name, with the beginning of its fingerprint once it has one."""
    publication = survey.publication
    return f"{survey.slug}-{publication.fingerprint[:FINGERPRINT_DIGITS]}" if publication else survey.slug
