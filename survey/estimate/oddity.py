"""What is odd about the reports that arrived, so that a reader must know it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey import special
from survey.counts import BinomialCount
from survey.notice import Notice

UNLIKELY = 0.01
"""An estimate at an end of its range is beyond it about half the time. So this is named only where the chance
that any of those looked at goes so far is below this. It is smaller than other such levels: while a survey is
open its numbers are looked at with every update."""


def oddities(
    counts: npt.NDArray[np.int64], binomials: tuple[BinomialCount, ...] | None
) -> tuple[Notice, ...]:
    """Return what is odd about the reports of one question.

    Parameters
    ----------
    counts : ndarray of int
        Of the reports that say something; not all 0.
    binomials : tuple of BinomialCount, or None
        One for each answer, where the counts are that.

    Returns
    -------
    tuple of Notice
        ``all_same``; ``infeasible`` with the answer it is about, which for two answers is always the second,
        yes.
    """
    notices = []
    if counts.max() == counts.sum():
        notices.append(Notice("all_same", {"respondents": int(counts.sum())}))
    return (*notices, *infeasible(binomials or ()))


def infeasible(binomials: tuple[BinomialCount, ...]) -> list[Notice]:
    """Return the noisy share furthest outside [a, b], the range that the channel can be expected to give.

    Of all shares, the chance of one that goes as far is at most the sum of their chances (Bonferroni). Those
    of no and yes are one.
    """
    beyond = {
        answer: chance_of_going_further(binomial)
        for answer, binomial in enumerate(binomials)
        if binomial.most_likely != binomial.share and (answer or len(binomials) > 2)
    }
    if not beyond:
        return []
    answer = min(beyond, key=beyond.__getitem__)
    if beyond[answer] * shares_apart(len(binomials)) >= UNLIKELY:
        return []
    values = {
        "answer": answer,
        "share": binomials[answer].share,
        "lowest": binomials[answer].lowest,
        "highest": binomials[answer].highest,
        "p_value": beyond[answer],
    }
    return [Notice("infeasible", values)]


def shares_apart(answers: int) -> int:
    """Return how many of a question's shares can go too far by themselves: no and yes are one."""
    return 1 if answers == 2 else answers


def asked_oddities(asked: int, respondents: int, drawn: int, sections: int) -> tuple[Notice, ...]:
    """Return whether as many people were asked a section as the draw gives.

    Parameters
    ----------
    asked, respondents : int
        How many people were asked it, of how many.
    drawn, sections : int
        How many of how many sections each person is asked.

    Returns
    -------
    tuple of Notice
        ``asked_fewer``: who was asked it may have left more often than others. ``asked_more``: forged
        reports may have chosen it, or others were left.

    Notes
    -----
    Each person is asked it with chance drawn / sections, whoever they are, so the number is binomial. Of
    all sections, and of both directions, the chance of one that goes as far is at most the sum of their
    chances (Bonferroni).
    """
    share = drawn / sections
    fewer = asked < share * respondents
    tail = tail_of(asked, respondents, share, lower=fewer)
    if 2 * sections * tail >= UNLIKELY:
        return ()
    values = {
        "asked": asked,
        "respondents": respondents,
        "expected": share * respondents,
        "p_value": tail,
    }
    return (Notice("asked_fewer" if fewer else "asked_more", values),)


def tail_of(count: int, trials: int, chance: float, *, lower: bool) -> float:
    """Return P(X <= count), or P(X >= count), of a binomial."""
    if lower:
        return float(special.betaincc(count + 1, trials - count, chance)) if count < trials else 1.0
    return float(special.betainc(count, trials - count + 1, chance)) if count else 1.0


def chance_of_going_further(binomial: BinomialCount) -> float:
    """Return the exact one-sided p-value of a noisy share outside [a, b], at the end nearest to it."""
    n, x = binomial.respondents, binomial.count
    if binomial.share < binomial.lowest:
        return tail_of(x, n, binomial.lowest, lower=True)  # P(X <= x | n, a)
    return tail_of(x, n, binomial.highest, lower=False)  # P(X >= x | n, b)
