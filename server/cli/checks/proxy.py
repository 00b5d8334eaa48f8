"""Checks of the public address: how a request looks to the server once it has passed the proxies."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult

from server.cli.checks import Check
from server.cli.checks.database import clock_check
from server.cli.shared.http_get import Answer, get

FORGED = "192.0.2.77"
"""An address that nobody has (RFC 5737), sent as if it were ours."""


def proxy(url: SplitResult, key: str | None, clock: Callable[[], float]) -> Iterator[Check]:
    """Ask the server at its public address what it sees, and check it against what was sent."""
    try:
        plain = get(url, "/readyz")
        yield ready(plain)
        yield secure(url)
        yield from headers(plain, clock())
        if plain.status == http.client.OK and key is not None:
            yield from hops(url, key)
    except (OSError, http.client.HTTPException) as error:
        finding = f"{url.geturl()} does not answer: {error}"
        yield Check(
            "proxy", "fault", finding, "see to it that the server and the proxy run, and the certificate"
        )


def ready(answer: Answer) -> Check:
    """Check whether the server can answer respondents."""
    if answer.status == http.client.OK and answer.body == b"ready\n":
        return Check("server", "ok", "it answers at its public address and can read its database")
    finding = f"/readyz answers {answer.status}"
    if answer.status == http.client.SERVICE_UNAVAILABLE:
        return Check("server", "fault", finding, "the server runs and its database is away")
    return Check("server", "fault", finding, "the proxy must pass every path on to candor serve")


def secure(url: SplitResult) -> Check:
    """Check whether the connection is encrypted."""
    if url.scheme == "https":
        return Check("TLS", "ok", "the certificate is valid")
    finding = "without TLS everybody on the way can change the page and what it records"
    return Check("TLS", "fault", finding, "serve https in the proxy, and lead http there")


def headers(answer: Answer, now: float) -> Iterator[Check]:
    """Check whether the proxies leave our headers unchanged and add no cookie."""
    from server.web.content_policy import HEADERS

    changed = [name for name, value in HEADERS["page"].items() if answer.headers.get(name.lower()) != value]
    if changed:
        finding = f"something in front changes {', '.join(changed)}"
        yield Check(
            "headers", "fault", finding, "let the proxy pass these headers on and add none of its own"
        )
    elif "set-cookie" in answer.headers:
        finding = "something in front sets a cookie, by which respondents can be told apart"
        yield Check("headers", "fault", finding, "balance the load without cookies")
    else:
        yield Check("headers", "ok", "what protects the pages arrives as it was sent")
    if "date" in answer.headers:
        try:
            there = parsedate_to_datetime(answer.headers["date"]).timestamp()
        except ValueError:
            return
        yield clock_check("the public address", there - now)


def hops(url: SplitResult, key: str) -> Iterator[Check]:
    """Compare the number of proxies with the number that the server trusts."""
    from server.operations.health import ASKS, signer

    signed = {ASKS: signer(key).sign("seen").decode()}
    plain = seen(get(url, "/healthz", signed))
    forged = seen(get(url, "/healthz", signed | {"X-Forwarded-For": FORGED}))
    if plain is None or forged is None:
        finding = "the server at the public address does not know this installation's key"
        yield Check("proxy", "warning", finding, "run candor doctor with the settings of that server")
        return
    there, believed = plain["forwarded"]["for"], plain["hops"]
    if forged["address"] == FORGED:
        finding = "anybody can choose the address that counts for the rate limit and for sign-ins"
        yield Check("proxy", "fault", finding, proxies_should(there))
    elif there != believed:
        finding = f"proxies that set X-Forwarded-For: {there}, and CANDOR_PROXY_HOPS is {believed}"
        yield Check("proxy", "fault", finding, proxies_should(there))
    else:
        yield Check(
            "proxy", "ok", f"proxies: {there}, as CANDOR_PROXY_HOPS says; nobody can choose an address"
        )
    yield from addresses(url, plain)
    yield same_version(plain)


def proxies_should(there: int) -> str:
    """Return the advice that makes proxies and setting agree."""
    if there == 0:
        return "let the proxy set X-Forwarded-For, -Proto and -Host, and CANDOR_PROXY_HOPS=1"
    return f"CANDOR_PROXY_HOPS={there}, and each proxy sets X-Forwarded-For or adds to it"


def seen(answer: Answer) -> dict[str, Any] | None:
    """Read the server's view of a request, or None if it does not tell us."""
    if answer.status != http.client.OK or not answer.headers.get("content-type", "").startswith(
        "application/json"
    ):
        return None
    found: dict[str, Any] = json.loads(answer.body)
    return found


def addresses(url: SplitResult, plain: Mapping[str, Any]) -> Iterator[Check]:
    """Compare the server's own address, as it believes, with the public one."""
    asked = f"{url.scheme}://{url.netloc}"
    if plain["origin"] != asked:
        finding = f"the server believes that it is at {plain['origin']}, and is at {asked}"
        yield Check("proxy", "fault", finding, "let each proxy add to X-Forwarded-Proto and -Host")
    if plain["prefix"] != url.path:
        finding = (
            f"the server believes that its path is {plain['prefix'] or '/'}, and it is {url.path or '/'}"
        )
        yield Check(
            "proxy",
            "fault",
            finding,
            "let each proxy add to X-Forwarded-Prefix, empty unless there is a path",
        )


def same_version(plain: Mapping[str, Any]) -> Check:
    """Compare the version of the server with ours."""
    from importlib.metadata import version

    here = version("candor-survey")
    if plain["version"] == here:
        return Check("server", "ok", f"it runs Candor {here}")
    finding = f"it runs Candor {plain['version']}, and this is {here}"
    return Check("server", "warning", finding, "start it anew with the version that is installed")
