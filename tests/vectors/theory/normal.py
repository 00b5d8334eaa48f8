"""Vectors of static/js/theory/normal.js, from scipy.special."""

import math

from scipy.special import erfcx, ndtr

from .cases import case, refused

PLACES = (
    -30.0,
    -12.3,
    -8.0,
    -5.6,
    -3.0,
    -2.01,
    -2.0,
    -1.99,
    -0.7,
    -1e-9,
    0.0,
    1e-9,
    0.3,
    1.0,
    1.96,
    2.0,
    2.01,
    4.4,
    8.0,
)
CLOSE = {"relative": 1e-13}
"""As close as scipy.special.ndtr and a rounded square come; in 40 digits the page's own are within 6e-15."""


def density(z):
    """phi(z) = e^(-z^2/2)/sqrt(2 pi)."""
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def table():
    """Function -> cases."""
    return {
        "normalDensity": [
            *(case([z], density(z), **CLOSE) for z in PLACES),
            case([100], 0),
            refused([None], "z"),
        ],
        "normalCdf": [
            *(case([z], float(ndtr(z)), **CLOSE) for z in PLACES),
            case([-100], 0),
            case([100], 1),
            refused([None], "z"),
        ],
        # (1 - Phi(z))/phi(z) = sqrt(pi/2) e^(z^2/2) erfc(z/sqrt 2)
        "millsRatio": [
            *(case([z], math.sqrt(math.pi / 2) * float(erfcx(z / math.sqrt(2))), **CLOSE)
              for z in (100, *(-place for place in PLACES if place <= 0))),
            refused([-1], "z"),
            refused([None], "z"),
        ],
    }  # fmt: skip
