"""Turn an answer into a report: the respondent's half of the survey.

Runs in the browser as ``static/js/chance/randomize.js`` and ``static/js/chance/sample.js``; these twins
are for simulations and for checking. Both replay ``tests/vectors``. The randomness is an argument: nothing
here draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

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
        drawn, spent = draw_boxes(channel.boxes, channel.sampled, words[0]), words[1:]
    reports = [channel.box.reports] * channel.boxes
    for box, word in zip(drawn, spent, strict=True):
        reports[box] = randomize(channel.box, answers[box], word)
    return reports


def words_for(channel: BoxChannel) -> int:
    """Return how many words one respondent's boxes take."""
    return channel.sampled + (channel.sampled < channel.boxes)


def draw_boxes(boxes: int, sampled: int, word: int) -> list[int]:
    """Return the s of d boxes that a word stands for: the subset of rank floor(word C(d, s) / 2**32).

    Subsets are ranked in lexicographic order. Each has the same chance to within 2**-32.

    Examples
    --------
    >>> [draw_boxes(4, 2, word) for word in (0, 2**31, 2**32 - 1)]
    [[0, 1], [1, 2], [2, 3]]
    """
    rank = require_whole("word", word, 0, TOTAL - 1) * math.comb(boxes, sampled) // TOTAL
    drawn: list[int] = []
    for box in range(boxes):
        # So many of the subsets that are left begin with this box.
        beginning = math.comb(boxes - box - 1, sampled - len(drawn) - 1) if len(drawn) < sampled else 0
        if rank < beginning:
            drawn.append(box)
        else:
            rank -= beginning
    return drawn


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
    subsets = all_subsets(channel.boxes, channel.sampled)
    drawn = subsets[words[:, 0].astype(np.uint64) * np.uint64(len(subsets)) // np.uint64(TOTAL)]
    spoken = randomize_many(channel.box, np.take_along_axis(answers, drawn, axis=1), words[:, 1:])
    reports = np.full(answers.shape, channel.box.reports, spoken.dtype)
    np.put_along_axis(reports, drawn, spoken, axis=1)
    return reports


@lru_cache(maxsize=8)
def all_subsets(boxes: int, sampled: int) -> npt.NDArray[np.int64]:
    """Return every subset of s of d boxes in lexicographic order, shape (C(d, s), s)."""
    return np.array(list(combinations(range(boxes), sampled)), np.int64)


def require_length(name: str, values: Sequence[object], length: int) -> None:
    """Check how many values there are."""
    if len(values) != length:
        raise ValueError(f"{name} must be {length} whole numbers, got {len(values)}")
