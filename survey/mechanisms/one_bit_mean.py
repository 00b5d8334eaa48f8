"""A number rounded at random to its low or high end, then a spinner and a coin."""

from __future__ import annotations

from survey.channel import TOTAL, largest_weight_within
from survey.compact_form import Window, Windows
from survey.mechanisms.number import NumberChannel, grid_points


def one_bit(low: float, high: float, step: float, epsilon: float) -> NumberChannel:
    """Build the mechanism that reports one bit of a number, enough for its mean.

    The answer x becomes high with probability (x - low)/(high - low), else low; a spinner and a coin
    randomize that bit. So P(high | x) grows linearly from 1/(E + 1) to E/(E + 1), E = e^epsilon. On
    [-1, 1] the value of a report is -c or c, c = (E + 1)/(E - 1), and its variance c^2 - x^2.

    Parameters
    ----------
    low, high, step : float
        The grid of answers, 2 to 1001 points.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].

    Returns
    -------
    NumberChannel
        Report 0 is low, 1 is high. Its loss is at most `epsilon`.

    Raises
    ------
    ValueError
        If the grid or epsilon is refused.

    References
    ----------
    Duchi, Jordan & Wainwright (2018), Minimax Optimal Procedures for Locally Private Estimation; in this
    form Ding, Kulkarni & Yekhanin (2017), Collecting Telemetry Data Privately.

    Examples
    --------
    >>> one_bit(0, 10, 5, 1.0).probabilities.round(4).tolist()
    [[0.7311, 0.2689], [0.5, 0.5], [0.2689, 0.7311]]
    """
    grid = grid_points(low, high, step)
    kept = largest_weight_within(epsilon)
    form = Windows(len(grid), (Window(columns=2, width=1, inside=kept, outside=TOTAL - kept),))
    return NumberChannel(weights=form.weights(), form=form, grid=grid)
