"""The memory of the respondents' room, which lasts as long as the process runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import call

from flask import Flask, current_app

from server.respond.exact_body import ExactBody
from server.runtime.bounded_cache import BoundedCache
from server.web.limits.rate_limit import RateLimit
from survey.publication import Publication

MOST_PAGES = 512
MOST_OPEN_SURVEYS = 128


@dataclass(frozen=True)
class OpenSurvey:
    """A survey that a submission was stored for, and the bytes in which its page writes one."""

    survey_id: int
    body: ExactBody


@dataclass(frozen=True)
class ProcessMemory:
    """Everything that is made once and used by every request.

    Attributes
    ----------
    rate_limit : RateLimit
        Of submissions from one network.
    together : bool
        Whether the database shows which rows were written together: `Storage.shows_together`.
    pages : BoundedCache[bytes]
        Fingerprint -> the survey's page, rendered in the event loop, which has the request.
    open_surveys : BoundedCache[OpenSurvey]
        By slug.
    """

    rate_limit: RateLimit
    together: bool
    pages: BoundedCache[bytes] = field(default_factory=lambda: BoundedCache(MOST_PAGES, run=call))
    open_surveys: BoundedCache[OpenSurvey] = field(default_factory=lambda: BoundedCache(MOST_OPEN_SURVEYS))

    def remember(self, slug: str, survey_id: int, publication: Publication) -> None:
        """Note that a survey takes submissions, so that the next one needs no reading."""
        known = self.open_surveys.results.get(slug)
        if known is None or known.survey_id != survey_id:
            self.open_surveys.forget(lambda other: other == slug)
            # Outside the event loop: the pattern of a thousand columns takes 70 ms.
            self.open_surveys.get(slug, lambda: OpenSurvey(survey_id, ExactBody(publication)))


def init_app(app: Flask, per_minute: int, together: bool) -> None:
    """Begin with empty memory, a limit of submissions a minute from one network, and a kind of database."""
    app.extensions["candor.respond"] = ProcessMemory(RateLimit(per_minute), together)


def memory() -> ProcessMemory:
    """Return the memory of the application that answers this request."""
    current: ProcessMemory = current_app.extensions["candor.respond"]
    return current
