"""The figures as they are downloaded in a table: a row for each estimated quantity."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from survey.channel import Channel
from survey.fields import Texts
from survey.figures.columns import ColumnFigures
from survey.figures.curves import CurveFigures, ScaleFigures
from survey.figures.numbers import NumberFigures
from survey.figures.questions import Figures, QuestionFigures
from survey.figures.section_figures import SectionFigures
from survey.figures.shares import ShareFigures
from survey.figures.values import ValueFigures
from survey.loss_tables import budget_table, shuffle_table
from survey.privacy import ASSUMPTION
from survey.question import Boxes, Choice, Question

Cell = str | int | float | None
"""The contents of a cell; None is an empty cell."""

MOST_CHANCES = 64
"""A row of a channel with more reports than this is left to the JSON, in its compact form."""

HEADER = (
    "survey", "fingerprint", "state", "question", "kind", "wording", "column", "stratum", "quantity",
    "answer", "label", "respondents", "reported", "count", "noisy_share", "unbiased", "value",
    "standard_error", "low", "high", "people", "probability", "radius",
    "mechanism", "epsilon", "delta", "box_epsilon", "waves", "limit",
    "shuffle_epsilon", "shuffle_delta", "shuffle_respondents", "shuffle_exact", "shuffle_reason", "channel",
    "confidence_level", "simultaneous", "interval_level", "method", "warnings",
)  # fmt: skip
"""Columns of the estimates as a table. ``channel`` is P(report | answer) of the row's answer, a JSON list.

