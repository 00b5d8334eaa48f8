"""A server asked from outside, as a browser would: its address, and what it answered."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

SECONDS = 10.0
"""How long an answer may take."""

LONGEST = 20_000_000
"""Bytes of an answer that are read: the page of the largest survey has a tenth."""


@dataclass(frozen=True)
class Answer:
    """What a server answered: the status, the headers in lower case, and the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def public_url(text: str) -> SplitResult:
    """Read the address of a server, ``https://host/prefix``.

    Raises
    ------
    ValueError
        If it is none.
    """
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment or url.username:
        raise ValueError
    _ = url.port  # raises where it is no number
    return url._replace(path=url.path.rstrip("/"))


def get(url: SplitResult, path: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Ask a server once, without following where it leads.

    Raises
    ------
    OSError, http.client.HTTPException
        If it does not answer.
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
