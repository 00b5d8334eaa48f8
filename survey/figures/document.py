"""The figures as they are downloaded: as JSON, and as a table with a row for each estimated quantity."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, cast

from survey.channel import Channel
from survey.column import Column
from survey.fields import Texts
from survey.figures.columns import ColumnFigures
from survey.figures.numbers import BinFigures, NumberFigures, ValueFigures
from survey.figures.parts import PartFigures
from survey.figures.questions import Figures, QuestionFigures
from survey.figures.shares import ShareFigures, SharesFigures
from survey.notice import Notice
from survey.privacy import ASSUMPTION, Shuffled
from survey.publication import column_entry
from survey.question import Boxes, Choice, Question

Cell = str | int | float | None
"""What a cell of a table holds; None is an empty cell."""

MOST_CHANCES = 64
"""A row of a channel with more reports than this is left to the JSON, in its compact form."""

HEADER = (
    "survey", "fingerprint", "state", "question", "kind", "wording", "column", "stratum", "quantity",
    "answer", "label", "respondents", "reported", "count", "noisy_share", "proportion", "value",
    "standard_error", "low", "high", "maximum_likelihood", "people", "probability", "first", "last",
    "radius", "mechanism", "epsilon", "delta", "box_epsilon", "waves", "limit",
    "shuffle_epsilon", "shuffle_delta", "shuffle_respondents", "shuffle_exact", "shuffle_reason", "channel",
    "confidence_level", "simultaneous", "interval_level", "method", "warnings",
)  # fmt: skip
"""Columns of the estimates as a table. ``channel`` is P(report | answer) of the row's answer, a JSON list.

