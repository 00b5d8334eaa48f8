"""The table of reports on two or more questions, checked against the channels that they came through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import informative_reports
from survey.limits import MOST_RESPONDENTS
from survey.notice import Notice

MOST_CELLS = 400
"""The most cells of a joint table of answers; noise would drown more."""

MOST_NOISY_CELLS = 2**20
"""The most cells of a table of reports."""

Array = npt.NDArray[np.float64]
Table = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JointTable:
    """A table of reports, from the respondents whose every report depends on the answer.

    Attributes
    ----------
    channels : tuple of Channel
    respondents : int
        All respondents, whatever they reported.
    counts : ndarray of int
        One axis a question, of its informative reports.
    probabilities : tuple of ndarray
        P(report | answer) of each question among those.
    """

    channels: tuple[Channel, ...]
    respondents: int
    counts: Table
    probabilities: tuple[Array, ...]

    @property
    def reported(self) -> int:
        """The number of respondents in the counts."""
        return int(self.counts.sum())

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of answers of each question."""
        return tuple(map(len, self.probabilities))

    def received(self) -> tuple[Array, Table]:
        """Return P(cell of reports | cell of answers) of the cells that were received, and their counts.

        Returns
        -------
        ndarray, shape (answers of the 1st question, answers of the 2nd, ..., cells received)
        ndarray of int, shape (cells received,)
        """
        cells = np.nonzero(self.counts)
        product = np.ones((1, len(cells[0])))
        for probabilities, reports in zip(self.probabilities, cells, strict=True):
            product = product[..., np.newaxis, :] * probabilities[:, reports]
        return product[0], self.counts[cells]


def read_table(channels: Sequence[Channel], table: npt.ArrayLike) -> JointTable:
    """Check a table of reports against its channels.

    Raises
    ------
    ValueError
        If there are fewer than two channels, the table is not whole numbers of 0 or more with an axis for
        each channel's reports, or there are more than 400 combinations of answers.
    """
    shape = tuple(channel.reports for channel in channels)
    cells = [channel.answers for channel in channels]
    if len(channels) < 2 or math.prod(cells) > MOST_CELLS:
        raise ValueError(
            f"channels must be two or more with at most {MOST_CELLS} combinations of answers, "
            f"got {' x '.join(map(str, cells))}"
        )
    array = np.asarray(table)
    if array.shape != shape or array.dtype.kind not in "iu":
        raise ValueError(
            f"table must be whole numbers in shape {shape}, one axis for the reports of each question, "
            f"got {array.dtype} in shape {array.shape}"
        )
    if int(array.min()) < 0 or sum(array.ravel().tolist()) > MOST_RESPONDENTS:
        raise ValueError(f"table must hold 0 or more and add up to at most {MOST_RESPONDENTS}")
    informative = [informative_reports(channel) for channel in channels]
    probabilities = [
        channel.probabilities[:, some] for channel, some in zip(channels, informative, strict=True)
    ]
    return JointTable(
        channels=tuple(channels),
        respondents=int(array.sum()),
        counts=array[np.ix_(*informative)].astype(np.int64),
        probabilities=tuple(chances / chances.sum(axis=1, keepdims=True) for chances in probabilities),
    )


def all_the_same(joint: JointTable) -> tuple[Notice, ...]:
    """Return the notice that all reports are the same, if they are."""
    if joint.counts.max() < joint.reported:
        return ()
    return (Notice("all_same", {"respondents": joint.reported}),)
