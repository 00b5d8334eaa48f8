"""The joint table of two or more questions from the product of their channels, or from one wheel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from survey.channel import Channel, require_whole
from survey.counts import informative_reports
from survey.crosstab.linked_pair import LinkedTable, estimate_linked, pair_channel, read_reports
from survey.crosstab.reports_table import Array, all_the_same
from survey.estimate import Estimate, unbiased_inverse
from survey.estimate.proportions import nothing_known
from survey.likelihood import most_likely
from survey.limits import MOST_RESPONDENTS


def estimate_joint(channels: Sequence[Channel], table: npt.ArrayLike) -> Estimate:
    """Estimate the proportion of every combination of answers.

    Parameters
    ----------
    channels : sequence of Channel
        One for each question, two or more.
    table : array_like of int
        How often each combination of reports was received; one axis a question.

    Returns
    -------
    Estimate
        Its arrays have one axis a question, of its answers; the covariance has them twice. `reported` counts
        the respondents whose every report depends on the answer: of two sampled boxes, those who reported on
        both.

    Raises
    ------
    ValueError
        If the table does not belong to the channels, or a channel is too close to singular.

    Notes
    -----
    The unbiased estimate multiplies each axis by that question's inverse (the inverse of a Kronecker product
    is the product of the inverses); the variance of a cell likewise by the squared inverses.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> estimate_joint([coin(), coin()], [[90, 30], [30, 90]]).proportions.round(3).tolist()
    [[0.75, -0.25], [-0.25, 0.75]]
    """
    joint = read_reports(channels, table)
    if isinstance(joint, LinkedTable):
        return estimate_linked(joint)
    inverses = [unbiased_inverse(channel)[informative_reports(channel)] for channel in joint.channels]
    n = joint.reported
    if n == 0:
        means = [chances.mean(axis=0) for chances in joint.probabilities]
        return nothing_known(joint.shape, joint.respondents, reduce(np.multiply.outer, means))
    shares = joint.counts / n
    proportions = reduce(along_first_axis, inverses, shares)
    # E[G_ya G_yb] over the reports y of every question at once; an axis of pairs (a, b) for each.
    pairs = [np.einsum("ya,yb->yab", inverse, inverse).reshape(len(inverse), -1) for inverse in inverses]
    moments = reduce(along_first_axis, pairs, shares).reshape([k for k in joint.shape for _ in range(2)])
    axes = range(2 * len(joint.shape))
    moments = moments.transpose([*axes[::2], *axes[1::2]])
    covariance = (moments - np.multiply.outer(proportions, proportions)) / n
    cells = math.prod(joint.shape)
    variances = np.diag(covariance.reshape(cells, cells)).reshape(joint.shape)
    chances, counts = joint.received()
    maximum = most_likely(chances.reshape(cells, -1), counts).proportions.reshape(joint.shape)
    return Estimate(
        respondents=joint.respondents,
        reported=n,
        noisy_shares=shares,
        proportions=proportions,
        standard_errors=np.sqrt(variances.clip(min=0)),
        covariance=covariance,
        maximum_likelihood=maximum,
        people=joint.respondents * proportions,
        notices=all_the_same(joint),
    )


def joint_radius(channels: Sequence[Channel], reported: int) -> Array:
    """Return how far one forged report on all questions moves each cell of `estimate_joint` at most.

    Parameters
    ----------
    channels : sequence of Channel
        One for each question.
    reported : int
        How many reported on all of them, the forged report among them.

    Returns
    -------
    ndarray of float, shape (answers of the 1st question, answers of the 2nd, ...)
        The largest minus the smallest value that a report adds to the cell, over the reports.

    Raises
    ------
    ValueError
        If reported is not a whole number of 1 or more, or a channel is too close to singular.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> joint_radius([coin(), coin()], 1000).round(4).tolist()
    [[0.003, 0.003], [0.003, 0.003]]
    """
    n = require_whole("reported", reported, 1, MOST_RESPONDENTS)
    if pair := pair_channel(channels):
        return np.full([channel.answers for channel in channels], 1 / (n * pair.bright))
    inverses = [unbiased_inverse(channel)[informative_reports(channel)] for channel in channels]
    # A cell's value is the product of one factor a question: its extremes are products of their extremes.
    extremes = [np.stack([inverse.min(axis=0), inverse.max(axis=0)]) for inverse in inverses]
    products = reduce(outer_by_pairs, extremes)
    return np.asarray((products.max(axis=0) - products.min(axis=0)) / n)


def outer_by_pairs(first: Array, second: Array) -> Array:
    """Multiply every cell of one by every cell of the other, for all pairs of variants, the first axes."""
    product = np.multiply.outer(first, second)  # variants, cells, variants, cells
    product = np.moveaxis(product, first.ndim, 1)
    return product.reshape(-1, *product.shape[2:])


def along_first_axis(array: Array, matrix: Array) -> Array:
    """Multiply the first axis by a matrix and move it last; doing so for every axis restores their order."""
    return np.tensordot(array, matrix, axes=(0, 0))
