"""Answers that a browser saves as a file."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response

FINGERPRINT_DIGITS = 12
"""Digits of the survey's fingerprint in the name of a file that does not contain it."""


def attachment(body: str | bytes | Iterable[bytes], kind: str, name: str) -> Response:
    """Answer with a file to save. Its name holds a slug, which is plain ASCII and needs no quoting."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, content_type=kind, headers=headers)
