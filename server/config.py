"""The settings of a server, which `server.options` reads; they never change while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from server.database import Location
from server.providers import SignInRules


class ConfigError(ValueError):
    """A setting that cannot be used."""


@dataclass(frozen=True)
class Config:
    """The settings from the options of ``candor serve`` and the environment.

    Attributes
    ----------
    database : Path or PostgreSQLURL
        The SQLite file, or the address of the PostgreSQL database.
    bind : str
        ``host:port`` to listen on.
    rate_limit : int
        Submissions a minute from one address or IPv6 /64, counted per worker; 0 for no limit.
    strangers_share : int
        Percent of a worker's time for whoever is neither signed in nor a respondent; 0 for no limit.
    base_address : str or None
        The address under which people reach the pages. Without it, pages name no picture to chats.
    proxy_hops : int
        Number of proxies in front that set X-Forwarded-For, -Proto, -Host and -Prefix.
    style : bool
        Whether to serve the development page of components.
    log_format : str
        ``text``, or ``json`` for a line of JSON each.
    admin_name, admin_password : str or None
        The first admin, made when the database has no account.
    secret_key : str or None
        Signs staff sessions; None for a key that is drawn once and stored in the database.
    metrics_token : str or None
        Opens ``/metrics``; None to serve no metrics.
    accept : frozenset of str
        Parts of the schema that Candor did not make and that nobody need be warned of, as warnings name them.
    heads : Path, str or None
        The file or the address to which the head of the audit log goes each hour.
    oidc : SignInRules or None
        Who else signs staff in; None for accounts with a password only.

    Raises
    ------
    ConfigError
        If the first admin has a name or a password and not both.
    """

    database: Location = Path("candor.db")
    bind: str = "127.0.0.1:8000"
    rate_limit: int = 1200
    strangers_share: int = 10
    base_address: str | None = None
    proxy_hops: int = 0
    style: bool = False
    log_format: str = "text"
    admin_name: str | None = None
    admin_password: str | None = field(default=None, repr=False)
    secret_key: str | None = field(default=None, repr=False)
    metrics_token: str | None = field(default=None, repr=False)
    accept: frozenset[str] = frozenset()
    heads: Path | str | None = field(default=None, repr=False)
    oidc: SignInRules | None = None

    def __post_init__(self) -> None:
        if (self.admin_name is None) != (self.admin_password is None):
            raise ConfigError("CANDOR_ADMIN_NAME and CANDOR_ADMIN_PASSWORD must both be set, got only one")

    @property
    def sign_in(self) -> SignInRules:
        """The ways in which staff may sign in."""
        return self.oidc or SignInRules()
