"""Vectors of static/js/theory/loss.js.

From the product's distribution of the loss and its Gaussian calibration where they are exact; from the
definition of delta, integrated over the reports, where the product only has a grid; and from the product's
channels and distributions on a fine grid, which come close.
"""

import math
from itertools import pairwise, product

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import laplace as laplace_noise
from scipy.stats import norm

from survey.channel import Channel
from survey.mechanisms import laplace, spinner_coin
from survey.mechanisms.gaussian_mechanism import continuous_sigma
from survey.privacy import LossDistribution, loss_distribution

from .cases import case, refused

EPSILONS = (0.05, 0.3, 1.0, math.log(3), 2.5)
BOUNDS = (0.1, 0.8, 1.0, 2.0, 6.0)
MUS = (0.1, 0.5, 1.0, 3.0)
LOSSES = (-7.0, -0.9, 0.0, 0.05, 0.7, 1.9)
ASKED = list(product(EPSILONS, BOUNDS))
ASKED_GAUSS = [(epsilon, mu) for epsilon, mu in product(EPSILONS, MUS) if mu / 2 - epsilon / mu > -6]
"""Further out an integral over all reports finds nothing; the calibration of the product does."""


def response(bound):
    """The loss of randomized response, in the product's terms."""
    untrue = 1 / (1 + math.exp(bound))
    return LossDistribution(np.array([-bound, bound]), np.array([untrue, 1 - untrue]))


def laplace_noise_of(bound):
    """Noise of scale 1/bound, for answers a = 0 and b = 1."""
    return laplace_noise(scale=1 / bound)


def laplace_passing(epsilon, bound):
    """The report at which the loss is epsilon: between a and b it is (1 - 2y) bound."""
    return (1 - epsilon / bound) / 2


def laplace_exceeds(epsilon, bound):
    """The chance of a report nearer to a; at the bound itself, the atom is no longer above it."""
    return laplace_noise_of(bound).cdf(laplace_passing(epsilon, bound)) if epsilon < bound else 0


def laplace_delta(epsilon, bound):
    """By the definition; an integral of zeros is not exactly 0."""
    if epsilon >= bound:
        return 0
    return delta(epsilon, laplace_noise_of(bound), laplace_passing(epsilon, bound))


def laplace_on_grid(bound):
    """The two answers furthest apart of the product's Laplace mechanism, on its finest grid."""
    return Channel(laplace(0, 1000, 1, bound).weights[[0, -1]])


def gauss_passing(epsilon, mu):
    """The report at which the loss is epsilon: it is (1 - 2y) mu^2/2."""
    return 0.5 - epsilon / mu**2


def gauss_delta(epsilon, mu):
    """By the definition, for noise of standard deviation 1/mu."""
    return delta(epsilon, norm(scale=1 / mu), gauss_passing(epsilon, mu))


def gauss_mean(mu):
    """By the definition of the loss, over the reports."""
    noise = norm(scale=1 / mu)
    return float(noise.expect(lambda report: noise.logpdf(report) - noise.logpdf(report - 1)))


def gauss_on_grid(mu):
    """The normal loss on a fine grid, as the product holds distributions of the loss."""
    edges = mu**2 / 2 + mu * np.linspace(-9, 9, 20001)
    chances = np.diff(ndtr(edges / mu - mu / 2))
    return LossDistribution((edges[:-1] + edges[1:]) / 2, chances)


def delta(epsilon, noise, passing):
    """The integral of max(0, f(y | a) - e^epsilon f(y | b)) over all reports y, a = 0 and b = 1.

    The densities bend at a and b, the integrand at the report at which the loss passes epsilon.
    """

    def surplus(report):
        return max(0.0, noise.pdf(report) - math.exp(epsilon) * noise.pdf(report - 1))

    reach = 40 * noise.std()
    edges = sorted({-reach, reach, *(bend for bend in (0, 1, passing) if abs(bend) < reach)})
    return math.fsum(quad(surplus, *ends, epsabs=1e-14, epsrel=1e-12)[0] for ends in pairwise(edges))


def refusals(parameter):
    """Losses and parameters that no mechanism has."""
    wrong = [
        ([0, 1], "epsilon"),
        ([-0.1, 1], "epsilon"),
        ([None, 1], "epsilon"),
        ([1, 0], parameter),
        ([1, None], parameter),
    ]
    return [refused(arguments, name) for arguments, name in wrong]


def table():
    """Function -> cases."""
    integrated, near = {"relative": 1e-9}, {"absolute": 1e-6}
    return {
        "reportLoss": [
            *(case([1 / (1 + math.exp(-loss)), 1 / (1 + math.exp(loss))], loss, absolute=1e-12)
              for bound in BOUNDS for loss in loss_distribution(spinner_coin(bound), 1, 0).losses.tolist()),
            *(case([noise.pdf(y), noise.pdf(y - 1)], noise.logpdf(y) - noise.logpdf(y - 1), absolute=1e-12)
              for noise in (laplace_noise_of(2.0), norm(scale=2)) for y in (-9.0, -0.1, 0.3, 0.5, 2.0)),
            refused([0, 1], "mine"),
            refused([0.5, 0], "other"),
        ],
        # delta of a loss that is sure.
        "lossWeight": [
            *(case([loss, epsilon], LossDistribution(np.array([loss]), np.array([1.0])).delta(epsilon))
              for loss, epsilon in product((*LOSSES, 30.0), EPSILONS)),
            refused([1, 0], "epsilon"),
            refused([None, 1], "loss"),
        ],
        "responseAtoms": [
            *(case([bound], response(bound).chances.tolist()) for bound in BOUNDS),
            refused([0], "bound"),
        ],
        "responseExceeds": [
            *(case(asked, response(asked[1]).exceeds(asked[0])) for asked in ASKED),
            *refusals("bound"),
        ],
        "responseDelta": [
            *(case(asked, response(asked[1]).delta(asked[0])) for asked in ASKED),
            *refusals("bound"),
        ],
        "laplaceExceeds": [
            *(case(asked, laplace_exceeds(*asked)) for asked in ASKED),
            *refusals("bound"),
        ],
        "laplaceDelta": [
            *(case(asked, laplace_delta(*asked), **integrated) for asked in ASKED),
            *(case([epsilon, bound], laplace_on_grid(bound).delta(epsilon), **near)
              for epsilon, bound in product((0.05, 0.5, 1.0), (0.8, 1.0, 2.0))),
            *refusals("bound"),
        ],
        "gaussianLossMean": [  # the mean of ln(f(y | a)/f(y | b)) over the reports y under a
            *(case([mu], gauss_mean(mu), **integrated) for mu in MUS),
            refused([0], "mu"),
        ],
        "gaussianExceeds": [  # Tolerance: the place is rounded, which a tail feels more than the middle.
            *(case([epsilon, mu], norm(scale=1 / mu).cdf(gauss_passing(epsilon, mu)), relative=1e-11)
              for epsilon, mu in ASKED_GAUSS),
            *refusals("mu"),
        ],
        "gaussianDelta": [
            *(case(asked, gauss_delta(*asked), **integrated) for asked in ASKED_GAUSS),
            *(case([epsilon, mu], gauss_on_grid(mu).delta(epsilon), **near) for epsilon, mu in ASKED_GAUSS),
            *(case([epsilon, 1 / continuous_sigma(epsilon, small)], small, **integrated)
              for epsilon, small in product((0.1, 1.0, 4.0), (0.01, 1e-6, 1e-12))),
            case([2000, 1], 0),
            *refusals("mu"),
        ],
    }  # fmt: skip
