"""Every channel of a survey in exact integers: the matrix, or what a few lines of Python expand to it."""

from __future__ import annotations

import inspect
from typing import Any

from server.results.files import expansion
from survey.channel import TOTAL, Channel
from survey.column import Column
from survey.linked import Linked
from survey.mechanisms import BoxChannel, NumberChannel
from survey.publication import Publication, question_columns
from survey.question import Question
from survey.question.boxes import NOT_SAMPLED
from survey.section import Section

MOST_ENTRIES = 40_000
"""A matrix with more entries than this is given by its generator: about 400 kB of digits."""


def channels(publication: Publication) -> dict[str, Any]:
    """Return every channel for JSON, integers as they were published.

    Returns
    -------
    dict
        ``columns``: column -> its strata (``device``, and ``by_hand`` where real coins may be used), and its
        codes that are no reports. A matrix has a row for each answer and a column for each report;
        ``P(report | answer) = matrix[answer][report] / denominator``. ``expand`` is the Python that turns a
        ``generator`` into such a matrix. Where people see a result before it is sent, ``seen_first`` is true.
        ``linked``, where questions are linked: section -> its columns in order, how many of them a person is
        asked, and its wheels, one for each number of combinations that a set of questions has. An answer of a
        wheel is a combination of answers, the first column's most significant; where all can be left out
        together, the last one says so.
    """
    definition = publication.definition
    linked = {
        section.id: linked_table(section, section.linked, definition.is_seen_first(section.questions[0]))
        for section in definition.sections
        if section.linked
    }
    return {
        "survey": publication.definition.slug,
        "fingerprint": publication.fingerprint,
        "columns": {
            name: column_table(question, column, definition.is_seen_first(question))
            for question, columns in question_columns(publication)
            for name, column in columns.items()
        },
        **({"linked": linked} if linked else {}),
        "expand": inspect.getsource(expansion),
    }


def linked_table(section: Section, linked: Linked, seen_first: bool) -> dict[str, Any]:
    """Return the wheels that decide for all answers of a section together."""
    return {
        "columns": [name for question in section.questions for name in question.column_names],
        "asked": linked.asked,
        "left_out_together": linked.skip,
        "wheels": [stratum(wheel, 0, seen_first) for wheel in linked.wheels],
    }


def column_table(question: Question, column: Column, seen_first: bool) -> dict[str, Any]:
    """Return one column: its strata, and which of its codes are no reports. Real coins are always seen."""
    strata = {"device": stratum(column.channel, 0, seen_first)}
    if column.by_hand is not None:
        strata["by_hand"] = stratum(column.by_hand, column.channel.reports, seen_first=True)
    channel = column.channel
    sampled = isinstance(channel, BoxChannel) and channel.sampled < channel.boxes
    return {
        "question": question.id,
        "kind": question.kind,
        "mechanism": question.mechanism,
        "strata": strata,
        "not_sampled_code": NOT_SAMPLED if sampled else None,
        "skip_code": column.skip_code,
        "not_asked_code": column.not_asked_code,
    }


def stratum(channel: Channel, first_code: int, seen_first: bool) -> dict[str, Any]:
    """Return one way of reporting: its codes, its promise, and its chances.

    A number has its ``grid``, and in ``values`` what each report adds to the mean, u: the mean of u over the
    reports is the estimate, because the sum over reports y of P(y | x) u[y] is x.
    """
    epsilon, delta = channel.guarantee
    table: dict[str, Any] = {
        "first_code": first_code,
        "codes": channel.reports,
        "seen_first": seen_first,
        "answers": channel.answers,
        "epsilon": epsilon,
        "delta": delta,
        "denominator": TOTAL,
    }
    if isinstance(channel, NumberChannel):
        table |= {"grid": channel.grid.tolist(), "values": channel.values.tolist()}
    if channel.answers * channel.reports > MOST_ENTRIES:
        return table | {"generator": channel.form.as_dict()}
    return table | {"matrix": channel.weights.tolist()}
