"""How far a report can move what somebody believes about an answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, Channel, require_whole
from survey.privacy.requirements import require_positive, require_prior, require_probability


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


def posterior(channel: Channel, prior: Sequence[float] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the exact belief after each report, for somebody with a belief about every answer.

    Parameters
    ----------
    channel : Channel
    prior : array_like of float, shape (answers,)
        Their probability of every answer beforehand; adds up to 1.

    Returns
    -------
    ndarray, shape (reports, answers)
        Row y is the probability of every answer after report y; after a report that they thought
        impossible, the prior.

    Raises
    ------
    ValueError
        If the prior is not one probability for each answer, adding up to 1.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> posterior(coin(), [0.5, 0.5]).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    before = require_prior(prior, channel.answers)
    joint = channel.probabilities.T * before  # P(y | a) P(a)
    evidence = joint.sum(axis=1, keepdims=True)  # P(y)
    return np.where(evidence > 0, joint / np.where(evidence > 0, evidence, 1), before)


def suspicion(channel: Channel, prior: float, answer: int) -> npt.NDArray[np.float64]:
    """Return the exact suspicion of one answer after each report, over everything else they may believe.

    Parameters
    ----------
    channel : Channel
    prior : float
        Their probability of `answer` beforehand, in [0, 1]. How they share the rest among the other
        answers is not asked.
    answer : int

    Returns
    -------
    ndarray, shape (reports, 2)
        For each report the least and the greatest probability of `answer` afterwards. For a yes/no question
        the two are the same. All lie within `bounds` of the channel's epsilon.

    Raises
    ------
    ValueError
        If the prior is outside [0, 1] or there is no such answer.

    Notes
    -----
    The posterior falls as the chance of the report under the others rises, and that chance is a mean over
    the other answers: its extremes are reached when all the rest of the belief is on one of them.
    """
    q = require_probability("prior", prior)
    kept = require_whole("answer", answer, 0, channel.answers - 1)
    here = channel.probabilities[kept]
    others = np.delete(channel.probabilities, kept, axis=0)
    found = np.full((channel.reports, 2), q)
    for column, other in enumerate((others.max(axis=0), others.min(axis=0))):
        evidence = q * here + (1 - q) * other
        possible = evidence > 0
        found[possible, column] = (q * here)[possible] / evidence[possible]
    return found


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


def dots(channel: Channel, answer: int, people: int = 100) -> tuple[int, ...]:
    """Share out people over the reports, for a picture with one dot for each.

    Parameters
    ----------
    channel : Channel
    answer : int
    people : int
        How many dots the picture has.

    Returns
    -------
    tuple of int, length reports
        They add up to `people`. Each is the exact share rounded down or up; the largest remainders are
        rounded up, the first ones where they are equal.

    Raises
    ------
    ValueError
        If there is no such answer, or `people` is not a whole number from 1 to a million.

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> dots(spinner_coin(1.0), answer=1)
    (27, 73)
    """
    row = channel.weights[require_whole("answer", answer, 0, channel.answers - 1)].tolist()
    total = require_whole("people", people, 1, 10**6)
    shares = [divmod(total * weight, TOTAL) for weight in row]
    missing = total - sum(whole for whole, _ in shares)
    first = sorted(range(len(shares)), key=lambda report: -shares[report][1])[:missing]
    return tuple(whole + (report in first) for report, (whole, _) in enumerate(shares))
