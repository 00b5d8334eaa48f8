"""Trust in the proxies in front: address, scheme, host, and the prefix of every path."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from server.web.networks import without_port

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = re.compile(r"(/[\w.~%-]+)*/?", re.ASCII)
"""A prefix that a proxy may put before every path."""


def told_plainly(application: WSGIApplication) -> WSGIApplication:
    """Read what proxies tell: an address without its port, and no prefix that is not a plain path.

    Links that begin with another prefix would lead to another server.
    """

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["REMOTE_ADDR"] = without_port(environ.get("REMOTE_ADDR", ""))
        if not PREFIX.fullmatch(environ.get("SCRIPT_NAME", "")):
            environ["SCRIPT_NAME"] = ""
        return application(environ, start_response)

    return checked


def init_app(app: Flask, hops: int) -> None:
    """Believe `hops` proxies about address, scheme, host and prefix; 0 for none."""
    if hops:
        believed = dict.fromkeys(("x_for", "x_proto", "x_host", "x_prefix"), hops)
        app.wsgi_app = ProxyFix(told_plainly(app.wsgi_app), **believed)  # type: ignore[method-assign]
