"""The privacy loss of published counts, to somebody who sees them and nothing else.

Counts say how often each report was received, not from whom: everybody's report hides everybody else's. This
is about *published* counts alone. The server sees single reports, where the channel's own epsilon holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from survey import special
from survey.channel import Channel, require_whole
from survey.limits import MOST_RESPONDENTS
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy.binomial import CUT, above, binomial, ends
from survey.privacy.loss import Array, LossDistribution
from survey.privacy.requirements import require_positive

ASSUMPTION = (
    "The step and this figure assume that the other people in the step are real and that the reader does not "
    "know their reports: whoever sends all the others can work out the one that is left."
)
"""The assumption behind every figure here; downloads and commands print it with the figures."""

MOST_COUNTED = 10_000_000
"""More respondents count as this many: the figure would only become smaller."""
FEW = 1000
"""Up to this many respondents every composition of the others is tried, in half a second."""
TRIED = 32
"""With more respondents this many compositions are tried at each end, and as many evenly between."""
HALVINGS = 40
WORTH = 1e-3
"""A bound must be below the loss of one report by this share of it to be shown."""


@dataclass(frozen=True)
class Shuffled:
    """The privacy loss of published counts for one of the respondents.

    Attributes
    ----------
    epsilon : float or None
        None where the figure does not apply.
    delta : float
    respondents : int
        The number of people in the counts.
    exact : bool
        Whether epsilon is the loss itself (beyond 1000 respondents as far as `count_epsilon` searches), or a
        bound that the loss does not exceed.
    reason : str or None
        Why it does not apply: ``approximate`` (the channel's own guarantee has a delta, as the Gaussian
        mechanism's has: the bound is for pure ones), ``too_few`` (over so few respondents the bound is not
        below the channel's own epsilon); ``apart``, see `survey.privacy.published_counts`; ``short`` (so few
        people were asked a section that closing adds less than a step to its counts).
    """

    epsilon: float | None
    delta: float
    respondents: int
    exact: bool
    reason: str | None = None

    @property
    def applies(self) -> bool:
        """True if there is a figure."""
        return self.epsilon is not None


def shuffled(channel: Channel, respondents: int, delta: float) -> Shuffled:
    """Return the privacy loss of the published counts of one column.

    Parameters
    ----------
    channel : Channel
    respondents : int
        Over how many people the counts are. While a survey is open its results advance by at least a step:
        two results read one after the other differ by no fewer people. Then it is the step. After closing,
        `smallest_group`.
    delta : float
        In (0, 1).

    Returns
    -------
    Shuffled
        Exact for two reports; otherwise `bound` of the channel's epsilon.

    Raises
    ------
    ValueError
        If respondents is not a whole number of 1 or more, or delta is outside (0, 1).

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> round(shuffled(spinner_coin(1.0), 10_000, 1e-6).epsilon, 4)
    0.0357
    """
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    allowed = require_delta(delta)
    if channel.reports == 2:
        epsilon = count_epsilon(channel, min(people, MOST_COUNTED), allowed)
        return Shuffled(epsilon, allowed, people, exact=True)
    if channel.guarantee[1] > 0 or not np.isfinite(channel.epsilon):
        return Shuffled(None, allowed, people, exact=False, reason="approximate")
    return bound(channel.epsilon, people, allowed)


def smallest_group(respondents: int, step: int) -> int:
    """Return the fewest people that two results of a closed survey, read one after the other, differ by.

    While it is open the results advance by at least a step and leave out at least a step. So closing adds a
    step at least, or all people where there were no results before.

    Examples
    --------
    >>> smallest_group(2030, step=50), smallest_group(99, step=50), smallest_group(30, step=50)
    (50, 99, 30)
    """
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    advance = require_whole("step", step, 1, MOST_RESPONDENTS)
    return advance if people >= 2 * advance else people


def count_epsilon(channel: Channel, respondents: int, delta: float) -> float:
    """Return the exact epsilon of the count of one of two reports.

    Parameters
    ----------
    channel : Channel
        With two reports.
    respondents : int
    delta : float

    Returns
    -------
    float
        The smallest epsilon that holds for either answer of one person, whatever the others' answers.

    Notes
    -----
    Suppose that somebody knows all answers but one. The others' count is Binomial(m, p) + Binomial(n - 1 - m,
    q), where m of them have the likelier answer for that report; the person adds Bernoulli(p) or
    Bernoulli(q). Only the extreme rows p and q matter, as delta is convex in every person's distribution. The
    worst m lies near an end; as counts are whole numbers it may lie further inside, and far inside for a
    small loss. So up to n = 1000 all m are tried, and beyond only some of them, without a proof. Compared
    with all m at n = 1500 and 3000, losses from .01 to 2 and a delta of 1e-4 and 1e-6, the result was never
    too small by more than 2 in 100 000.
    """
    chances = channel.probabilities[:, 1]
    p, q = float(chances.max()), float(chances.min())
    if p == q:
        return 0.0
    others = respondents - 1
    return max(
        epsilon
        for m in compositions(others)
        for epsilon in count_epsilons(np.convolve(binomial(m, p), binomial(others - m, q)), p, q, delta)
    )


def compositions(others: int) -> Iterable[int]:
    """Choose the numbers of others that may have the likelier answer; see `count_epsilon`."""
    if others < FEW:
        return range(others + 1)
    ends = [m for end in range(TRIED) for m in (end, others - end)]
    return {*ends, *(others * part // TRIED for part in range(TRIED))}


def count_epsilons(others: Array, p: float, q: float, delta: float) -> tuple[float, float]:
    """Return epsilon between Bernoulli(p) and Bernoulli(q) added to the others' count, both ways."""
    without, within = np.append(others, 0.0), np.append(0.0, others)
    first, second = (t * within + (1 - t) * without for t in (p, q))  # P(count) = t P(c - 1) + (1 - t) P(c)
    with np.errstate(divide="ignore"):
        losses = np.log(first) - np.log(second)
    # The losses increase with the count: the others' count is log-concave. Sorted against rounding.
    order = np.argsort(losses)
    forward = LossDistribution(losses[order], first[order])
    backward = LossDistribution(-losses[order][::-1], second[order][::-1])
    return forward.epsilon(delta), backward.epsilon(delta)


