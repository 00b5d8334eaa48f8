"""Play the unrelated question in two samples, where the share of yes to the other question is not known."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from survey.channel import require_whole
from survey.estimate.two_samples import two_samples
from survey.limits import CONFIDENCE_LEVEL
from survey.simulate import MOST_RESPONDENTS, Played


def plays_of_samples(
    truth: tuple[Fraction, Fraction],
    sensitive: float,
    other: float,
    respondents: int,
    random: np.random.Generator,
    repeats: int,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Iterator[Played]:
    """Play two samples again and again, and estimate both the sensitive question and the other one.

    Parameters
    ----------
    truth : tuple of two Fraction
        How often each sample answers the sensitive question.
    sensitive, other : float
        The true shares of yes.
    respondents : int
        Of both samples together; half of them are in each.
    random : numpy.random.Generator
    repeats : int
    confidence_level : float

    Raises
    ------
    ValueError
        If an argument is refused.
    """
    people = require_whole("respondents", respondents, 2, MOST_RESPONDENTS)
    sizes = people // 2, people - people // 2
    for _ in range(require_whole("repeats", repeats, 1, 1_000_000)):
        answers = [random.random((size, 2)) < (sensitive, other) for size in sizes]
        asked = [random.random(size) < chance for size, chance in zip(sizes, map(float, truth), strict=True)]
        yes = [
            int(np.where(of, each[:, 0], each[:, 1]).sum()) for of, each in zip(asked, answers, strict=True)
        ]
        counts = (sizes[0] - yes[0], yes[0]), (sizes[1] - yes[1], yes[1])
        estimates = two_samples(truth, counts, confidence_level)
        yield Played(
            respondents=people,
            truth=np.concatenate(answers).mean(axis=0),
            noisy=np.array([sum(yes) / people, np.nan]),
            estimate=np.array([each.unbiased for each in estimates]),
            standard_error=np.array([each.standard_error for each in estimates]),
            low=np.array([each.low for each in estimates]),
            high=np.array([each.high for each in estimates]),
        )
