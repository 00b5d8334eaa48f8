"""A question's settings in numbers that an admin can picture: privacy, precision, forgery."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from server.drafts.comparison import MechanismComparison
from survey.channel import Channel
from survey.column import Column
from survey.compact_form import Subsets
from survey.cyclic_sets import CyclicSets
from survey.draft import Parts
from survey.mechanisms import BoxChannel, ExponentialChannel, GaussianChannel, NumberChannel
from survey.privacy import (
    Composed,
    Guess,
    Reports,
    Told,
    budget,
    guess,
    plain_sum,
    reports_of,
    spread,
)
from survey.publication import Publication, question_columns
from survey.question import Question
from survey.weighted_sets import WeightedSets


@dataclass(frozen=True, eq=False)
class Preview:
    """One question's privacy and precision.

    Attributes
    ----------
    kind, mechanism : str
    reports : tuple of Told
        What each of one person's reports on the question tells. Not the channels: a thousand answers take
        up eight megabytes, and many previews are kept.
    epsilon, delta : float
        What the whole question promises, from the integers that would be published.
    box_epsilon : float or None
        The loss of one box that is reported on, where the question has boxes.
    boxes, sampled : int or None
        How many boxes there are, and on how many a person reports.
    by_hand_epsilon : float or None
        The loss of a report made with real coins, where the question takes some.
    skip : str or None
        How a skip travels.
    bright_share : float or None
        p, the share of the wheel on which the answer is kept; for two coins, the chance of tails. None
        where the device is another.
    odds : TwoSidedOdds or None
        How many people out of how many are recorded as what. None for a number that noise is added to.
    deviation, low, high : float or None
        For such a number, how far chance moves a report, as a standard deviation, on which range.
    mean_only : bool
        Whether the reports on a number are one bit, so that its mean alone can be estimated.
    size : int or None
        How many options a reported set holds.
    guess : Guess
        How often somebody who thought fifty-fifty is right after the report: on average, and at worst.
    forgery : float
        A: how many honest reports one forged report can weigh, in shares or in shares of the range.
    textbook : Textbook or None
        What the formula of the textbooks would have given, where there is a sharper one.
    comparison : MechanismComparison or None
        The margin of error, and which mechanism has a smaller one; None for a published question.
    """

    kind: str
    mechanism: str
    reports: tuple[Told, ...]
    epsilon: float
    delta: float
    box_epsilon: float | None
    boxes: int | None
    sampled: int | None
    by_hand_epsilon: float | None
    skip: str | None
    bright_share: float | None
    odds: TwoSidedOdds | None
    deviation: float | None
    low: float | None
    high: float | None
    mean_only: bool
    size: int | None
    guess: Guess
    forgery: float
    textbook: Textbook | None
    comparison: MechanismComparison | None


@dataclass(frozen=True)
class Textbook:
    """A mechanism's scale and that of the textbooks, with the loss of the latter where it is another."""

    scale: float
    textbook_scale: float
    textbook_epsilon: float | None


@dataclass(frozen=True)
class TwoSidedOdds:
    """Of `people` with the answer that is recorded, `unchanged` are recorded with it; of others, `turned`."""

    people: int
    unchanged: int
    turned: int


def preview(
    question: Question, columns: tuple[Column, ...], comparison: MechanismComparison | None
) -> Preview:
    """Work out the preview of a question from its columns' integers."""
    column = columns[0]
    channel = column.channel
    told = tuple(map(Told.of, reports_of(columns)))
    promise = plain_sum(told)
    boxed = channel if isinstance(channel, BoxChannel) else None
    noisy = isinstance(channel, NumberChannel) and question.mechanism != "one_bit"
    on_grid = channel if isinstance(channel, NumberChannel) else None
    return Preview(
        kind=question.kind,
        mechanism=question.mechanism,
        reports=told,
        epsilon=promise.epsilon,
        delta=promise.delta,
        box_epsilon=boxed.box_epsilon if boxed else None,
        boxes=boxed.boxes if boxed else None,
        sampled=boxed.sampled if boxed else None,
        by_hand_epsilon=column.by_hand.epsilon if column.by_hand else None,
        skip=question.skip,
        bright_share=bright_share(question.mechanism, channel),
        odds=None if noisy else odds(*recorded(channel)),
        deviation=math.sqrt(float(on_grid.variances.max())) if on_grid else None,
        low=float(on_grid.grid[0]) if on_grid else None,
        high=float(on_grid.grid[-1]) if on_grid else None,
        mean_only=on_grid is not None and on_grid.mean_only,
        size=channel.form.masks[0].bit_count() if isinstance(channel.form, Subsets) else None,
        guess=guess(told),
        forgery=spread(channel),
        textbook=textbook(channel),
        comparison=comparison,
    )


