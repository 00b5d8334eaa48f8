"""Answers that are the same for everybody: compressed, with an ETag of their own in every encoding.

Nothing else is compressed. If a page holds a secret together with text that somebody else can choose, the
length of the compressed page gives the secret away (BREACH; Gluck, Harris and Prado 2013).
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache, partial

import brotli
from flask import Response, request
from werkzeug.http import parse_accept_header

from server.runtime.bounded_cache import BoundedCache

ENCODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": brotli.compress,
    "gzip": partial(gzip.compress, mtime=0),
}
"""The one that compresses best comes first: it is chosen if a browser likes both equally."""

OF_PAGES: Mapping[str, Callable[[bytes], bytes]] = {**ENCODINGS, "br": partial(brotli.compress, quality=10)}
"""A page is compressed while whoever asks for it first waits: in a third of the time, to 3 % more bytes."""

LONGEST_CHOICE = 100
"""Characters of the longest Accept-Encoding that is read; browsers send about 25."""

COMPRESSED: BoundedCache[bytes] = BoundedCache(2048)
"""Compressed bytes, by the hash of the original and the encoding."""


def constant_answer(data: bytes, mimetype: str = "text/html") -> Response:
    """Answer with bytes in the encoding that the request prefers, or with 304 if the browser has them.

    Parameters
    ----------
    data : bytes
        The same for everybody: they hold no secret and nothing that the request brought.
    mimetype : str

    Returns
    -------
    Response
        Its ETag names the decoded bytes and the encoding.
    """
    encoding = preferred(request.headers.get("Accept-Encoding", ""))
    response = encoded(data, encoding, mimetype, OF_PAGES)
    response.make_conditional(request)
    return response


def encoded(
    data: bytes,
    encoding: str | None,
    mimetype: str,
    encodings: Mapping[str, Callable[[bytes], bytes]] = ENCODINGS,
) -> Response:
    """Answer with bytes in an encoding, or as they are."""
    name = digest(data)
    if encoding is None:
        response = Response(data, mimetype=mimetype)
        response.set_etag(name)
    else:
        body = COMPRESSED.get((name, encoding), partial(encodings[encoding], data))
        response = Response(body, mimetype=mimetype)
        response.content_encoding = encoding
        response.set_etag(f"{name}-{encoding}")
    response.vary.add("Accept-Encoding")
    return response


@lru_cache(maxsize=256)
def preferred(asked: str) -> str | None:
    """Return the encoding that an Accept-Encoding prefers, or None if the bytes go out as they are.

    Examples
    --------
    >>> preferred("gzip, deflate, br, zstd"), preferred("gzip;q=0")
    ('br', None)
    """
    if len(asked) > LONGEST_CHOICE:
        return None
    best = parse_accept_header(asked).best_match([*ENCODINGS, "identity"])
    return best if best in ENCODINGS else None


@lru_cache(maxsize=2048)
def digest(data: bytes) -> str:
    """Hash bytes, once for each body."""
    return hashlib.sha256(data).hexdigest()[:32]
