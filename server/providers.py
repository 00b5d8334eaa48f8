"""The providers of OpenID Connect with whose accounts staff sign in, read from a file of the operator's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

ROLES: tuple[Literal["admin", "editor", "researcher"], ...] = ("admin", "editor", "researcher")
"""From the one that may do most: whoever is in several groups gets the first of their roles."""

NAME = re.compile(r"[a-z0-9-]{1,32}")
LONGEST = 500
MOST_HOURS = 10
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NEEDED = ("authlib", "requests")
NO_AUTHLIB = "needs the packages authlib and requests: install candor-survey[oidc]"


@dataclass(frozen=True)
class Provider:
    """A provider at which this server is registered.

    Attributes
    ----------
    name : str
        Stands in the address to which the provider leads people back.
    title : str
        Stands on the button.
    issuer, client_id, client_secret : str
        As they are registered there.
    roles : mapping of str to str
        Group -> role of its members.
    groups_claim : str
        The claim that lists somebody's groups; dots lead into claims within claims.
    name_claim : str
        The claim that names a new account.
    scope : str
        Asked for, between spaces.
    session_hours : int
        Hours after which the provider is asked again.
    """

    name: str
    title: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    roles: Mapping[str, Literal["admin", "editor", "researcher"]]
    groups_claim: str = "groups"
    name_claim: str = "preferred_username"
    scope: str = "openid profile email"
    session_hours: int = 4


@dataclass(frozen=True)
class SignInRules:
    """The ways in which staff may sign in.

    Attributes
    ----------
    providers : tuple of Provider
    local_accounts : bool
        Whether accounts with a password of their own may sign in.
    break_glass : str or None
        The local account that always may, with its second factor.
    files : tuple of Path
        The files that all this was read from.
    """

    providers: tuple[Provider, ...] = ()
    local_accounts: bool = True
    break_glass: str | None = None
    files: tuple[Path, ...] = field(default=(), compare=False)

    def is_break_glass(self, name: str) -> bool:
        """Return whether an account of this name is kept for emergencies.

        Only the case of A to Z is the same, as in the names of accounts: "opſ" is another account than "ops".
        """
        return self.break_glass is not None and self.break_glass.encode().lower() == name.encode().lower()

    def of_issuer(self, issuer: str) -> Provider | None:
        """Return the provider with an issuer, or None."""
        return next((each for each in self.providers if each.issuer == issuer), None)


def text(value: Any) -> str:
    """Read a text on one line."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST or not value.isprintable():
        raise ValueError
    return value


def name(value: Any) -> str:
    """Read the name of a provider."""
    if not NAME.fullmatch(text(value)):
        raise ValueError
    return str(value)


def address(value: Any) -> str:
    """Read an issuer: by https, or by http on this computer."""
    url = urlsplit(text(value))
    if url.scheme != "https" and not (url.scheme == "http" and url.hostname in LOOPBACK):
        raise ValueError
    if not url.hostname or url.username or url.query or url.fragment:
        raise ValueError
    _ = url.port  # raises where it is no number
    return str(value)


def openid(value: Any) -> str:
    """Read the scope, in which ``openid`` makes the provider say who somebody is."""
    if "openid" not in text(value).split():
        raise ValueError
    return str(value)


