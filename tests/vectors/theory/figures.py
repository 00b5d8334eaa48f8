"""Vectors of static/js/theory/figures.js, from channels of the product and what its estimates scatter by."""

import numpy as np

from survey.mechanisms import designed, spinner_coin, subset, wheel

from .cases import case, refused

CHANNELS = (spinner_coin(1.0), wheel(4, 2.0), subset(5, 1.0), designed(5, 1.0))


def counting(chances, figure):
    """The least-squares estimate of a figure, weighted for equal shares."""
    means = chances.mean(axis=0)
    information = (chances / means) @ chances.T
    return figure @ np.linalg.solve(information, chances / means)


def scatter(chances, shares, counts):
    """The variance of what the reports of people count for."""
    reported = shares @ chances
    return float(reported @ (counts - reported @ counts) ** 2)


def table():
    """Function -> cases."""
    asked = []
    for channel in CHANNELS:
        chances = channel.probabilities
        up_to = (np.arange(channel.answers) < channel.answers // 2).astype(float)
        rising = np.arange(1.0, channel.answers + 1) / sum(range(1, channel.answers + 1))
        asked += [(chances, up_to, rising), (chances, np.linspace(0, 1, channel.answers), rising)]
    pair = spinner_coin(1.0).probabilities
    return {
        "apart": [
            case([pair.tolist(), other.tolist()], np.kron(pair, other).tolist())
            for other in (pair, wheel(3, 1.0).probabilities)
        ]
        + [refused([[[0.5, 0.4]], pair.tolist()], "chances")],
        "counting": [
            *(case([chances.tolist(), figure.tolist()], counting(chances, figure).tolist(), absolute=1e-8)
              for chances, figure, _ in asked),
            refused([pair.tolist(), [1]], "figure"),
            refused([[[0.5, 0.4], [0.5, 0.5]], [0, 1]], "chances"),
        ],
        "scatter": [
            *(case([chances.tolist(), shares.tolist(), counting(chances, figure).tolist()],
                   scatter(chances, shares, counting(chances, figure)), relative=1e-9)
              for chances, figure, shares in asked),
            refused([pair.tolist(), [0.5], [0, 1]], "prior"),
        ],
    }  # fmt: skip
