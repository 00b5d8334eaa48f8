"""The variance of shares that are estimated from reported sets of one size."""

from __future__ import annotations

import math


def total_variance(categories: int, epsilon: float, size: int) -> float:
    """Return n times the summed variance of the estimated shares, at uniform shares.

    Parameters
    ----------
    categories, epsilon, size
        k, epsilon and w: every set of w out of k categories is E times as likely under the answers in it;
        w = 1 is the wheel.

    References
    ----------
    Ye & Barg (2018), Optimal Schemes for Discrete Distribution Estimation under Locally Differential
    Privacy.
    """
    k, w, ratio = categories, size, math.exp(epsilon)
    # (k-1)^2 (wE + k - w)^2 / (k w (k-w) (E-1)^2)
    return ((k - 1) * (w * ratio + k - w) / math.expm1(epsilon)) ** 2 / (k * w * (k - w))
