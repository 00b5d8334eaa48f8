"""The estimates of one question from the counts of its reports, as `candor estimate` prints them."""

from __future__ import annotations

import math
from typing import Any

import click
import numpy as np

from server.cli.shared.mechanism_options import Mechanism
from survey.channel import Channel
from survey.counts import binomial_counts, support_counts
from survey.estimate import (
    MeanEstimate,
    estimate_mean,
    estimate_proportions,
    estimate_quantiles,
)
from survey.figures.shares import estimates_within, share_of
from survey.interval import proportion_intervals
from survey.mechanisms import NumberChannel
from survey.notice import Notice
from survey.paper import Design

QUARTILES = (0.25, 0.5, 0.75)
MOST_WEIGHTS = 2500
"""A channel of more weights than this is printed in its compact form alone."""


def estimate_question(
    chosen: Mechanism, counts: tuple[int, ...], method: str, confidence_level: float, simultaneous: bool
) -> dict[str, Any]:
    """Return the table printed for one question.

    Raises
    ------
    click.UsageError
        If the counts are not the channel's, or it cannot be inverted.
    """
    try:
        if isinstance(chosen.channel, NumberChannel):
            return number(chosen.channel, counts, method, confidence_level)
        return shares(chosen, counts, method, confidence_level, simultaneous)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def shares(
    chosen: Mechanism, counts: tuple[int, ...], method: str, confidence_level: float, simultaneous: bool
) -> dict[str, Any]:
    """Return the table printed for a question with options; for yes/no, yes comes first."""
    channel = chosen.channel
    estimate = estimate_proportions(channel, counts)
    intervals = proportion_intervals(channel, counts, confidence_level, method, simultaneous)
    support, likely = supporting(chosen, counts), estimates_within(estimate, intervals)
    names = chosen.answers()
    order = range(len(names)) if chosen.kind == "choice" else reversed(range(len(names)))
    options = [
        {
            "option": names[index],
            "count": support[index],
            "noisy_share": share_of(support[index], estimate.reported),
            "estimate": likely[index],
            "low": intervals[index].low,
            "high": intervals[index].high,
            "unbiased": float(estimate.proportions[index]),
            "standard_error": finite(estimate.standard_errors[index]),
            "people": estimate.respondents * likely[index],
        }
        for index in order
    ]
    notices = [*estimate.notices, *(notice for interval in intervals for notice in interval.notices)]
    table = head(channel, estimate.respondents) | described(chosen.design) | {"options": options}
    if chosen.name == "sampled_box":
        table["reported"] = estimate.reported
    if chosen.name in ("exponential", "designed"):
        positions = np.arange(1, channel.answers + 1)
        table["mean"] = mean_table(estimate_mean(channel, counts, confidence_level, positions))
    table |= {"method": intervals[0].method, "confidence_level": confidence_level}
    if simultaneous:
        table["interval_confidence_level"] = intervals[0].confidence_level
    return table | {"warnings": sentences(notices, names)}


def number(
    channel: NumberChannel, counts: tuple[int, ...], method: str, confidence_level: float
) -> dict[str, Any]:
    """Return the table printed for a number: its mean, and its quartiles unless reports are one bit."""
    mean = estimate_mean(channel, counts, confidence_level)
    quantiles = []
    if not channel.mean_only:
        quantiles = [vars(each) for each in estimate_quantiles(channel, counts, QUARTILES, confidence_level)]
    return head(channel, mean.respondents) | {
        "mean": mean_table(mean),
        "quantiles": quantiles,
        "method": mean.method if channel.reports == 2 else "likelihood_ratio",
        "confidence_level": confidence_level,
        "warnings": sentences(list(mean.notices), []),
    }


def head(channel: Channel, respondents: int) -> dict[str, Any]:
    """Return the keys that every output of the command begins with."""
    epsilon, delta = channel.guarantee
    table: dict[str, Any] = {"respondents": respondents, "epsilon": finite(epsilon)}
    if delta:
        table["delta"] = delta
    question_epsilon = getattr(channel, "question_epsilon", None)
    if question_epsilon is not None:
        table |= {"epsilon": question_epsilon, "box_epsilon": channel.epsilon}
    if channel.weights.size > MOST_WEIGHTS:
        return table | {"channel": channel.form.as_dict()}
    return table | {"weights": channel.weights.tolist()}


def described(design: Design | None) -> dict[str, Any]:
    """Return the keys about a design on paper: its exact chances, and what they protect."""
    if design is None:
        return {}
    return {
        "design": design.name,
        "epsilon": finite(design.epsilon),
        "protection": design.protection,
        "answers": list(design.answers),
        "reports": list(design.reports),
        "chances": [[str(chance) for chance in row] for row in design.chances],
    }


def mean_table(mean: MeanEstimate) -> dict[str, Any]:
    """Return the mean of a number as a table."""
    return {
        "mean": mean.estimate,
        "low": mean.low,
        "high": mean.high,
        "unbiased": mean.mean,
        "standard_error": finite(mean.standard_error),
        "method": mean.method,
    }


def supporting(chosen: Mechanism, counts: tuple[int, ...]) -> list[int | None]:
    """Return the number of reports that support each answer, or None if none supports it alone.

    The reports of a matrix may be in any order; only binomial counts show which answer they support.
    """
    if chosen.design is None and chosen.name != "designed":
        return list(map(int, support_counts(chosen.channel, counts)))
    binomials = binomial_counts(chosen.channel, counts)
    if binomials is None:
        return [None] * chosen.channel.answers
    return [binomial.count for binomial in binomials]


def finite(value: float) -> float | None:
    """Return a number, or None if it is not finite, which JSON cannot hold."""
    return float(value) if math.isfinite(value) else None


def sentences(notices: list[Notice], names: list[str | int]) -> list[str]:
    """Write every notice once, with the option's position where there are more than two."""
    said: dict[str, None] = {}
    for notice in notices:
        answer = notice.values.get("answer")
        place = f"Option {answer}: " if answer is not None and len(names) > 2 else ""
        said[f"{place}{notice}"] = None
    return list(said)
