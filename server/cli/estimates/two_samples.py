"""``candor estimate --mechanism unrelated --truth P1 P2``: estimate from two samples.

The share of yes to the unrelated question need not be known then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import click

from survey.estimate.two_samples import TwoSamples, two_samples
from survey.paper import unrelated


def estimate_samples(
    truth: tuple[Fraction, ...], counts: tuple[int, ...], settings: Mapping[str, Any], confidence_level: float
) -> dict[str, Any]:
    """Return the table printed for two samples that answer the sensitive question more and less often.

    Raises
    ------
    click.UsageError
        If the options do not describe two samples.
    """
    if settings.get("prevalence") is not None:
        prevalence = settings["prevalence"]
        raise click.UsageError(f"--prevalence must be absent where --truth has two chances, got {prevalence}")
    if len(truth) != 2:
        raise click.BadParameter(f"must be one chance or two, got {len(truth)}", param_hint="--truth")
    if len(counts) != 4:
        allowed = "must be 4 numbers: no and yes of the first sample, then of the second"
        raise click.BadParameter(f"{allowed}, got {' '.join(map(str, counts))}", param_hint="--counts")
    samples = (counts[0], counts[1]), (counts[2], counts[3])
    try:
        sensitive, other = two_samples((truth[0], truth[1]), samples, confidence_level)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return {
        "design": "unrelated",
        "respondents": sum(counts),
        "epsilon": None,
        "protection": protection(truth, other),
        "truth": [str(chance) for chance in truth],
        "options": [option("yes", sensitive, sum(counts)), option("other question", other, sum(counts))],
        "method": "likelihood_ratio",
        "confidence_level": confidence_level,
        "warnings": [],
    }


def option(name: str, estimate: TwoSamples, people: int) -> dict[str, Any]:
    """Return the estimate of one question, under the keys of an option."""
    return (
        {"option": name, "count": None, "noisy_share": None}
        | asdict(estimate)
        | {"people": people * estimate.estimate}
    )


def protection(truth: tuple[Fraction, ...], other: TwoSamples) -> str:
    """Describe the protection of the design, whose epsilon follows from a share that is only estimated."""
    share = Fraction(other.estimate).limit_denominator(10**6)
    designs = [unrelated(chance, share) for chance in truth if chance > 0]
    weakest = max(designs, key=lambda design: design.epsilon)
    start = f"If the share of yes to the other question is as estimated, {float(share):.3g}: "
    return f"{start}epsilon {weakest.epsilon:.4g}. {weakest.protection}"
