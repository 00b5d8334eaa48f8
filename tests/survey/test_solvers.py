"""Roots are those of SciPy, digit for digit, without its time to import; so are the lengths of transforms."""

import math
import random

import numpy as np
import pytest
from scipy import fft, optimize

from survey.privacy.composition import smooth_length
from survey.solvers import brentq

SHAPES = [
    lambda x, a, b: math.expm1(a * x) - b / 10,
    lambda x, a, b: x**3 - a * x + b,
    lambda x, a, b: math.tanh(5 * (x - a)) - b / 4,
    lambda x, a, b: math.atan(9 * x) + a / 5 + x / 1000,
]


def outcome(solve, *arguments, **options):
    try:
        return float(solve(*arguments, **options))
    except ValueError:
        return "no root"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("xtol", [1e-15, 2e-12, 1e-7, 1e-3])
def test_a_root_is_scipy_s(shape, xtol):
    draw = random.Random(5)
    for _ in range(300):
        a, b, low, high = (draw.uniform(*ends) for ends in ((-3, 3), (-3, 3), (-8, 0), (0, 8)))
        arguments = (lambda x, a=a, b=b: shape(x, a, b), low, high)
        assert outcome(brentq, *arguments, xtol=xtol) == outcome(optimize.brentq, *arguments, xtol=xtol)


def test_an_end_that_is_a_root_is_returned():
    assert (brentq(lambda x: x, 0.0, 1.0), brentq(lambda x: x - 1, 0.0, 1.0)) == (0, 1)


@pytest.mark.parametrize("value", [1.0, -1.0, math.nan, 1e-200])
def test_signs_that_do_not_differ_are_refused(value):
    with pytest.raises(ValueError, match=r"the signs at 0.0 and 1.0 must differ"):
        brentq(lambda x: value, 0.0, 1.0)


def test_what_comes_to_no_end_is_given_up():
    with pytest.raises(RuntimeError, match="no root in 100 steps"):
        brentq(lambda x: -1.0 if x < 1e-300 else 1.0, -1e300, 1e300, xtol=1e-300)


def test_a_transform_of_smooth_length_is_scipy_s():
    for least in [*range(1, 2000), 2**18 + 1, 10**6 + 1]:
        assert smooth_length(least) == fft.next_fast_len(least, real=True)
    for length in (5, 12, 729, 4096, 262_440):
        chances = np.random.default_rng(length).random(length // 2 + 1)
        assert (np.fft.rfft(chances, length) == fft.rfft(chances, length)).all()
