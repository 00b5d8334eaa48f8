"""Every chart of the results at an address of its own, as an SVG file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import copy_context
from dataclasses import replace
from functools import partial

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.language.request_language import current, nearest, translate
from server.results.chart_file import (
    chart_svg,
    estimate_lines,
    interval_pattern,
    name_and_fingerprint,
    svg_response,
)
from server.results.charts.drawing import WIDTHS, Words, draw, draw_curve
from server.results.estimates import chosen_precision, chosen_word, estimate_survey, key_of_figures
from server.results.number_text import AMOUNTS, level, small
from server.results.question_layout import QuestionSection, sections
from server.results.sentences import epsilon_text, sentence
from server.runtime.bounded_cache import BoundedCache
from server.services import services
from server.staff.guard import only
from server.store.results import survey_results
from survey.figures.questions import Figures
from survey.question import Boxes

blueprint = Blueprint("charts", __name__, url_prefix="/results/<slug>/charts")
blueprint.before_request(only("read"))

CHARTS: BoundedCache[str] = BoundedCache(256)
"""Pictures by fingerprint, counts and settings; each takes some 5 kB."""


@blueprint.get("/<name>.svg")
def svg(slug: str, name: str) -> ResponseReturnValue:
    """Send the chart of a question, or of one of its columns, as the address asks for it: see `show`."""
    precision = chosen_precision(request.args)
    amounts = chosen_word(request.args, "amounts", AMOUNTS, AMOUNTS[0])
    width = chosen_word(request.args, "width", tuple(WIDTHS), next(iter(WIDTHS)))
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    figures = estimate_survey(*found, precision)
    key = key_of_figures(*found, precision), name, amounts, width, current()
    context = copy_context()  # the thread that draws needs this request
    draws = partial(context.run, draw_question, figures, name, amounts == "people", WIDTHS[width])
    return svg_response(CHARTS.get(key, draws))


@blueprint.get("/<name>-curve.svg")
def curve(slug: str, name: str) -> ResponseReturnValue:
    """Send the cumulative curve of a question with its band, as the address asks for it."""
    precision = chosen_precision(request.args)
    width = chosen_word(request.args, "width", tuple(WIDTHS), next(iter(WIDTHS)))
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    figures = estimate_survey(*found, precision)
    key = key_of_figures(*found, precision), f"{name}-curve", "", width, current()
    draws = partial(copy_context().run, draw_question_curve, figures, name, WIDTHS[width])
    return svg_response(CHARTS.get(key, draws))


def draw_question_curve(figures: Figures, name: str, across: int) -> str:
    """Draw the cumulative curve of a question.

    Raises
    ------
    NotFound
        If the survey has no such question, or nothing is known of its curve.
    """
    code = nearest(figures.publication.definition.languages)
    section = next((each for each in sections(figures, code) if each.figures.question.id == name), None)
    if section is None or section.curve is None:
        raise NotFound
    question, unit = section.figures.question, getattr(section.figures.question, "unit", None)
    caption = translate("results.curve.caption", level=level(figures.confidence_level))
    words = Words(
        title=question.asks(code),
        language=code,
        caption=f"{caption} ({unit[code]})" if unit else caption,
        foot=(source(section, figures), name_and_fingerprint(figures.slug, figures.publication.fingerprint)),
        to=interval_pattern(),
    )
    to = interval_pattern()
    said = [
        f"{row.up_to.text}: {row.estimate} ({to.format(low=row.curve_low, high=row.curve_high)})"
        for row in section.curve.rows
    ]
    drawing = draw_curve(section.curve.plot, words, across)
    return chart_svg(drawing, words.title, [words.caption, *said], code)


def draw_question(figures: Figures, name: str, people: bool, across: int) -> str:
    """Draw the chart of a question or a column.

    Raises
    ------
    NotFound
        If the survey has none of that name, or nobody has answered.
    """
    code = nearest(figures.publication.definition.languages)
    laid_out = sections(figures, code, people)
    section = next((each for each in laid_out if name in names_of(each)), None)
    if section is None:
        raise NotFound
    question = section.figures.question
    title, description = question.asks(code), sentence(section, current(), [code], figures.confidence_level)
    if name != question.id and isinstance(question, Boxes):
        place = question.column_names.index(name)
        section, title = only_line(section, place), f"{title} – {question.options[place][code]}"
        description = title
    words = Words(
        title=title,
        language=code,
        caption=caption(section, figures.confidence_level, code),
        foot=(source(section, figures), name_and_fingerprint(figures.slug, figures.publication.fingerprint)),
        to=interval_pattern(),
    )
    drawing = draw(section.plot, section.rows, section.ticks, words, across)
    return chart_svg(drawing, title, [description, *estimate_lines(section.rows)], code)


def names_of(section: QuestionSection) -> Iterable[str]:
    """Return the names that a chart has: the question's, and those of its columns."""
    return section.figures.question.id, *section.figures.question.column_names


def only_line(section: QuestionSection, place: int) -> QuestionSection:
    """Return a section with one of its lines, on the same axis."""
    plot = replace(section.plot, dots=section.plot.dots[place : place + 1])
    rows, lines = section.rows[place : place + 1], section.lines[place : place + 1]
    return replace(section, plot=plot, rows=rows, lines=lines)


def caption(section: QuestionSection, confidence_level: float, code: str) -> str:
    """Say what the marks are, in the words of the page."""
    question = section.figures.question
    kind = "people" if section.amounts.people else "simple" if section.simple else question.kind
    if section.figures.first.number is not None:
        kind = "number" if len(section.rows) > 1 else "mean"
    unit = getattr(question, "unit", None)
    said = translate(f"results.chart_of.{kind}", level=level(confidence_level))
    said += translate("results.leaving.line") if section.banded else ""
    return f"{said} ({unit[code]})" if unit else said


def source(section: QuestionSection, figures: Figures) -> str:
    """Say from how many people the figures come, at which epsilon, and by which method."""
    question = section.figures
    first = question.first
    people = section.lines[0].respondents if len(section.lines) == 1 else question.respondents
    used = first.number.mean.method if first.number is not None else first.best.yes.method
    delta = f", δ = {small(question.delta)}" if question.delta else ""
    method = f"{translate('results.method')}: {translate(f'results.methods.{used}')}"
    return f"n = {people:,} · ε = {epsilon_text(question.epsilon)}{delta} · {method}"
