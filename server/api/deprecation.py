"""Operations that will be removed from the API, announced in the headers of their responses.

Within v1 fields and operations are only added. An operation that has to go stays for at least a year after it
is announced here. Its responses say when it was announced (Deprecation, RFC 9745), when it ends (Sunset,
RFC 8594), and which page names its replacement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from flask import Response, request
from werkzeug.http import http_date


@dataclass(frozen=True)
class Removal:
    """An operation that will be removed.

    Attributes
    ----------
    announced, ends : datetime
        In UTC, at least a year apart.
    """

    announced: datetime
    ends: datetime


REMOVALS: Mapping[str, Removal] = {}
"""Operation -> its removal. Nothing has been announced so far."""


def announce(response: Response) -> Response:
    """Add to a response the headers that announce the removal of its operation."""
    name = (request.endpoint or "").rpartition(".")[2]
    removal = REMOVALS.get(name)
    if removal is not None:
        response.headers["Deprecation"] = f"@{removal.announced.timestamp():.0f}"
        response.headers["Sunset"] = http_date(removal.ends)
        response.headers.add("Link", f'<{request.script_root}/api/v1/#{name}>; rel="deprecation"')
    return response
