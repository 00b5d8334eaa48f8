"""A spinner that keeps the answer on its bright share, and a coin that speaks on the dark share."""

from __future__ import annotations

import numpy as np

from survey.channel import TOTAL, Channel, largest_weight_within


def spinner_coin(epsilon: float) -> Channel:
    """Forced response for a yes/no question: a spinner, then a coin on its dark share.

    The spinner keeps the answer with probability p = (E - 1)/(E + 1), E = e^epsilon; otherwise a fair
    coin says yes or no. So P(yes | yes) = p + (1 - p)/2 = E/(1 + E).

    Parameters
    ----------
    epsilon : float
        The largest privacy loss allowed, in (0, 10].

    Returns
    -------
    Channel
        Two answers and two reports, 0 for no and 1 for yes. Its loss is at most `epsilon`.

    Raises
    ------
    ValueError
        If epsilon is outside (0, 10].

    References
    ----------
    Boruch (1971), Assuring confidentiality of responses in social research; Fox & Tracy (1986),
    Randomized Response, chapter 3. As local differential privacy: Kairouz, Oh & Viswanath (2016),
    Extremal Mechanisms for Local Differential Privacy, section 4.

    Examples
    --------
    >>> spinner_coin(1.0).probabilities.round(4).tolist()
    [[0.7311, 0.2689], [0.2689, 0.7311]]
    """
    kept = largest_weight_within(epsilon)
    return Channel(np.array([[kept, TOTAL - kept], [TOTAL - kept, kept]]))
