"""``candor estimate``: estimates of a whole survey, or of one question whose reports came on paper."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click
import numpy as np

from server.cli.estimate_survey import estimate_survey
from server.cli.mechanism import Mechanism, mechanism_options, read_mechanism, refuse_settings
from server.cli.numbers import SHARE_BETWEEN, CommandWithNumbers, NumbersOrFile, examples
from server.cli.printed import FORMAT, json_text
from server.cli.survey import FILE
from survey.channel import Channel
from survey.counts import support_counts
from survey.estimate import (
    MeanEstimate,
    estimate_distribution,
    estimate_mean,
    estimate_proportions,
    estimate_quantiles,
)
from survey.interval import METHODS, proportion_intervals
from survey.mechanisms import NumberChannel
from survey.notice import Notice

QUARTILES = (0.25, 0.5, 0.75)
MOST_WEIGHTS = 2500
"""A channel of more weights than this is printed in its compact form alone."""


@click.command(
    cls=CommandWithNumbers,
    epilog=examples(
        "candor estimate --mechanism spinner_coin --epsilon 1.386 --counts 492 508",
        "candor estimate --mechanism wheel --categories 3 --epsilon 1 --counts 300 310 390",
        "candor estimate --mechanism one_bit --low 0 --high 10 --step 1 --epsilon 1 --counts 480 520",
        "candor estimate --survey health.toml --reports reports.csv --format csv",
        "candor estimate --survey health.toml --counts counts.csv",
    ),
)
@click.option("--survey", type=FILE, help="A survey file: estimate every question of it.")
@click.option(
    "--reports",
    type=FILE,
    help="The survey's noisy reports as they are downloaded: CSV, a row for each respondent.",
)
@mechanism_options(required=False)
@click.option(
    "--counts",
    type=NumbersOrFile(click.IntRange(min=0)),
    help="How often each report was received, in order. For yes/no: no, yes. For a sampled box: no, yes, "
    "not sampled. With --survey: a CSV file with the heading column,code,count.",
)
@click.option(
    "--state",
    type=click.Choice(["open", "closed"]),
    help="Whether the survey was still open when --reports were taken; by default, closed.",
)
@FORMAT
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    help="How intervals of shares are computed.",
)
@click.option(
    "--confidence-level", type=SHARE_BETWEEN, default=0.95, show_default=True, help="Level of the intervals."
)
@click.option("--simultaneous", is_flag=True, help="Make the confidence level hold for all options together.")
def estimate(
    survey: Path | None,
    reports: Path | None,
    mechanism: str | None,
    counts: tuple[int, ...] | Path | None,
    state: str | None,
    kind: str,
    method: str,
    confidence_level: float,
    simultaneous: bool,
    **settings: Any,
) -> None:
    """Estimate from a survey's reports, or from the counts of one question; print JSON or CSV."""
    if survey is not None:
        refuse_settings({"mechanism": mechanism} | settings, "--survey")
        if isinstance(counts, tuple):
            raise click.BadParameter(
                f"must be a file with --survey, got {', '.join(map(str, counts))}", param_hint="--counts"
            )
        if (reports is None) == (counts is None):
            raise click.UsageError("--survey needs either --reports or --counts")
        estimate_survey(
            survey, reports, counts, state or "closed", kind, confidence_level, method, simultaneous
        )
        return
    if mechanism is None:
        raise click.MissingParameter(param_type="option", param_hint="'--mechanism' or '--survey'")
    refuse_settings({"reports": reports, "state": state}, "--mechanism")
    if not isinstance(counts, tuple):
        raise click.MissingParameter(param_type="option", param_hint="'--counts'")
    chosen = read_mechanism(mechanism, settings)
    try:
        if isinstance(chosen.channel, NumberChannel):
            table = number(chosen.channel, counts, method, confidence_level)
        else:
            table = shares(chosen, counts, method, confidence_level, simultaneous)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    click.echo(json_text(table))


