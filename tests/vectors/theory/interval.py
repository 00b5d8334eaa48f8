"""Vectors of static/js/theory/interval.js, from survey.interval."""

import math

import numpy as np
from scipy.stats import binom

from survey.channel import TOTAL
from survey.interval import proportion_intervals
from survey.mechanisms import coin, spinner_coin

from .cases import case, refused

COUNTS = (
    (0, 1),
    (1, 1),
    (0, 10),
    (3, 10),
    (10, 10),
    (97, 200),
    (508, 1000),
    (150, 1000),
    (6271, 20_000),
    (0, 100_000),
    (61_234, 100_000),
)


SHARES = (0.0, 0.01, 0.06, 0.18, 0.5, 0.82, 1.0)
HAIR = 1e-9
"""By which the page lets an interval miss: its ends are rounded."""


def coverage(channel, share, respondents):
    """The chance of all counts whose interval holds the share: every count that can come up is tried."""
    chance = (np.array([1 - share, share]) @ channel.probabilities)[1].item()
    chances = binom(respondents, chance).pmf(np.arange(respondents + 1))
    possible = np.flatnonzero(chances > 1e-15)
    held = []
    for yes in possible.tolist():
        interval = proportion_intervals(channel, [respondents - yes, yes], 0.95, "likelihood_ratio")[1]
        if interval.low - HAIR <= share <= interval.high + HAIR:
            held.append(chances[yes].item())
    return math.fsum(held)


def coverages():
    """Cases over the settings that the simulation lets somebody reach."""
    for epsilon, respondents in ((0.05, 200), (0.5, 200), (1.0, 10), (1.0, 2000), (6.0, 10), (6.0, 1)):
        channel = spinner_coin(epsilon)
        p = 1 - 2 * channel.weights[0, 1].item() / TOTAL
        for share in SHARES:
            # Rare counts are left out of the sum.
            yield case([share, respondents, p], coverage(channel, share, respondents), absolute=1e-11)


def table():
    """Function -> cases."""
    channels = [coin(), *map(spinner_coin, (0.05, 0.5, 1.0, math.log(4), 6.0))]
    found = []
    for channel in channels:
        p = 1 - 2 * channel.weights[0, 1].item() / TOTAL
        for yes, respondents in COUNTS:
            interval = proportion_intervals(channel, [respondents - yes, yes], 0.95, "likelihood_ratio")[1]
            # Both ends come from a search for a root.
            found.append(case([yes, respondents, p], [interval.low, interval.high], absolute=1e-9))
    return {
        "coverage": [
            *coverages(),
            refused([1.5, 10, 0.5], "share"),
            refused([0.5, 0, 0.5], "respondents"),
            refused([0.5, 10, 0], "p"),
        ],
        "likelihoodRatio": [
            *found,
            refused([0, 0, 0.5], "respondents"),
            refused([1, 1.5, 0.5], "respondents"),
            refused([11, 10, 0.5], "yes"),
            refused([-1, 10, 0.5], "yes"),
            refused([1, 10, 0], "p"),
        ],
    }
