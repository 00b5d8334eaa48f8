"""Every mechanism that suits a question, side by side, the best first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import Channel, require_epsilon
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import (
    BoxChannel,
    coin,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner,
    spinner_coin,
    subset,
    wheel,
)
from survey.plan.respondents import ExpectedPrecision, require_margin
from survey.plan.variance import mean_variance, reporting, share_variances

KINDS = ("yes_no", "choice", "boxes", "number")


@dataclass(frozen=True, eq=False)
class MechanismPlan:
    """A mechanism for a question, with its loss and its precision.

    Attributes
    ----------
    mechanism : str
        Its name in `survey.mechanisms`.
    channel : Channel
        Of several choices, that of one box.
    epsilon, delta : float
        The guarantee for the whole question.
    precision : ExpectedPrecision
        Of the least precise share; of a mean, at the answers for which it varies most.
    design_effect : float or None
        The variance over that without noise. None for a mean, for which it depends on the answers, and where
        truthful answers do not vary.
    respondents : int
        Needed for the margin asked for.
    margin : float
        Half the width of the normal interval with the respondents asked for.
    """

    mechanism: str
    channel: Channel
    epsilon: float
    delta: float
    precision: ExpectedPrecision
    design_effect: float | None
    respondents: int
    margin: float


def suitable(
    kind: str,
    epsilon: float,
    *,
    wanted: str = "share",
    categories: int = 2,
    ordered: bool = False,
    low: float = 0.0,
    high: float = 1.0,
    step: float = 1.0,
    delta: float | None = None,
    besides: str | None = None,
) -> dict[str, Channel]:
    """Build every mechanism that suits a question, within its epsilon.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    epsilon : float
        For the whole question, in (0, 10].
    wanted : str
        ``share`` or ``mean``. For the mean of the positions of ordered options, from 1 to their number, the
        mechanisms of a number suit too.
    categories : int
        Options of one choice, or boxes of several choices.
    ordered : bool
        Whether the options of one choice have an order; only then the exponential mechanism suits.
    low, high, step : float
        The grid of a number.
    delta : float, optional
        Where it is given, the Gaussian mechanism suits a number too.
    besides : str, optional
        A mechanism to leave out because its channel exists already: building one may take a while.

    Returns
    -------
    dict of str to Channel
        By name. A mechanism that refuses these settings is left out.

    Raises
    ------
    ValueError
        If the kind is none, or every mechanism refuses; the message is the first one's.
    """
    require_epsilon(epsilon)
    candidates: dict[str, Callable[[], Channel]] = {}
    if kind == "yes_no":
        candidates = {"spinner_coin": lambda: spinner_coin(epsilon), "spinner": lambda: spinner(epsilon)}
        if coin().epsilon <= epsilon:
            candidates["coin"] = coin
    elif kind == "choice":
        candidates = {
            "wheel": lambda: wheel(categories, epsilon),
            "subset": lambda: subset(categories, epsilon),
        }
        if ordered:
            candidates["exponential"] = lambda: exponential(categories, epsilon)
        if wanted == "mean":
            candidates = numbers(1, categories, 1, epsilon) | candidates
    elif kind == "boxes":
        candidates = {
            "sampled_box": lambda: sampled_box(categories, epsilon),
            "per_box": lambda: per_box(categories, epsilon),
        }
    elif kind == "number":
        candidates = numbers(low, high, step, epsilon)
        if delta is not None:
            candidates["gaussian"] = lambda: gaussian(low, high, step, epsilon, delta)
    else:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    channels: dict[str, Channel] = {}
    refusals = []
    candidates.pop(besides or "", None)
    for name, build in candidates.items():
        try:
            channels[name] = build()
        except ValueError as refusal:
            refusals.append(refusal)
    if not channels:
        raise refusals[0]
    return channels


def numbers(low: float, high: float, step: float, epsilon: float) -> dict[str, Callable[[], Channel]]:
    """Return the mechanisms for a number that keep epsilon without exceptions."""
    return {
        "hybrid": lambda: hybrid(low, high, step, epsilon),
        "one_bit": lambda: one_bit(low, high, step, epsilon),
        "laplace": lambda: laplace(low, high, step, epsilon),
    }


def compare(
    channels: dict[str, Channel],
    proportions: npt.ArrayLike | None = None,
    *,
    respondents: int = 1000,
    margin_wanted: float = 0.05,
    confidence_level: float = CONFIDENCE_LEVEL,
    grid: npt.ArrayLike | None = None,
) -> list[MechanismPlan]:
    """Compare mechanisms for the same question.

    Parameters
    ----------
    channels : dict of str to Channel
        From `suitable`.
    proportions : array_like of float, optional
        The shares that are expected; equal shares where none are given. Not for means.
    respondents : int
        For which the margin is computed.
    margin_wanted : float
        For which the respondents are computed, in the unit of the estimate; of a share, in (0, 1).
    confidence_level : float
        In (0, 1), of the margins.
    grid : array_like of float, optional
        The number of each option of an ordered choice whose mean is wanted, not its shares.

    Returns
    -------
    list of MechanismPlan
        The one of least variance first. Mechanisms whose reports are too noisy for an estimate are left out.

    Raises
    ------
    ValueError
        If a number is outside its range, or nothing can be estimated from any of them.

    Notes
    -----
    The best mechanism needs the fewest people for the margin that a plan promises: of a share, at the shares
    expected; of a mean, at the answers for which it varies most, so that the margin holds for all answers. At
    equally frequent answers the best one for the mean never needs more than 1.1 times the people of another.
    For 3 to 6 options at epsilon 2 to 4 the wheel varies less there, and more at the worst answers. At 4
    options and epsilon 3 no mechanism is within 1.05 times the best by both.
    """
    designs, refusals = [], []
    for name, channel in channels.items():
        of_mean = grid is not None or hasattr(channel, "grid")
        try:
            if of_mean:
                precision, effect = ExpectedPrecision(mean_variance(channel, grid)), None
            else:
                variance, effect = worst_share(channel, proportions)
                precision = ExpectedPrecision(variance, reporting(channel))
        except ValueError as refusal:
            refusals.append(refusal)
            continue
        epsilon, delta = channel.guarantee
        if isinstance(channel, BoxChannel):
            epsilon = channel.question_epsilon
        designs.append(
            MechanismPlan(
                mechanism=name,
                channel=channel,
                epsilon=epsilon,
                delta=delta,
                precision=precision,
                design_effect=effect,
                respondents=precision.respondents(
                    require_margin(margin_wanted, of_share=not of_mean), confidence_level=confidence_level
                ),
                margin=precision.margin(respondents, confidence_level=confidence_level),
            )
        )
    if not designs:
        raise refusals[0]
    # The channels of equal designs differ by a word in 2**32; that is no difference.
    return sorted(designs, key=lambda design: float(f"{design.precision.variance:.6g}"))


def worst_share(channel: Channel, proportions: npt.ArrayLike | None) -> tuple[float, float | None]:
    """Return the greatest of the variances of the shares, and its design effect."""
    if proportions is None:
        proportions = np.full(channel.answers, 1 / channel.answers)
    variances = share_variances(channel, proportions)
    worst = int(variances.argmax())
    share = float(np.asarray(proportions, np.float64)[worst])
    truthful = share * (1 - share)
    return float(variances[worst]), float(variances[worst]) / truthful if truthful > 0 else None
