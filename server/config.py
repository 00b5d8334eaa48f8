"""How the server is set up: read from the environment, checked, and then never changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SHORTEST_SECRET = 32
SHORTEST_PASSWORD = 12
MOST_PER_MINUTE = 1_000_000
MOST_HOPS = 10


class ConfigError(ValueError):
    """An environment variable that cannot be used."""


@dataclass(frozen=True)
class Config:
    """What the environment decides.

    Attributes
    ----------
    database : Path
        The SQLite file.
    secret_key : str or None
        Signs staff sessions; None for a key that is drawn once and kept in the database.
    admin_name, admin_password : str or None
        The first admin, made when the database has no account.
    rate_limit : int
        Submissions a minute from one address, counted per worker; 0 for no limit.
    proxy_hops : int
        How many proxies stand in front and set X-Forwarded-For, -Proto and -Host.
    bind : str
        ``host:port`` to listen on.
    """

    database: Path = Path("candor.db")
    secret_key: str | None = field(default=None, repr=False)
    admin_name: str | None = None
    admin_password: str | None = field(default=None, repr=False)
    rate_limit: int = 1200
    proxy_hops: int = 0
    bind: str = "127.0.0.1:8000"


def from_environment(environment: Mapping[str, str] = os.environ) -> Config:
    """Read the ``CANDOR_...`` variables; an empty one counts as not set.

    Raises
    ------
    ConfigError
        With the variable's name, what it may hold, and what it holds (secrets by their length).
    """
    admin_name = environment.get("CANDOR_ADMIN_NAME") or None
    admin_password = secret(environment, "CANDOR_ADMIN_PASSWORD", SHORTEST_PASSWORD)
    if (admin_name is None) != (admin_password is None):
        raise ConfigError("CANDOR_ADMIN_NAME and CANDOR_ADMIN_PASSWORD must be set together, got only one")
    return Config(
        database=database(environment),
        secret_key=secret(environment, "CANDOR_SECRET_KEY", SHORTEST_SECRET),
        admin_name=admin_name,
        admin_password=admin_password,
        rate_limit=whole(environment, "CANDOR_RATE_LIMIT", MOST_PER_MINUTE, Config.rate_limit),
        proxy_hops=whole(environment, "CANDOR_PROXY_HOPS", MOST_HOPS, Config.proxy_hops),
        bind=bind(environment),
    )


def database(environment: Mapping[str, str]) -> Path:
    """Read the database's path: a file, or a name in a folder that exists."""
    path = Path(environment.get("CANDOR_DATABASE") or Config.database)
    if path.is_dir() or not path.parent.is_dir():
        raise ConfigError(f"CANDOR_DATABASE must be a file in a folder that exists, got {str(path)!r}")
    return path


def secret(environment: Mapping[str, str], name: str, shortest: int) -> str | None:
    """Read a secret of a least length; the message never repeats it."""
    value = environment.get(name) or None
    if value is not None and len(value) < shortest:
        raise ConfigError(f"{name} must be at least {shortest} characters long, got {len(value)} characters")
    return value


def whole(environment: Mapping[str, str], name: str, high: int, default: int) -> int:
    """Read a whole number from 0 to `high`."""
    value = environment.get(name) or str(default)
    if not (value.isascii() and value.isdecimal() and int(value) <= high):
        raise ConfigError(f"{name} must be a whole number from 0 to {high}, got {value!r}")
    return int(value)


def bind(environment: Mapping[str, str]) -> str:
    """Read ``host:port``."""
    value = environment.get("CANDOR_BIND") or Config.bind
    host, _, port = value.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise ConfigError(f"CANDOR_BIND must be host:port with a port from 0 to 65535, got {value!r}")
    return value