def hours(value: Any) -> int:
    """Read a number of hours."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST_HOURS:
        raise ValueError
    return value


def roles(value: Any) -> dict[str, str]:
    """Read the role of each group."""
    if not isinstance(value, dict) or not value or not set(map(str, value.values())) <= set(ROLES):
        raise ValueError
    return {text(group): role for group, role in value.items()}


def yes_or_no(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError
    return value


Field = tuple[Callable[[Any], Any], str]

TEXT: Field = text, f"1 to {LONGEST} characters on one line"
SECRETS = ("client_secret", "client_secret_file")

PROVIDER: Mapping[str, Field] = {
    "name": (name, "1 to 32 of the characters a-z, 0-9 and -"),
    "title": TEXT,
    "issuer": (address, "https://host or https://host/path, as the provider writes it"),
    "client_id": TEXT,
    "client_secret": TEXT,
    "client_secret_file": TEXT,
    "roles": (roles, f'a table such as {{ "group" = "role" }} with the roles {", ".join(ROLES)}'),
    "groups_claim": TEXT,
    "name_claim": TEXT,
    "scope": (openid, "scopes between spaces, openid among them"),
    "session_hours": (hours, f"a whole number from 1 to {MOST_HOURS}"),
}
REQUIRED = ("name", "title", "issuer", "client_id", "roles")

TOP: Mapping[str, Field] = {
    "local_accounts": (yes_or_no, "true or false"),
    "break_glass": (text, "the name of a local account"),
}


def read(path: Path) -> SignInRules:
    """Read the file that CANDOR_OIDC names.

    Raises
    ------
    ValueError
        With a sentence that names the field, what it may hold, and what it holds; of a secret, the length.
    """
    if missing := [package for package in NEEDED if find_spec(package) is None]:
        raise ValueError(f"{NO_AUTHLIB} ({' and '.join(missing)} not found)")
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"must name a file that can be read, got {str(path)!r}: {error.strerror}") from None
    except ValueError as error:  # TOML, or UTF-8
        raise ValueError(f"must name a TOML file; {path} is none: {error}") from None
    listed = tables.pop("provider", None)
    if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
        raise ValueError(f"must name a file with at least one [[provider]], got none in {path}")
    top = checked(tables, TOP, f"{path}:")
    providers = tuple(
        provider(table, f"{path}: provider {number}:", path.parent) for number, table in enumerate(listed, 1)
    )
    for unique in ("name", "issuer"):
        values = [getattr(each, unique) for each in providers]
        if twice := next((value for value in values if values.count(value) > 1), None):
            raise ValueError(f"{path}: {unique} must differ between providers, got {twice!r} twice")
    secrets = [table[SECRETS[1]] for table in listed if SECRETS[1] in table]
    files = (path, *(path.parent / name for name in secrets))
    rules = SignInRules(providers, **top, files=files)
    if not rules.local_accounts and rules.break_glass is None:
        raise ValueError(
            f"{path}: break_glass must name a local account where local_accounts is false, got nothing"
        )
    return rules


def provider(table: Mapping[str, Any], place: str, folder: Path) -> Provider:
    """Read a provider's table; the file of a secret lies in the same folder unless its path is absolute."""
    values = checked(table, PROVIDER, place)
    for key in REQUIRED:
        if key not in values:
            raise ValueError(f"{place} {key} must be {PROVIDER[key][1]}, got nothing")
    if len(given := [key for key in SECRETS if key in values]) != 1:
        raise ValueError(f"{place} one of {' and '.join(SECRETS)} must be set, got {len(given)} of them")
    file = values.pop("client_secret_file", None)
    if file is not None:
        values["client_secret"] = secret_in(folder / file, place)
    return Provider(**values)


def checked(table: Mapping[str, Any], fields: Mapping[str, Field], place: str) -> dict[str, Any]:
    """Read the fields of a table."""
    values = {}
    for key, value in table.items():
        if key not in fields:
            raise ValueError(f"{place} the fields are {', '.join(fields)}, got {key!r}")
        read_value, allowed = fields[key]
        try:
            values[key] = read_value(value)
        except ValueError:
            shown = f"{len(str(value))} characters" if key == "client_secret" else repr(value)
            raise ValueError(f"{place} {key} must be {allowed}, got {shown}") from None
    return values


def secret_in(path: Path, place: str) -> str:
    """Read a secret from a file of its own, without the end of its line."""
    try:
        return text(path.read_text("utf-8").strip())
    except (OSError, ValueError):
        raise ValueError(
            f"{place} client_secret_file must be a file with the secret on one line, got {str(path)!r}"
        ) from None
