"""A question's margin of error for the expected respondents, compared with the other mechanisms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np
import numpy.typing as npt

from survey.channel import MAXIMUM_EPSILON, Channel
from survey.mechanisms import BoxChannel, NumberChannel
from survey.plan import ExpectedPrecision, MechanismPlan, compare, estimated, suitable
from survey.question import Boxes, Choice, Number, Question

CHOSEN = ""
"""The name of the design that the admin chose, where only its variance is asked for."""

Places = npt.NDArray[np.float64]

CLEARLY = 0.99
"""A margin counts as smaller from one per cent on."""

HOPELESS = 0.5
"""A margin of this part of all that could come out, or more, leaves hardly anything to be said."""

MANY_POINTS = 101
"""Beyond so many numbers the other mechanisms take longer to build than a slider waits."""


@dataclass(frozen=True)
class Margin:
    """Half the width of a 95 % interval.

    Attributes
    ----------
    of : str
        ``share``, or ``mean`` of a number or of the places of an ordered choice.
    span : float
        From the least to the largest that could come out, in the unit of the margin.
    chosen : float or None
        With the mechanism and the settings of the question; None where nothing can be estimated.
    best : float or None
        The smallest one; None as long as the others have not been compared.
    mechanism : str
        The mechanism that has it.
    """

    of: str
    span: float
    chosen: float | None
    best: float | None
    mechanism: str

    @property
    def improvable(self) -> bool:
        """Return whether another choice is clearly sharper."""
        return self.best is not None and self.best < CLEARLY * (inf if self.chosen is None else self.chosen)

    @property
    def times(self) -> str:
        """Return how many times as many people the chosen mechanism needs as the best, with two digits."""
        return f"{(self.chosen / self.best) ** 2:.2g}" if self.chosen and self.best else "∞"

    @property
    def hopeless(self) -> bool:
        """Return whether it is so large that hardly anything could be said."""
        return self.chosen is None or self.chosen >= HOPELESS * self.span


@dataclass(frozen=True)
class MechanismComparison:
    """The margins of a question's estimates; those of an ordered choice are two.

    Attributes
    ----------
    respondents : int
        How many are expected to be asked.
    epsilon : float
        For the whole question; every mechanism is compared at it.
    margins : tuple of Margin
    """

    respondents: int
    epsilon: float
    margins: tuple[Margin, ...]

    @property
    def complete(self) -> bool:
        """Return whether the other mechanisms have been compared."""
        return all(each.best is not None for each in self.margins)


@dataclass(frozen=True)
class Contest:
    """The spread of one estimate with the chosen mechanism and with the best, for any sample size.

    Attributes
    ----------
    of, span, mechanism
        As of `Margin`.
    chosen : ExpectedPrecision or None
        None where nothing can be estimated.
    best : ExpectedPrecision or None
        The greatest one; None before the others are compared.
    """

    of: str
    span: float
    chosen: ExpectedPrecision | None
    mechanism: str
    best: ExpectedPrecision | None = None

    def at(self, respondents: int, chance: float) -> Margin:
        """Return the margin of error for a number of respondents, each asked by the same chance."""
        chosen, best = (
            None if each is None else each.margin(respondents, chance) for each in (self.chosen, self.best)
        )
        return Margin(self.of, self.span, chosen, best, self.mechanism)


@dataclass(frozen=True)
class Contests:
    """Material of a `MechanismComparison`, before it is known how many will answer."""

    epsilon: float
    contests: tuple[Contest, ...]

    def at(self, respondents: int, chance: float = 1.0) -> MechanismComparison:
        """Return the margins for a number of respondents, 1 or more, each asked by the same chance."""
        return MechanismComparison(
            max(1, round(respondents * chance)),
            self.epsilon,
            tuple(each.at(respondents, chance) for each in self.contests),
        )


def alone(question: Question, channel: Channel) -> Contests:
    """Return how much a question's estimates vary with its own mechanism, before any comparison.

    Parameters
    ----------
    question : Question
    channel : Channel
        Of its columns.
    """
    epsilon = channel.question_epsilon if isinstance(channel, BoxChannel) else channel.guarantee[0]
    own = {CHOSEN: channel}
    if isinstance(question, Number):
        span = float(question.high - question.low)
        return Contests(epsilon, (Contest("mean", span, least(own), question.mechanism),))
    contests = [Contest("share", 1.0, least(own), question.mechanism)]
    if has_places(question):
        span = float(question.answers - 1)
        contests.append(Contest("mean", span, least(own, places(question)), question.mechanism))
    # What a plan promises stands first.
    return Contests(epsilon, tuple(sorted(contests, key=lambda contest: contest.of != estimated(question))))


def compared(question: Question, own: Contests) -> Contests:
    """Compare a question's mechanism with the others that suit its kind, at the same epsilon.

    Parameters
    ----------
    question : Question
    own : Contests
        What `alone` gave for it.
    """
    try:
        others = alternatives(question, max(own.epsilon, question.epsilon or 0))
    except ValueError:  # every other mechanism refuses, this one does not
        others = {}
    return replace(own, contests=tuple(decided(each, others, question) for each in own.contests))


def decided(contest: Contest, others: dict[str, Channel], question: Question) -> Contest:
    """Find the best of the other mechanisms, or the chosen one where none is as good."""
    if contest.of == "share":
        others = {name: each for name, each in others.items() if not isinstance(each, NumberChannel)}
    grid = places(question) if contest.of == "mean" and not isinstance(question, Number) else None
    best = winner(others, grid)
    mine = ExpectedPrecision(inf) if contest.chosen is None else contest.chosen
    # The channels of equal designs differ by a word in 2**32; that is no difference.
    if best is None or float(f"{mine.variance:.6g}") < float(f"{best.precision.variance:.6g}"):
        return replace(contest, best=mine)
    return replace(contest, best=best.precision, mechanism=best.mechanism)


def winner(channels: dict[str, Channel], grid: Places | None = None) -> MechanismPlan | None:
    """Return the design with the least variance, or None if no design allows an estimate."""
    try:
        return compare(channels, grid=grid)[0] if channels else None
    except ValueError:
        return None


def least(channels: dict[str, Channel], grid: Places | None = None) -> ExpectedPrecision | None:
    """Return the greatest precision, or None if no design allows an estimate."""
    best = winner(channels, grid)
    return None if best is None else best.precision


def has_places(question: Question) -> bool:
    """Return whether the answers have positions on a scale, so that their mean can be estimated."""
    return isinstance(question, Choice) and question.ordered and question.skip != "randomized"


def places(question: Question) -> Places:
    """Return the positions of ordered options: 1, 2, and so on."""
    return np.arange(1, question.answers + 1, dtype=float)


def quick(question: Question) -> bool:
    """Return whether the other mechanisms are built quickly enough that nobody has to wait."""
    return not isinstance(question, Number) or question.answers <= MANY_POINTS


def alternatives(question: Question, epsilon: float) -> dict[str, Channel]:
    """Build the mechanisms that the admin could choose; positions on a scale may be asked as a number.

    The exponential mechanism is not among them: another one needs fewer people for whatever is wanted.
    """
    if epsilon > MAXIMUM_EPSILON:  # boxes that have up to ten each
        return {}
    besides = None if has_own_design(question) else question.mechanism
    if isinstance(question, Number):
        low, high, step = question.low, question.high, question.step
        return suitable("number", epsilon, low=low, high=high, step=step, besides=besides)
    if isinstance(question, Boxes):
        return suitable("boxes", epsilon, categories=len(question.options), besides=besides)
    if isinstance(question, Choice):
        wanted = "mean" if has_places(question) else "share"
        return suitable("choice", epsilon, wanted=wanted, categories=question.answers, besides=besides)
    return {} if question.skip == "randomized" else suitable("yes_no", epsilon, besides=besides)


def has_own_design(question: Question) -> bool:
    """Return whether more is set than mechanism and epsilon: then the plain mechanism may be more precise."""
    match question:
        case Choice():
            return question.size is not None or question.utility is not None
        case Boxes():
            return question.scope == "box"
    return False
