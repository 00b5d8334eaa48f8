"""Vectors of static/js/theory/shuffle.js, from survey.privacy.shuffle and the variances of the planner."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, laplace

from survey.channel import TOTAL, Channel
from survey.mechanisms import spinner_coin
from survey.plan.variance import share_variances
from survey.privacy.shuffle import shuffled

from .cases import case, refused

COUNTS = (
    (1.0, 10_000, 1e-6), (math.log(3), 10_000, 1e-6), (1.0, 200, 1e-6), (0.1, 1, 1e-6), (2.0, 2, 1e-6),
    (1.0, 77, 1e-6), (0.5, 100, 1e-4), (3.0, 101, 1e-9), (6.0, 3000, 1e-6), (4.0, 100_000, 1e-6),
    (0.1, 1_000_000, 1e-6), (9.0, 1_000_000, 1e-3),
)  # fmt: skip
ALL = 100
NEAR = 2e-3
"""Of the answers of more others than ALL the page tries fewer than the product, and so may find less."""
SEARCHED = ((1.0, 10_000), (0.5, 300), (2.5, 1000), (4.0, 60), (6.0, 100_000))


def local(weight):
    """A yes/no channel by its smaller weight, and its loss: not rounded to what was asked for."""
    return Channel([[TOTAL - weight, weight], [weight, TOTAL - weight]]), math.log((TOTAL - weight) / weight)


def counted():
    """Loss of one report, respondents, delta, and what the count of them loses."""
    for asked, respondents, delta in COUNTS:
        channel, epsilon = local(spinner_coin(asked).weights[0, 1].item())
        yield epsilon, respondents, delta, shuffled(channel, respondents, delta).epsilon


def errors():
    """Share, epsilon, respondents and the standard error of the product's estimate."""
    for share, epsilon, respondents in ((0.5, 1.0, 10_000), (0.1, 0.5, 200), (0.0, 4.0, 10**6)):
        variance = share_variances(spinner_coin(epsilon), [1 - share, share])[1]
        yield share, epsilon, respondents, math.sqrt(variance / respondents)


def asked_error(share, respondents):
    """Standard deviation of the share among those who were asked, from the chance of every count."""
    counts = np.arange(respondents + 1)
    chances = binom.pmf(counts, respondents, share)
    return float(np.sqrt(chances @ (counts / respondents - share) ** 2))


def noise_error(epsilon, respondents):
    """Standard deviation of Laplace noise of which one answer, moving the share by 1/n, costs epsilon."""

    def excess(logarithm):
        noise = laplace(scale=math.exp(logarithm))
        return noise.logpdf(0) - noise.logpdf(1 / respondents) - epsilon

    return float(laplace(scale=math.exp(brentq(excess, -40, 40, xtol=1e-14))).std())


def published_error(share, epsilon, respondents):
    """The variances of both, which are independent, add up."""
    return math.hypot(asked_error(share, respondents), noise_error(epsilon, respondents))


def table():
    """Function -> cases."""
    return {
        "countEpsilon": [
            *(case([*given], result, relative=NEAR if given[1] > ALL else 1e-6)
              for *given, result in counted()),
            refused([0, 100, 1e-6], "epsilon"),
            refused([1, 0, 1e-6], "respondents"),
            refused([1, 1.5, 1e-6], "respondents"),
            refused([1, 100, 0], "delta"),
        ],
        # The other way round: from the loss of the count to that of one report.
        "localEpsilon": [
            *(case([found, n, 1e-6], epsilon, relative=NEAR if n > ALL else 1e-6)
              for epsilon, n in SEARCHED for found in [shuffled(spinner_coin(epsilon), n, 1e-6).epsilon]),
            *(case([found, 1, delta], epsilon, relative=1e-5)  # one person: nobody to hide among
              for epsilon, delta in ((1.0, 0.4), (8.0, 0.999))
              for found in [shuffled(spinner_coin(epsilon), 1, delta).epsilon]),
            refused([0, 100, 1e-6], "epsilon"),
            refused([1, 1.5, 1e-6], "respondents"),
            refused([1, 100, 1], "delta"),
        ],
        "localError": [
            *(case([*given], result, relative=1e-8) for *given, result in errors()),
            refused([1.1, 1, 100], "share"),
            refused([0.5, 0, 100], "epsilon"),
            refused([0.5, 1, 0], "respondents"),
        ],
        "centralError": [
            *(case([share, epsilon, n], published_error(share, epsilon, n), relative=1e-8)
              for share, epsilon, n, _ in errors()),
            refused([-0.1, 1, 100], "share"),
            refused([0.5, 0, 100], "epsilon"),
            refused([0.5, 1, 2.5], "respondents"),
        ],
        "samplingError": [
            *(case([share, n], asked_error(share, n), relative=1e-8) for share, _, n, _ in errors()),
            refused([2, 100], "share"),
            refused([0.5, 0], "respondents"),
        ],
    }  # fmt: skip
