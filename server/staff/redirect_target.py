"""The page to which somebody is led back after signing in."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

from flask import current_app, g, request
from flask_login import current_user

from server.language.request_language import KEPT_ARGUMENTS

LONGEST = 512
"""Most characters of an address to lead back to."""
MOST_GROWTH = 1.5
"""Times that it may be as long when quoted: a page repeats it, and 480 apostrophes became 5 kB."""


def known_page(target: str | None) -> str | None:
    """Return an address if it is that of one of our pages and not too long, else None.

    Nothing else of a request is shown again to somebody who is not signed in.
    """
    path = local_path(target)
    if path is None or len(path) > LONGEST or len(quote(path)) > MOST_GROWTH * len(path):
        return None
    page = unquote(urlsplit(path).path).removeprefix(request.script_root)
    known = current_app.create_url_adapter(request).test(page, method="GET")  # type: ignore[union-attr]
    return path if known else None


def requested_page() -> str | None:
    """Return the page that somebody asked for before signing in; links to other languages keep it."""
    target = known_page(request.args.get("next"))
    if target is not None and not current_user.is_authenticated:
        g.setdefault(KEPT_ARGUMENTS, [("next", target)])
    return target


def local_path(target: str | None) -> str | None:
    r"""Return an address if it is a path on this server, else None.

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
