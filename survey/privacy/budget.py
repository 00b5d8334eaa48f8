"""The privacy loss of a whole survey for one person: a sum, and a smaller figure where one is known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from survey.channel import Channel, require_whole
from survey.column import Column
from survey.linked import MarginalChannel
from survey.mechanisms import BoxChannel
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy.composition import composed_epsilon
from survey.privacy.reports import Promising, Reports, dearest

MOST_WAVES = 1000
USUAL_DELTA = 1e-6
"""The delta that is shown unless another is asked for."""

SLACK = 1e-9
"""A sum of rounded numbers keeps a limit if it exceeds it by no more than this share of the limit."""


@dataclass(frozen=True)
class Budget:
    """The privacy loss of a survey for one person.

    Attributes
    ----------
    epsilon, delta : float
        The plain sums over questions, boxes and waves. Respondents read them, and limits bound them. Delta is
        0 unless a question uses the Gaussian mechanism. Where sections are drawn, the sums are over what any
        one person can be asked; see `plain_sum`.
    composed : Composed or None
        A smaller epsilon with its own delta, where there is one.
    """

    epsilon: float
    delta: float
    composed: Composed | None = None


@dataclass(frozen=True)
class Composed:
    """A second statement about the same survey: P(S | a) <= e^epsilon P(S | b) + delta, with less epsilon."""

    epsilon: float
    delta: float


def reports_of(columns: Sequence[Column]) -> list[Channel]:
    """Return the channels that one person's reports on one question go through.

    Parameters
    ----------
    columns : sequence of Column
        Those of the question.

    Returns
    -------
    list of Channel
        One for each column. For sampled boxes one for each box that is sampled: the draw of the boxes does
        not depend on the answers and gives nothing away. Where a report may come from the browser or from
        real coins, the channel that promises less. For linked questions the wheel that all of them share.

    Examples
    --------
    >>> from survey.mechanisms import sampled_box
    >>> len(reports_of([Column(f"box_{box}", sampled_box(10, 1.0)) for box in range(10)]))
    1
    """
    first = columns[0].channel if columns else None
    if isinstance(first, BoxChannel):
        return [first.box] * first.sampled
    if isinstance(first, MarginalChannel):
        return [first.linked.weakest]
    return [column.weakest for column in columns]


def budget(
    channels: Iterable[Channel] | Reports[Channel], waves: int = 1, delta: float = USUAL_DELTA
) -> Budget:
    """Return the privacy loss of a survey: the sum, and a smaller composed loss if there is one.

    Parameters
    ----------
    channels : iterable of Channel, or Reports
        One for every report that a person makes in one wave; `reports_of` gives those of a question. With
        sections that are drawn, `Reports`.
    waves : int
        How often the same person is asked all of it, 1 to 1000.
    delta : float
        In (0, 1): for the composed loss.

    Returns
    -------
    Budget

    Raises
    ------
    ValueError
        If waves or delta is outside its range.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, theorem 3.16 (the sum).

    Examples
    --------
    >>> from survey.mechanisms import wheel
    >>> ten = budget([wheel(10, 1.0)] * 10)
    >>> round(ten.epsilon, 6), round(ten.composed.epsilon, 2)
    (10.0, 8.95)
    """
    reports = Reports.of(channels)
    total = plain_sum(reports, waves)
    smaller = composed_epsilon(reports, require_delta(delta), waves)
    if smaller < total.epsilon:
        return Budget(total.epsilon, total.delta, Composed(smaller, delta))
    return total


def plain_sum(channels: Iterable[Promising] | Reports[Promising], waves: int = 1) -> Budget:
    """Add up what one person's reports promise: epsilon over all of them and waves, and delta likewise.

    Parameters
    ----------
    channels : iterable of Promising, or Reports
        Where sections are drawn, `Reports`. Then the sum is over the sections that everybody is asked and, of
        the others, over as many of the dearest as a person is asked, chosen anew for epsilon and for delta.
    waves : int

    Raises
    ------
    ValueError
        If waves is not a whole number from 1 to 1000.

    Notes
    -----
    The draw of sections does not depend on the answers. So the chance of a set together with its row is
    P(set) P(row | set, answers), and P(set) is the same for all answers: the set says nothing about them. The
    row remains, and its loss is the sum over the questions of that set. For every event S, with S_set the
    rows of S that go with a set,

        P(S | a) = sum of P(set) P(S_set | a) <= sum of P(set) (e^epsilon_set P(S_set | b) + delta_set)
                <= e^epsilon P(S | b) + delta,

    epsilon being the largest epsilon_set and delta the largest delta_set, which may belong to another set.
    As it holds for each set, it also holds for somebody who knows which sections the person was asked. Every
    wave draws anew and costs at most this; so the sum is multiplied by the waves.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, theorem 3.16 (the sum).

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> sections = [[spinner_coin(1.0)], [spinner_coin(2.0)], [spinner_coin(0.5), spinner_coin(0.75)]]
    >>> round(plain_sum(Reports.drawn_from(sections, asked=2)).epsilon, 6)
    3.25
    """
    times = require_whole("waves", waves, 1, MOST_WAVES)
    reports = Reports.of(channels)
    return Budget(
        epsilon=math.fsum(times * each for each in dearest(reports.of_each(epsilon_of))),
        delta=min(1.0, math.fsum(times * each for each in dearest(reports.of_each(delta_of)))),
    )


def epsilon_of(promising: Promising) -> float:
    """Return the epsilon that a report promises."""
    return promising.guarantee[0]


def delta_of(promising: Promising) -> float:
    """Return the delta that a report promises."""
    return promising.guarantee[1]


def compose(channels: Iterable[Channel], delta: float) -> float:
    """Return the smallest epsilon known to go with delta for all reports together.

    Parameters
    ----------
    channels : iterable of Channel
        One for every report.
    delta : float
        In (0, 1).

    Returns
    -------
    float
        From the composed distribution of the loss, or the plain sum where that is smaller and its delta is at
        most the one asked for. 0 for no reports at all.

    Raises
    ------
    ValueError
        If delta is outside (0, 1).

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> round(compose([spinner_coin(0.1)] * 20, 1e-6), 2)
    1.79
    """
    reports = Reports.of(channels)
    allowed = require_delta(delta)
    total = plain_sum(reports)
    smaller = composed_epsilon(reports, allowed)
    return min(smaller, total.epsilon) if total.delta <= allowed else smaller


def keeps_limit(epsilon: float, limit: float | None) -> bool:
    """Return whether a sum of losses is within a survey's limit: the rule of `keepsLimit` in static/js.

    Parameters
    ----------
    epsilon : float
        The plain sum over questions, boxes and waves, such as `Budget.epsilon`.
    limit : float or None
        The largest that the survey may cost one person; None for no limit.

    Notes
    -----
    Doubles add up 0.1 three times to more than 0.3. A billionth of the limit is allowed for that.

    Examples
    --------
    >>> keeps_limit(0.1 + 0.1 + 0.1, 0.3), keeps_limit(0.3001, 0.3), keeps_limit(30.0, None)
    (True, False, True)
    """
    return limit is None or epsilon <= limit * (1 + SLACK)
