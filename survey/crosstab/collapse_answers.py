"""Merge all but a few answers of a question into one, where the reports allow it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import LARGEST_DIFFERENCE, informative_reports, supporting_reports

Array = npt.NDArray[np.float64]


def collapse(
    channel: Channel, probabilities: Array, answers: Sequence[int]
) -> tuple[Array, npt.NDArray[np.intp], list[int]]:
    """Merge the other answers, and the reports that tell only the others apart.

    For k-ary randomized response, subset selection and sampled boxes, a report says of some answers only
    which of them it supports, and the chance of that is the same under every other answer. The rest of a
    report is about the other answers. So merging loses nothing that the shares of the answers kept apart
    need.

    Parameters
    ----------
    channel : Channel
    probabilities : ndarray, shape (answers, informative reports)
        P(report | answer) among the informative reports.
    answers : sequence of int
        Those that are kept apart.

    Returns
    -------
    probabilities : ndarray, shape (answers left, reports left)
    reports : ndarray of int, shape (informative reports,)
        The report left into which each was merged.
    places : list of int
        The places of the answers kept apart among those left.
    """
    everything = probabilities, np.arange(probabilities.shape[1]), list(answers)
    informative = informative_reports(channel)
    supporting = supporting_reports(channel, informative)
    if supporting is None:
        return everything
    sets = supporting[list(answers)][:, informative]
    _, reports = np.unique(sets, axis=1, return_inverse=True)
    reports = np.asarray(reports, np.intp).ravel()
    merged = probabilities @ np.eye(reports.max() + 1)[reports]
    others = np.setdiff1d(np.arange(channel.answers), answers)
    if not others.size:
        return merged, reports, list(answers)
    rest = merged[others].mean(axis=0)
    apart = np.abs(merged[others] - rest).max()
    own = np.abs(merged[list(answers)] - rest).max(axis=1).min()
    if not apart <= LARGEST_DIFFERENCE * own:
        return everything
    return np.vstack([merged[list(answers)], rest]), reports, list(range(len(answers)))
