"""What the room keeps in memory for as long as the process runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from flask import Flask, current_app

from server.respond.exact_body import ExactBody
from server.respond.rate_limit import RateLimit
from server.runtime.bounded_cache import BoundedCache as Computed
from survey.publication import Publication

MOST_OPEN_SURVEYS = 128
"""How many surveys are known that take submissions."""


@dataclass(frozen=True)
class ProcessMemory:
    """What is made once and used by every request.

    Attributes
    ----------
    rate_limit : RateLimit
        Of submissions from one address.
    together : bool
        Whether the database shows which rows were written together: `Storage.shows_together`.
    pages : dict[str, bytes]
        Fingerprint -> the survey's page, outcome -> the answer to a submission; rendered once.
    open_surveys : dict[str, OpenSurvey]
        Slug -> the survey, for the latest ones that a submission was stored for.
    bodies : Computed[ExactBody]
        How their pages write a submission, by fingerprint.
    """

    rate_limit: RateLimit
    together: bool = False
    pages: dict[str, bytes] = field(default_factory=dict)
    open_surveys: dict[str, OpenSurvey] = field(default_factory=dict)
    bodies: Computed[ExactBody] = field(default_factory=lambda: Computed(MOST_OPEN_SURVEYS))

    def remember(self, slug: str, survey_id: int, publication: Publication) -> None:
        """Note that a survey of this number takes submissions, so that the next one needs no reading."""
        known = self.open_surveys.get(slug)
        if known is None or known.survey_id != survey_id:
            # The pattern of a thousand columns takes 70 ms.
            body = self.bodies.get(publication.fingerprint, partial(ExactBody, publication))
            while len(self.open_surveys) >= MOST_OPEN_SURVEYS:
                self.open_surveys.pop(next(iter(self.open_surveys)), None)
            self.open_surveys[slug] = OpenSurvey(survey_id, body)

    def forget(self, survey_id: int) -> None:
        """Note that the survey of this number is gone."""
        for slug, known in [*self.open_surveys.items()]:
            if known.survey_id == survey_id:
                del self.open_surveys[slug]


@dataclass(frozen=True)
class OpenSurvey:
    """A survey that submissions were stored for, and how its page writes them."""

    survey_id: int
    body: ExactBody


def init_app(app: Flask, per_minute: int, together: bool = False) -> None:
    """Begin with empty memory, a limit of submissions a minute from one address, and a kind of database."""
    app.extensions["candor.respond"] = ProcessMemory(RateLimit(per_minute), together)


def memory() -> ProcessMemory:
    """Return what the application that answers this request keeps."""
    found: ProcessMemory = current_app.extensions["candor.respond"]
    return found
