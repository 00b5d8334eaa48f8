"""The privacy loss of a survey and of its published counts, worked out once for each survey."""

from __future__ import annotations

from functools import lru_cache

from survey.privacy import USUAL_DELTA, Budget, Shuffled, budget, smallest_group
from survey.publication import Publication

DELTA = USUAL_DELTA
"""The delta of a composed loss, and of the loss of the published counts of a column."""


@lru_cache(maxsize=256)
def survey_budget(publication: Publication) -> Budget:
    """Return the plain sum over questions, boxes and waves, and the composed loss where it is smaller.

    Notes
    -----
    Cached, as numbers of a thousand points take a second or two.
    """
    return budget(publication.reports, publication.definition.waves, DELTA)


def published_group(publication: Publication, state: str, respondents: int) -> int | None:
    """Return the fewest people by which two results, read one after the other, differ.

    Parameters
    ----------
    publication : Publication
    state : str
        ``open`` or ``closed``.
    respondents : int
        The number of people in the counts.

    Returns
    -------
    int or None
        A step while the survey is open; None of a closed survey that nobody answered.
    """
    step = publication.definition.step
    if state == "open":
        return step
    return smallest_group(respondents, step) if respondents else None


def too_short(step: int, state: str, asked: int, drawn: bool) -> Shuffled | None:
    """Return a missing figure where closing added less than a step of people to a drawn section.

    Notes
    -----
    The counts of a section advance by a step of people who are asked it. A survey that asks everybody and
    closes as early has the figure of all its respondents.
    """
    if state == "closed" and drawn and 0 < asked < step:
        return Shuffled(None, DELTA, asked, exact=False, reason="short")
    return None
