"""Two questions of a closed survey, compared: their joint table, shares within groups, and a test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from flask import Blueprint, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from server.language.request_language import current, nearest, translate
from server.results.chart_file import (
    chart_svg,
    estimate_lines,
    interval_pattern,
    name_and_fingerprint,
    svg_response,
)
from server.results.charts.dot_plot import DotPlot, axis, dot_plot
from server.results.charts.drawing import WIDTHS, Words, draw
from server.results.cross_estimates import cross_estimates
from server.results.estimates import CONFIDENCE_LEVELS, chosen_precision, chosen_word
from server.results.files.csv_text import BYTE_ORDER_MARK, csv_text
from server.results.number_text import decimal, digits_for, level, percent
from server.results.question_layout import ChartRow, Label
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.store.results import survey_results
from server.store.surveys import Survey
from server.web.attachment import attachment
from survey.block import linked_block
from survey.crosstab import Comparison
from survey.crosstab.permutation import PERMUTATIONS
from survey.figures.cross_figures import (
    MINIMUM_CELL,
    CrossAxis,
    CrossFigures,
    GroupChoice,
    answers_compared,
    cross_axes,
    crossed_now,
    default_choice,
    too_large,
)
from survey.figures.cross_table import cross_header, cross_rows
from survey.publication import Publication

blueprint = Blueprint("cross", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only("read"))

LARGEST_RATIO, SMALLEST_RATIO = 1e6, 1e-3
"""An odds ratio beyond these is as good as infinite, or as 0."""

MOST_SHOWN = 12
"""A noisy table with more rows or columns is left to the download."""


@blueprint.get("/cross")
def show(slug: str) -> ResponseReturnValue:
    """Show two questions together."""
    survey, figures = read(slug, request.args)
    assert survey.publication is not None  # noqa: S101  # only a published survey is closed
    definition = survey.publication.definition
    code = nearest(definition.languages)
    axes = crossed_now(survey.publication, survey.state)
    labels = {
        name: answer_labels(side, code)[: len(answers)]
        for name, side, answers in zip(
            ("row", "column"),
            (figures.row, figures.column),
            answers_compared(figures.row, figures.column),
            strict=True,
        )
    }
    placed = plot(figures)
    return offload.draw(
        render_template,
        "results/cross.html",
        survey=survey,
        definition=definition,
        code=code,
        figures=figures,
        labels=labels,
        titles={"row": figures.row.title(code), "column": figures.column.title(code)},
        axes=[(name, each.title(code)) for name, each in axes.items()],
        points=points(figures.difference) if figures.difference else None,
        plot=placed,
        rows=group_rows(figures, placed, labels["column"]) if placed else [],
        ticks=tick_texts(placed) if placed else [],
        levels=CONFIDENCE_LEVELS,
        asked=chosen_precision(request.args),
        minimum=MINIMUM_CELL,
        permutations=PERMUTATIONS,
        noisy_shown=max(figures.table.shape) <= MOST_SHOWN,
    )


@blueprint.get("/cross.svg")
def chart(slug: str) -> ResponseReturnValue:
    """Send the chart of the shares within the groups; not found where nothing can be said of any."""
    survey, figures = read(slug, request.args)
    assert survey.publication is not None  # noqa: S101  # see read
    width = WIDTHS[chosen_word(request.args, "width", tuple(WIDTHS), next(iter(WIDTHS)))]
    return svg_response(offload.draw(draw_shares, slug, survey.publication, figures, width))


def draw_shares(slug: str, publication: Publication, figures: CrossFigures, across: int) -> str:
    """Draw the shares within the groups.

    Raises
    ------
    NotFound
        If nothing can be said of any group.
    """
    placed, code = plot(figures), nearest(publication.definition.languages)
    if placed is None:
        raise NotFound
    rows = group_rows(figures, placed, answer_labels(figures.column, code))
    answer = answer_labels(figures.row, code)[figures.choice.answer].text
    title = f"{figures.row.title(code)} × {figures.column.title(code)}"
    chart_of = translate("results.cross.chart", level=level(figures.precision.confidence_level))
    words = Words(
        title=title,
        language=code,
        caption=f"{chart_of} {answer}",
        foot=(f"n = {figures.joint.reported:,}", name_and_fingerprint(slug, publication.fingerprint)),
        to=interval_pattern(),
    )
    drawing = draw(placed, rows, tick_texts(placed), words, across)
    return chart_svg(drawing, title, [words.caption, *estimate_lines(rows)], code)


def tick_texts(placed: DotPlot) -> list[str]:
    """Write the ticks of an axis of shares."""
    return [percent(tick.value, 0) for tick in placed.ticks]


@blueprint.get("/cross.csv")
def download_csv(slug: str) -> ResponseReturnValue:
    """Send the table of two questions, one row for each estimate."""
    survey, figures = read(slug, request.args)
    asked = chosen_precision(request.args)
    assert survey.publication is not None  # noqa: S101  # see read
    rows = cross_rows(slug, survey.publication.fingerprint, figures, asked)
    text = BYTE_ORDER_MARK + csv_text(cross_header(figures), rows)
    name = f"{slug}-{figures.row.name}-{figures.column.name}.csv"
    return attachment(text, "text/csv; charset=utf-8", name)


def read(slug: str, arguments: Mapping[str, str]) -> tuple[Survey, CrossFigures]:
    """Estimate what an address asks for: ``?row=copied&column=data&answer=yes&group=yes&other=no``."""
    precision = chosen_precision(arguments)
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    axes = crossed_now(survey.publication, survey.state)
    if survey.state == "open" and not axes:
        raise not_yet()
    if len(axes) < 2:
        raise NotFound
    names = tuple(cross_axes(survey.publication))
    row_name = chosen_word(arguments, "row", names, next(iter(axes)))
    with_row = [name for name in axes if linked_block(survey.publication, row_name, name)] or list(axes)
    column_name = chosen_word(arguments, "column", names, next(name for name in with_row if name != row_name))
    if survey.state == "open" and not linked_block(survey.publication, row_name, column_name):
        raise not_yet()
    row, column = axes[row_name], axes[column_name]
    if row.name == column.name:
        raise BadRequest(response=refusal("error.400.title", "results.cross.same", HTTPStatus.BAD_REQUEST))
    if too_large(row, column):
        raise BadRequest(
            response=refusal("error.400.title", "results.cross.too_large", HTTPStatus.BAD_REQUEST)
        )
    choice = chosen_answers(arguments, row, column)
    return survey, cross_estimates(services().storage, survey, results, row, column, choice, precision)


def not_yet() -> Conflict:
    """Answer that the two questions can be read together once the survey is closed."""
    return Conflict(response=refusal("results.cross.open_title", "results.cross.later", HTTPStatus.CONFLICT))


def chosen_answers(arguments: Mapping[str, str], row: CrossAxis, column: CrossAxis) -> GroupChoice:
    """Read which answer is looked at in which two groups."""
    default = default_choice(row, column)
    answered, groups = answers_compared(row, column)
    sides = {
        "answer": (answered, default.answer),
        "group": (groups, default.group),
        "other": (groups, default.other),
    }
    positions = {
        name: answers.index(chosen_word(arguments, name, answers, answers[position]))
        for name, (answers, position) in sides.items()
    }
    return GroupChoice(**positions)


def refusal(title: str, text: str, status: HTTPStatus) -> Response:
    """Answer why there is no table."""
    page = render_template("staff/message.html", title=translate(title), text=translate(text))
    return make_response(page, status)


def answer_labels(side: CrossAxis, language: str) -> list[Label]:
    """Name the answers of a side."""
    if side.question.kind == "choice":
        own = [Label(text, language) for text in side.question.labels(language)]
        if side.question.skip_answer is not None:
            own[-1] = Label(translate("results.skip"), current())
        return own
    return [Label(translate(f"results.{name}"), current()) for name in side.answers]


@blueprint.app_template_filter()
def ratio(number: float) -> str:
    """Write an odds ratio with three digits; one without bound as infinity."""
    if math.isinf(number) or number > LARGEST_RATIO:
        return "∞"
    return f"{number:,.0f}" if number >= 1000 else f"{number:#.3g}" if number >= SMALLEST_RATIO else "0"


@blueprint.app_template_filter()
def p_value(probability: float) -> str:
    """Write a p-value with two digits, or that it is tiny."""
    return f"{probability:.2g}" if probability >= 0.0001 else "< 0.0001"


def plot(figures: CrossFigures) -> DotPlot | None:
    """Place the shares within the groups that something can be said of."""
    known = [each for each in figures.within if each is not None]
    if not known:
        return None
    scale = axis(value for each in known for value in (each.value, each.low, each.high))
    return dot_plot(scale, ((each.value, each.low, each.high, None) for each in known))


def points(difference: Comparison) -> tuple[str, ...]:
    """Write a difference of two shares and the ends of its interval, in percentage points."""
    digits = digits_for([50 * (difference.high - difference.low)])
    ends = difference.value, difference.low, difference.high
    return tuple(decimal(100 * end, digits) for end in ends)


def group_rows(figures: CrossFigures, placed: DotPlot, groups: Sequence[Label]) -> list[ChartRow]:
    """Write the shares within the groups that something can be said of."""
    found = zip(groups, figures.within, figures.group_sizes, strict=False)
    known = [(label, share, people) for label, share, people in found if share is not None]
    digits = digits_for(50 * (share.high - share.low) for _, share, _ in known)
    rows = []
    for (label, share, people), dot in zip(known, placed.dots, strict=True):
        estimate, low, high = (percent(end, digits) for end in (share.value, share.low, share.high))
        rows.append(ChartRow(label, dot, share.value, estimate, low, high, round(people)))
    return rows
