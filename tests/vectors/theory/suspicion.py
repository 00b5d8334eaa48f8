"""Vectors of static/js/theory/suspicion.js, from survey.privacy.suspicion."""

import math
from itertools import product

from survey.mechanisms import coin, spinner_coin, wheel
from survey.privacy.suspicion import bounds, odds, posterior

from .cases import case, refused

PRIORS = (0, 1e-6, 0.1, 0.5, 0.9, 1)
EPSILONS = (0.05, 1.0, math.log(3), 6.0, 800.0)
FAIR = [0.5, 0.5]


def table():
    """Function -> cases."""
    beliefs = [
        (coin(), FAIR),
        (coin(), [0.9, 0.1]),
        (spinner_coin(6.0), [1, 0]),
        (wheel(4, 1.5), [0.1, 0.2, 0.3, 0.4]),
    ]
    told = [coin(), spinner_coin(0.05), spinner_coin(1.0), spinner_coin(10.0)]
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
        "odds": [
            *(case([channel.probabilities[answer, 1].item()], vars(odds(channel, answer, 1)))
              for channel in told for answer in (0, 1)),
            case([0], {"recorded": 0, "people": 100}),
            case([1], {"recorded": 100, "people": 100}),
            refused([1.01], "chance"),
        ],
    }  # fmt: skip
