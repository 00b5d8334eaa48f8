"""``candor estimate``: estimate a whole survey, or one question whose reports came on paper."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import click

from server.cli.estimates.question import estimate_question
from server.cli.estimates.table import HEADER, table_rows
from server.cli.estimates.two_samples import estimate_samples
from server.cli.shared.mechanism_options import (
    mechanism_options,
    named,
    read_mechanism,
    refuse_settings,
)
from server.cli.shared.numbers import COUNT, SHARE_BETWEEN, CommandWithNumbers, NumbersOrFile, examples
from server.cli.shared.output_formats import FORMAT, csv_lines, json_text
from server.option_types import FILE
from survey.interval import METHODS
from survey.limits import CONFIDENCE_LEVEL


@click.command(
    cls=CommandWithNumbers,
    epilog=examples(
        "candor estimate --mechanism spinner_coin --epsilon 1.386 --counts 492 508",
        "candor estimate --mechanism wheel --categories 3 --epsilon 1 --counts 300 310 390",
        "candor estimate --mechanism one_bit --low 0 --high 10 --step 1 --epsilon 1 --counts 480 520",
        "candor estimate --mechanism forced --forced-yes 1/6 --forced-no 1/12 --counts 560 440",
        "candor estimate --mechanism dice --dice 2 --yes-on 2 3 4 --no-on 11 12 --counts 560 440",
        "candor estimate --mechanism unrelated --truth 0.7 --prevalence 1/12 --counts 800 200",
        "candor estimate --mechanism unrelated --truth 0.7 0.3 --counts 710 290 590 410",
        "candor estimate --mechanism crosswise --prevalence 1/4 --reports answers.csv --format csv",
        "candor estimate --mechanism triangular --prevalence 1/4 --counts 600 400",
        "candor estimate --matrix matrix.csv --counts 300 310 390",
        "candor estimate --survey health.toml --reports reports.csv --format csv",
        "candor estimate --survey health.toml --counts counts.csv",
    ),
)
@click.option("--survey", type=FILE, help="A survey file: estimate every question of it.")
@click.option(
    "--reports",
    type=FILE,
    help="CSV with a heading and a row for each respondent: the survey's noisy reports as they are "
    "downloaded, or the reports of one question by number or by name.",
)
@click.option(
    "--column", help="The column of --reports that holds them, where a file of one question has several."
)
@mechanism_options(required=False)
@click.option(
    "--counts",
    type=NumbersOrFile(COUNT),
    help="How often each report was received, in order. For yes/no: no, yes. For a sampled box: no, yes, "
    "not sampled. For crosswise: different, same. For triangular: both no, at least one yes. With --survey: "
    "a CSV file with the heading column,code,count.",
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
    "--confidence-level",
    type=SHARE_BETWEEN,
    default=CONFIDENCE_LEVEL,
    show_default=True,
    help="Level of the intervals.",
)
@click.option("--simultaneous", is_flag=True, help="Make the confidence level hold for all options together.")
def estimate(
    survey: Path | None,
    reports: Path | None,
    column: str | None,
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
        refuse_settings({"mechanism": mechanism, "column": column} | settings, "--survey")
        if isinstance(counts, tuple):
            raise click.BadParameter(
                f"must be a file with --survey, got {', '.join(map(str, counts))}", param_hint="--counts"
            )
        if (reports is None) == (counts is None):
            raise click.UsageError("--survey needs either --reports or --counts")
        files().estimate_survey(
            survey, reports, counts, state or "closed", kind, confidence_level, method, simultaneous
        )
        return
    name = named(mechanism, settings, " or '--survey'")
    refuse_settings({"state": state}, "--mechanism")
    truth = settings.get("truth") or ()
    if name == "unrelated" and len(truth) > 1:
        refuse_settings({"reports": reports, "column": column}, "--truth with two chances")
        table = estimate_samples(truth, numbers(counts), settings, confidence_level)
    else:
        chosen = read_mechanism(name, settings)
        received = numbers(counts) if reports is None else files().counted(chosen, reports, column, counts)
        table = estimate_question(chosen, received, method, confidence_level, simultaneous)
    if kind == "csv":
        click.echo(csv_lines(HEADER, table_rows(table)), nl=False)
    else:
        click.echo(json_text(table))


def numbers(counts: tuple[int, ...] | Path | None) -> tuple[int, ...]:
    """Return counts that were typed as numbers; refuse a file."""
    if counts is None:
        raise click.MissingParameter(param_type="option", param_hint="'--counts'")
    if isinstance(counts, Path):
        raise click.BadParameter(f"must be numbers without --survey, got {counts}", param_hint="--counts")
    return counts


def files() -> ModuleType:
    """Import what reads files: the figures of whole surveys take longer to import than one estimate takes."""
    from server.cli.estimates import survey_files

    return survey_files
