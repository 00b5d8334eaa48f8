"""Vectors of static/js/theory/interval.js, from survey.interval."""

import math

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
        "likelihoodRatio": [
            *found,
            refused([0, 0, 0.5], "respondents"),
            refused([1, 1.5, 0.5], "respondents"),
            refused([11, 10, 0.5], "yes"),
            refused([-1, 10, 0.5], "yes"),
            refused([1, 10, 0], "p"),
        ],
    }
