"""``candor simulate``: a survey whose truth is known, played once in full and often for the coverage."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from server.cli.mechanism import Mechanism, mechanism_options, read_mechanism, refuse_settings
from server.cli.numbers import SHARE, SHARE_BETWEEN, CommandWithNumbers, Numbers, examples
from server.cli.simulate_file import simulate_file
from server.cli.survey import FILE
from survey.estimate import numbers_and_values
from survey.interval import METHODS
from survey.mechanisms import NumberChannel
from survey.simulate import Coverage, Played, coverage, plays


@click.command(
    cls=CommandWithNumbers,
    epilog=examples(
        "candor simulate --mechanism spinner_coin --epsilon 1 --shares 10% --respondents 1000",
        "candor simulate --mechanism subset --categories 4 --epsilon 1 --shares 0.4 0.3 0.2 0.1",
        "candor simulate --mechanism laplace --low 0 --high 10 --step 1 --epsilon 1",
        "candor simulate health.toml --shares 20% --respondents 2000",
    ),
)
@click.argument("file", metavar="[FILE]", type=FILE, required=False)
@mechanism_options(required=False)
@click.option(
    "--shares",
    type=Numbers(SHARE),
    help="True share of yes, or of every answer; by default, equal shares.",
)
@click.option(
    "--respondents",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Respondents in each simulation.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1), default=200, show_default=True, help="Number of simulations."
)
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
@click.option("--seed", type=click.IntRange(min=0), help="The same seed gives the same simulation.")
def simulate(
    file: Path | None,
    mechanism: str | None,
    shares: tuple[float, ...] | None,
    respondents: int,
    repeats: int,
    method: str,
    confidence_level: float,
    seed: int | None,
    **settings: Any,
) -> None:
    """Simulate a survey whose truth is known, and show how close the estimates come.

    The survey is one question, or that of FILE: then each respondent is asked the sections that are drawn.
    """
    if file is not None:
        refuse_settings({"mechanism": mechanism} | settings, "FILE")
        simulate_file(file, shares, respondents, repeats, method, confidence_level, seed)
        return
    if mechanism is None:
        raise click.MissingParameter(param_type="option", param_hint="'--mechanism'")
    chosen = read_mechanism(mechanism, settings)
    truth = true_shares(chosen, shares)
    of_mean = isinstance(chosen.channel, NumberChannel)
    played: list[Played] = []
    try:
        rounds = plays(
            chosen.channel,
            truth,
            respondents,
            np.random.default_rng(seed),
            repeats,
            confidence_level=confidence_level,
            method=method,
            of_mean=of_mean,
        )
        with click.progressbar(rounds, length=repeats, label="Simulating", file=sys.stderr) as bar:
            played.extend(bar)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    known = truth
    names: list[str] = [str(name) for name in chosen.answers()]
    if of_mean:
        numbers, _ = numbers_and_values(chosen.channel, None)
        known, names = np.array([float(truth @ numbers)]), ["mean"]
    click.echo(text(names, known, played[0], coverage(played, known), confidence_level))


def true_shares(chosen: Mechanism, shares: tuple[float, ...] | None) -> np.ndarray[Any, Any]:
    """Return the true share of every answer. A single number is the share of yes."""
    answers = chosen.channel.answers
    if shares is None:
        return np.full(answers, 1 / answers)
    if len(shares) == 1 and answers == 2:
        return np.array([1 - shares[0], shares[0]])
    if len(shares) != answers or abs(sum(shares) - 1) > 1e-6:
        raise click.BadParameter(
            f"shares must be {answers} numbers with sum 1, got {', '.join(map(str, shares))}",
            param_hint="--shares",
        )
    return np.array(shares) / sum(shares)


def text(
    names: list[str], truth: np.ndarray[Any, Any], first: Played, covered: Coverage, level: float
) -> str:
    """Lay out the first play, and what all of them together show."""
    lines = [
        f"The first of {covered.repeats} simulations with {first.respondents} respondents.",
        f"Coverage is how often the {level:.0%} intervals of all simulations contained the truth.",
        "",
        f"{'answer':<10}{'truth':>10}{'noisy':>10}{'estimate':>10}{'error':>10}{'low':>10}{'high':>10}"
        f"{'coverage':>10}",
    ]
    for index, name in enumerate(names):
        figures = (
            truth[index],
            first.noisy[index],
            first.estimate[index],
            first.standard_error[index],
            first.low[index],
            first.high[index],
            covered.covered[index],
        )
        lines.append(f"{name:<10}" + "".join(f"{figure:>10.4f}" for figure in figures))
    return "\n".join(lines)
