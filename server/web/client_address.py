"""The address of a client: what proxies in front tell of it, and the networks for which it is counted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

WIDER = {64: 1, 56: 4, 48: 16}
"""Bits of an IPv6 network -> how many times as much as a person it may do. A provider gives a household a /64
or a /56, and an organisation a /48: whoever holds one has thousands of networks of the first kind."""

PREFIX = re.compile(r"(/[\w.~%-]+)*/?", re.ASCII)
"""A prefix that a proxy may put before every path."""


def networks(address: str) -> dict[str, int]:
    """Return the networks of an address, the narrowest first, and how many times as much each may do.

    Examples
    --------
    >>> networks("192.0.2.7"), networks("::ffff:192.0.2.7"), networks("unknown")
    ({'192.0.2.7': 1}, {'192.0.2.7': 1}, {'unknown': 1})
    >>> networks("2001:db8:1:2ff:3::4")
    {'2001:db8:1:2ff::/64': 1, '2001:db8:1:200::/56': 4, '2001:db8:1::/48': 16}
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return {address: 1}
    if isinstance(parsed, IPv4Address):
        return {str(parsed): 1}
    if parsed.ipv4_mapped:
        return {str(parsed.ipv4_mapped): 1}
    return {str(IPv6Network((int(parsed), bits), strict=False)): share for bits, share in WIDER.items()}


def without_port(address: str) -> str:
    """Return an address without the port that some proxies write behind it.

    Examples
    --------
    >>> [without_port(text) for text in ("192.0.2.7:4711", "[2001:db8::1]:4711", "2001:db8::1", "")]
    ['192.0.2.7', '2001:db8::1', '2001:db8::1', '']
    """
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


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
