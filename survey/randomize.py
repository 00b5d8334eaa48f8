"""Turn an answer into a report: the respondent's half of the survey.

Runs in the browser as ``static/js/chance/randomize.js`` and ``static/js/chance/sample.js``; these twins
are for simulations and for checking. Both replay ``tests/vectors``. The randomness is an argument: nothing
here draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, Channel, require_whole
from survey.mechanisms import BoxChannel


def randomize(channel: Channel, answer: int, word: int) -> int:
    """Return the report of one answer.

    Parameters
    ----------
    channel : Channel
        The chance of every report under every answer.
    answer : int
        Index of what is true, in [0, channel.answers).
    word : int
        One uniform integer in [0, 2**32), used for this answer and never again.

    Returns
    -------
    int
        Index of the report: the first column of the answer's row whose cumulative weight exceeds the
        word. So exactly ``weights[answer][report]`` of the 2**32 words give that report.

    Raises
    ------
    ValueError
        If the answer or the word is not a whole number in its range.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> randomize(coin(), 0, 3 * 2**30 - 1), randomize(coin(), 0, 3 * 2**30)
    (0, 1)
    """
    answer = require_whole("answer", answer, 0, channel.answers - 1)
    word = require_whole("word", word, 0, TOTAL - 1)
    # The number of columns whose cumulative weight does not exceed the word; the last one always does.
    return int(np.searchsorted(channel.weights[answer].cumsum(), word, side="right"))


def randomize_many(
    channel: Channel, answers: npt.ArrayLike, words: npt.ArrayLike
) -> npt.NDArray[np.unsignedinteger]:
    """Return the reports of many answers, one word each; as `randomize`, for arrays.

    Parameters
    ----------
    channel : Channel
        The chance of every report under every answer.
    answers : array_like of int
        Indices in [0, channel.answers).
    words : array_like of int
        Uniform integers in [0, 2**32), in the shape of `answers`. The operating system's, without a copy:
        ``np.frombuffer(os.urandom(4 * n), np.uint32)``.

    Returns
    -------
    ndarray of unsigned int, shape of `answers`
        Indices of the reports, in the smallest type that holds them: cast before doing arithmetic.

    Raises
    ------
    ValueError
        If an answer or a word is not a whole number in its range, or the shapes differ.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> randomize_many(coin(), [0, 0, 1], [0, 2**32 - 1, 2**31]).tolist()
    [0, 1, 1]
    """
    answers = require_whole_numbers("answers", answers, channel.answers)
    words = require_whole_numbers("words", words, TOTAL).astype(np.uint32, copy=False)
    if words.shape != answers.shape:
        raise ValueError(f"words must have the shape of answers, {answers.shape}, got {words.shape}")
    reports = np.zeros(answers.shape, np.min_scalar_type(channel.reports - 1))
    # A word passes one boundary after another; how many it has passed is its column. One comparison of the
    # whole array for each boundary beats a binary search for each word up to a hundred columns or so.
    for boundary in channel.weights.cumsum(axis=1).T[:-1]:
        # 2**32 is a boundary that no word reaches, and it does not fit 32 bits: compare in 64 there.
        narrow = boundary.astype(np.uint32 if boundary.max() < TOTAL else np.uint64)
        reports += words >= narrow.take(answers)
    return reports


def require_whole_numbers(name: str, values: npt.ArrayLike, below: int) -> npt.NDArray[np.integer]:
    """Check an array of whole numbers from 0 to `below` - 1; an empty list has no type to be wrong."""
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be whole numbers from 0 to {below - 1}, got {array.dtype} {array.flat[0]!r}"
        )
    for extreme in (array.min(), array.max()):
        require_whole(name, extreme, 0, below - 1)
    return array


def randomize_boxes(channel: BoxChannel, answers: Sequence[int], words: Sequence[int]) -> list[int]:
    """Return the reports of one respondent on all boxes of a question.

    Parameters
    ----------
    channel : BoxChannel
        With d boxes, of which s are reported on.
    answers : sequence of int
        For each box 0 for no or 1 for yes.
    words : sequence of int
        Uniform integers in [0, 2**32), each used once. Where all boxes are reported on: one a box.
        Elsewhere the first says which, and then come s, for the sampled boxes in their order.

    Returns
    -------
    list of int
        The report of each box; 2 for those that were not sampled.

    Raises
    ------
    ValueError
        If there are not as many answers or words as that, or one is not a whole number in its range.

    Examples
    --------
    >>> from survey.mechanisms import sampled_box
    >>> randomize_boxes(sampled_box(4, 1.0), [0, 1, 0, 0], [2**30, 2**31])
    [2, 1, 2, 2]
    """
    require_length("answers", answers, channel.boxes)
    require_length("words", words, words_for(channel))
    answers = [require_whole("answers", answer, 0, 1) for answer in answers]
    drawn, spent = list(range(channel.boxes)), words
    if channel.sampled < channel.boxes:
        drawn, spent = draw_subset(channel.boxes, channel.sampled, words[0]), words[1:]
    reports = [channel.box.reports] * channel.boxes
    for box, word in zip(drawn, spent, strict=True):
        reports[box] = randomize(channel.box, answers[box], word)
    return reports


def words_for(channel: BoxChannel) -> int:
    """Return how many words one respondent's boxes take."""
    return channel.sampled + (channel.sampled < channel.boxes)


