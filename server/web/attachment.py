"""Files to save instead of pages to read."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response

FINGERPRINT_DIGITS = 12
"""How much of the survey's fingerprint the name of a file carries that does not hold it."""


def attachment(body: str | bytes | Iterable[bytes], kind: str, name: str) -> Response:
    """Make a file to save; a slug is plain ASCII, so that its name needs no quoting."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, content_type=kind, headers=headers)
