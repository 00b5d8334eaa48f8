"""``candor survey``: survey files and the database."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.environment import storage
from server.database import Location
from server.options import DATABASE
from server.store import surveys
from server.store.surveys import SlugTaken
from survey import direction
from survey.definition import Definition, from_dict, parse
from survey.fields import DefinitionError
from survey.publication import publish

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def survey() -> None:
    """Check, import and export survey files."""


@survey.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
def check(files: tuple[Path, ...]) -> None:
    """Check survey files, and print what is wrong: file, key, what is allowed, what was found.

    The exit status is 1 if a file cannot be used.
    """
    failed = False
    for file in files:
        try:
            definition = read(file)
            description = described(definition, str(file))
        except DefinitionError as error:
            click.echo(error, err=True)
            failed = True
        else:
            click.echo(f"{file}: {description}")
            for warning in direction.warnings(definition):
                click.echo(f"{file}: warning: {warning}", err=True)
    if failed:
        raise click.exceptions.Exit(1)


@survey.command(name="import", params=[DATABASE])
@click.argument("file", type=FILE)
def import_file(database: Location, file: Path) -> None:
    """Make a draft from a survey file."""
    try:
        definition = read(file)
        with storage(database) as opened:
            draft = opened.write(surveys.import_definition, definition)
    except (DefinitionError, SlugTaken) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{draft.slug} is now a draft: /admin/surveys/{draft.slug}")


@survey.command(params=[DATABASE])
@click.argument("slug")
@click.option(
    "--output", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write to this file."
)
def export(database: Location, slug: str, output: Path | None) -> None:
    """Export a survey as a survey file, to standard output by default."""
    with storage(database) as opened:
        found = opened.read(surveys.by_slug, slug)
    if found is None:
        raise click.ClickException(f"SLUG must be the name of a survey, got {slug!r}")
    try:
        definition = (
            found.publication.definition if found.publication else from_dict(found.draft or {}, found.slug)
        )
    except DefinitionError as error:
        raise click.ClickException(f"the draft is not complete:\n{error}") from error
    if output is None:
        click.echo(definition.as_toml(), nl=False)
    else:
        output.write_text(definition.as_toml(), encoding="utf-8")


def read(file: Path) -> Definition:
    """Read a survey file; bytes that are not UTF-8 are a problem of the file like any other."""
    return parse(file.read_text(encoding="utf-8", errors="backslashreplace"), str(file))


def described(definition: Definition, source: str) -> str:
    """Describe a survey file in one line.

    Raises
    ------
    DefinitionError
        If it cannot be published, such as one above its limit; the error names the source.
    """
    questions, languages = len(definition.questions), ", ".join(definition.languages)
    try:
        total = publish(definition).budget
    except DefinitionError as error:
        raise DefinitionError(source, list(error.problems)) from None
    loss = f"epsilon {total.epsilon:.4g}" + (f" and delta {total.delta:.2g}" if total.delta else "")
    drawn = f"; each person is asked {definition.asked} of {len(definition.drawn)} drawn sections"
    asked = drawn if definition.samples else ""
    return f"good: {definition.slug}, {questions} questions, in {languages}, {loss} in all{asked}"
