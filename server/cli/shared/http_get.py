"""Requests to a server from outside, as a browser sends them."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

SECONDS = 10.0
"""Seconds that an answer may take."""

LONGEST = 20_000_000
"""Most bytes of an answer that are read, ten times the page of the largest survey."""


@dataclass(frozen=True)
class Answer:
    """The answer of a server, with the names of its headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def public_url(text: str) -> SplitResult:
    """Read the address of a server, ``https://host/prefix``.

    Raises
    ------
    ValueError
        If the text is no such address.
    """
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment or url.username:
        raise ValueError
    _ = url.port  # raises where it is no number
    return url._replace(path=url.path.rstrip("/"))


def get(url: SplitResult, path: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Send one GET request; follow no redirection.

    Raises
    ------
    OSError, http.client.HTTPException
        If the server does not answer.
    """
    host, port = str(url.hostname), url.port
    connection: http.client.HTTPConnection
    if url.scheme == "https":
        trust = ssl.create_default_context()
        connection = http.client.HTTPSConnection(host, port, timeout=SECONDS, context=trust)
    else:
        connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", url.path + path, headers={"User-Agent": "candor", **(headers or {})})
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read(LONGEST))
    finally:
        connection.close()
