"""What the room keeps in memory for as long as the process runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from flask import Flask, current_app

from server.respond.exact_body import ExactBody
from server.respond.rate_limit import RateLimit
from server.runtime.bounded_cache import BoundedCache as Computed
from survey.publication import Publication

MOST_TAKEN = 128
"""How many surveys are known that take submissions."""


@dataclass(frozen=True)
class Kept:
    """What is made once and used by every request.

    Attributes
    ----------
    rate_limit : RateLimit
        Of submissions from one address.
    together : bool
        Whether the database shows which rows were written together: `Storage.shows_together`.
    pages : dict[str, bytes]
        Fingerprint -> the survey's page, outcome -> the answer to a submission; rendered once.
    taken : dict[str, Taken]
        Slug -> the survey, for the latest ones that a submission was stored for.
    bodies : Computed[ExactBody]
        How their pages write a submission, by fingerprint.
    """

    rate_limit: RateLimit
    together: bool = False
    pages: dict[str, bytes] = field(default_factory=dict)
    taken: dict[str, Taken] = field(default_factory=dict)
    bodies: Computed[ExactBody] = field(default_factory=lambda: Computed(MOST_TAKEN))

    def remember(self, slug: str, survey_id: int, publication: Publication) -> None:
        """Note that a survey of this number takes submissions, so that the next one needs no reading."""
        known = self.taken.get(slug)
        if known is None or known.survey_id != survey_id:
            # The pattern of a thousand columns takes 70 ms.
            body = self.bodies.get(publication.fingerprint, partial(ExactBody, publication))
            while len(self.taken) >= MOST_TAKEN:
                self.taken.pop(next(iter(self.taken)), None)
            self.taken[slug] = Taken(survey_id, body)

    def forget(self, survey_id: int) -> None:
        """Note that the survey of this number is gone."""
        for slug, known in [*self.taken.items()]:
            if known.survey_id == survey_id:
                del self.taken[slug]


@dataclass(frozen=True)
class Taken:
    """A survey that submissions were stored for, and how its page writes them."""

    survey_id: int
    body: ExactBody


def init_app(app: Flask, per_minute: int, together: bool = False) -> None:
    """Begin with empty memory, a limit of submissions a minute from one address, and a kind of database."""
    app.extensions["candor.respond"] = Kept(RateLimit(per_minute), together)


def kept() -> Kept:
    """Return what the application that answers this request keeps."""
    found: Kept = current_app.extensions["candor.respond"]
    return found
