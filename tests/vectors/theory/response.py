"""Vectors of static/js/theory/response.js, from the mechanisms and the estimator of the product."""

import math
from fractions import Fraction

from survey.channel import TOTAL, largest_weight_within
from survey.estimate import estimate_proportions
from survey.mechanisms import coin, spinner, spinner_coin

from .cases import case, refused

EPSILONS = (0.001, 0.05, 0.5, 1.0, math.log(3), math.log(4), 2.0, 6.0, 10.0)
FINE = 2**200
"""Weights of 2**32 are rounded; in so many parts the product's rule gives every digit of a double."""


def kept(epsilon):
    """P(report = answer), as the mechanisms compute it."""
    return Fraction(largest_weight_within(epsilon, FINE), FINE)


def square(same):
    """The chances of a yes/no question, from that of the answer itself."""
    return [[float(same), float(1 - same)], [float(1 - same), float(same)]]


def estimates():
    """Product channel, its p, counts, and what the product's estimator makes of them."""
    for channel in (coin(), spinner_coin(0.5), spinner(1.0), spinner_coin(math.log(4)), spinner_coin(6.0)):
        p = 1 - 2 * channel.weights[0, 1].item() / TOTAL
        for respondents, yes in ((1000, 508), (10, 0), (100, 100), (1, 1), (2000, 601)):
            yield p, respondents, yes, estimate_proportions(channel, [respondents - yes, yes])


def table():
    """Function -> cases."""
    shares = [(epsilon, kept(epsilon)) for epsilon in EPSILONS]
    return {
        # p = 2 kept - 1 for spinner + coin; p = kept for the spinner alone
        "spinnerCoin": [
            *(case([epsilon], float(2 * same - 1)) for epsilon, same in shares),
            *(refused([epsilon], "epsilon") for epsilon in (0, -1, None)),
        ],
        "spinner": [
            *(case([epsilon], float(same)) for epsilon, same in shares),
            refused([0], "epsilon"),
        ],
        "spinnerCoinChances": [
            *(case([float(2 * same - 1)], square(same)) for _, same in shares),
            *(refused([p], "p") for p in (-0.1, 1.1)),
        ],
        "spinnerChances": [
            *(case([float(same)], square(same)) for _, same in shares),
            refused([1.5], "p"),
        ],
        "epsilonOf": [
            *(case([channel.probabilities.tolist()], channel.epsilon, absolute=1e-12)
              for channel in (coin(), *map(spinner, EPSILONS))),
            refused([[[0.5, 0.4], [0.5, 0.5]]], "chances"),
        ],
        # Near 0 the estimate is a difference of two numbers near 1/2.
        "estimate": [
            *(case([yes / n, p], found.proportions[1].item(), absolute=1e-12)
              for p, n, yes, found in estimates()),
            refused([1.1, 0.5], "noisy share"),
            refused([0.5, 0], "p"),
        ],
        "standardError": [
            *(case([yes / n, n, p], found.standard_errors[1].item(), absolute=1e-12)
              for p, n, yes, found in estimates()),
            refused([0.5, 0, 0.5], "respondents"),
            refused([0.5, 1.5, 0.5], "respondents"),
        ],
        # One of 2**32 off at most: the page has no arithmetic finer than a double.
        "weights": [
            *(case([epsilon], spinner_coin(epsilon).weights.tolist(), absolute=1) for epsilon in EPSILONS),
            refused([0], "epsilon"),
        ],
    }  # fmt: skip
