"""Talk to a provider of OpenID Connect: where it signs people in, with which keys, and who somebody is.

What it says about itself is remembered for an hour, and that it does not answer for half a minute: so a
stranger makes this server ask for it no more often.

Only a server with a provider imports this module: what it needs is an extra, and slow to load.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, import_key
from joserfc.jws import JWSRegistry
from requests import RequestException, Response
from urllib3.exceptions import HTTPError

from server.providers import LOOPBACK, Provider
from server.runtime import offload
from server.store.staff.identities import Person

log = logging.getLogger(__name__)

SECONDS = 10.0
"""Seconds that one step of a sign-in may wait for a provider, whatever it sends meanwhile."""

SILENCE = 5.0
"""Seconds for which a provider may send nothing."""

MOST_BYTES = 256 * 1024
"""The longest answer that is read."""

KEPT_SECONDS = 3600.0
"""Seconds for which description and keys are remembered: after them, a key that it dropped is refused."""

RETRY_SECONDS = 30.0
"""Seconds after a failure, or after the keys were fetched, in which nothing is fetched again."""

LEEWAY = 60
"""Seconds by which the provider's clock may differ."""

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
"""Signatures with a key that only the provider has."""

LONGEST_SUBJECT = 255
LONGEST_SHOWN = 100
"""Signs of a name that are shown; what else stands there is left out."""


class ProviderAway(Exception):
    """Raised when a provider does not answer in time, or with something that is no answer."""


class ProviderRefused(Exception):
    """Raised when a provider does not vouch for somebody, or its word cannot be relied on."""


class CodeRefused(ProviderRefused):
    """Raised when a provider knows nothing of a code: anybody can make one up."""


@dataclass(frozen=True)
class Pending:
    """A sign-in that has begun; it lies in the signed cookie of the browser that began it.

    Attributes
    ----------
    provider, state, nonce, verifier, callback : str
        As they were sent to the provider; of the verifier, only a hash.
    since : int
        Seconds since 1970.
    fresh : bool
        Whether the provider was asked to make sure who it is, even if they are signed in there.
    """

    provider: str
    state: str
    nonce: str
    verifier: str
    callback: str
    since: int
    fresh: bool


