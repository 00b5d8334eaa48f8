"""``candor user``: manage staff accounts, also when nobody can sign in any more."""

from __future__ import annotations

import sys

import click

from server.cli.shared.described_group import DescribedGroup
from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage
from server.database import Location
from server.options import DATABASE
from server.store import surveys
from server.store.engine import Connection
from server.store.staff import accounts, identities, leaving, rights, second_factor
from server.store.staff.accounts import ROLES, Account, AccountError, Role
from server.store.staff.audit import COMMAND_LINE, noted

STDIN = click.option(
    "--password-stdin", is_flag=True, help="Read the password from the first line of standard input."
)


@click.group(cls=DescribedGroup, epilog=examples("candor user list"))
def user() -> None:
    """Add, change and remove staff accounts."""


@user.command(
    params=[DATABASE],
    epilog=examples(
        "candor user add eve --role editor --password-stdin < password.txt",
        "candor user add ben --role researcher --all-surveys --password-stdin < password.txt",
    ),
)
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), default="researcher", show_default=True)
@click.option("--survey", "slugs", multiple=True, metavar="SLUG", help="A survey to give; may be repeated.")
@click.option("--all-surveys", is_flag=True, help="Let a researcher read every survey, also later ones.")
@STDIN
def add(
    database: Location,
    name: str,
    role: Role,
    slugs: tuple[str, ...],
    all_surveys: bool,
    password_stdin: bool,
) -> None:
    """Add an account.

    An admin sees every survey, an editor those they make or are given, a researcher the results of those they
    are given.
    """
    if all_surveys and role != "researcher":
        raise click.UsageError(f"--all-surveys is for researchers, got --role {role}")
    with storage(database) as opened:
        known = opened.read(surveys.numbers)
        if unknown := [slug for slug in slugs if slug not in known]:
            wrong = f"must be the name of a survey, got {unknown[0]!r}"
            raise click.BadParameter(wrong, param_hint="--survey")
        password_hash = new_password_hash(password_stdin)
        try:
            insert = noted(rights.add, COMMAND_LINE, "account_added", about=name)
            survey_ids = [known[slug] for slug in slugs]
            account = opened.write(insert, name, password_hash, role, all_surveys, survey_ids)
        except AccountError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"{account.name} can now sign in as {account.role}")


@user.command(name="list", params=[DATABASE], epilog=examples("candor user list"))
def list_accounts(database: Location) -> None:
    """List the accounts with their roles."""
    with storage(database) as opened:
        for account in opened.read(accounts.all_accounts):
            click.echo(f"{account.role:<10}  {account.name}")


@user.command(params=[DATABASE], epilog=examples("candor user password cleo --password-stdin < password.txt"))
@click.argument("name")
@STDIN
def password(database: Location, name: str, password_stdin: bool) -> None:
    """Change the password of an account, end its sessions and remove its API tokens.

    If an institution's account signed it in, that ends too.
    """
    with storage(database) as opened:
        account = opened.read(account_named, name)
        issue = noted(identities.issue_password_hash, COMMAND_LINE, "password_issued", about=account.name)
        opened.write(issue, account.id, new_password_hash(password_stdin))
    click.echo(f"{account.name} has a new password and is signed out everywhere")


@user.command(name="reset-factor", params=[DATABASE], epilog=examples("candor user reset-factor cleo"))
@click.argument("name")
def reset_factor(database: Location, name: str) -> None:
    """Remove the second factor of an account, whose owner has lost phone and recovery codes.

    Its sessions end.
    """
    with storage(database) as opened:
        account = opened.read(account_named, name)
        take = noted(second_factor.reset, COMMAND_LINE, "factor_reset", about=account.name)
        opened.write(take, account.id)
    click.echo(f"{account.name} can now sign in with the password alone")


@user.command(
    params=[DATABASE],
    epilog=examples("candor user remove cleo", "candor user remove cleo --hand-over-to ada"),
)
@click.argument("name")
@click.option("--hand-over-to", "heir", metavar="NAME", help="An admin or editor who takes over its surveys.")
def remove(database: Location, name: str, heir: str | None) -> None:
    """Remove an account; its sessions, API tokens and links end.

    If it owns surveys, somebody has to take them over.
    """
    with storage(database) as opened:
        issuer = opened.read(identities.issuer_of, opened.read(account_named, name).id)
        try:
            account, owner, slugs = opened.write(hand_over_and_remove, name, heir)
        except AccountError as error:
            raise click.ClickException(str(error)) from error
    click.echo(f"{account.name} has been removed")
    if owner and slugs:
        click.echo(f"{owner.name} now owns {', '.join(slugs)}")
    if issuer:
        click.echo(f"whoever is in a group of {issuer} still gets a new account at the next sign-in")


def new_password_hash(password_stdin: bool) -> str:
    """Ask for a password twice, or read it from standard input, and return its hash.

    Raises
    ------
    click.ClickException
        If it is too short or too long, or there is nobody to ask.
    """
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else typed_twice()
    try:
        return accounts.hash_password(password)
    except AccountError as error:
        raise click.ClickException(str(error)) from error


def typed_twice() -> str:
    """Ask for a password twice.

    Raises
    ------
    click.ClickException
        If there is nobody to ask.
    """
    try:
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    except click.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        click.echo(err=True)
        raise click.ClickException(
            "nobody can be asked for a password here: send it on standard input, with --password-stdin"
        ) from None
    return password


def account_named(db: Connection, name: str) -> Account:
    """Return the account of this name.

    Raises
    ------
    click.ClickException
        If there is none.
    """
    account = accounts.by_name(db, name)
    if account is None:
        raise click.ClickException(f"NAME must be the name of an account, got {name!r}")
    return account


def hand_over_and_remove(
    db: Connection, name: str, heir: str | None
) -> tuple[Account, Account | None, list[str]]:
    """Remove the account of this name, and return it with whoever takes over which surveys.

    Raises
    ------
    click.ClickException
        If it owns surveys, and nobody is named who can take them over.
    """
    account = account_named(db, name)
    able, owned = leaving.heirs(db, account.id), rights.owned_by(db, account.id)
    owner = next((other for other in able if heir and other.name.lower() == heir.lower()), None)
    if heir is not None and owner is None:
        wrong = f"must be the name of another admin or editor, got {heir!r}"
        raise click.BadParameter(wrong, param_hint="--hand-over-to")
    if owned and owner is None:
        raise click.ClickException(
            f"{account.name} owns {', '.join(owned)}: name who takes them over, with --hand-over-to"
        )
    chosen = dict.fromkeys(owned.values(), owner.id) if owner else {}
    return leaving.remove(db, account.id, chosen, COMMAND_LINE), owner, list(owned)
