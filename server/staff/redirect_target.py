"""Where somebody is led who has signed in: back to the page that they asked for."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from flask import current_app, g, request
from flask_login import current_user

from server.language.request_language import KEPT_ARGUMENTS

LONGEST = 512
"""Characters of an address that is kept while somebody signs in."""


def known_page(target: str | None) -> str | None:
    """Keep the address of a page of ours, if it is not long.

    It is all of a request that is given back to somebody who is not signed in.
    """
    path = local_path(target)
    if path is None or len(path) > LONGEST:
        return None
    page = unquote(urlsplit(path).path).removeprefix(request.script_root)
    known = current_app.create_url_adapter(request).test(page, method="GET")  # type: ignore[union-attr]
    return path if known else None


def requested_page() -> str | None:
    """Return the page that the sign-in was asked for, which links to other languages keep."""
    target = known_page(request.args.get("next"))
    if target is not None and not current_user.is_authenticated:
        g.setdefault(KEPT_ARGUMENTS, [("next", target)])
    return target


def local_path(target: str | None) -> str | None:
    r"""Keep an address within this server: a path, never another host.

    Examples
    --------
    >>> local_path("/results/health?method=exact")
    '/results/health?method=exact'
    >>> [local_path(target) for target in ("//evil.example", r"/\\evil.example", "https://evil.example")]
    [None, None, None]
    >>> [local_path(target) for target in ("//[", "")]
    [None, None]
    """
    if not target or not target.isprintable() or "\\" in target:
        return None
    try:
        parts = urlsplit(target)
    except ValueError:  # a bracket without its other half
        return None
    inside = target.startswith("/") and not target.startswith("//")
    return target if inside and not parts.scheme and not parts.netloc else None
