"""Vectors of static/js/theory/suspicion.js, from survey.privacy.suspicion and from the rule of Bayes."""

import math
from fractions import Fraction
from itertools import product

import numpy as np

from survey.mechanisms import coin, spinner_coin, wheel
from survey.privacy.suspicion import bounds

from .cases import case, refused

PRIORS = (0, 1e-6, 0.1, 0.5, 0.9, 1)
EPSILONS = (0.05, 1.0, math.log(3), 6.0, 800.0)
FAIR = [0.5, 0.5]


def in_fractions(probability):
    """p to 1 - p, divided by the smaller of the two that is not 0."""
    sides = [Fraction(probability), 1 - Fraction(probability)]
    return [side / (min(sides) or 1) for side in sides]


def posterior(channel, prior):
    """P(answer | report), shape (reports, answers); the prior after a report that was thought impossible."""
    joint = channel.probabilities.T * prior
    evidence = joint.sum(axis=1, keepdims=True)
    return np.where(evidence > 0, joint / np.where(evidence > 0, evidence, 1), prior)


def table():
    """Function -> cases."""
    beliefs = [
        (coin(), FAIR),
        (coin(), [0.9, 0.1]),
        (spinner_coin(6.0), [1, 0]),
        (wheel(4, 1.5), [0.1, 0.2, 0.3, 0.4]),
    ]
    return {
        "bounds": [
            *(case([q, epsilon], list(bounds(q, epsilon))) for q, epsilon in product(PRIORS, EPSILONS)),
            refused([-0.1, 1], "prior"),
            refused([None, 1], "prior"),
            refused([0.5, 0], "epsilon"),
        ],
        "posterior": [
            *(case([channel.probabilities.tolist(), prior], posterior(channel, prior).tolist())
              for channel, prior in beliefs),
            refused([coin().probabilities.tolist(), [0.5, 0.6]], "prior"),
            refused([coin().probabilities.tolist(), [1]], "prior"),
        ],
        # The bound from even odds is E to 1, by the product; elsewhere in fractions.
        "bettingOdds": [
            *(case([bounds(0.5, epsilon)[1]], [math.exp(epsilon), 1], relative=1e-9)
              for epsilon in EPSILONS[:-1]),
            *(case([bounds(0.5, epsilon)[0]], [1, math.exp(epsilon)], relative=1e-9)
              for epsilon in EPSILONS[:-1]),
            *(case([q], [float(side) for side in in_fractions(q)]) for q in PRIORS),
            refused([1.01], "probability"),
            refused([None], "probability"),
        ],
    }  # fmt: skip
