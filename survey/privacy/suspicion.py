"""The influence of a report on what somebody believes about an answer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from survey.channel import TOTAL, Channel, require_whole
from survey.privacy.requirements import require_positive, require_probability


def bounds(prior: float, epsilon: float) -> tuple[float, float]:
    """Bound the suspicion after a report, whatever is reported and whatever the mechanism.

    Parameters
    ----------
    prior : float
        The probability, in [0, 1], that somebody gives to one answer before the report.
    epsilon : float
        The privacy loss bound, above 0; for a whole survey, its total.

    Returns
    -------
    low, high : float
        The least and the greatest probability that they can rightly give to it afterwards.

    Raises
    ------
    ValueError
        If the prior is outside [0, 1] or epsilon is not above 0.

    Notes
    -----
    Bayes: posterior odds = prior odds * P(report | answer) / P(report | another answer), and that ratio lies
    between e^-epsilon and e^epsilon.

    References
    ----------
    Kasiviswanathan & Smith (2014), On the 'Semantics' of Differential Privacy: A Bayesian Formulation.

    Examples
    --------
    >>> low, high = bounds(0.5, math.log(3))
    >>> round(low, 12), round(high, 12)
    (0.25, 0.75)
    """
    q = require_probability("prior", prior)
    shrink = math.exp(-require_positive("epsilon", epsilon))  # 1/E, which cannot overflow
    if q in (0.0, 1.0):
        return q, q  # who is certain learns nothing
    low = q * shrink / (q * shrink + (1 - q))  # q / (E + (1 - E) q)
    high = q / (q + (1 - q) * shrink)  # E q / (1 + (E - 1) q)
    return low, high


@dataclass(frozen=True)
class Odds:
    """Some of a number of people: "of 100 people whose answer is a, about 75 are recorded as r".

    Attributes
    ----------
    recorded : int
    people : int
        100, or a larger power of ten where the chance is too near 0 or 1 for 100 to show it.
    """

    recorded: int
    people: int


def odds(channel: Channel, answer: int, report: int | Iterable[int]) -> Odds:
    """Express a chance as people out of a hundred, from the integers in use.

    Parameters
    ----------
    channel : Channel
    answer : int
    report : int or iterable of int
        One report, or several, of which any counts.

    Returns
    -------
    Odds
        Rounded to the nearest whole person. Never "none" or "all" unless that is exactly so.

    Raises
    ------
    ValueError
        If there is no such answer or report.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> odds(coin(), answer=1, report=1)
    Odds(recorded=75, people=100)
    """
    row = channel.weights[require_whole("answer", answer, 0, channel.answers - 1)]
    asked = report if isinstance(report, Iterable) else (report,)
    chosen = {require_whole("report", each, 0, channel.reports - 1) for each in asked}
    weight = sum(int(row[each]) for each in chosen)
    people = 100
    while True:
        recorded = (2 * people * weight + TOTAL) // (2 * TOTAL)  # people * weight / 2**32, to the nearest
        if 0 < recorded < people or weight in (0, TOTAL):
            return Odds(recorded, people)
        people *= 10
