"""``candor simulate``: play a survey whose truth is known, and show how often intervals cover it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import numpy as np

from server.cli.estimates.question import described, finite
from server.cli.shared.mechanism_options import (
    Mechanism,
    mechanism_options,
    named,
    read_mechanism,
    refuse_settings,
)
from server.cli.shared.numbers import SHARE, SHARE_BETWEEN, CommandWithNumbers, Numbers, examples
from server.cli.shared.output_formats import csv_lines, json_text
from server.cli.simulation.survey_file import simulate_file
from server.option_types import FILE
from survey.estimate import numbers_and_values
from survey.interval import METHODS
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel, classes_of
from survey.simulate import Played, coverage, plays, scale_names, scale_truth
from survey.simulate_samples import plays_of_samples


@click.command(
    cls=CommandWithNumbers,
    epilog=examples(
        "candor simulate --mechanism spinner_coin --epsilon 1 --shares 10% --respondents 1000",
        "candor simulate --mechanism subset --categories 4 --epsilon 1 --shares 0.4 0.3 0.2 0.1",
        "candor simulate --mechanism laplace --low 0 --high 10 --step 1 --epsilon 1",
        "candor simulate --mechanism crosswise --prevalence 1/4 --shares 10% --format json",
        "candor simulate --mechanism unrelated --truth 0.7 0.3 --shares 10% 30% --repeats 20",
        "candor simulate --matrix matrix.csv --shares 50% 30% 20%",
        "candor simulate health.toml --shares 20% --respondents 2000",
    ),
)
@click.argument("file", metavar="[FILE]", type=FILE, required=False)
@mechanism_options(required=False)
@click.option(
    "--shares",
    type=Numbers(SHARE),
    help="True share of yes, or of every answer; by default, equal shares. Of two samples, that of yes to "
    "each question.",
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
    "--confidence-level",
    type=SHARE_BETWEEN,
    default=CONFIDENCE_LEVEL,
    show_default=True,
    help="Level of the intervals.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
    help="How the simulation is printed.",
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
    kind: str,
    seed: int | None,
    **settings: Any,
) -> None:
    """Simulate a survey whose truth is known, and show how close the estimates come.

    The survey is one question, or that of FILE: then each respondent is asked the sections that are drawn.
    """
    if file is not None:
        refuse_settings({"mechanism": mechanism} | settings, "FILE")
        simulate_file(file, shares, respondents, repeats, method, confidence_level, kind, seed)
        return
    name, truth = named(mechanism, settings), settings.get("truth") or ()
    precision = {"confidence_level": confidence_level, "method": method}
    random = np.random.default_rng(seed)
    if name == "unrelated" and len(truth) > 1:
        game = samples_game(truth, settings, shares, respondents, random, repeats, confidence_level)
    else:
        game = question_game(read_mechanism(name, settings), shares, respondents, random, repeats, precision)
    played: list[Played] = []
    try:
        with click.progressbar(game.rounds, length=repeats, label="Simulating", file=sys.stderr) as bar:
            played.extend(bar)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    rows = figures(game.names, game.known, played[0], coverage(played, game.known))
    if kind == "text":
        click.echo(text(rows, len(played), respondents, confidence_level))
    elif kind == "csv":
        click.echo(csv_lines(list(rows[0]), (list(row.values()) for row in rows)), nl=False)
    else:
        shared = {"respondents": respondents, "repeats": repeats, "confidence_level": confidence_level}
        click.echo(json_text(game.about | shared | {"answers": rows}))


@dataclass(frozen=True)
class Game:
    """A game to play: its truth by name, its rounds, and a description of its design."""

    names: list[str]
    known: np.ndarray[Any, Any]
    rounds: Iterator[Played]
    about: dict[str, Any]


def question_game(
    chosen: Mechanism,
    shares: tuple[float, ...] | None,
    respondents: int,
    random: np.random.Generator,
    repeats: int,
    precision: dict[str, Any],
) -> Game:
    """Play one question: the share of every answer, or the mean of a number."""
    truth = true_shares(chosen, shares)
    of_mean = isinstance(chosen.channel, NumberChannel)
    rounds = plays(chosen.channel, truth, respondents, random, repeats, of_mean=of_mean, **precision)
    if (classes := classes_of(chosen.channel)) is not None:
        return Game(scale_names(classes), scale_truth(chosen.channel, classes, truth), rounds, {})
    if of_mean:
        numbers, _ = numbers_and_values(chosen.channel, None)
        return Game(["mean"], np.array([float(truth @ numbers)]), rounds, {})
    return Game([str(name) for name in chosen.answers()], truth, rounds, described(chosen.design))


def samples_game(
    truth: tuple[Fraction, ...],
    settings: Mapping[str, Any],
    shares: tuple[float, ...] | None,
    respondents: int,
    random: np.random.Generator,
    repeats: int,
    confidence_level: float,
) -> Game:
    """Play two samples: the share of yes to the sensitive question, and to the other one."""
    if settings.get("prevalence") is not None:
        given = settings["prevalence"]
        raise click.UsageError(f"--prevalence must be absent where --truth has two chances, got {given}")
    if len(truth) != 2:
        raise click.BadParameter(f"must be one chance or two, got {len(truth)}", param_hint="--truth")
    if shares is None or len(shares) != 2:
        got = "none" if shares is None else " ".join(map(str, shares))
        raise click.BadParameter(
            f"must be the shares of yes to both questions where --truth has two chances, got {got}",
            param_hint="--shares",
        )
    pair = truth[0], truth[1]
    rounds = plays_of_samples(pair, shares[0], shares[1], respondents, random, repeats, confidence_level)
    about = {"design": "unrelated", "truth": [str(chance) for chance in truth]}
    return Game(["yes", "other"], np.array(shares), rounds, about)


def true_shares(chosen: Mechanism, shares: tuple[float, ...] | None) -> np.ndarray[Any, Any]:
    """Return the true share of every answer; a single number is the share of yes."""
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


def figures(
    names: list[str], truth: np.ndarray[Any, Any], first: Played, covered: np.ndarray[Any, Any]
) -> list[dict[str, Any]]:
    """Return a row for each answer: what the first play found, and the coverage of all."""
    columns = {
        "truth": truth,
        "noisy": first.noisy,
        "estimate": first.estimate,
        "standard_error": first.standard_error,
        "low": first.low,
        "high": first.high,
        "coverage": covered,
    }
    return [
        {"answer": name} | {key: finite(float(values[index])) for key, values in columns.items()}
        for index, name in enumerate(names)
    ]


def text(rows: list[dict[str, Any]], repeats: int, respondents: int, level: float) -> str:
    """Lay out the first play, and what all of them together show."""
    headings = {"standard_error": "error"}
    lines = [
        f"The first of {repeats} simulations with {respondents} respondents.",
        f"Coverage is how often the {level:.0%} intervals of all simulations contained the truth.",
        "",
        f"{'answer':<10}" + "".join(f"{headings.get(key, key):>10}" for key in list(rows[0])[1:]),
    ]
    for row in rows:
        name, *numbers = row.values()
        shown = ("–" if number is None else f"{number:.4f}" for number in numbers)
        lines.append(f"{name:<10}" + "".join(f"{number:>10}" for number in shown))
    return "\n".join(lines)
