"""A spinner alone: the answer on its bright share, the other answer on the dark share."""

from __future__ import annotations

import numpy as np

from survey.channel import TOTAL, Channel, largest_weight_within


def spinner(epsilon: float) -> Channel:
    """Warner's design for a yes/no question: a spinner and nothing else.

    The spinner keeps the answer with probability p = E/(1 + E), E = e^epsilon; otherwise the report is
    the other answer. So P(yes | yes) = p: the same channel as `spinner_coin`, from another device.

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
    Warner (1965), Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias, JASA 60.

    Examples
    --------
    >>> spinner(1.0).probabilities.round(4).tolist()
    [[0.7311, 0.2689], [0.2689, 0.7311]]
    """
    kept = largest_weight_within(epsilon)
    return Channel(np.array([[kept, TOTAL - kept], [TOTAL - kept, kept]]))
