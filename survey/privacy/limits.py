"""The protection that a survey should give one person: limits of its guess figure and most telling result.

A limit of one alone can be gamed: six yes/no questions at epsilon .72 keep a guess figure of 80, but one
result in a thousand lets 98.7 of 100 guesses be right.
"""

from __future__ import annotations

import math

from survey.privacy.guess import Guess

MOST_RIGHT, MOST_TELLING = 80, 95
"""The most times in 100 that a guess should be right: on average, and after the most telling result."""

LITTLE_RIGHT, LITTLE_TELLING = 90, 97
"""Above either of these a survey protects little: it says so, and opens only for a reason."""

LARGEST_TOTAL = math.log(MOST_TELLING / (100 - MOST_TELLING))
"""The total epsilon up to which the most telling result keeps its limit: E/(E + 1) = .95, so ln 19."""

LONGEST_REASON = 1000
"""Characters of the reason for which a survey that protects little is opened."""


def keeps_both(guess: Guess) -> bool:
    """Return whether a survey keeps both limits.

    Examples
    --------
    >>> keeps_both(Guess(0.80, 0.95, 0)), keeps_both(Guess(0.81, 0.9, 0)), keeps_both(Guess(0.8, 0.96, 0))
    (True, False, False)
    """
    return guess.times_right <= MOST_RIGHT and guess.times_telling <= MOST_TELLING


def protects_little(guess: Guess) -> bool:
    """Return whether a survey protects little, so that it makes no promise and opens only for a reason.

    Examples
    --------
    >>> [protects_little(Guess(*each, 0.0)) for each in ((0.9, 0.97), (0.91, 0.97), (0.6, 0.975))]
    [False, True, True]
    """
    return guess.times_right > LITTLE_RIGHT or guess.times_telling > LITTLE_TELLING
