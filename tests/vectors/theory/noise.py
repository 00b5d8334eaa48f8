"""Vectors of static/js/theory/noise.js, from the mechanisms of the product and scipy.stats."""

import math
from itertools import product

import numpy as np
from scipy.stats import laplace as continuous
from scipy.stats import norm

from survey.mechanisms import gaussian, hybrid, laplace, one_bit
from survey.mechanisms.gaussian_mechanism import continuous_sigma

from .cases import case, refused

GUARANTEES = ((0.1, 1e-6), (0.5, 1e-5), (1.0, 1e-6), (1.0, 1e-9), (2.0, 0.01), (4.0, 1e-6), (10.0, 1e-3))
PLACES = (-30.0, -1.5, 0.0, 1e-9, 0.7, 8.0)
SCALES = (0.1, 1.0, 7.5)
SOLVED = {"relative": 1e-9}
"""Two searches for the root of one equation."""


def scale_of(channel):
    """b of a product's tails: P(noise >= d + 1)/P(noise >= d) = e^(-step/b)."""
    step = channel.grid[1] - channel.grid[0]
    return float(step / math.log(channel.form.tails[1] / channel.form.tails[2]))


def wins_from(epsilon, delta):
    """The first number of counts at which exact Gaussian noise is the smaller one, by trying them."""
    sigma = continuous_sigma(epsilon, delta)
    return next(k for k in range(1, 10**6) if sigma * math.sqrt(k) < continuous(scale=k / epsilon).std())


def table():
    """Function -> cases."""
    grids = [((-1, 1, 0.01), 2.0), ((0, 10, 1), 10.0), ((0, 100, 0.5), 100.0)]
    return {
        # The grid of the product rounds its chances to 2**-32.
        "laplaceScale": [
            *(case([span, epsilon], scale_of(laplace(*grid, epsilon)), relative=1e-6)
              for (grid, span), epsilon in product(grids, (0.5, 1.0, 3.0))),
            refused([0, 1], "sensitivity"),
            refused([1, 0], "epsilon"),
            refused([1, None], "epsilon"),
        ],
        "laplaceDensity": [
            *(case([x, b], float(continuous.pdf(x, scale=b))) for x, b in product(PLACES, SCALES)),
            refused([None, 1], "x"),
            refused([0, 0], "scale"),
        ],
        "laplaceDeviation": [
            *(case([b], float(continuous.std(scale=b))) for b in SCALES),
            refused([-1], "scale"),
        ],
        "laplaceNoise": [
            *(case([u, b], float(continuous.ppf(u, scale=b)), absolute=1e-14)
              for u, b in product((1e-9, 0.25, 0.5, 0.9), SCALES)),
            refused([0, 1], "uniform"),
            refused([1, 1], "uniform"),
            refused([0.5, 0], "scale"),
        ],
        "classicalSigma": [
            *(case([10.0, epsilon, delta], gaussian(0, 10, 1, epsilon, delta).classical_sigma)
              for epsilon, delta in GUARANTEES if delta >= 1e-6),
            refused([0, 1, 1e-6], "sensitivity"),
            refused([1, 0, 1e-6], "epsilon"),
            refused([1, 1, 1], "delta"),
        ],
        "exactSigma": [
            *(case([2.5, epsilon, delta], 2.5 * continuous_sigma(epsilon, delta), **SOLVED)
              for epsilon, delta in GUARANTEES),
            refused([0, 1, 1e-6], "sensitivity"),
            refused([1, 701, 1e-6], "epsilon"),
            refused([1, 1, 0], "delta"),
        ],
        "gaussianDensity": [
            *(case([x, sigma], float(norm.pdf(x, scale=sigma))) for x, sigma in product(PLACES, SCALES)),
            refused([None, 1], "x"),
            refused([0, 0], "sigma"),
        ],
        # Box & Muller: the two numbers are the length, by its chance to be exceeded, and the angle.
        "gaussianNoise": [
            *(case([math.exp(-r * r / 2), angle, 2.0], 2 * r * math.cos(2 * math.pi * angle), absolute=1e-12)
              for r, angle in ((0.5, 0.25), (1.0, 0.1), (3.0, 0.6))),
            refused([0, 0.5, 1], "uniform"),
            refused([0.5, 1, 1], "uniform"),
            refused([0.5, 0.5, 0], "sigma"),
        ],
        "countSensitivities": [
            *(case([k], [float(np.linalg.norm(np.ones(k), order)) for order in (1, 2)])
              for k in (1, 2, 3, 50, 100)),
            refused([0], "counts"),
            refused([2.5], "counts"),
        ],
        "gaussianWinsFrom": [
            *(case([epsilon, delta], wins_from(epsilon, delta)) for epsilon, delta in GUARANTEES),
            refused([0, 1e-6], "epsilon"),
            refused([1, 2], "delta"),
        ],
        "oneBitDeviation": [
            *(case([4.0, epsilon], math.sqrt(one_bit(-2, 2, 0.01, epsilon).variances.max()), relative=1e-7)
              for epsilon in (0.1, 0.5, 1.0, 2.0, 4.0)),
            refused([0, 1], "range"),
            refused([1, 0], "epsilon"),
        ],
        # The product's is discrete: up to epsilon 2 within 3 % of the published formula. Its worst variances
        # are those that N. Wang et al. (2019) state.
        "hybridDeviation": [
            *(case([2.0, epsilon], math.sqrt(hybrid(-1, 1, 0.01, epsilon).variances.max()), relative=0.03)
              for epsilon in (0.3, 0.5, 0.61, 0.7, 1.0, 2.0)),
            *(case([2.0, epsilon], math.sqrt(figure), relative=5e-4)
              for epsilon, figure in ((0.5, 16.67), (1.0, 4.289), (2.0, 1.042), (4.0, 0.2190))),
            refused([0, 1], "range"),
            refused([1, 0], "epsilon"),
        ],
    }  # fmt: skip