@dataclass(frozen=True)
class Description:
    """The parts of a provider's description of itself that matter here."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None
    secret_in_body: bool


class ProviderClient:
    """Asks one provider, and remembers what it says about itself.

    Parameters
    ----------
    provider : Provider
    timer : callable
        Returns seconds of a clock that never goes back.
    """

    def __init__(self, provider: Provider, timer: Callable[[], float] = time.monotonic) -> None:
        self.provider = provider
        self.timer = timer
        self.lock = Lock()
        self.description: Description | None = None
        self.keys: list[Any] = []
        self.fetched = self.failed = float("-inf")

    def begin(self, callback: str, now: float, fresh: bool = False) -> tuple[str, Pending]:
        """Return the address at which a person signs in, and what to remember until they come back.

        Raises
        ------
        ProviderAway
        """
        with within(SECONDS):
            description, _ = self.known()
        state, nonce, verifier = generate_token(32), generate_token(32), generate_token(64)
        pending = Pending(self.provider.name, state, nonce, verifier, callback, int(now), fresh)
        again = {"prompt": "login", "max_age": 0} if fresh else {}
        with self.session(callback) as session:
            address, _ = session.create_authorization_url(
                description.authorization_endpoint,
                state=pending.state,
                nonce=pending.nonce,
                code_verifier=pending.verifier,
                **again,
            )
        return address, pending

    def finish(self, code: str, pending: Pending, now: float) -> Person:
        """Exchange a code for the provider's word on who came back.

        Raises
        ------
        ProviderAway, ProviderRefused
        """
        with within(SECONDS):
            description, keys = self.known()
            answer = self.exchange(description, code, pending)
            claims = self.verified(answer, keys, pending, now)
            if self.groups_in(claims) is None and description.userinfo_endpoint:
                claims = {**self.userinfo(description.userinfo_endpoint, answer, claims["sub"]), **claims}
        name = next(claims[key] for key in self.names() if isinstance(claims.get(key), str))
        shown = "".join(filter(str.isprintable, name))[:LONGEST_SHOWN]
        return Person(self.provider.issuer, claims["sub"], shown, self.groups_in(claims) or frozenset())

    def names(self) -> tuple[str, ...]:
        """Return the claims that may name somebody, the best first."""
        return self.provider.name_claim, "preferred_username", "email", "name", "sub"

    def known(self, *, anew: bool = False) -> tuple[Description, list[Any]]:
        """Return the provider's description and keys; fetch them if they are old, or the keys seem to be.

        Raises
        ------
        ProviderAway
        """
        with self.lock:
            now = self.timer()
            age = now - self.fetched
            if self.description is not None and age < (RETRY_SECONDS if anew else KEPT_SECONDS):
                return self.description, self.keys
            if now - self.failed < RETRY_SECONDS:
                raise ProviderAway("it did not answer a moment ago")
            try:
                with answered():
                    self.description, self.keys = self.fetch()
            except ProviderAway as error:
                self.failed = self.timer()
                log.warning("the provider %s does not answer: %s", self.provider.name, error)
                raise
            self.fetched = self.timer()
            return self.description, self.keys

    def fetch(self) -> tuple[Description, list[Any]]:
        """Fetch the description and the keys."""
        issuer = self.provider.issuer
        told = self.get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if told.get("issuer") != issuer:
            raise ProviderAway(f"it calls itself {str(told.get('issuer'))[:200]!r}")
        methods = told.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        description = Description(
            safe(told.get("authorization_endpoint")),
            safe(told.get("token_endpoint")),
            safe(told.get("jwks_uri")),
            safe(told["userinfo_endpoint"]) if "userinfo_endpoint" in told else None,
            "client_secret_basic" not in methods and "client_secret_post" in methods,
        )
        listed = self.get(description.jwks_uri).get("keys")
        if not isinstance(listed, list):
            raise ProviderAway("it lists no keys")
        return description, [key for each in listed if (key := read_key(each)) is not None]

    def get(self, address: str, **headers: str) -> dict[str, Any]:
        """Fetch a JSON object."""
        with self.session() as session, answered():
            response = session.request("GET", address, withhold_token=True, headers=headers)
            response.raise_for_status()
            read = response.json()
        if not isinstance(read, dict):
            raise ProviderAway("its answer is no JSON object")
        return read

    def exchange(self, description: Description, code: str, pending: Pending) -> Mapping[str, Any]:
        """Exchange a code for tokens."""
        method = "client_secret_post" if description.secret_in_body else "client_secret_basic"
        try:
            with self.session(pending.callback, method) as session, answered():
                tokens: Mapping[str, Any] = session.fetch_token(
                    description.token_endpoint,
                    grant_type="authorization_code",
                    code=code,
                    code_verifier=pending.verifier,
                )
        except ProviderAway as error:
            log.warning("the provider %s takes no code: %s", self.provider.name, error)
            raise
        except OAuthError as error:
            kind = CodeRefused if error.error == "invalid_grant" else ProviderRefused
            raise kind(f"the code was refused: {error.error}") from error
        return tokens

    def verified(
        self, answer: Mapping[str, Any], keys: list[Any], pending: Pending, now: float
    ) -> dict[str, Any]:
        """Return the claims of an ID token that the provider has signed for this sign-in, now."""
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderRefused("there is no ID token")
        try:
            try:
                decoded = decode(token, keys)
            except (JoseError, ValueError, TypeError):  # perhaps it signs with a new key
                decoded = decode(token, self.known(anew=True)[1])
            claims = CodeIDToken(
                decoded.claims,
                decoded.header,
                {
                    "iss": {"essential": True, "value": self.provider.issuer},
                    "aud": {"essential": True, "value": self.provider.client_id},
                    "nonce": {"essential": True, "value": pending.nonce},
                    "auth_time": {"essential": pending.fresh},
                },
                {"client_id": self.provider.client_id, "nonce": pending.nonce, **answer},
            )
            claims.validate(now=int(now), leeway=LEEWAY)
        except (JoseError, ValueError, TypeError) as error:
            raise ProviderRefused(f"the ID token cannot be relied on: {error}") from error
        if not 1 <= len(claims["sub"]) <= LONGEST_SUBJECT or not claims["sub"].isprintable():
            raise ProviderRefused("the ID token names nobody")
        if pending.fresh and claims["auth_time"] < pending.since - LEEWAY:
            raise ProviderRefused("the ID token is of an earlier sign-in")
        return dict(claims)

    def userinfo(self, address: str, answer: Mapping[str, Any], subject: str) -> dict[str, Any]:
        """Fetch claims that the ID token does not hold."""
        told = self.get(address, Authorization=f"Bearer {answer.get('access_token')}")
        if told.get("sub") != subject:
            raise ProviderRefused("what it tells more is about somebody else")
        return told

    def groups_in(self, claims: Mapping[str, Any]) -> frozenset[str] | None:
        """Return the groups in claims; None if they do not say."""
        path = self.provider.groups_claim
        value: Any = claims
        for key in [path] if path in claims else path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, str):
            return frozenset({value})
        return frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else None

    def session(self, callback: str | None = None, method: str = "client_secret_basic") -> Any:
        """Make a session that reads no long answer and follows nowhere."""
        session = OAuth2Session(
            self.provider.client_id,
            self.provider.client_secret,
            token_endpoint_auth_method=method,
            scope=self.provider.scope,
            redirect_uri=callback,
            code_challenge_method="S256",
            default_timeout=SILENCE,
        )
        session.max_redirects = 0
        session.headers["User-Agent"] = "Candor"
        session.stream = True
        session.hooks["response"].append(bounded)
        return session


def bounded(response: Response, **_: object) -> None:
    """Read no more than `MOST_BYTES` of an answer."""
    body = response.raw.read(MOST_BYTES + 1, decode_content=True)
    response.raw.close()
    if len(body) > MOST_BYTES:
        raise RequestException(f"it answers with more than {MOST_BYTES} bytes")
    response.raw = BytesIO(body)


@contextmanager
def answered() -> Iterator[None]:
    """Turn whatever keeps a provider from answering into `ProviderAway`."""
    try:
        yield
    except (OSError, ValueError, TypeError, HTTPError) as error:  # requests raises kinds of OSError
        raise ProviderAway(str(error)[:500]) from error


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End what takes longer, where gevent serves; elsewhere only silence ends it."""
    if not offload.patched():
        yield
        return
    import gevent  # only where it already serves

    with gevent.Timeout(seconds, ProviderAway(f"it took longer than {seconds:.0f} seconds")):
        yield


def safe(address: Any) -> str:
    """Return an address of a provider's if it is by https, or on this computer."""
    url = urlsplit(address if isinstance(address, str) else "")
    if url.hostname and (url.scheme == "https" or (url.scheme == "http" and url.hostname in LOOPBACK)):
        return str(address)
    raise ProviderAway(f"its addresses must begin with https, got {str(address)[:200]!r}")


def read_key(published: Any) -> Any:
    """Return a published key that can check signatures; None for any other."""
    if not isinstance(published, dict) or published.get("kty") == "oct":
        return None
    try:
        return import_key(published)
    except (JoseError, ValueError, KeyError, TypeError):
        return None


def decode(token: str, keys: list[Any]) -> jwt.Token:
    """Return the header and the claims of a token that one of the keys has signed."""
    registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
    return jwt.decode(token, key=KeySet(keys), registry=registry)
