"""Answers that are the same for everybody: sent compressed, under a name of their own in every encoding.

Nothing else is compressed: where a secret stands on a page together with what somebody else can make it say,
the length of the compressed page gives the secret away (BREACH; Gluck, Harris and Prado 2013).
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache, partial

import brotli
from flask import Response, make_response, request

from server.runtime.bounded_cache import BoundedCache

ENCODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": brotli.compress,
    "gzip": partial(gzip.compress, mtime=0),
}
"""The smallest first: it is chosen where a browser takes either as gladly."""

LONGEST_CHOICE = 100
"""Characters of an Accept-Encoding that is read; browsers send about 25."""

KEPT: BoundedCache[bytes] = BoundedCache(2048)
"""What was compressed, by the hash of the bytes and the encoding."""


def constant_answer(data: bytes, mimetype: str = "text/html") -> Response:
    """Answer bytes in the encoding that the request prefers, or that the browser has them.

    Parameters
    ----------
    data : bytes
        The same for every request that could be answered with them: no secret, nothing that was sent.
    mimetype : str

    Returns
    -------
    Response
        With an ETag that names the decoded bytes and the encoding.
    """
    name, encoding = digest(data), preferred()
    if encoding is None:
        response = make_response(data)
        response.set_etag(name)
    else:
        response = make_response(KEPT.get((name, encoding), partial(ENCODINGS[encoding], data)))
        response.content_encoding = encoding
        response.set_etag(f"{name}-{encoding}")
    response.mimetype = mimetype
    response.vary.add("Accept-Encoding")
    response.make_conditional(request)
    return response


def preferred() -> str | None:
    """Return the encoding that the request asks for, None where it asks for none that there is."""
    if len(request.headers.get("Accept-Encoding", "")) > LONGEST_CHOICE:
        return None
    best = request.accept_encodings.best_match([*ENCODINGS, "identity"])
    return best if best in ENCODINGS else None


@lru_cache(maxsize=2048)
def digest(data: bytes) -> str:
    """Name bytes, once for each body."""
    return hashlib.sha256(data).hexdigest()[:32]


def for_everybody(page: str) -> Response:
    """Answer a page, compressed unless its address holds more than a language: links repeat what it holds."""
    return constant_answer(page.encode()) if request.args.keys() <= {"language"} else make_response(page)