def draw_subset(places: int, size: int, word: int) -> list[int]:
    """Return the subset of boxes or sections that a word stands for.

    Parameters
    ----------
    places, size : int
        How many there are to draw from, and how many are drawn: n and k.
    word : int
        One uniform integer in [0, 2**32).

    Returns
    -------
    list of int
        The k-subset of rank floor(word C / 2**32) among all C = C(n, k) in lexicographic order, ascending.

    Raises
    ------
    ValueError
        If the word is not a whole number in its range.

    Notes
    -----
    The words of rank r are those from ceil(r 2**32 / C) up to but not including ceil((r + 1) 2**32 / C):
    2**32 / C of them, rounded up or down. So each subset has the chance 1/C to within 2**-32.

    Examples
    --------
    >>> [draw_subset(4, 2, word) for word in (0, 2**31, 2**32 - 1)]
    [[0, 1], [1, 2], [2, 3]]
    """
    rank = require_whole("word", word, 0, TOTAL - 1) * math.comb(places, size) // TOTAL
    drawn: list[int] = []
    for place in range(places):
        # How many of the subsets that are left have this place as their next.
        beginning = math.comb(places - place - 1, size - len(drawn) - 1) if len(drawn) < size else 0
        if rank < beginning:
            drawn.append(place)
        else:
            rank -= beginning
    return drawn


def draw_subsets(places: int, size: int, words: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the subsets that many words stand for; as `draw_subset`, for arrays.

    Parameters
    ----------
    places, size : int
        C(places, size) is at most 2**31.
    words : array_like of int, shape (n,)

    Returns
    -------
    ndarray of int, shape (n, size)
        A subset a row, ascending.

    Raises
    ------
    ValueError
        If a word is not a whole number in its range.
    """
    subsets = math.comb(places, size)
    ranks = require_whole_numbers("words", words, TOTAL).astype(np.int64) * subsets // TOTAL
    missing = np.full(len(ranks), size)
    drawn = np.zeros((len(ranks), places), np.bool_)
    for place in range(places):
        # By how many are still missing; a number that nobody can miss here might not fit 64 bits.
        beginning = [0, *(min(math.comb(places - place - 1, k), subsets) for k in range(size))]
        first = np.array(beginning)[missing]
        drawn[:, place] = ranks < first
        ranks -= np.where(drawn[:, place], 0, first)
        missing -= drawn[:, place]
    return np.nonzero(drawn)[1].reshape(-1, size)


def randomize_boxes_many(
    channel: BoxChannel, answers: npt.ArrayLike, words: npt.ArrayLike
) -> npt.NDArray[np.unsignedinteger]:
    """Return the reports of many respondents on all boxes of a question; as `randomize_boxes`, for arrays.

    Parameters
    ----------
    channel : BoxChannel
    answers : array_like of int, shape (respondents, boxes)
        0 for no, 1 for yes.
    words : array_like of int, shape (respondents, words)
        As many a respondent as `words_for` says.

    Returns
    -------
    ndarray of unsigned int, shape (respondents, boxes)

    Raises
    ------
    ValueError
        If an array has another shape, or holds anything but whole numbers in their ranges.
    """
    answers = require_whole_numbers("answers", answers, 2)
    words = require_whole_numbers("words", words, TOTAL)
    if answers.ndim != 2 or answers.shape[1] != channel.boxes:
        raise ValueError(f"answers must have the shape (respondents, {channel.boxes}), got {answers.shape}")
    if words.shape != (len(answers), words_for(channel)):
        raise ValueError(
            f"words must have the shape ({len(answers)}, {words_for(channel)}), got {words.shape}"
        )
    if channel.sampled == channel.boxes:
        return randomize_many(channel.box, answers, words)
    drawn = draw_subsets(channel.boxes, channel.sampled, words[:, 0])
    spoken = randomize_many(channel.box, np.take_along_axis(answers, drawn, axis=1), words[:, 1:])
    reports = np.full(answers.shape, channel.box.reports, spoken.dtype)
    np.put_along_axis(reports, drawn, spoken, axis=1)
    return reports


def require_length(name: str, values: Sequence[object], length: int) -> None:
    """Check how many values there are."""
    if len(values) != length:
        raise ValueError(f"{name} must be {length} whole numbers, got {len(values)}")
