"""The results as researchers read them: all questions at a glance, then one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from server.language.request_language import nearest
from server.results.estimates import CONFIDENCE_LEVELS, chosen_word, read_figures
from server.results.files import parquet_file
from server.results.number_text import AMOUNTS
from server.results.overview import overview
from server.results.question_layout import QuestionSection, mean_digits, sections
from server.results.sentences import FEWEST, ending_of, leaving_sentence, quotes
from server.runtime import offload
from server.services import services
from server.staff.guard import may, needs, only
from server.store import surveys
from server.store.engine import Connection
from server.store.lifecycle import dated_proposals, legal_hold, life
from server.store.lifecycle.life import Life
from server.store.results import survey_results
from survey.figures.cross_figures import MINIMUM_CELL, cross_axes, crossed_now
from survey.figures.questions import Figures
from survey.interval import METHODS

blueprint = Blueprint("results", __name__, url_prefix="/results")
blueprint.before_request(only("read"))

SETTINGS = ("confidence_level", "method", "simultaneous", "amounts", "language")

EXPLANATIONS = {
    "quantiles_text": lambda section: bool(
        section.figures.first.number and section.figures.first.number.quantiles
    ),
    "skips": lambda section: section.figures.question.skip == "apart",
    "skip_randomized": lambda section: section.figures.question.skip == "randomized",
    "pooled": lambda section: section.figures.first.pooled is not None,
    "leaving.text": lambda section: section.banded,
}
"""Message -> whether it is about a question."""


@blueprint.get("")
@needs("enter")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that were opened and that the reader may see; the archive if it is asked for."""
    found = services().storage.read(survey_results.surveys_in_lists, archived="archived" in request.args)
    rows, away = (
        [each for each in part if each[1] is not None and may("read", each[0].id)] for part in found
    )
    return render_template("results/list.html", rows=rows, away=len(away))


@blueprint.get("/<slug>")
def show(slug: str) -> ResponseReturnValue:
    """Show the estimates of a survey."""
    figures, held = read_figures(slug, request.args), services().storage.read(life.of_named, slug)
    asked = chosen_word(request.args, "amounts", AMOUNTS, AMOUNTS[0])
    waits = services().storage.read(removal_waits, slug)
    return offload.draw(render_page, figures, asked, held, waits)


def removal_waits(db: Connection, slug: str) -> Mapping[str, Any]:
    """Return what the removal of a survey's reports waits for: a legal hold, or a second admin."""
    survey = surveys.by_slug(db, slug)
    if survey is None:
        return {}
    return {"hold": legal_hold.of(db, survey.id), "unconfirmed": dated_proposals.unconfirmed(db, survey.id)}


@blueprint.app_template_global()
def chart_settings(*more: str) -> dict[str, str]:
    """Return what the page was asked for, and `more` of it, for the addresses of its charts."""
    return {name: request.args[name] for name in (*SETTINGS, *more) if name in request.args}


def render_page(figures: Figures, asked: str, held: Life, waits: Mapping[str, Any]) -> str:
    """Render the estimates of a survey, as shares or as numbers of people."""
    definition = figures.publication.definition
    code = nearest(definition.languages)
    axes = crossed_now(figures.publication, figures.state)
    ending = ending_of(figures.state, held)
    laid_out = sections(figures, code, asked == "people")
    return render_template(
        "results/page.html",
        figures=figures,
        definition=definition,
        code=code,
        sections=laid_out,
        unanswered=[each for each in figures.questions if not each.answered],
        overview=overview(laid_out) if laid_out else None,
        quotes=[quotes(each, definition.languages, figures.confidence_level, ending) for each in laid_out],
        leaving=[leaving_sentence(each, code, figures.confidence_level) for each in laid_out],
        explained=explained(laid_out),
        levels=CONFIDENCE_LEVELS,
        methods=METHODS,
        amounts=AMOUNTS,
        asked_amounts=asked,
        minimum=MINIMUM_CELL,
        mean_digits=mean_digits,
        parquet=parquet_file.INSTALLED,
        crossable=[{"name": name, "label": side.title(code)} for name, side in axes.items()],
        can_cross=len(cross_axes(figures.publication)) > 1,
        comparable=list(axes) if can_be_compared(figures, held) and len(axes) > 1 else [],
        held=held,
        **waits,
        fewest_quoted=FEWEST,
    )


def can_be_compared(figures: Figures, held: Life) -> bool:
    """Return whether two questions can be read together: linked ones, or their single reports are there."""
    return figures.state == "open" or (figures.prepared and not held.removed)


def explained(sections: Iterable[QuestionSection]) -> list[str]:
    """Return the messages that are about any of the questions, in the order above."""
    laid_out = list(sections)
    return [key for key, applies in EXPLANATIONS.items() if any(map(applies, laid_out))]
