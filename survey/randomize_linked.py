"""Turn the answers to linked questions into reports: one wheel for all of them.

Runs in the browser as ``static/js/chance/linked.js``; this twin is for simulations and for checking. Both
replay ``tests/vectors/linked.json``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import require_whole
from survey.linked import Linked
from survey.randomize import draw_subsets, randomize, randomize_many, require_length


def randomize_linked(
    linked: Linked, chosen: tuple[int, ...], answers: Sequence[int] | None, word: int
) -> list[int]:
    """Return the reports of one respondent on linked questions.

    Parameters
    ----------
    linked : Linked
    chosen : tuple of int
        The places of the questions that the respondent is asked, one of `Linked.sets`.
    answers : sequence of int, or None
        An answer to each of these; None where all are left out together.
    word : int
        One uniform integer in [0, 2**32).

    Returns
    -------
    list of int
        A report on each of these questions: an answer to it, or where all are left out the one after.

    Raises
    ------
    ValueError
        If an answer or the word is not a whole number in its range, or nobody can leave the questions out.

    Examples
    --------
    >>> two = Linked.spun((2, 2), 2.0)
    >>> randomize_linked(two, (0, 1), [1, 0], 0), randomize_linked(two, (0, 1), [1, 0], 2**31)
    ([0, 0], [1, 0])
    """
    sizes = tuple(linked.sizes[place] for place in chosen)
    wheel = linked.wheel(chosen)
    if answers is None:
        if not linked.skip:
            raise ValueError("answers must be one to each question, got none")
        combination = wheel.answers - 1
    else:
        require_length("answers", answers, len(sizes))
        checked = [
            require_whole("answers", answer, 0, size - 1) for answer, size in zip(answers, sizes, strict=True)
        ]
        combination = int(np.ravel_multi_index(checked, sizes))
    report = randomize(wheel, combination, word)
    if linked.skip and report == wheel.answers - 1:
        return list(sizes)
    return [int(code) for code in np.unravel_index(report, sizes)]


def randomize_linked_many(
    linked: Linked, answers: npt.ArrayLike, words: npt.ArrayLike
) -> npt.NDArray[np.int64]:
    """Return the codes of many respondents on linked questions.

    Parameters
    ----------
    linked : Linked
    answers : array_like of int, shape (respondents, questions)
        An answer to every question, also to those that are not asked; in a row of those who leave all of them
        out, -1 throughout.
    words : array_like of int, shape (respondents, 2)
        The first word draws the questions that a respondent is asked, where not all are; the second spins.

    Returns
    -------
    ndarray of int, shape (respondents, questions)
        Reports, and for questions that were not asked their last code.

    Raises
    ------
    ValueError
        If an answer or a word is out of its range.
    """
    true, drawn = np.asarray(answers, np.int64), np.asarray(words)
    sizes = np.array(linked.sizes)
    chosen = np.tile(np.arange(len(sizes)), (len(true), 1))
    if linked.sampled:
        chosen = draw_subsets(len(sizes), linked.asked, drawn[:, 0])
    codes = np.tile(sizes + linked.skip, (len(true), 1))
    for places in linked.sets:
        here, columns = np.flatnonzero((chosen == places).all(axis=1)), np.array(places)
        own, wheel, of = true[np.ix_(here, columns)], linked.wheel(places), sizes[columns]
        skips = (own < 0).all(axis=1)
        combinations = np.full(len(here), wheel.answers - 1)
        combinations[~skips] = np.ravel_multi_index(tuple(own[~skips].T), tuple(of))
        reports = randomize_many(wheel, combinations, drawn[here, 1]).astype(np.int64)
        skipped = linked.skip & (reports == wheel.answers - 1)
        told = np.stack(np.unravel_index(np.where(skipped, 0, reports), tuple(of)), axis=1)
        codes[np.ix_(here, columns)] = np.where(skipped[:, None], of, told)
    return codes
