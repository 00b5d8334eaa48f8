"""The privacy loss of the published counts of a question, or of a survey; see `shuffle`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from survey.channel import require_whole
from survey.column import Column
from survey.limits import MOST_RESPONDENTS
from survey.linked import MarginalChannel
from survey.mechanisms import BoxChannel
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy.budget import plain_sum, reports_of
from survey.privacy.reports import Reports, dearest
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
        Cached, as an exact one takes some 40 ms. Without a figure, for the reason ``apart``, where skips or
        real coins are counted apart: that shows how many people are in these counts, perhaps one.

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
        The sum over the columns. For sampled boxes, which are not independent of each other, `bound` of the
        whole question's loss. Of a linked question, the loss of the counts of all combinations.

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
    first = columns[0].channel
    if isinstance(first, MarginalChannel):
        return shuffled(first.linked.weakest, respondents, delta)
    parts = together([published_column(column, respondents, delta) for column in columns])
    if not isinstance(first, BoxChannel) or first.sampled == first.boxes or parts.reason == "apart":
        return parts
    return bound(plain_sum(reports_of(columns)).epsilon, respondents, delta)


def together(parts: Sequence[Shuffled]) -> Shuffled:
    """Add up the losses of independent counts of the same people, epsilon and delta each.

    Parameters
    ----------
    parts : sequence of Shuffled
        One or more, over the same people.

    Returns
    -------
    Shuffled
        The part itself if there is one, else a bound. Without a figure if a part has none, for the reason of
        the first such part.

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


def published_survey(parts: Reports[Shuffled], waves: int = 1) -> Shuffled | None:
    """Return the privacy loss of the published counts of a whole survey.

    Parameters
    ----------
    parts : Reports of Shuffled
        Of every question: those that everybody is asked, and those of each section that is drawn.
    waves : int
        How often the same people are asked: they are in the counts of each wave.

    Returns
    -------
    Shuffled or None
        The sum over the dearest questions that one person can be asked, chosen anew for epsilon and for delta
        as in `survey.privacy.plain_sum`. It also holds for a reader who knows which sections the person was
        asked. None where nothing is published. Without a figure where a question has none, for the reason of
        the one with the fewest people.
    """
    every = [*parts.always, *(part for section in parts.drawn for part in section)]
    if not every:
        return None
    if not parts.drawn:
        return together(every * waves)
    people = min(part.respondents for part in every)
    delta = min(1.0, waves * math.fsum(dearest(parts.of_each(lambda part: part.delta))))
    if without := [part for part in every if part.epsilon is None]:
        fewest = min(without, key=lambda part: part.respondents)
        return replace(fewest, delta=delta)
    epsilon = waves * math.fsum(dearest(parts.of_each(lambda part: part.epsilon or 0.0)))
    return Shuffled(epsilon, delta, people, exact=False)


def amplified(section: Shuffled, asked: int, respondents: int) -> Shuffled:
    """Return the privacy loss of a section's counts for a reader who does not know who was asked it.

    Parameters
    ----------
    section : Shuffled
        The loss of somebody who was asked it, over all its questions together.
    asked, respondents : int
        How many of how many people were asked it, as published.

    Returns
    -------
    Shuffled
        ln(1 + q (e^epsilon - 1)) with q delta, q = asked / respondents: a bound. Without a figure where the
        section has none.

    Raises
    ------
    ValueError
        If asked is not a whole number from 1 to the number of respondents.

    Notes
    -----
    Draws do not depend on answers, and everybody has the same chance. To somebody who knows only how many
    were asked, they are a sample without replacement. With probability q the person is in it, and their
    answer counts; otherwise somebody else is in their place. These counts differ by one person's reports,
    whose loss `section` bounds.

    The figure is for the counts of this section alone. Counts of other sections hint at who was asked what,
    to a reader who knows the person's other answers; and rows show who was asked. So such figures are never
    added up, and there are none where rows can be downloaded. `published_survey` uses none.

    References
    ----------
    Balle, Barthe & Gaboardi (2018), Privacy Amplification by Subsampling: Tight Analyses via Couplings and
    Divergences, theorem 9.

    Examples
    --------
    >>> alone = amplified(Shuffled(2.0, 1e-6, 50, exact=False), asked=100, respondents=1000)
    >>> round(alone.epsilon, 4), alone.delta
    (0.494, 1e-07)
    """
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    share = require_whole("asked", asked, 1, people) / people
    if section.epsilon is None or share == 1:
        return section
    epsilon = section.epsilon + math.log1p((1 - share) * math.expm1(-section.epsilon))  # cannot overflow
    return replace(section, epsilon=epsilon, delta=share * section.delta, exact=False)
