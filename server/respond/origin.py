"""The origin of what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Request

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def comes_from_own_page(environ: WSGIEnvironment) -> bool:
    """Return whether our own page sends this. A token in its place would make every visitor's page differ.

    Browsers leave Sec-Fetch-Site out over plain http on a local network; there Origin decides.
    """
    site = environ.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return bool(site == "same-origin")
    return bool(environ.get("HTTP_ORIGIN") == Request(environ).host_url.rstrip("/"))
