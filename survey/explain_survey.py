"""The figures of what a published survey reveals about one person, for `candor explain` and for pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction

import numpy as np

from survey.channel import Channel
from survey.column import Column
from survey.definition import Definition
from survey.events import Event, event, names
from survey.loss_tables import Table, budget_table, draw_table, shuffle_table
from survey.mechanisms import BoxChannel, NumberChannel
from survey.plan import outlook
from survey.privacy import (
    ASSUMPTION,
    Shuffled,
    bounds,
    budget,
    dearest,
    exceeding,
    expected_radius,
    guess,
    odds,
    plain_sum,
    published_question,
    published_survey,
    reports_of,
    smallest_group,
    spread,
    times_knowing_one,
)
from survey.publication import Publication, question_columns
from survey.question import Question

EVEN = 0.5
"""The suspicion beforehand that is always explained."""


def explain_survey(
    publication: Publication, prior: float | None, respondents: int | None, delta: float
) -> Table:
    """Explain every question, and all of them together.

    Parameters
    ----------
    publication : Publication
    prior : float or None
        A suspicion beforehand, in [0, 1], that is explained besides the even one.
    respondents : int or None
        The expected number of respondents, for margins of error as a plan promises them, forgery radii, and
        the loss of the published counts, which advance by the survey's step; None to leave these out.
    delta : float
        In (0, 1): for the composed total and for the published counts.

    Returns
    -------
    dict
        Ready for JSON.
    """
    definition = publication.definition
    priors = [EVEN] if prior is None or prior == EVEN else [EVEN, prior]
    questions = [
        question_explained(question, tuple(columns.values()), priors, definition.languages[0])
        | linked_table(question, definition.waves)
        for question, columns in question_columns(publication)
    ]
    total = budget(publication.reports, definition.waves, delta)
    exceeding_reports = publication.reports.of_each(lambda report: exceeding(report, report.guarantee[0]))
    table: Table = {
        "survey": definition.slug,
        "fingerprint": publication.fingerprint,
        "respondents": respondents,
        "questions": questions,
        "budget": budget_table(publication, total)
        | {"exceeds": min(1.0, definition.waves * sum(dearest(exceeding_reports)))}
        | draw_table(publication),
        "suspicion": suspicion_table(priors, total.epsilon),
    }
    if respondents is None:
        return table
    published: dict[str, Shuffled] = {}
    expected = outlook(definition.sections, definition.asked if definition.samples else None, respondents)
    for explanation, (question, columns), margin in zip(
        questions, question_columns(publication), expected, strict=True
    ):
        people = expected_asked(definition, tuple(columns.values()), respondents)
        published[question.id] = published_counts(tuple(columns.values()), people, definition.step, delta)
        # A forger chooses the section, of which fewer people are asked: sections / asked times the radius.
        explanation |= {"respondents": people, "radius": radius_of(columns, max(people, 1))}
        explanation |= {"margin": margin.margin, "margin_of": margin.of}
        explanation |= shuffle_table(published[question.id])
    parts = publication.by_section(lambda question, _columns: [published[question.id]])
    whole = published_survey(parts, definition.waves)
    return table | (shuffle_table(whole) if whole else {}) | {"shuffle_assumption": ASSUMPTION}


def linked_table(question: Question, waves: int) -> Table:
    """Return what links the answer to others, over all waves; nothing where it is asked alone."""
    linked = question.linked
    if linked is None:
        return {}
    return {"linked": {"section": linked.section, "knows_one": times_knowing_one([linked], waves)}}


def expected_asked(definition: Definition, columns: tuple[Column, ...], respondents: int) -> int:
    """Return the expected number of respondents who are asked a question, rounded down."""
    if definition.asked is None or not any(column.drawn for column in columns):
        return respondents
    return respondents * definition.asked // len(definition.drawn)


def published_counts(columns: tuple[Column, ...], people: int, step: int, delta: float) -> Shuffled:
    """Return the loss of the published counts of a question, if so many people are asked it."""
    if people < (step if any(column.drawn for column in columns) else 1):
        return Shuffled(None, delta, people, exact=False, reason="short")
    return published_question(columns, smallest_group(people, step), delta)


def question_explained(
    question: Question,
    columns: tuple[Column, ...],
    priors: Sequence[float],
    language: str,
) -> Table:
    """Explain one question: its promise, its odds under two answers, and its worst report.

    Where real coins may be used, all figures are of the channel that promises less.
    """
    channel, by_hand = columns[0].channel, columns[0].by_hand
    report_channel = channel.box if isinstance(channel, BoxChannel) else columns[0].weakest
    reports = reports_of(columns)
    promise = plain_sum(reports)
    asked = event(question, report_channel, language)
    table: Table = {
        "question": question.id,
        "kind": question.kind,
        "mechanism": question.mechanism,
        "skip": question.skip,
        "epsilon": promise.epsilon,
        "delta": promise.delta,
        "exceeds": min(1.0, sum(exceeding(each, each.guarantee[0]) for each in reports)),
        "guess": guess(reports).as_dict(),
        "suspicion": suspicion_table(priors, promise.epsilon),
        "odds": odds_table(report_channel, asked),
        "worst": worst_table(report_channel, names(question, report_channel, language)),
    }
    if by_hand is not None:
        table["by_hand_epsilon"] = by_hand.epsilon
    if isinstance(channel, BoxChannel):
        table |= {"boxes": channel.boxes, "sampled": channel.sampled, "box_epsilon": channel.box_epsilon}
        table["box_suspicion"] = suspicion_table(priors, channel.box_epsilon)
    return table


def radius_of(columns: Mapping[str, Column], respondents: int) -> float:
    """Return the most by which a forged report moves the estimate, in its unit, if all use browsers."""
    channel = next(iter(columns.values())).channel
    scale = float(np.ptp(channel.grid)) if isinstance(channel, NumberChannel) else 1.0
    drawn = Fraction(channel.sampled, channel.boxes) if isinstance(channel, BoxChannel) else None
    return expected_radius(spread(channel), respondents, drawn) * scale


def suspicion_table(priors: Sequence[float], epsilon: float) -> list[Table]:
    """Return the bounds of each suspicion after any report."""
    moved = [(prior, *bounds(prior, epsilon)) for prior in priors]
    return [{"prior": prior, "low": low, "high": high} for prior, low, high in moved]


def odds_table(channel: Channel, asked: Event) -> list[Table]:
    """Return the odds of the event under either answer, as people out of a hundred."""
    return [
        {"answer": name, "recorded_as": asked.name} | asdict(odds(channel, answer, asked.reports))
        for name, answer in asked.answers
    ]


def worst_table(channel: Channel, called: tuple[list[str], list[str]]) -> Table:
    """Return the report that best distinguishes two answers: ln(P(report | answer) / P(report | other)).

    The Gaussian mechanism has reports whose loss exceeds its epsilon: see `exceeds` of the question.
    """
    answers, reports = called
    most, least = channel.weights.max(axis=0), channel.weights.min(axis=0)
    ratios = [
        (int(top) / int(low), -report)
        for report, (top, low) in enumerate(zip(most, least, strict=True))
        if low
    ]
    ratio, report = max(ratios)
    column = channel.weights[:, -report]
    return {
        "report": reports[-report],
        "answer": answers[int(column.argmax())],
        "other": answers[int(column.argmin())],
        "ratio": ratio,
    }
