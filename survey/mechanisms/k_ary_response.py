"""A wheel with one slice that keeps the answer and one equal slice for every category."""

from __future__ import annotations

import math
from fractions import Fraction

from survey.channel import TOTAL, Channel, exact_ratio, require_whole
from survey.compact_form import Window, Windows

MOST_CATEGORIES = 50
"""The most options of one choice."""


def wheel(categories: int, epsilon: float, most: int = MOST_CATEGORIES) -> Channel:
    """k-ary randomized response for one choice out of k.

    The wheel has k slices "send r" of q = 1/(E + k - 1) each, E = e^epsilon, and keeps the answer on the
    rest. So P(r | r) = E/(E + k - 1), and P(r | a) = q for every other answer a.

    Parameters
    ----------
    categories : int
        k, 2 to `most`.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].
    most : int
        50 for the options of one choice; combinations of several answers may be more.

    Returns
    -------
    Channel
        k answers and k reports, in the order of the categories. Its loss is at most `epsilon`.

    Raises
    ------
    ValueError
        If categories or epsilon is outside its range.

    References
    ----------
    Warner (1965) for k = 2; Kairouz, Bonawitz & Ramage (2016), Discrete Distribution Estimation under
    Local Privacy.

    Examples
    --------
    >>> wheel(3, 1.0).probabilities.round(4)[0].tolist()
    [0.5761, 0.2119, 0.2119]
    """
    return wheel_within(require_whole("categories", categories, 2, most), exact_ratio(epsilon))


def wheel_within(categories: int, ratio: Fraction) -> Channel:
    """Build the wheel of so many categories whose loss is at most the logarithm of a ratio, E.

    Examples
    --------
    >>> wheel_within(3, Fraction(2)).loss
    (2147483648, 1073741824)
    """
    # q = 1/(E + k - 1), rounded up: rounded down, the loss would exceed what was asked for.
    sent = math.ceil(TOTAL / (ratio + categories - 1))
    kept = TOTAL - (categories - 1) * sent
    form = Windows(categories, (Window(columns=categories, width=1, inside=kept, outside=sent),))
    return Channel(form.weights(), form)
