"""The figures as they are downloaded in JSON: everything, in the shape of the survey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from survey.channel import Channel
from survey.column import Column
from survey.figures.columns import ColumnFigures
from survey.figures.numbers import NumberFigures
from survey.figures.questions import Figures, QuestionFigures
from survey.figures.section_figures import SectionFigures
from survey.figures.shares import SharesFigures
from survey.loss_tables import budget_table, draw_table, shuffle_table
from survey.notice import Notice
from survey.privacy import ASSUMPTION
from survey.publication import column_entry
from survey.question import Boxes, Choice, Question


def document(figures: Figures) -> dict[str, Any]:
    """Return everything for JSON: plain numbers, and null where there is none."""
    return {
        "survey": figures.slug,
        "title": dict(figures.publication.definition.title),
        "state": figures.state,
        "fingerprint": figures.publication.fingerprint,
        "respondents": figures.respondents,
        "budget": budget_table(figures.publication, figures.budget) | draw_table(figures.publication),
        **shuffle_table(figures.published),
        "shuffle_assumption": ASSUMPTION,
        "confidence_level": figures.confidence_level,
        "simultaneous": figures.precision.simultaneous,
        "method": figures.method,
        "questions": [question_document(each) for each in figures.questions],
        **({"sections": list(map(section_document, figures.sections.values()))} if figures.sections else {}),
    }


def section_document(figures: SectionFigures) -> dict[str, Any]:
    """Return a drawn section: the number of people who were asked it, and the loss of its published counts.

    ``unknown`` is the loss for a reader of these counts alone who does not know who was asked.
    """
    return {
        "section": figures.section.id,
        "title": dict(figures.section.title),
        "always": figures.section.always,
        "questions": [question.id for question in figures.section.questions],
        "asked": figures.asked,
        "asked_of": figures.respondents,
        **shuffle_table(figures.published),
        "unknown": shuffle_table(figures.unknown) if figures.unknown else None,
        "warnings": [notice_document(notice) for notice in figures.notices],
    }


def question_document(figures: QuestionFigures) -> dict[str, Any]:
    """Return one question: its wording, mechanism and estimates, for each box where there are boxes."""
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
        **shuffle_table(figures.published),
    }
    boxes = zip(question.options, figures.columns, strict=True)
    return table | {
        "boxes": [{"option": dict(option)} | column_document(question, column) for option, column in boxes]
    }


def column_document(question: Question, figures: ColumnFigures) -> dict[str, Any]:
    """Return one column: its channel as it was published, with its guarantee, and the estimates from it."""
    entry = column_entry(question, figures.column)
    by_hand = entry.pop("by_hand", None)
    table = channel_document(entry, figures.channel) | {"column": figures.name}
    table |= {
        "codes": codes_document(figures.column),
        "respondents": figures.respondents,
        "radius": figures.radius,
        **shuffle_table(figures.published),
    }
    if figures.column.skip_apart:
        table["skipped"] = figures.skipped
    if figures.column.drawn:
        table["not_asked"] = figures.not_asked
    if figures.number is not None:
        return table | number_document(figures.number)
    if figures.shares is not None:
        table |= shares_document(figures.shares)
    if figures.scale is not None:
        table |= asdict(figures.scale)
    if figures.answered:
        table["answered"] = [asdict(share) for share in figures.answered]
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
    """Return a channel as it was published, with its guarantee, and with chances if it has all weights."""
    table = {key: value for key, value in entry.items() if key not in ("name", "epsilon", "delta")}
    epsilon, delta = channel.guarantee
    table["guarantee"] = {"epsilon": epsilon, "delta": delta}
    return table | {"channel": channel.probabilities.tolist()} if "weights" in entry else table


def stratum_document(figures: SharesFigures) -> dict[str, Any]:
    """Return the shares from those who reported one way, and their number."""
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
        "curve": figures.curve and asdict(figures.curve),
        "warnings": [notice_document(notice) for notice in figures.notices],
    }


def notice_document(notice: Notice) -> dict[str, Any]:
    """Return a warning with its code, its words and its values."""
    return {"code": notice.code, "text": str(notice), "values": dict(notice.values)}
