"""Conditional headers, such as If-None-Match: long ones are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LONGEST_CONDITION = 1000
"""Characters of the longest conditional header that is read; a browser sends one tag or one time."""

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_RANGE", "HTTP_RANGE")


def forget_long_conditions(environ: WSGIEnvironment) -> None:
    """Drop long conditional headers: to read thousands of tags takes longer than to make any page."""
    for name in CONDITIONS:
        if len(environ.get(name, "")) > LONGEST_CONDITION:
            del environ[name]
