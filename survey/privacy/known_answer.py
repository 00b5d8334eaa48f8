"""The guess at a linked answer by somebody who knows another one, over all waves."""

from __future__ import annotations

from collections.abc import Iterable

from survey.linked import Linked
from survey.privacy.guess import times_in_100
from survey.privacy.suspicion import bounds


def times_knowing_one(wheels: Iterable[Linked], waves: int) -> int:
    """Return the times in 100 that somebody who knows one linked answer can be right about another.

    Parameters
    ----------
    wheels : iterable of Linked
        Of all linked sections; the one that tells the most counts.
    waves : int
        How often the same person is asked all of it.

    Returns
    -------
    int
        Rounded up; 0 where nothing is linked.

    Notes
    -----
    Whoever thinks two answers to a question equally likely beforehand is right after W waves with

        E^W/(E^W + 1)

    at most, E = e^epsilon of the wheel, and for the two questions that tell the most that is exact. Whatever
    the other answers are, two sets of answers that share the known one have
    P(row of reports | one set)/P(row | other) <= E^W: losses of independent reports add, no wheel of a
    section loses more than the first, and no draw of sections or of questions depends on the answers. The
    ratio is E^W if every wave draws these two questions and reports the one set of answers. Reports on other
    sections do not depend on the answer that is guessed, and add nothing.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, theorem 3.16 (the sum);
    Kasiviswanathan & Smith (2014), as in `survey.privacy.suspicion.bounds` (the share of right guesses).

    Examples
    --------
    >>> pair = Linked.spun((2, 2), 1.0)
    >>> [times_knowing_one([pair], waves) for waves in (1, 2, 3)], times_knowing_one([], 1)
    ([74, 89, 96], 0)
    """
    losses = [waves * wheel.weakest.epsilon for wheel in wheels]  # ln(E^W)
    return max((times_in_100(bounds(0.5, loss)[1]) for loss in losses), default=0)  # E^W/(E^W + 1)
