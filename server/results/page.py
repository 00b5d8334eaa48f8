"""The results as researchers read them: dots with their intervals, and a table of every number."""

from __future__ import annotations

from contextvars import copy_context

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from server.results.request import CONFIDENCE_LEVELS, read_figures, survey_language
from server.results.sections import mean_digits, sections
from server.services import services
from server.staff.guard import only
from server.store import readings
from server.store.accounts import ROLES
from server.web import offload
from survey.figures import Figures
from survey.figures.cross import cross_axes
from survey.interval import METHODS

blueprint = Blueprint("results", __name__, url_prefix="/results")
blueprint.before_request(only(*ROLES))


@blueprint.get("")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that were opened."""
    found = services().storage.read(readings.surveys_with_results)
    return render_template("results/list.html", rows=[each for each in found if each[1] is not None])


@blueprint.get("/<slug>")
def show(slug: str) -> ResponseReturnValue:
    """Show the estimates of a survey."""
    figures = read_figures(slug, request.args)
    # To lay out a hundred questions takes longer than others should wait. The thread needs this request.
    return offload.run(copy_context().run, page_of, figures)


def page_of(figures: Figures) -> str:
    """Render the estimates of a survey."""
    definition = figures.publication.definition
    code = survey_language(definition)
    return render_template(
        "results/page.html",
        figures=figures,
        definition=definition,
        code=code,
        sections=sections(figures, code) if figures.respondents else [],
        levels=CONFIDENCE_LEVELS,
        methods=METHODS,
        mean_digits=mean_digits,
        crossable=[
            {"name": name, "label": side.title(code)}
            for name, side in cross_axes(figures.publication).items()
        ],
    )
