"""Vectors of static/js/theory/spread.js, from the channels and the planner of the product."""

import math

import numpy as np
from scipy.stats import binom

from survey.channel import TOTAL
from survey.mechanisms import coin, spinner_coin
from survey.plan.variance import share_variances

from .cases import case, refused

SHARES = (0.0, 0.05, 0.3, 0.5, 1.0)
ESTIMATES = ([0.25], [0.1, 0.1, 0.1], [0.31, 0.28, 0.35, -0.02], [1200.5, 1180.25, 1239.0])


def designs():
    """Channel and its p."""
    for channel in (coin(), *map(spinner_coin, (0.05, 0.5, 1.0, 6.0))):
        yield channel, 1 - 2 * channel.weights[0, 1].item() / TOTAL


def spread(channel, share, respondents):
    """The standard deviation of the estimate that the planner expects."""
    return math.sqrt(share_variances(channel, [1 - share, share])[1] / respondents)


def design_effect(channel, share):
    """The variance of the estimate over that of truthful answers."""
    return share_variances(channel, [1 - share, share])[1] / (share * (1 - share))


def table():
    """Function -> cases."""
    return {
        "reportShare": [
            *(case([share, p], (np.array([1 - share, share]) @ channel.probabilities)[1].item())
              for channel, p in designs() for share in SHARES),
            refused([1.1, 0.5], "share"),
            refused([0.5, 0], "p"),
        ],
        "estimateDeviation": [
            *(case([share, n, p], spread(channel, share, n), relative=1e-11)
              for channel, p in designs() for share in SHARES for n in (10, 2000, 100_000)),
            refused([0.5, 0, 0.5], "respondents"),
        ],
        "price": [
            *(case([share, p], math.sqrt(design_effect(channel, share)), relative=1e-11)
              for channel, p in designs() for share in SHARES if 0 < share < 1),
            refused([0, 0.5], "share"),
            refused([1, 0.5], "share"),
            refused([0.5, 0], "p"),
        ],
        "countDeviation": [
            *(case([trials, chance], binom(trials, chance).std().item())
              for trials in (1, 100, 1000) for chance in (0, 0.25, 0.75, 0.95, 1)),
            refused([0, 0.5], "trials"),
            refused([10, 1.5], "chance"),
        ],
        "deviation": [
            *(case([values], np.std(values).item(), absolute=1e-12) for values in ESTIMATES),
            refused([[]], "values"),
        ],
    }  # fmt: skip
