"""Vectors of static/js/theory/composition.js, from survey.privacy and scipy.stats."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, norm

from survey.mechanisms import spinner_coin
from survey.privacy import bounds, plain_sum
from survey.privacy.composition import composed_epsilon

from .cases import case, refused

SURVEYS = (
    (0.1, 20, 1e-6),
    (0.1, 100, 1e-6),
    (1.0, 20, 1e-6),
    (1.0, 1, 1e-3),
    (0.5, 50, 1e-4),
    (0.01, 1000, 1e-6),
    (2.0, 200, 1e-3),
)
NUMBERS = ((0.1, 1, 1e-6), (0.02, 100, 1e-6), (0.5, 20, 1e-3), (1.0, 100, 1e-6), (0.01, 3, 0.1))
"""Sensitivity over sigma of each number, how many, and delta."""
ANSWERED = ((0.5, 1.0, 3, 3), (0.5, 1.0, 0, 7), (0.2, math.log(3), 5, 8), (0.9, 0.1, 10, 20))


def composed(epsilon, reports, delta):
    """What the product's accountant finds for so many yes/no questions."""
    return composed_epsilon([spinner_coin(epsilon)] * reports, delta)


def advanced(epsilon, reports, delta):
    """epsilon (sqrt(2 k ln(1/delta)) + k (E - 1)), which is never below what holds."""
    bound = epsilon * (math.sqrt(-2 * reports * math.log(delta)) + reports * (math.exp(epsilon) - 1))
    assert bound >= composed(epsilon, reports, delta)
    return bound


def gaussian(mu, reports, delta):
    """The epsilon at which the chance beyond it is delta: the sum of so many normal losses is normal."""
    mean, deviation = reports * mu**2 / 2, math.sqrt(reports) * mu

    def excess(epsilon):
        gone = norm.sf(epsilon, mean, deviation) - math.exp(epsilon) * norm.sf(epsilon, -mean, deviation)
        return gone - delta

    return brentq(excess, 0, mean + 20 * deviation, xtol=1e-14) if excess(0) > 0 else 0


def believed(prior, epsilon, yes, reports):
    """Bayes, one report after another, with the bounds of the product: it reaches one of them every time."""
    for said in [1] * yes + [0] * (reports - yes):
        prior = bounds(prior, epsilon)[said]
    return prior


def right(epsilon, reports):
    """P(more than half of the reports are the answer), and half of the chance of a tie."""
    j = np.arange(reports + 1)
    chances = binom.pmf(j, reports, 1 / (1 + math.exp(-epsilon)))
    return float(chances @ np.select([2 * j > reports, 2 * j == reports], [1, 0.5], 0))


def table():
    """Function -> cases."""
    return {
        "plainSum": [
            *(case([epsilon, k], plain_sum([spinner_coin(epsilon)] * k).epsilon, relative=1e-6)
              for epsilon, k, _ in SURVEYS),
            refused([0, 2], "epsilon"),
            refused([1, 0], "reports"),
            refused([1, 2.5], "reports"),
        ],
        "binomialChances": [
            case([1, 0.25], [0.75, 0.25]),
            case([20, 0.731], binom.pmf(np.arange(21), 20, 0.731).tolist(), relative=1e-10),
            case([1000, 0.5], binom.pmf(np.arange(1001), 1000, 0.5).tolist(), relative=1e-10),
            refused([0, 0.5], "reports"),
            refused([3, 1], "chance"),
        ],
        # The product's accountant is on a grid: too large by at most a millionth of the plain sum.
        "composedEpsilon": [
            *(case([epsilon, k, delta], composed(epsilon, k, delta), absolute=2e-6 * k * epsilon)
              for epsilon, k, delta in SURVEYS),
            refused([0, 2, 1e-6], "epsilon"),
            refused([1, 0, 1e-6], "reports"),
            refused([1, 2, 0], "delta"),
        ],
        # Dwork & Roth (2014), theorem 3.20, written another way.
        "advancedEpsilon": [
            *(case([epsilon, k, delta], advanced(epsilon, k, delta)) for epsilon, k, delta in SURVEYS),
            refused([-1, 2, 1e-6], "epsilon"),
            refused([1, 0, 1e-6], "reports"),
            refused([1, 2, 2], "delta"),
        ],
        "gaussianComposedEpsilon": [
            *(case([*given], gaussian(*given), relative=1e-8) for given in NUMBERS),
            refused([0, 2, 1e-6], "mu"),
            refused([1, 0, 1e-6], "reports"),
            refused([1, 2, 1], "delta"),
        ],
        "belief": [
            *(case([*given], believed(*given), relative=1e-11) for given in ANSWERED),
            case([0, 1, 2, 3], 0),
            case([1, 1, 2, 3], 1),
            refused([1.1, 1, 0, 1], "prior"),
            refused([0.5, 0, 0, 1], "epsilon"),
            refused([0.5, 1, 2, 1], "yes"),
        ],
        "majorityRight": [
            *(case([epsilon, k], right(epsilon, k), relative=1e-10)
              for epsilon, k in ((1.0, 1), (1.0, 2), (math.log(3), 5), (0.1, 101))),
            refused([0, 1], "epsilon"),
            refused([1, 0], "reports"),
        ],
    }  # fmt: skip
