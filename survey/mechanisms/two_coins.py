"""Two coins: the first decides whether the answer stands, the second answers when it does not."""

from __future__ import annotations

import numpy as np

from survey.channel import TOTAL, Channel


def coin() -> Channel:
    """Two fair coins for a yes/no question; there is no epsilon to choose.

    First coin tails: the answer stands. Heads: the second coin says yes or no. So
    P(yes | yes) = 1/2 + 1/4 = 3/4, and the loss is ln 3 exactly.

    Returns
    -------
    Channel
        Two answers and two reports, 0 for no and 1 for yes.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, section 3.2.

    Examples
    --------
    >>> coin().probabilities.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    quarter = TOTAL // 4
    return Channel(np.array([[3 * quarter, quarter], [quarter, 3 * quarter]]))
