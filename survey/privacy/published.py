"""What the published counts of a question, or of a survey, reveal about one person: see `shuffle`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from survey.channel import require_whole
from survey.column import Column
from survey.limits import MOST_RESPONDENTS
from survey.mechanisms import BoxChannel
from survey.privacy.budget import plain_sum, reports_of
from survey.privacy.requirements import require_delta
from survey.privacy.shuffle import Shuffled, bound, shuffled


@lru_cache(maxsize=4096)
def published_column(column: Column, respondents: int, delta: float) -> Shuffled:
    """Return the privacy loss of the published counts of one column.

    Parameters
    ----------
    column : Column
    respondents : int
        Over how many people the counts are; see `survey.privacy.shuffled`.
    delta : float
        In (0, 1).

    Returns
    -------
    Shuffled
        Kept, for an exact one takes some 40 ms. None, for the reason ``apart``, where skips or real coins
        are counted apart: then it can be seen how many of the people are in these counts, perhaps one.

    Raises
    ------
    ValueError
        If respondents is not a whole number of 1 or more, or delta is outside (0, 1).
    """
    if column.by_hand is not None or column.skip_apart:
        people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
        return Shuffled(None, require_delta(delta), people, exact=False, reason="apart")
    return shuffled(column.channel, respondents, delta)


@lru_cache(maxsize=1024)
def published_question(columns: tuple[Column, ...], respondents: int, delta: float) -> Shuffled:
    """Return the privacy loss of the published counts of all columns of one question.

    Parameters
    ----------
    columns : tuple of Column
    respondents, delta
        As for `published_column`.

    Returns
    -------
    Shuffled
        The sum over the columns. Sampled boxes are not independent of each other: theirs is `bound` of the
        whole question's loss, and so it is elsewhere where that is smaller.

    Raises
    ------
    ValueError
        As `published_column`.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> one = Column("tired", coin())
    >>> round(published_question((one,), 10_000, 1e-6).epsilon, 4)
    0.0399
    """
    parts = together([published_column(column, respondents, delta) for column in columns])
    first = columns[0].channel
    if not isinstance(first, BoxChannel) or parts.reason == "apart":
        return parts
    whole = bound(plain_sum(reports_of(columns)).epsilon, respondents, delta)
    if first.sampled < first.boxes or parts.epsilon is None:
        return whole
    return whole if whole.epsilon is not None and whole.epsilon < parts.epsilon else parts


def together(parts: Sequence[Shuffled]) -> Shuffled:
    """Add up what independent counts of the same people reveal: epsilon and delta likewise.

    Parameters
    ----------
    parts : sequence of Shuffled
        One or more, over the same people.

    Returns
    -------
    Shuffled
        The only part itself; of several a bound. None where one of them is none, for the reason of the first.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, theorem 3.16 (the sum).
    """
    if len(parts) == 1:
        return parts[0]
    figures = [part.epsilon for part in parts if part.epsilon is not None]
    delta, people = min(1.0, math.fsum(part.delta for part in parts)), parts[0].respondents
    if len(figures) < len(parts):
        reason = next(part.reason for part in parts if part.epsilon is None)
        return Shuffled(None, delta, people, exact=False, reason=reason)
    return Shuffled(math.fsum(figures), delta, people, exact=False)