def shares(
    chosen: Mechanism, counts: tuple[int, ...], method: str, confidence_level: float, simultaneous: bool
) -> dict[str, Any]:
    """Return the table printed for a question with options. For yes/no, yes comes first."""
    channel = chosen.channel
    found = estimate_proportions(channel, counts)
    intervals = proportion_intervals(channel, counts, confidence_level, method, simultaneous)
    support = support_counts(channel, counts)
    names = chosen.answers()
    order = range(len(names)) if chosen.kind == "choice" else reversed(range(len(names)))
    options = [
        {
            "option": names[index],
            "count": int(support[index]),
            "noisy_share": float(support[index] / found.reported) if found.reported else None,
            "proportion": float(found.proportions[index]),
            "standard_error": finite(found.standard_errors[index]),
            "low": intervals[index].low,
            "high": intervals[index].high,
            "maximum_likelihood": float(found.maximum_likelihood[index]),
            "people": float(found.people[index]),
        }
        for index in order
    ]
    notices = [*found.notices, *(notice for interval in intervals for notice in interval.notices)]
    table = head(channel, found.respondents) | {"options": options}
    if chosen.name == "sampled_box":
        table["reported"] = found.reported
    if chosen.name == "exponential":
        positions = np.arange(1, channel.answers + 1)
        table["mean"] = mean_table(estimate_mean(channel, counts, confidence_level, positions))
    table |= {"method": intervals[0].method, "confidence_level": confidence_level}
    if simultaneous:
        table["interval_confidence_level"] = intervals[0].confidence_level
    return table | {"warnings": sentences(notices, names)}


def number(
    channel: NumberChannel, counts: tuple[int, ...], method: str, confidence_level: float
) -> dict[str, Any]:
    """Return the table printed for a number: its mean, and its distribution unless reports are one bit."""
    mean = estimate_mean(channel, counts, confidence_level)
    options, quantiles, notices = [], [], list(mean.notices)
    if channel.reports > 2:
        found = estimate_distribution(channel, counts, confidence_level)
        notices += found.notices
        options = [
            {
                "option": [float(first), float(last)],
                "low": interval.low if interval else None,
                "high": interval.high if interval else None,
                "maximum_likelihood": float(share),
                "people": float(people),
            }
            for first, last, share, people, interval in zip(
                found.first, found.last, found.proportions, found.people, found.intervals, strict=True
            )
        ]
        quantiles = [vars(each) for each in estimate_quantiles(channel, counts, QUARTILES, confidence_level)]
    return head(channel, mean.respondents) | {
        "mean": mean_table(mean),
        "options": options,
        "quantiles": quantiles,
        "method": mean.method if channel.reports == 2 else "likelihood_ratio",
        "confidence_level": confidence_level,
        "warnings": sentences(notices, []),
    }


def head(channel: Channel, respondents: int) -> dict[str, Any]:
    """Return the keys that every output of the command begins with."""
    epsilon, delta = channel.guarantee
    table: dict[str, Any] = {"respondents": respondents, "epsilon": epsilon}
    if delta:
        table["delta"] = delta
    question_epsilon = getattr(channel, "question_epsilon", None)
    if question_epsilon is not None:
        table |= {"epsilon": question_epsilon, "box_epsilon": channel.epsilon}
    if channel.weights.size > MOST_WEIGHTS:
        return table | {"channel": channel.form.as_dict()}
    return table | {"weights": channel.weights.tolist()}


def mean_table(mean: MeanEstimate) -> dict[str, Any]:
    """Return the mean of a number as a table."""
    return {
        "mean": mean.mean,
        "standard_error": finite(mean.standard_error),
        "low": mean.low,
        "high": mean.high,
        "method": mean.method,
    }


def finite(value: float) -> float | None:
    """Return a number, or None where JSON has none, as for the error of an estimate from nobody."""
    return float(value) if math.isfinite(value) else None


def sentences(notices: list[Notice], names: list[str | int]) -> list[str]:
    """Write every notice once, with the option's position where there are more than two."""
    said: dict[str, None] = {}
    for notice in notices:
        answer = notice.values.get("answer")
        place = f"Option {answer}: " if answer is not None and len(names) > 2 else ""
        said[f"{place}{notice}"] = None
    return list(said)