``radius`` is in the unit of the row's estimate, and empty where there is no interval that it stands by;
``shuffle_*`` are about the published counts of the row's column. Rows of the quantities ``question`` (all
boxes of one), ``budget`` (the survey's sum over what one person is asked, and waves) and ``composed`` say
what that costs.
"""

OF_SECTIONS = ("section", "asked", "asked_of", "code")
"""Columns after these where sections are drawn: the section of the row, how many people were asked it, of how
many, and the code of a skip or of "not asked" in the reports. Rows of the quantity ``section`` are about
its published counts by themselves, for a reader who does not know who was asked.
"""

LAST = ("estimate", "stated_epsilon", "exact_epsilon")
"""Columns that came later, after all others. ``estimate`` is the row's one number, whatever its quantity.
``stated_epsilon`` is what was typed for the question, empty where its mechanism fixes it; ``exact_epsilon``
is the loss that the published integers keep, of the same scope.
"""


def header(figures: Figures) -> tuple[str, ...]:
    """Return the columns of the estimates as a table."""
    return HEADER + (OF_SECTIONS if figures.parts else ()) + LAST


def document(figures: Figures) -> dict[str, Any]:
    """Return everything for JSON: plain numbers, and null where there is none."""
    return {
        "survey": figures.slug,
        "title": dict(figures.publication.definition.title),
        "state": figures.state,
        "fingerprint": figures.publication.fingerprint,
        "respondents": figures.respondents,
        "budget": budget_document(figures) | drawn_document(figures),
        **published_document(figures.published),
        "shuffle_assumption": ASSUMPTION,
        "confidence_level": figures.confidence_level,
        "simultaneous": figures.precision.simultaneous,
        "method": figures.method,
        "questions": [question_document(each) for each in figures.questions],
        **({"sections": [part_document(each) for each in figures.parts.values()]} if figures.parts else {}),
    }


def part_document(part: PartFigures) -> dict[str, Any]:
    """Return of a drawn section whom it was asked of, and what its published counts reveal together.

    ``unknown`` is for a reader of these counts alone who does not know who was asked.
    """
    return {
        "section": part.section.id,
        "title": dict(part.section.title),
        "always": part.section.always,
        "questions": [question.id for question in part.section.questions],
        "asked": part.asked,
        "asked_of": part.respondents,
        **published_document(part.published),
        "unknown": published_document(part.unknown) if part.unknown else None,
        "warnings": [notice_document(notice) for notice in part.notices],
    }


def budget_document(figures: Figures) -> dict[str, Any]:
    """Return the loss of one person over all they are asked and waves, and the limit that is kept."""
    definition, total = figures.publication.definition, figures.budget
    return {
        "epsilon": total.epsilon,
        "delta": total.delta,
        "waves": definition.waves,
        "limit": definition.limit,
        "composed": asdict(total.composed) if total.composed else None,
    }


def drawn_document(figures: Figures) -> dict[str, Any]:
    """Return how many sections there are and how many one person is asked, where some are drawn."""
    definition = figures.publication.definition
    if not definition.samples:
        return {}
    return {"sections": len(definition.sections), "asked": definition.sections_asked}


def published_document(published: Shuffled | None) -> dict[str, Any]:
    """Return what published counts reveal about one person, with the same names in JSON and in the table."""
    names = ("epsilon", "delta", "respondents", "exact", "reason")
    return {f"shuffle_{name}": getattr(published, name, None) for name in names}


def question_document(figures: QuestionFigures) -> dict[str, Any]:
    """Return one question: what was asked and how, and its estimates, for each box where there are boxes."""
    question = figures.question
    table: dict[str, Any] = {
        "question": question.id,
        "kind": question.kind,
        "wording": {language: question.asks(language) for language in question.wording},
        "mechanism": question.mechanism,
        "skip": question.skip,
        "epsilon": figures.epsilon,
        "delta": figures.delta,
        "stated_epsilon": question.epsilon,
        "exact_epsilon": figures.exact_epsilon,
    }
    if isinstance(question, Choice):
        table["options"] = [dict(option) for option in question.options]
        table["ordered"] = question.ordered
    if not isinstance(question, Boxes):
        return table | column_document(question, figures.first)
    table |= {
        "respondents": figures.respondents,
        "box_epsilon": figures.box_epsilon,
        "sampled": figures.sampled or len(question.options),
        **published_document(figures.published),
    }
    boxes = zip(question.options, figures.columns, strict=True)
    return table | {
        "boxes": [{"option": dict(option)} | column_document(question, column) for option, column in boxes]
    }


def column_document(question: Question, figures: ColumnFigures) -> dict[str, Any]:
    """Return one column: its channel as it was published, with its promise, and the estimates from it."""
    entry = column_entry(question, figures.column)
    by_hand = entry.pop("by_hand", None)
    table = channel_document(entry, figures.channel) | {"column": figures.name}
    table |= {
        "codes": codes_document(figures.column),
        "respondents": figures.respondents,
        "radius": figures.radius,
        **published_document(figures.published),
    }
    if figures.column.skip_apart:
        table["skipped"] = figures.skipped
    if figures.column.drawn:
        table["not_asked"] = figures.not_asked
    if figures.number is not None:
        return table | number_document(figures.number)
    if figures.shares is not None:
        table |= shares_document(figures.shares)
    if figures.column.by_hand is not None:
        table["by_hand"] = channel_document(by_hand, figures.column.by_hand)
        if figures.by_hand is not None:
            table["by_hand"] |= stratum_document(figures.by_hand)
        if figures.pooled is not None:
            table["pooled"] = stratum_document(figures.pooled)
    return table


def codes_document(column: Column) -> dict[str, Any]:
    """Return the codes of the noisy reports: the first and the last of each way of reporting."""
    table = {"device": [0, column.channel.reports - 1]}
    if column.by_hand is not None:
        table["by_hand"] = [column.channel.reports, column.report_codes - 1]
    if column.skip_code is not None:
        table["skipped"] = [column.skip_code, column.skip_code]
    if column.not_asked_code is not None:
        table["not_asked"] = [column.not_asked_code, column.not_asked_code]
    return table


def channel_document(entry: Mapping[str, Any], channel: Channel) -> dict[str, Any]:
    """Return a channel as it was published, with its promise, and with chances if it was published whole."""
    table = {key: value for key, value in entry.items() if key not in ("name", "epsilon", "delta")}
    epsilon, delta = channel.guarantee
    table["guarantee"] = {"epsilon": epsilon, "delta": delta}
    return table | {"channel": channel.probabilities.tolist()} if "weights" in entry else table


def stratum_document(figures: SharesFigures) -> dict[str, Any]:
    """Return the shares from those who reported one way, and how many they are."""
    return {"respondents": figures.respondents, "radius": figures.radius} | shares_document(figures)


def shares_document(figures: SharesFigures) -> dict[str, Any]:
    """Return the shares of one stratum."""
    return {
        "reported": figures.reported,
        "answers": [asdict(share) for share in figures.shares],
        "warnings": [notice_document(notice) for notice in figures.notices],
    }


def number_document(figures: NumberFigures) -> dict[str, Any]:
    """Return the estimates of a number."""
    return {
        "mean": asdict(figures.mean),
        "quantiles": [asdict(each) for each in figures.quantiles],
        "bins": [asdict(each) for each in figures.bins],
        "warnings": [notice_document(notice) for notice in figures.notices],
    }


def notice_document(notice: Notice) -> dict[str, Any]:
    """Return a warning with its code, its words and its values."""
    return {"code": notice.code, "text": str(notice), "values": dict(notice.values)}


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
    found = [
        of_section(figures, each.question) | row
        for each in figures.questions
        for row in question_rows(each, language)
    ]
    found += [row for part in figures.parts.values() for row in part_rows(part)]
    names = header(figures)
    complete = (shared | one_number(row) | row for row in [*found, *survey_rows(figures)])
    return [[row.get(name) for name in names] for row in complete]


Row = dict[str, Cell]

ONE_NUMBER = {
    "proportion": "proportion",
    "bin": "proportion",
    "mean": "value",
    "quantile": "value",
    "count": "count",
}
"""Quantity -> the column that holds what is estimated of it, or was counted."""


def one_number(row: Row) -> Row:
    """Return the number that a row is about, if it is about one."""
    column = ONE_NUMBER.get(str(row["quantity"]))
    return {"estimate": row.get(column)} if column else {}


def of_section(figures: Figures, question: Question) -> Row:
    """Return the section of a question and whom it was asked of, where sections are drawn."""
    for part in figures.parts.values():
        if question in part.section.questions:
            return {"section": part.section.id, "asked": part.asked, "asked_of": part.respondents}
    return {}


def part_rows(part: PartFigures) -> Iterator[Row]:
    """Yield what the counts of a section reveal to a reader who does not know who was asked."""
    row: Row = {"quantity": "section", "section": part.section.id, "respondents": part.asked}
    row |= {"asked": part.asked, "asked_of": part.respondents}
    row["warnings"] = " ".join(map(str, part.notices))
    yield row | (published_document(part.unknown) if part.unknown else {})


def survey_rows(figures: Figures) -> Iterator[Row]:
    """Yield the total loss of one person: the sum, and the composed loss where it is smaller."""
    total = budget_document(figures)
    composed = total.pop("composed")
    shared: Row = {"quantity": "budget", "respondents": figures.respondents, "warnings": ASSUMPTION}
    yield shared | total | published_document(figures.published)
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
            published = published_document(column.published)
            yield shared | {"column": column.name} | published | row
    if isinstance(question, Boxes):
        whole: Row = {"quantity": "question", "respondents": figures.respondents}
        yield shared | whole | published_document(figures.published)


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
    if figures.number is not None:
        yield from number_rows(figures.number)
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


def share_row(share: ShareFigures) -> Row:
    """Return the numbers of one share."""
    level = {"quantity": "proportion", "interval_level": share.confidence_level}
    return {name: value for name, value in asdict(share).items() if name != "confidence_level"} | level


def number_rows(figures: NumberFigures) -> Iterator[Row]:
    """Yield the rows of a number: its mean, its quantiles, its bins."""
    shared: dict[str, Cell] = {
        "stratum": "device",
        "respondents": figures.respondents,
        "reported": figures.respondents,
        "warnings": " ".join(map(str, figures.notices)),
    }
    for each in (figures.mean, *figures.quantiles, *figures.bins):
        numbers = asdict(cast("ValueFigures | BinFigures", each))
        numbers["interval_level"] = numbers.pop("confidence_level")
        moved = {"radius": figures.radius} if each is figures.mean else {}
        yield shared | {"quantity": "bin"} | moved | numbers


def chances(channel: Channel | None, answer: int) -> str | None:
    """Return P(report | answer) as a JSON list, unless it is too long for a cell."""
    if channel is None or channel.reports > MOST_CHANCES:
        return None
    return json.dumps(channel.probabilities[answer].tolist())
