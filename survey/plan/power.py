"""The power of a test: the chance that it rejects a supposed share when the true one is another."""

from __future__ import annotations

import math

from survey import special
from survey.channel import Channel, require_whole
from survey.interval import require_confidence_level
from survey.plan.respondents import MOST_RESPONDENTS
from survey.plan.variance import share_variances

ALTERNATIVES = ("two_sided", "greater", "less")


def power(
    channel: Channel,
    respondents: int,
    share: float,
    null: float = 0.0,
    significance: float = 0.05,
    alternative: str = "two_sided",
) -> float:
    """Return the chance that a test rejects a supposed share of yes when the true share is another.

    Parameters
    ----------
    channel : Channel
        With two answers.
    respondents : int
        1 or more.
    share, null : float
        The true and the supposed share, in [0, 1].
    significance : float
        In (0, 1): the chance to reject a true share.
    alternative : str
        One of `ALTERNATIVES`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is outside its range.

    References
    ----------
    Blair, Imai & Zhou (2015), Design and Analysis of the Randomized Response Technique, JASA 110; the R
    package rr, ``power.rr.test``: the standard error under the null sets the critical value, that under
    the true share the chance to pass it.
    """
    respondents = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    require_confidence_level(1 - significance)
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative must be one of {', '.join(ALTERNATIVES)}, got {alternative!r}")
    if channel.answers != 2:
        raise ValueError(f"channel must have two answers, got {channel.answers}")
    for name, value in (("share", share), ("null", null)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")
    true_error, null_error = (
        math.sqrt(float(share_variances(channel, [1 - pi, pi])[1]) / respondents) for pi in (share, null)
    )
    tail = significance / 2 if alternative == "two_sided" else significance
    reach = float(-special.ndtri(tail)) * null_error
    above = float(special.ndtr((share - null - reach) / true_error))
    below = float(special.ndtr((null - reach - share) / true_error))
    return {"two_sided": above + below, "greater": above, "less": below}[alternative]


def respondents_for_power(
    channel: Channel,
    wanted: float,
    share: float,
    null: float = 0.0,
    significance: float = 0.05,
    alternative: str = "two_sided",
) -> int:
    """Return the smallest number of respondents with which the test has the power wanted.

    Raises
    ------
    ValueError
        As `power`, and if no number of respondents reaches it because the shares do not differ that way.
    """
    require_confidence_level(wanted)
    towards = {"two_sided": share != null, "greater": share > null, "less": share < null}
    if alternative in towards and not towards[alternative]:
        raise ValueError(f"share must differ from null ({alternative}), got {share!r} and {null!r}")

    def enough(respondents: int) -> bool:
        return power(channel, respondents, share, null, significance, alternative) >= wanted

    most = 1
    while not enough(most):
        most *= 2
        if most > MOST_RESPONDENTS:
            raise ValueError(f"share must differ more from null, got {share!r} and {null!r}")
    fewest = most // 2 + 1 if most > 1 else 1
    while fewest < most:
        middle = (fewest + most) // 2
        fewest, most = (fewest, middle) if enough(middle) else (middle + 1, most)
    return fewest
