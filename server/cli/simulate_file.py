"""``candor simulate FILE``: a whole survey, of which each simulated respondent is asked what is drawn."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from server.cli.survey import read
from survey.column import Column
from survey.estimate import numbers_and_values
from survey.fields import DefinitionError
from survey.mechanisms import NumberChannel
from survey.publication import Publication, publish, question_columns
from survey.question import Question
from survey.simulate import Coverage, Played, coverage
from survey.simulate_survey import plays_of_survey

Array = npt.NDArray[np.float64]


def simulate_file(
    file: Path,
    shares: tuple[float, ...] | None,
    respondents: int,
    repeats: int,
    method: str,
    confidence_level: float,
    seed: int | None,
) -> None:
    """Play the survey of a file and print a line for every answer that is estimated.

    Raises
    ------
    click.ClickException
        If the file cannot be used.
    click.UsageError
        If it cannot be played like this.
    """
    try:
        publication = publish(read(file))
    except DefinitionError as error:
        raise click.ClickException(str(error)) from error
    if shares is not None and len(shares) != 1:
        raise click.BadParameter(
            f"must be one number where FILE is given, the share of yes, got {len(shares)} numbers",
            param_hint="--shares",
        )
    truths = {
        name: true_shares(column, shares[0] if shares else None)
        for name, column in publication.columns.items()
    }
    played: list[dict[str, Played]] = []
    try:
        rounds = plays_of_survey(
            publication,
            truths,
            respondents,
            np.random.default_rng(seed),
            repeats,
            confidence_level=confidence_level,
            method=method,
        )
        with click.progressbar(rounds, length=repeats, label="Simulating", file=sys.stderr) as bar:
            played.extend(bar)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    click.echo("\n".join(lines(publication, truths, played, respondents, confidence_level)))


def true_shares(column: Column, yes: float | None) -> Array:
    """Return the true share of every answer: equal ones, but for the share of yes where it is given."""
    answers = column.channel.answers
    if yes is None or answers != 2:
        return np.full(answers, 1 / answers)
    return np.array([1 - yes, yes])


def lines(
    publication: Publication,
    truths: Mapping[str, Array],
    played: list[dict[str, Played]],
    respondents: int,
    level: float,
) -> list[str]:
    """Lay out the first play of every question, and what all plays together show."""
    definition = publication.definition
    of = f", each asked {definition.asked} of {len(definition.drawn)} sections" if definition.samples else ""
    width = max(len(name) for name in ("question", *publication.columns)) + 2
    found = [
        f"The first of {len(played)} simulations with {respondents} respondents{of}.",
        f"Coverage is how often the {level:.0%} intervals of all simulations contained the truth.",
        "",
        f"{'question':<{width}}{'answer':<8}{'asked':>8}{'truth':>10}{'estimate':>10}{'error':>10}"
        f"{'low':>10}{'high':>10}{'coverage':>10}",
    ]
    shares: list[float] = []
    for question, columns in question_columns(publication):
        for name, column in columns.items():
            known, names = estimated(question, column, truths[name])
            each = [one[name] for one in played]
            covered = coverage(each, known)
            shares.extend(covered.covered.tolist())
            found += rows(name, names, known, each[0], covered, width)
    return [*found, "", f"All intervals together: {np.mean(shares):.4f}"]


def estimated(question: Question, column: Column, truth: Array) -> tuple[Array, tuple[str, ...]]:
    """Return the true value of everything that is estimated of a column, and what it is called."""
    if isinstance(column.channel, NumberChannel):
        numbers, _ = numbers_and_values(column.channel, None)
        return np.array([float(truth @ numbers)]), ("mean",)
    if column.channel.answers == 2 and question.kind != "choice":
        return truth, ("no", "yes")
    return truth, tuple(str(answer) for answer in range(len(truth)))


def rows(
    name: str, names: tuple[str, ...], known: Array, first: Played, covered: Coverage, width: int
) -> list[str]:
    """Write a line for every answer. No is what yes leaves, so it has none."""
    written = []
    for index, answer in enumerate(names):
        if answer == "no":
            continue
        figures = (known, first.estimate, first.standard_error, first.low, first.high, covered.covered)
        numbers = "".join(f"{figure[index]:>10.4f}" for figure in figures)
        written.append(f"{name:<{width}}{answer:<8}{first.respondents:>8}{numbers}")
    return written
