"""``candor explain``: show what a survey reveals about one person, for each question and in total."""

from __future__ import annotations

import json
from pathlib import Path

import click

from server.cli.explanation_text import text
from server.cli.shared.numbers import SHARE, examples
from server.cli.shared.survey_file import published, read
from server.option_types import FILE, CheckedType
from survey.channel import require_whole
from survey.explain_survey import explain_survey
from survey.fields import DefinitionError
from survey.limits import MOST_RESPONDENTS
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy import USUAL_DELTA
from survey.publication import Publication
from survey.read_publication import load

DELTA = CheckedType("number", "a number above 0 and below 1", lambda value: require_delta(float(value)))
PEOPLE = CheckedType(
    "whole number",
    "a whole number of 1 or more",
    lambda value: require_whole("respondents", int(value), 1, MOST_RESPONDENTS),
)


@click.command(
    epilog=examples(
        "candor explain health.toml",
        "candor explain health.toml --prior 10% --respondents 2000",
    )
)
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--prior", type=SHARE, help="Also show how far a report can move this suspicion, from 0 to 1.")
@click.option(
    "--respondents",
    type=PEOPLE,
    help="Also show each margin of error, the forgery radius and what published counts reveal.",
)
@click.option(
    "--delta",
    type=DELTA,
    default=USUAL_DELTA,
    show_default=True,
    help="Delta of the composed total and of the published counts, above 0 and below 1.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def explain(file: Path, prior: float | None, respondents: int | None, delta: float, as_json: bool) -> None:
    """Show what a survey reveals about one person, question by question and in total.

    FILE is a survey file, or a published survey with a name that ends in .json.
    """
    try:
        publication = read_publication(file)
    except DefinitionError as error:
        raise click.ClickException(str(error)) from error
    explanation = explain_survey(publication, prior, respondents, delta)
    click.echo(
        json.dumps(explanation, indent=2, ensure_ascii=False, allow_nan=False)
        if as_json
        else text(explanation)
    )


def read_publication(file: Path) -> Publication:
    """Read a survey file and publish it, or read a published survey.

    Raises
    ------
    DefinitionError
        If the file cannot be used, or the survey exceeds its own limit.
    click.ClickException
        If a JSON file is no published survey.
    """
    if file.suffix != ".json":
        return published(read(file), str(file))
    try:
        return load(file.read_bytes().strip())
    except DefinitionError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise click.ClickException(
            f"{file}: the file must be a published survey as JSON ({error})"
        ) from error
