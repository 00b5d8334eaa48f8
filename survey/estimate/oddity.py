"""Oddities of the reports that a reader must know of."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey import special
from survey.counts import BinomialCount
from survey.notice import Notice

UNLIKELY = 0.01
"""The chance below which an estimate beyond its range is reported. At an end of the range an estimate lies
beyond it about half the time, so the chance is that of any estimate of the survey going so far. The level is
smaller than usual because the numbers of an open survey are looked at with every update."""


def oddities(
    counts: npt.NDArray[np.int64], binomials: tuple[BinomialCount, ...] | None
) -> tuple[Notice, ...]:
    """Return notices for the oddities of the reports on one question.

    Parameters
    ----------
    counts : ndarray of int
        Of the reports that depend on the answer; not all 0.
    binomials : tuple of BinomialCount, or None
        One for each answer; None where the counts are not binomial.

    Returns
    -------
    tuple of Notice
        ``all_same``; ``infeasible`` with the answer it is about, for two answers always the second, yes.
    """
    notices = []
    if counts.max() == counts.sum():
        notices.append(Notice("all_same", {"respondents": int(counts.sum())}))
    return (*notices, *infeasible(binomials or ()))


def infeasible(binomials: tuple[BinomialCount, ...]) -> list[Notice]:
    """Return a notice for the noisy share that lies furthest outside [a, b], the range of the channel.

    The chance that any of the shares goes as far is at most the sum of their chances (Bonferroni). The shares
    of no and yes count once.
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
    """Return the number of shares that can go too far independently: no and yes count once."""
    return 1 if answers == 2 else answers


def asked_oddities(asked: int, respondents: int, drawn: int, sections: int) -> tuple[Notice, ...]:
    """Return a notice where more or fewer people were asked a section than the draw gives.

    Parameters
    ----------
    asked, respondents : int
        How many people were asked it, of how many.
    drawn, sections : int
        How many of how many sections each person is asked.

    Returns
    -------
    tuple of Notice
        ``asked_fewer``: people who were asked it may have left more often than others. ``asked_more``: forged
        reports may have chosen it, or people who were asked another section left.

    Notes
    -----
    Every person is asked it with the chance drawn / sections, so the number is binomial. The chance that any
    section goes as far, in either direction, is at most the sum of their chances (Bonferroni).
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
