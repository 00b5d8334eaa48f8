"""``candor survey``: check survey files, import and export them, open drafts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from server.cli.picture_files import read_beside, write_beside
from server.cli.shared.described_group import DescribedGroup
from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage
from server.cli.shared.survey_file import published, read
from server.database import Location
from server.option_types import FILE
from server.options import DATABASE
from server.store import pictures, surveys
from server.store.drafts import DraftChangedError
from server.store.engine import Connection
from server.store.lifecycle import life, opening
from server.store.lifecycle.opening import PastItsEnd
from server.store.pictures import StoredPicture
from server.store.staff.audit import COMMAND_LINE
from server.store.surveys import SlugTaken, publication_of
from server.xlsform.reader import CannotHold
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.definition import Definition
from survey.fields import DefinitionError, Problem
from survey.picture import named_in
from survey.publication import Publication
from survey.review import warnings
from survey.schema import as_json

FORMATS = ("toml", "xlsform")


@click.group(cls=DescribedGroup, epilog=examples("candor survey check health.toml"))
def survey() -> None:
    """Check, import and export survey files."""


@survey.command(epilog=examples("candor survey check health.toml"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
def check(files: tuple[Path, ...]) -> None:
    """Check survey files, and print what is wrong: file, key, what is allowed, what was found.

    The exit status is 1 if a file cannot be used. Warnings name what keeps it from being opened, figures
    beyond the limits that are advised, and words that promise too much.
    """
    failed = False
    for file in files:
        try:
            publication = published(read(file), str(file))
        except DefinitionError as error:
            click.echo(error, err=True)
            failed = True
        else:
            click.echo(f"{file}: {described(publication)}")
            lacks = opening.lacks(publication.definition.as_dict(), datetime.now(UTC).date())
            for warning in (*warnings(publication), *lacks):
                click.echo(f"{file}: warning: {warning}", err=True)
    if failed:
        raise click.exceptions.Exit(1)


@survey.command(
    name="import",
    params=[DATABASE],
    epilog=examples("candor survey import health.toml", "candor survey import form.xlsx --leave-out"),
)
@click.argument("file", type=FILE)
@click.option("--leave-out", is_flag=True, help="Go on without what a form holds and no survey can hold.")
def import_file(database: Location, file: Path, leave_out: bool) -> None:
    """Make a draft from a survey file, or from an XLSForm with a name that ends in .xlsx.

    Pictures are read from the folder "pictures" beside the file, as they are exported.

    A form has columns that begin with ldp:: for what XLSForm has no word for, such as ldp::mechanism and
    ldp::epsilon: export a survey to see them. What no survey can hold is named with sheet, row and column.
    """
    try:
        imported = read_file(file.read_bytes(), str(file), leave_out)
        beside = [*read_beside(file, imported.definition)]
        with storage(database) as opened:
            draft, lacking = opened.write(imported_with, imported.definition, beside)
    except CannotHold as error:
        raise click.ClickException(f"{error}\nWith --leave-out it is imported without these.") from error
    except (DefinitionError, SlugTaken) as error:
        raise click.ClickException(str(error)) from error
    for problem in imported.left_out:
        click.echo(f"{file}: left out: {problem}", err=True)
    for problem in lacking:
        click.echo(f"{file}: {problem}", err=True)
    click.echo(f"{draft.slug} is now a draft: /admin/surveys/{draft.slug}")


def imported_with(
    db: Connection, definition: Definition, beside: Iterable[StoredPicture]
) -> tuple[surveys.Survey, list[Problem]]:
    """Store a draft with its pictures; return it with a problem for each picture that is missing."""
    draft = surveys.import_definition(db, definition)
    for picture in beside:
        pictures.put(db, draft.id, picture)
    return draft, pictures.lacking(db, draft.id, draft.draft or {})


@survey.command(
    params=[DATABASE],
    epilog=examples(
        "candor survey export exams",
        "candor survey export exams --format xlsform --output exams.xlsx",
    ),
)
@click.argument("slug")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="A survey file, or an XLSForm.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write to this file."
)
def export(database: Location, slug: str, form: str, output: Path | None) -> None:
    """Export a survey as a survey file or as an XLSForm, to standard output by default.

    With --output, its pictures are written into the folder "pictures" beside the file.
    """
    with storage(database) as opened:
        stored = opened.read(surveys.by_slug, slug)
        held = opened.read(pictures_of, stored) if stored else []
    if stored is None:
        raise click.ClickException(f"SLUG must be the name of a survey, got {slug!r}")
    try:
        definition = (stored.publication or publication_of(stored)).definition
    except DefinitionError as error:
        raise click.ClickException(f"the draft is not complete:\n{error}") from error
    try:
        data = write_xlsform(definition) if form == "xlsform" else definition.as_toml().encode()
    except DefinitionError as error:
        raise click.ClickException(str(error)) from error
    if output is None:
        click.echo(data, nl=False)
        if held:
            click.echo(f"{slug} has {len(held)} pictures, which are written with --output", err=True)
    else:
        output.write_bytes(data)
        write_beside(output, held)
        click.echo(f"{slug} is now in {output}")


@survey.command(
    name="open",
    params=[DATABASE],
    epilog=examples("candor survey open pilot", 'candor survey open pilot --reason "Only we answer it"'),
)
@click.argument("slug")
@click.option("--reason", default="", help="Why it is opened, which a survey that protects little needs.")
def open_draft(database: Location, slug: str, reason: str) -> None:
    """Open a draft for respondents, as the editor does; after that nothing in it can be changed."""
    with storage(database) as opened:
        stored = opened.read(surveys.by_slug, slug)
        if stored is None or stored.document is None:
            raise click.ClickException(f"SLUG must be the name of a draft, got {slug!r}")
        now = datetime.now(UTC).timestamp()
        publication, problems = opening.ready(opened, stored, opened.read(life.of, stored.id), now)
        try:
            if publication is None:
                raise DefinitionError(slug, problems)
            opening.open_as_confirmed(opened, stored.id, publication.fingerprint, COMMAND_LINE, now, reason)
        except (DefinitionError, PastItsEnd) as error:
            raise click.ClickException(f"the draft cannot be opened:\n{error}") from error
        except DraftChangedError as error:
            raise click.ClickException(f"{slug} was changed meanwhile, or a field of it is wrong") from error
    click.echo(f"{slug} is open, with the fingerprint {publication.fingerprint}: /s/{slug}")


def pictures_of(db: Connection, stored: surveys.Survey) -> list[StoredPicture]:
    """Read those pictures of a survey that are stored."""
    shown = stored.publication.definition.as_dict() if stored.publication else stored.draft or {}
    names = dict.fromkeys(picture["sha256"] for _, picture in named_in(shown))
    return [picture for name in names if (picture := pictures.used_by(db, stored.id, name))]


@survey.command(epilog=examples("candor survey schema"))
def schema() -> None:
    """Print the JSON Schema of survey files, for editors that complete and check while one writes.

    A server has it at /survey.schema.json. A survey file names it in its first line, after "#:schema ".
    """
    click.echo(as_json(), nl=False)


def described(publication: Publication) -> str:
    """Describe a survey in one line."""
    definition, total = publication.definition, publication.budget
    questions, languages = len(definition.questions), ", ".join(definition.languages)
    loss = f"epsilon {total.epsilon:.4g}" + (f" and delta {total.delta:.2g}" if total.delta else "")
    drawn = f"; each person is asked {definition.asked} of {len(definition.drawn)} drawn sections"
    asked = drawn if definition.samples else ""
    return f"good: {definition.slug}, {questions} questions, in {languages}, {loss} in all{asked}"
