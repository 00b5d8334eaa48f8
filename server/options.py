"""The options of ``candor serve``, and the variables of the environment that can replace them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from server import providers
from server.config import Config, ConfigError
from server.database import location, shown
from server.option_types import CheckedType, RefusedOption, SettingsFile

SHORTEST_SECRET = 32
SHORTEST_PASSWORD = 12
MOST_PER_MINUTE = 1_000_000
MOST_HOPS = 10


def from_environment() -> Config:
    """Read the ``CANDOR_...`` variables; an empty one counts as not set.

    Raises
    ------
    ConfigError
        With the variable's name, its allowed values, and its value (of a secret, the length).
    """
    try:
        with click.Command("environment", params=[*SETTINGS]).make_context("environment", []) as context:
            return Config(**context.params)
    except click.BadParameter as error:
        raise ConfigError(f"{error.param and error.param.envvar} {error.message}") from error


class OnlyVariable(click.Option):
    """A setting without an option, since everybody on a machine can read its command lines."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add no option to the command line."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """List the variable in the help."""
        return str(self.envvar), f"{self.help}  [only in the environment]"

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Name the variable in an error."""
        return str(self.envvar)


def setting(
    name: str, kind: Any, text: str, cls: type[click.Option] = click.Option, **more: Any
) -> click.Option:
    """Build the option of a field of `Config`, with its default and a variable of the same name."""
    return cls(
        [f"--{name.replace('_', '-')}"],
        envvar=f"CANDOR_{name.upper()}",
        show_envvar=True,
        type=kind,
        default=getattr(Config, name),
        show_default=getattr(Config, name) != frozenset(),
        help=text,
        **more,
    )


def whole(high: int) -> CheckedType:
    """Build the type of a whole number from 0 to `high`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and int(text) <= high):
            raise ValueError
        return int(text)

    return CheckedType("number", f"a whole number from 0 to {high}", read)


def length(text: str) -> str:
    """Show the length of a secret in place of it."""
    return f"{len(text)} characters"


def secret(shortest: int) -> CheckedType:
    """Build the type of a secret with a least length."""

    def read(text: str) -> str:
        if len(text) < shortest:
            raise ValueError
        return text

    return CheckedType("text", f"at least {shortest} characters long", read, shown=length)


def address(text: str) -> str:
    """Check ``host:port``."""
    host, _, port = text.rpartition(":")
    if not host:
        raise ValueError
    whole(65535).read(port)
    return text


def log_format(text: str) -> str:
    """Read the format of the log."""
    if text not in ("text", "json"):
        raise ValueError
    return text


def destination(text: str) -> Path | str:
    """Read where heads of the audit log go: a file in a folder that exists, or an address."""
    if "://" not in text:
        path = Path(text)
        if path.is_dir() or not path.parent.is_dir():
            raise ValueError
        return path
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.username or url.fragment:
        raise ValueError
    _ = url.port  # raises where it is no number
    return text


def base_address(text: str) -> str:
    """Read the address under which people reach the pages, and leave out a stroke at its end."""
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.username or url.query or url.fragment:
        raise ValueError
    _ = url.port  # raises where it is no number
    return text.rstrip("/")


def names(text: str) -> frozenset[str]:
    """Read names that semicolons separate."""
    return frozenset(name.strip() for name in text.split(";") if name.strip())


LOCATION = CheckedType(
    "file or URL",
    "a file in a folder that exists, or postgresql://user@host/database",
    location,
    shown=shown,
    error=RefusedOption,
)
ADDRESS = CheckedType("host:port", "host:port with a port from 0 to 65535", address)
FORMAT = CheckedType("format", "text or json", log_format)
PASSWORD = secret(SHORTEST_PASSWORD)

DATABASE = setting("database", LOCATION, "The SQLite file, or the URL of a PostgreSQL database.")
ACCEPT = setting(
    "accept",
    CheckedType("names", "names, separated by semicolons", names),
    "What Candor did not make beside its tables and you did: the names in its warnings, between semicolons.",
)
SETTINGS = (
    DATABASE,
    ACCEPT,
    setting("bind", ADDRESS, "Where to listen."),
    setting(
        "rate_limit",
        whole(MOST_PER_MINUTE),
        "Submissions a minute from one address or IPv6 /64, in each worker; 0 is no limit.",
    ),
    setting(
        "strangers_share",
        whole(100),
        "Percent of a worker's time for whoever is neither signed in nor a respondent; 0 is no limit.",
    ),
    setting(
        "base_address",
        CheckedType("URL", "https://host or https://host/path", base_address, shown=shown),
        "Where people reach the server; links to it get a picture in chats only if this is set.",
    ),
    setting("proxy_hops", whole(MOST_HOPS), "How many proxies in front of the server are trusted."),
    setting(
        "heads",
        CheckedType(
            "file or URL", "a file in a folder that exists, or https://host/path", destination, shown=shown
        ),
        "The file or the address to which the head of the audit log goes each hour.",
    ),
    setting("oidc", SettingsFile(providers.read), "The TOML file of the providers that sign staff in."),
    setting("style", bool, "Serve /style, which shows every component of the pages.", is_flag=True),
    setting("log_format", FORMAT, "How the server writes its log: text, or a line of JSON for each event."),
    setting("admin_name", str, "Name of the first admin, where nobody can be asked.", OnlyVariable),
    setting("admin_password", PASSWORD, "Password of the first admin, 12 characters or more.", OnlyVariable),
    setting(
        "secret_key",
        secret(SHORTEST_SECRET),
        "Key that signs staff sessions; drawn at random if absent.",
        OnlyVariable,
    ),
    setting(
        "metrics_token",
        secret(SHORTEST_SECRET),
        "Serve /metrics to whoever sends this as a bearer token.",
        OnlyVariable,
    ),
)
"""One for each field of `Config`."""
