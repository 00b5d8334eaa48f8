"""``candor simulate FILE``: play a whole survey; each respondent is asked the sections that are drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from server.cli.estimates.question import finite
from server.cli.shared.output_formats import csv_lines, json_text
from server.cli.shared.survey_file import read
from survey.column import Column
from survey.estimate import numbers_and_values
from survey.fields import DefinitionError
from survey.mechanisms import NumberChannel, classes_of
from survey.publication import Publication, publish, question_columns
from survey.question import Question
from survey.simulate import Played, coverage, scale_names, scale_truth
from survey.simulate_linked import pair_name, pair_truth
from survey.simulate_survey import plays_of_survey

Array = npt.NDArray[np.float64]


def simulate_file(
    file: Path,
    shares: tuple[float, ...] | None,
    respondents: int,
    repeats: int,
    method: str,
    confidence_level: float,
    kind: str,
    seed: int | None,
) -> None:
    """Play the survey of a file, and print a row for every answer that is estimated.

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
    answer_rows, together = figures(publication, truths, played)
    bands = band_coverage(played)
    if kind == "text":
        head = (publication, len(played), respondents, confidence_level)
        of_bands = [f"All cumulative shares of {name} at once: {held:.4f}" for name, held in bands.items()]
        last = ["", f"All intervals together: {together:.4f}", *of_bands]
        click.echo("\n".join([*lines(*head, answer_rows), *last]))
    elif kind == "csv":
        click.echo(csv_lines(list(answer_rows[0]), (list(row.values()) for row in answer_rows)), nl=False)
    else:
        shared = {"respondents": respondents, "repeats": repeats, "confidence_level": confidence_level}
        click.echo(
            json_text(
                {"survey": publication.definition.slug} | shared | {"answers": answer_rows, "bands": bands}
            )
        )


def true_shares(column: Column, yes: float | None) -> Array:
    """Return the true share of every answer: equal shares, or for yes/no the given share of yes."""
    answers = column.channel.answers
    if yes is None or answers != 2:
        return np.full(answers, 1 / answers)
    return np.array([1 - yes, yes])


def band_coverage(played: list[dict[str, Played]]) -> dict[str, float]:
    """Return how often the band of each curve held all of it, column by column."""
    names = [name for name, first in played[0].items() if first.band is not None]
    return {name: float(np.mean([bool(each[name].band) for each in played])) for name in names}


def figures(
    publication: Publication, truths: Mapping[str, Array], played: list[dict[str, Played]]
) -> tuple[list[dict[str, Any]], float]:
    """Return a row for every answer but no, and the coverage of all intervals together."""
    answer_rows: list[dict[str, Any]] = []
    shares: list[float] = []
    for question, columns in question_columns(publication):
        for name, column in columns.items():
            known, names = estimated(question, column, truths[name])
            each = [one[name] for one in played]
            covered = coverage(each, known)
            shares.extend(covered.tolist())
            answer_rows += rows(name, names, known, each[0], covered)
    for name, known in pairs_of_yes(publication, truths):
        each = [one[name] for one in played]
        covered = coverage(each, known)
        shares.extend(covered.tolist())
        answer_rows += rows(name, ("no", "no", "no", "both"), known, each[0], covered)
    return answer_rows, float(np.mean(shares))


def pairs_of_yes(publication: Publication, truths: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    """Yield the pairs of linked yes/no questions, with the true share of each pair of answers."""
    for section in publication.definition.sections:
        names = [question.column_names[place] for question, place in section.answered if section.linked]
        yes_no = [name for name in names if len(truths[name]) == 2]
        for first, second in combinations(yes_no, 2):
            yield pair_name(first, second), pair_truth(truths[first], truths[second])


def lines(
    publication: Publication,
    repeats: int,
    respondents: int,
    level: float,
    answer_rows: list[dict[str, Any]],
) -> list[str]:
    """Lay out the first play of every question, and what all plays together show."""
    definition = publication.definition
    of = f", each asked {definition.asked} of {len(definition.drawn)} sections" if definition.samples else ""
    width = max(len(row["question"]) for row in [{"question": "question"}, *answer_rows]) + 2
    wide = max(len(row["answer"]) for row in [*answer_rows, {"answer": "answer"}]) + 2
    written = [
        f"The first of {repeats} simulations with {respondents} respondents{of}.",
        f"Coverage is how often the {level:.0%} intervals of all simulations contained the truth.",
        "",
        f"{'question':<{width}}{'answer':<{wide}}{'asked':>8}{'truth':>10}{'estimate':>10}{'error':>10}"
        f"{'low':>10}{'high':>10}{'coverage':>10}",
    ]
    for row in answer_rows:
        question, answer, asked, *numbers = row.values()
        shown = "".join(f"{'–':>10}" if number is None else f"{number:>10.4f}" for number in numbers)
        written.append(f"{question:<{width}}{answer:<{wide}}{asked:>8}{shown}")
    return written


def estimated(question: Question, column: Column, truth: Array) -> tuple[Array, tuple[str, ...]]:
    """Return the true values that a column estimates, and their names."""
    if (classes := classes_of(column.channel)) is not None:
        return scale_truth(column.channel, classes, truth), tuple(scale_names(classes))
    if isinstance(column.channel, NumberChannel):
        numbers, _ = numbers_and_values(column.channel, None)
        return np.array([float(truth @ numbers)]), ("mean",)
    if column.channel.answers == 2 and question.kind != "choice":
        return truth, ("no", "yes")
    return truth, tuple(str(answer) for answer in range(len(truth)))


def rows(
    name: str, names: tuple[str, ...], known: Array, first: Played, covered: Array
) -> list[dict[str, Any]]:
    """Return a row for every answer but no."""
    columns = {
        "truth": known,
        "estimate": first.estimate,
        "standard_error": first.standard_error,
        "low": first.low,
        "high": first.high,
        "coverage": covered,
    }
    return [
        {"question": name, "answer": answer, "asked": first.respondents}
        | {key: finite(float(values[index])) for key, values in columns.items()}
        for index, answer in enumerate(names)
        if answer != "no"
    ]
