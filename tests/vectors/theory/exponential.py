"""Vectors of static/js/theory/exponential.js, from the exponential mechanism and the wheel of the product."""

import numpy as np

from survey.mechanisms import exponential, wheel
from survey.mechanisms.exponential_mechanism import distances

from .cases import case, refused

DESIGNS = ((2, 1.0), (3, 0.1), (5, 1.0), (5, 3.0), (7, 2.0), (9, 1.0))
WHOLE = {"relative": 1e-6}
"""The product's chances are in units of 2**-32, and its scale is the largest for those."""


def squared_distance(channel, answer):
    """sum over reports r of P(r | a) (r - a)^2."""
    return float(channel.probabilities[answer] @ (np.arange(channel.reports) - answer) ** 2.0)


def table():
    """Function -> cases."""
    built = [(k, epsilon, exponential(k, epsilon)) for k, epsilon in DESIGNS]
    return {
        "scores": [
            *(case([k], distances(k).tolist()) for k in (2, 5, 10)),
            refused([1], "categories"),
        ],
        "exponentialChances": [
            *(case([k, channel.scale], channel.probabilities.tolist(), absolute=1e-7)
              for k, _, channel in built),
            refused([1, 1], "categories"),
            refused([2.5, 1], "categories"),
            refused([5, 0], "scale"),
        ],
        "textbookScale": [
            *(case([k, epsilon], channel.textbook_scale) for k, epsilon, channel in built),
            refused([5, 0], "epsilon"),
            refused([51, 1], "categories"),
        ],
        "tightScale": [
            *(case([k, epsilon], channel.scale, **WHOLE) for k, epsilon, channel in built),
            refused([5, -1], "epsilon"),
            refused([1, 1], "categories"),
        ],
        "wheelChances": [
            *(case([k, epsilon], wheel(k, epsilon).probabilities.tolist(), absolute=2**-30)
              for k, epsilon in DESIGNS),
            refused([1, 1], "categories"),
            refused([3, 0], "epsilon"),
        ],
        "wheelWeights": [
            *(case([k, epsilon], wheel(k, epsilon).weights.tolist(), absolute=k) for k, epsilon in DESIGNS),
            refused([1, 1], "categories"),
            refused([3, 0], "epsilon"),
        ],
        "squaredDistance": [
            *(case([channel.probabilities.tolist(), answer], squared_distance(channel, answer))
              for _, _, channel in built for answer in (0, channel.answers // 2)),
            refused([[[0.5, 0.5], [0.5, 0.5]], 2], "answer"),
        ],
    }  # fmt: skip
