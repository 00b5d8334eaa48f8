"""What the room keeps in memory for as long as the process runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Flask, current_app

from server.respond.rate import RateLimit


@dataclass(frozen=True)
class Kept:
    """What is made once and used by every request.

    Attributes
    ----------
    rate_limit : RateLimit
        Of submissions from one address.
    pages : dict[str, bytes]
        Fingerprint -> the survey's page, outcome -> the answer to a submission; rendered once.
    """

    rate_limit: RateLimit
    pages: dict[str, bytes] = field(default_factory=dict)


def init_app(app: Flask, per_minute: int) -> None:
    """Begin with empty memory and a limit of submissions a minute from one address."""
    app.extensions["candor.respond"] = Kept(RateLimit(per_minute))


def kept() -> Kept:
    """Return what the application that answers this request keeps."""
    found: Kept = current_app.extensions["candor.respond"]
    return found