def bound(epsilon: float, respondents: int, delta: float) -> Shuffled:
    """Bound the privacy loss of shuffled reports, for any mechanism whose own loss is at most epsilon.

    Parameters
    ----------
    epsilon : float
        The loss bound of what one person sends, above 0. With the sum over a survey's reports it covers
        whole rows, and so cross-tables and shuffled downloads too.
    respondents : int
    delta : float
        In (0, 1).

    Returns
    -------
    Shuffled
        A bound, or none where it is not below `epsilon` by a thousandth of it.

    Raises
    ------
    ValueError
        If a value is outside its range.

    Notes
    -----
    Compare answers a and b of one person, all others' known. Because every row is within E0 = e^epsilon of
    every other, each other person's report can be drawn thus: with probability 1/E0 like a report of a or of
    b, by a fair coin (a *clone*), and otherwise from what is left of their own row. And two rows within E0
    of each other are the mixtures (E0 U + V)/(1 + E0) and (U + E0 V)/(1 + E0) of some U and V; a clone's
    fair coin is then one between U and V. Tell the observer how many clones there are, C ~ Binomial(n - 1,
    1/E0), and how many of the clones and the person drew from U: A + D, A ~ Binomial(C, 1/2), with D ~
    Bernoulli(E0/(1 + E0)) if the answer is a and Bernoulli(1/(1 + E0)) if it is b. The shuffled reports can
    be simulated from these two numbers, so they say no more. Delta of the two numbers is computed exactly.

    References
    ----------
    Feldman, McMillan & Talwar (2021), Hiding Among the Clones, arXiv 2012.12803: the reduction behind
    theorem 3.1, evaluated numerically as in the authors' program.
    Not their bound of 2022, arXiv 2208.04591, which holds for a restricted class of mechanisms. U and V:
    Kairouz, Oh & Viswanath (2015), The Composition Theorem for Differential Privacy.
    """
    local = require_positive("epsilon", epsilon)
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    allowed = require_delta(delta)
    delta_at = clones_delta(local, min(people, MOST_COUNTED), allowed)
    low, high = 0.0, min(local, 700.0)  # e^700 is the end of a double
    if delta_at(high * (1 - WORTH)) > allowed:
        return Shuffled(None, allowed, people, exact=False, reason="too_few")
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_at(middle) > allowed else (low, middle)
    return Shuffled(high, allowed, people, exact=False)


def clones_delta(local: float, respondents: int, delta: float) -> Callable[[float], float]:
    """Return delta as a function of epsilon for a person among clones; see `bound`."""
    cut = delta * 1e-6
    likely = float(np.exp(-local))
    fewest, most = ends(cut, respondents - 1, likely)
    clones = np.arange(fewest, most + 1)
    first_known, _ = ends(CUT, respondents - 1, likely)
    chances = binomial(respondents - 1, likely)[clones - first_known]
    alpha, beta = float(special.expit(local)), float(special.expit(-local))  # E0/(1 + E0), 1/(1 + E0)

    def delta_at(epsilon: float) -> float:
        ratio = np.exp(epsilon)
        # P(A + D = (1 - t) (C + 1)) under a is `ratio` times that under b at this share t, and more beyond.
        share = (alpha - ratio * beta) / ((alpha - beta) * (1 + ratio))
        first = clones + 2 - np.ceil(share * (clones + 1))
        at_least_one_less = above(first - 2, clones, 0.5)  # A + 1 >= first
        at_least = above(first - 1, clones, 0.5)  # A >= first
        under_a = alpha * at_least_one_less + beta * at_least
        under_b = beta * at_least_one_less + alpha * at_least
        # What is cut off at both ends counts in full.
        return float(chances @ np.maximum(under_a - ratio * under_b, 0.0)) + 2 * cut

    return delta_at