``radius`` is in the unit of the row's estimate, and empty where the row has no interval. ``shuffle_*`` are
about the published counts of the row's column. Rows of the quantities ``question`` (all boxes of a question),
``budget`` (the survey's sum over the questions that one person is asked, and waves) and ``composed`` hold
privacy losses.
"""

OF_SECTIONS = ("section", "asked", "asked_of", "code")
"""Columns after these where sections are drawn: the section of the row, how many people were asked it, of how
many, and the code of a skip or of "not asked" in the reports. Rows of the quantity ``section`` are about
its published counts by themselves, for a reader who does not know who was asked.
"""

LAST = ("estimate", "stated_epsilon", "exact_epsilon", "band_low", "band_high", "curve_low", "curve_high")
"""The last columns. ``estimate`` is the row's one number, whatever its quantity. ``stated_epsilon`` was typed
for the question, and is empty where its mechanism fixes it; ``exact_epsilon`` is the loss of the published
integers, of the same scope. ``band_low`` and ``band_high`` allow for people who left over their result, where
it is seen before it is sent. ``curve_low`` and ``curve_high`` hold for all rows ``cumulative`` of a column at
once; the value of such a row is the share up to its answer, and that of a row ``class`` the share from one
number to another. Rows ``answered`` hold the shares among those who did not leave linked questions out.
"""


def header(figures: Figures) -> tuple[str, ...]:
    """Return the columns of the estimates as a table."""
    return HEADER + (OF_SECTIONS if figures.sections else ()) + LAST


def rows(figures: Figures) -> list[list[Cell]]:
    """Return the estimates as a table: a row for each quantity, with the origin of its numbers."""
    language = figures.publication.definition.languages[0]
    shared: Row = {
        "survey": figures.slug,
        "fingerprint": figures.publication.fingerprint,
        "state": figures.state,
        "confidence_level": figures.confidence_level,
        "simultaneous": figures.precision.simultaneous,
    }
    listed = [
        of_section(figures, each.question) | row
        for each in figures.questions
        for row in question_rows(each, language)
    ]
    listed += [row for section in figures.sections.values() for row in section_rows(section)]
    names = header(figures)
    complete = (shared | one_number(row) | row for row in [*listed, *survey_rows(figures)])
    return [[row.get(name) for name in names] for row in complete]


Row = dict[str, Cell]

ONE_NUMBER = {
    "proportion": "estimate",
    "mean": "value",
    "quantile": "value",
    "cumulative": "value",
    "class": "value",
    "answered": "value",
    "count": "count",
}
"""Quantity -> the column that holds what is estimated of it, or was counted."""


def one_number(row: Row) -> Row:
    """Return the one number of a row, if it has one."""
    column = ONE_NUMBER.get(str(row["quantity"]))
    return {"estimate": row.get(column)} if column else {}


def of_section(figures: Figures, question: Question) -> Row:
    """Return a question's section and the number of people asked it, where sections are drawn."""
    for reached in figures.sections.values():
        if question in reached.section.questions:
            return {"section": reached.section.id, "asked": reached.asked, "asked_of": reached.respondents}
    return {}


def section_rows(figures: SectionFigures) -> Iterator[Row]:
    """Yield the loss of a section's counts, to a reader who does not know who was asked."""
    row: Row = {"quantity": "section", "section": figures.section.id, "respondents": figures.asked}
    row |= {"asked": figures.asked, "asked_of": figures.respondents}
    row["warnings"] = " ".join(map(str, figures.notices))
    yield row | (shuffle_table(figures.unknown) if figures.unknown else {})


def survey_rows(figures: Figures) -> Iterator[Row]:
    """Yield the total loss of one person: the sum, and the composed loss where it is smaller."""
    total = budget_table(figures.publication, figures.budget)
    composed = total.pop("composed")
    shared: Row = {"quantity": "budget", "respondents": figures.respondents, "warnings": ASSUMPTION}
    yield shared | total | shuffle_table(figures.published)
    if composed:
        yield {"quantity": "composed"} | composed


def question_rows(figures: QuestionFigures, language: str) -> Iterator[Row]:
    """Yield the rows of one question."""
    question = figures.question
    shared: dict[str, Cell] = {
        "question": question.id,
        "kind": question.kind,
        "wording": question.asks(language),
        "mechanism": question.mechanism,
        "epsilon": figures.epsilon,
        "delta": figures.delta,
        "box_epsilon": figures.box_epsilon,
        "stated_epsilon": question.epsilon,
        "exact_epsilon": figures.exact_epsilon,
    }
    for index, column in enumerate(figures.columns):
        label = question.options[index] if isinstance(question, Boxes) else None
        for row in column_rows(column, answer_labels(figures, label), language):
            published = shuffle_table(column.published)
            yield shared | {"column": column.name} | published | row
    if isinstance(question, Boxes):
        whole: Row = {"quantity": "question", "respondents": figures.respondents}
        yield shared | whole | shuffle_table(figures.published)


def answer_labels(figures: QuestionFigures, box: Texts | None) -> list[Texts | None]:
    """Return the survey's own words for each answer of a column: the option's, or the box's."""
    question = figures.question
    if isinstance(question, Choice):
        return [*question.options, None]
    return [box] * 3


def column_rows(figures: ColumnFigures, labels: list[Texts | None], language: str) -> Iterator[Row]:
    """Yield the rows of one column, stratum by stratum. Skips have a separate row."""
    for name, shares in figures.strata.items():
        channel = {"device": figures.channel, "by_hand": figures.column.by_hand}.get(name)
        for index, share in enumerate(shares.shares):
            label = labels[index]
            yield share_row(share) | {
                "stratum": name,
                "label": label[language] if label else None,
                "respondents": shares.respondents,
                "reported": shares.reported,
                "radius": shares.radius,
                "channel": chances(channel, index),
                "warnings": " ".join(map(str, shares.notices)),
            }
    yield from answered_rows(figures, labels, language)
    if figures.number is not None:
        yield from number_rows(figures.number)
    if figures.scale is not None:
        yield from scale_rows(figures, figures.scale)
    if figures.column.skip_apart:
        yield {
            "stratum": "skipped",
            "quantity": "count",
            "answer": "skip",
            "respondents": figures.respondents,
            "count": figures.skipped,
            "code": figures.column.skip_code,
        }
    if figures.column.drawn:
        yield {
            "stratum": "not_asked",
            "quantity": "count",
            "respondents": figures.respondents + figures.not_asked,
            "count": figures.not_asked,
            "code": figures.column.not_asked_code,
        }


def answered_rows(figures: ColumnFigures, labels: list[Texts | None], language: str) -> Iterator[Row]:
    """Yield the shares among those who answered, where linked questions can be left out together."""
    for share, name, label in zip(figures.answered, answers_of(figures), labels, strict=False):
        yield {
            "stratum": "device",
            "quantity": "answered",
            "answer": name,
            "label": label[language] if label else None,
            "respondents": figures.respondents,
            "reported": figures.respondents,
            "value": share.value,
            "low": share.low,
            "high": share.high,
            "interval_level": share.confidence_level,
            "method": "likelihood_ratio",
        }


def answers_of(figures: ColumnFigures) -> list[str]:
    """Return the names of a column's answers; none of a number."""
    return [share.answer for share in figures.shares.shares] if figures.shares else []


def share_row(share: ShareFigures) -> Row:
    """Return the numbers of one share."""
    level = {"quantity": "proportion", "interval_level": share.confidence_level}
    return {name: value for name, value in asdict(share).items() if name != "confidence_level"} | level


def number_rows(figures: NumberFigures) -> Iterator[Row]:
    """Yield the rows of a number: its mean and its quartiles."""
    shared: dict[str, Cell] = {
        "stratum": "device",
        "respondents": figures.respondents,
        "reported": figures.respondents,
        "warnings": " ".join(map(str, figures.notices)),
    }
    for figure in (figures.mean, *figures.quantiles):
        moved = {"radius": figures.radius} if figure is figures.mean else {}
        yield shared | moved | value_row(figure)
    if figures.curve is not None:
        yield from (shared | row for row in curve_rows(figures.curve))


def scale_rows(figures: ColumnFigures, scale: ScaleFigures) -> Iterator[Row]:
    """Yield the rows of ordered options besides their shares; places are numbered from 1."""
    answered = figures.respondents - figures.skipped
    warnings = " ".join(map(str, figures.strata["device"].notices))
    shared: Row = {"stratum": "device", "respondents": answered, "reported": answered, "warnings": warnings}
    for figure in (scale.mean, *scale.quantiles):
        yield shared | value_row(figure)
    yield from (shared | row for row in curve_rows(scale.curve))


def value_row(figure: ValueFigures) -> Row:
    """Return the numbers of a mean or a quantile."""
    numbers = asdict(figure)
    return numbers | {"interval_level": numbers.pop("confidence_level")}


def curve_rows(curve: CurveFigures) -> Iterator[Row]:
    """Yield the cumulative shares, and the shares of the classes."""
    shared: Row = {"interval_level": curve.confidence_level, "method": "likelihood_ratio"}
    for point in curve.points:
        numbers = asdict(point)
        row = {"quantity": "cumulative", "answer": f"{numbers.pop('up_to'):g}"}
        yield shared | row | {"value": numbers.pop("estimate")} | numbers
    for each in curve.classes:
        alone = each.lowest == each.highest
        row = {"quantity": "class", "answer": f"{each.lowest:g}" + ("" if alone else f"..{each.highest:g}")}
        yield shared | row | {"value": each.estimate, "low": each.low, "high": each.high}


def chances(channel: Channel | None, answer: int) -> str | None:
    """Return P(report | answer) as a JSON list, unless it is too long for a cell."""
    if channel is None or channel.reports > MOST_CHANCES:
        return None
    return json.dumps(channel.probabilities[answer].tolist())
