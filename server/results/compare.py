"""Several surveys that ask the same: each estimate, how far they lie apart, and all of them pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.language.request_language import current, nearest, translate
from server.results.charts.dot_plot import DotPlot, axis, dot_plot
from server.results.estimates import CONFIDENCE_LEVELS, chosen_level
from server.results.number_text import decimal, decimals, digits_for, percent
from server.results.question_layout import ChartRow, Label
from server.runtime import offload
from server.services import services
from server.staff.guard import may, only
from server.store import origins
from server.store.results import survey_results
from server.store.surveys import Survey
from survey.figures.alike_questions import asked_alike
from survey.figures.quantity import Interval, Quantity
from survey.figures.several_surveys import quantities
from survey.publication import Publication
from survey.question import Boxes, Choice, Number, Question
from survey.results import Results

blueprint = Blueprint("together", __name__, url_prefix="/results/<slug>/together")
blueprint.before_request(only("read"))

MOST = 5
"""The most surveys that may stand beside one."""

SurveyWithResults = tuple[Survey, Results]


@dataclass(frozen=True)
class DifferenceText:
    """The difference of a survey from the first, as it is written.

    Attributes
    ----------
    label : Label
    value, low, high : str
    band : (low, high), or None
        If people left over their result.
    unbiased : bool
        Whether the value is not the difference of the estimates that are shown, being that of unbiased ones.
    """

    label: Label
    value: str
    low: str
    high: str
    band: tuple[str, str] | None
    unbiased: bool


@dataclass(frozen=True)
class Panel:
    """One share or mean: a line for each survey and one for all, and the differences.

    Attributes
    ----------
    answer : Label or None
        Whose share it is; None where the question says it.
    plot : DotPlot
    rows : list of Row
    ticks : list of str
    differences : list of Comparison
        In percentage points, or in the unit of the number.
    banded : bool
        Whether any line has a band for people who left over their result.
    unpooled : bool
        Whether several surveys have an estimate, but all pooled has no interval known to hold.
    unit : str
    """

    answer: Label | None
    plot: DotPlot
    rows: list[ChartRow]
    ticks: list[str]
    differences: list[DifferenceText]
    banded: bool
    unpooled: bool
    unit: str


@blueprint.get("")
def show(slug: str) -> ResponseReturnValue:
    """Show a survey beside those that are ticked: ``?other=health-2027&other=health-2028``."""
    first = services().storage.read(survey_results.survey_with_results, slug)
    if first is None:
        raise NotFound
    seen = [
        each
        for each in services().storage.read(survey_results.surveys_with_results)
        if may("read", each[0].id)
    ]
    candidates = surveys_alike(first, seen)
    relatives = services().storage.read(origins.family, first[0].id)
    # Who comes here by a link sees waves and groups; who unticks all of them in the form, none.
    asked = request.args.getlist("other") if request.args else [each.survey.slug for each in relatives]
    ticked = [each for each in candidates if each[0].slug in asked][:MOST]
    level = chosen_level(request.args)
    return offload.draw(render_page, first, candidates, ticked, relatives, level)


def surveys_alike(
    first: SurveyWithResults, everything: Sequence[tuple[Survey, Results | None]]
) -> list[SurveyWithResults]:
    """Return the other published surveys that ask at least one question in the same way."""
    publication = publication_of(first)
    return [
        (survey, results)
        for survey, results in everything
        if survey.publication is not None
        and results is not None
        and not results.withheld
        and survey.id != first[0].id
        and asked_alike([publication, survey.publication])
    ]


def publication_of(survey_and_results: SurveyWithResults) -> Publication:
    """Return what a survey with results has published."""
    assert survey_and_results[0].publication is not None  # noqa: S101  # a draft has no results
    return survey_and_results[0].publication


def render_page(
    first: SurveyWithResults,
    candidates: list[SurveyWithResults],
    ticked: list[SurveyWithResults],
    relatives: list[origins.Relative],
    level: float,
) -> str:
    """Render the page."""
    shown = [first, *ticked]
    publications = [publication_of(each) for each in shown]
    code = nearest(publications[0].definition.languages)
    labels = labels_of(shown)
    questions = asked_alike(publications) if ticked and not first[1].withheld else []
    slugs = {each[0].slug for each in shown}
    asked = {each.survey.id: each.people for each in relatives}
    people = [asked.get(survey.id, survey.id) for survey, _ in shown]
    results = [each[1] for each in shown]
    laid_out = [
        (question, panels(question, publications, results, labels, level, code, people))
        for question in questions
    ]
    return render_template(
        "results/compare.html",
        survey=first[0],
        definition=publications[0].definition,
        code=code,
        candidates=candidates,
        ticked=slugs,
        related={each.survey.slug for each in relatives},
        panels=laid_out,
        banded=any(each.banded for _, every in laid_out for each in every),
        labels=labels,
        same_people=len(set(people)) < len(people),
        levels=CONFIDENCE_LEVELS,
        asked_level=level,
        most=MOST,
    )


def labels_of(shown: list[SurveyWithResults]) -> list[Label]:
    """Name surveys by their titles, or by their addresses where two have the same title."""
    titles = []
    for each in shown:
        definition = publication_of(each).definition
        code = nearest(definition.languages)
        titles.append(Label(definition.title[code], code))
    if len({title.text for title in titles}) == len(titles):
        return titles
    return [Label(survey.slug, "en") for survey, _ in shown]


def panels(
    question: Question,
    publications: Sequence[Publication],
    results: Sequence[Results],
    labels: Sequence[Label],
    level: float,
    code: str,
    people: Sequence[int],
) -> list[Panel]:
    """Lay out what one question tells; a quantity that no survey knows is left out."""
    quantities_told = quantities(question, publications, [each.counts for each in results], level, people)
    laid_out = [panel(question, n, each, labels, code) for n, each in enumerate(quantities_told)]
    return [each for each in laid_out if each is not None]


def panel(
    question: Question, place: int, quantity: Quantity, labels: Sequence[Label], code: str
) -> Panel | None:
    """Lay out one share or mean."""
    pooled = (Label(translate("together.pooled"), current()), quantity.pooled)
    lines = [(label, each) for label, each in [*zip(labels, quantity.of_each, strict=True), pooled] if each]
    if not lines:
        return None
    number = isinstance(question, Number)
    half_widths = [(each.high - each.low) / 2 for _, each in lines]
    digits = decimals(min(half_widths)) if number else digits_for(100 * each for each in half_widths)
    bands = [each.band for _, each in lines]
    drawn = [(each.value, each.low, each.high) for _, each in lines]
    scale = axis((end for ends in (*drawn, *filter(None, bands)) for end in ends), 1 if number else 0.01)
    placed = dot_plot(scale, ((*marks, None) for marks in drawn), bands)

    def written(value: float) -> str:
        return decimal(value, digits) if number else percent(value, digits)

    rows = [
        ChartRow(
            label,
            dot,
            estimate.value,
            written(estimate.value),
            written(estimate.low),
            written(estimate.high),
            estimate.respondents,
        )
        for (label, estimate), dot in zip(lines, placed.dots, strict=True)
    ]
    differences = [
        write_difference(label, each, own.value - first.value, digits, number)
        for label, own, each in zip(labels[1:], quantity.of_each[1:], quantity.differences, strict=True)
        if each and own and (first := quantity.of_each[0])
    ]
    ticks = [decimal(tick.value, 0) if number else percent(tick.value, 0) for tick in placed.ticks]
    return Panel(
        answer=answer_of(question, place, quantity, code),
        plot=placed,
        rows=rows,
        ticks=ticks,
        differences=differences,
        banded=any(bands),
        unpooled=quantity.pooled is None and len(lines) > 1,
        unit=unit_of(question, code),
    )


def write_difference(
    label: Label, difference: Interval, shown: float, digits: int, number: bool
) -> DifferenceText:
    """Write a difference, where `shown` is that of the estimates that are shown."""
    value, low, high, *band = (
        signed_points(end, digits, number)
        for end in (difference.value, difference.low, difference.high, *(difference.band or ()))
    )
    ends = (band[0], band[1]) if band else None
    return DifferenceText(
        label, value, low, high, ends, unbiased=value != signed_points(shown, digits, number)
    )


def signed_points(value: float, digits: int, number: bool) -> str:
    """Write a difference with its sign: of shares in percentage points, of means in the number's unit.

    A rounded 0 has no sign: -0.0004 and 0.0004 are the same 0.
    """
    text = decimal(value if number else 100 * value, digits)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def unit_of(question: Question, code: str) -> str:
    """Return the unit of a number; empty for shares."""
    return question.unit[code] if isinstance(question, Number) and question.unit else ""


def answer_of(question: Question, place: int, quantity: Quantity, code: str) -> Label | None:
    """Name the answer that a quantity is about; yes needs no name."""
    if isinstance(question, Boxes):
        return Label(question.options[place][code], code)
    if quantity.answer == "skip":
        return Label(translate("results.skip"), current())
    if isinstance(question, Choice):
        return Label(question.options[int(quantity.answer)][code], code)
    if quantity.answer == "mean":
        return Label(translate("results.mean"), current())
    return None