def bright_share(mechanism: str, channel: Channel) -> float | None:
    """Return the share of the wheel on which the answer is kept."""
    if mechanism in {"subset", "cyclic", "designed", "exponential"} or isinstance(channel, NumberChannel):
        return None
    kept, turned = recorded(channel)
    # Spinner only keeps on its bright share and mirrors on the dark one: p = P(yes|yes). The others let
    # chance speak on the dark share, as often for any answer: p = P(yes|yes) - P(yes|no).
    return kept if mechanism == "spinner" and channel.answers == 2 else kept - turned


def recorded(channel: Channel) -> tuple[float, float]:
    """Return the chances that an answer is recorded as itself, and that another answer is recorded as it.

    The answer is yes, a ticked box, the first option, or a number's upper end; of an exponential mechanism
    the other answer is the last option, and of a designed channel too. A reported set counts where it holds
    the answer.
    """
    if isinstance(channel, BoxChannel):
        channel = channel.box
    chances = channel.probabilities
    if isinstance(channel.form, Subsets | CyclicSets | WeightedSets):
        holding = channel.form.members()[0]
        other = 1 if isinstance(channel.form, Subsets) else -1
        return float(chances[0, holding].sum()), float(chances[other, holding].sum())
    if channel.reports == 2:
        return float(chances[-1, 1]), float(chances[0, 1])
    return float(chances[0, 0]), float(chances[-1, 0])


def textbook(channel: Channel) -> Textbook | None:
    """Return the scale of the textbook formula, where the channel has one."""
    match channel:
        case ExponentialChannel():
            return Textbook(channel.scale, channel.textbook_scale, channel.textbook_epsilon)
        case GaussianChannel():
            return Textbook(channel.sigma, channel.classical_sigma, None)
    return None


def odds(unchanged: float, turned: float) -> TwoSidedOdds:
    """Express two chances as people out of 100, or out of more where 100 would show none or all."""
    people = 100
    while any(0 < chance < 1 and round(people * chance) in (0, people) for chance in (unchanged, turned)):
        people *= 10
    return TwoSidedOdds(people, round(people * unchanged), round(people * turned))


def publication_previews(publication: Publication) -> list[Preview]:
    """Return the preview of every question of a publication, from its published integers."""
    return [
        preview(question, tuple(columns.values()), None)
        for question, columns in question_columns(publication)
    ]


def together(previews: Sequence[Preview | None], parts: Parts | None = None) -> Reports[Told]:
    """Put the reports of the questions that have a preview together, as one person is asked in one wave.

    Parameters
    ----------
    previews : sequence of Preview or None
        One for each question.
    parts : Parts, optional
        Where people are asked different parts.
    """
    told = [each.reports if each else () for each in previews]
    if parts is None or not parts.samples or not parts.asked:
        return Reports(tuple(chain.from_iterable(told)))
    drawn, always = [], []
    for places in parts.sections:
        reports = [report for place in places for report in told[place]]
        if parts.is_always(places[0]):
            always += reports
        else:
            drawn.append(reports)
    return Reports.drawn_from(drawn, parts.asked, always)


@lru_cache(maxsize=64)
def composed(publication: Publication) -> Composed | None:
    """Return the smaller composed loss of a published survey, if there is one, computed once for each."""
    return budget(publication.reports, publication.definition.waves).composed
