"""What will be removed from the interface, announced in the headers of every answer that it is about.

Within v1 fields and operations are only added. What has to go stays for at least a year after it is announced
here. Its answers carry when that was (Deprecation, RFC 9745), when it ends (Sunset, RFC 8594), and where to
read what takes its place.
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
    """Say in an answer that its operation will be removed."""
    name = (request.endpoint or "").rpartition(".")[2]
    removal = REMOVALS.get(name)
    if removal is not None:
        response.headers["Deprecation"] = f"@{removal.announced.timestamp():.0f}"
        response.headers["Sunset"] = http_date(removal.ends)
        response.headers.add("Link", f'<{request.script_root}/api/v1/#{name}>; rel="deprecation"')
    return response
