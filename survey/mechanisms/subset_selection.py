"""A set of categories that contains the answer more often than chance would have it."""

from __future__ import annotations

import math
from itertools import combinations

from survey.channel import TOTAL, Channel, exact_ratio, require_epsilon, require_whole
from survey.compact_form import Subsets
from survey.design.subset_variance import total_variance
from survey.rules import Refusal

MOST_CATEGORIES = 12


def subset(categories: int, epsilon: float, size: int | None = None) -> Channel:
    """Subset selection for one choice out of k: the report is a set of w categories.

    The set contains the answer with probability w E/(w E + k - w), E = e^epsilon; its other members are
    drawn uniformly. So a set with the answer is E times as likely as a set without it.

    Parameters
    ----------
    categories : int
        k, 2 to 12.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].
    size : int, optional
        w, from 1 to k - 1. Where none is given, the w of least variance (near k/(E + 1)).

    Returns
    -------
    Channel
        k answers and C(k, w) reports. Report y is the set whose members are the 1 bits of
        ``channel.form.masks[y]``, bit i for category i; the masks increase with y. With w = 1 report y is
        category y, and the channel is that of `wheel`. Its loss is at most `epsilon`.

    Raises
    ------
    ValueError
        If a number is outside its range; above 12 categories the message names the wheel.

    Notes
    -----
    The number of reports that contain a category is binomial: category j is in the set of its own answer
    with probability C(k-1, w-1) inside / 2**32, and in that of any other answer with the same chance to
    within 2**-22 (a row's remainder raises some sets by one).

    References
    ----------
    Ye & Barg (2018), Optimal Schemes for Discrete Distribution Estimation under Locally Differential
    Privacy; Wang et al. (2016), Mutual Information Optimally Local Private Discrete
    Distribution Estimation.

    Examples
    --------
    >>> subset(10, 1.0).form.masks[:3]
    (7, 11, 13)
    """
    if require_whole("categories", categories, 2, 50) > MOST_CATEGORIES:
        raise Refusal("categories", "subset_categories", categories, most=MOST_CATEGORIES)
    categories = int(categories)
    require_epsilon(epsilon)
    if size is None:
        size = min(range(1, categories), key=lambda w: total_variance(categories, epsilon, w))
    size = require_whole("size", size, 1, categories - 1)
    masks = sorted(sum(1 << i for i in members) for members in combinations(range(categories), size))
    with_answer, without = math.comb(categories - 1, size - 1), math.comb(categories - 1, size)
    inside, outside, raised = set_weights(with_answer, without, epsilon)
    form = Subsets(categories, tuple(masks), inside, outside, raised)
    return Channel(form.weights(), form)


def set_weights(with_answer: int, without: int, epsilon: float) -> tuple[int, int, int]:
    """Return the weights of sets that contain the answer and of sets that do not, the same for every answer.

    Parameters
    ----------
    with_answer, without : int
        The number of sets of either kind.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].

    Returns
    -------
    inside, outside : int
    raised : int
        How many of the sets without the answer weigh one more, so that a row sums to 2**32.
    """
    # P(set without the answer) = 1/(with_answer E + without), rounded up; the rest is for the sets with it.
    outside = math.ceil(TOTAL / (with_answer * exact_ratio(epsilon) + without))
    inside = (TOTAL - without * outside) // with_answer
    # The remainder goes to sets without the answer: there it can only lower the loss.
    more, raised = divmod(TOTAL - with_answer * inside - without * outside, without)
    return inside, outside + more, raised
