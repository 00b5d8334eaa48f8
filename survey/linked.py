"""Linked questions: one wheel over all combinations of their answers, and its marginals in the same integers.

The wheel keeps all answers together, or chance picks a whole combination, each alike. A question of k
options reports each other option with the weight of K/k combinations, whatever the other answers are: so each
question has a channel of its own, and so has each pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product

import numpy as np

from survey.channel import TOTAL, Channel
from survey.compact_form import Rows, Window, Windows
from survey.limits import MOST_COMBINATIONS
from survey.mechanisms.k_ary_response import wheel, wheel_within

MOST_ROWS = 4096
"""The most rows of codes that a linked section is counted by: sets of its questions times combinations."""


@dataclass(frozen=True)
class Linked:
    """The wheels of questions that are linked.

    Attributes
    ----------
    sizes : tuple of int
        The number of answers of each question, one that it has of its own for a skip counted.
    wheels : tuple of Channel
        One for each number of combinations that a set of questions has, the fewest first.
    asked : int
        The number of the questions that one person is asked, a random set; all of them where it is their
        number.
    skip : bool
        True if all can be left out together, as one more combination, the last.
    section : str
        The name of the section, so that the questions of two sections are never taken for linked.
    coins : bool
        True if real coins may decide in place of the wheel.

    References
    ----------
    Domingo-Ferrer & Soria-Comas (2020), Multi-Dimensional Randomized Response, arXiv 2010.10881, section 3
    (RR-Joint).
    """

    sizes: tuple[int, ...]
    wheels: tuple[Channel, ...]
    asked: int
    skip: bool = False
    section: str = ""
    coins: bool = False

    @classmethod
    def spun(
        cls, sizes: tuple[int, ...], epsilon: float, asked: int | None = None, skip: bool = False
    ) -> Linked:
        """Make the wheels: p = (E - 1)/(E + K - 1) is bright, for K combinations and E = e^epsilon.

        Parameters
        ----------
        sizes : tuple of int
            Two or more numbers of answers.
        epsilon : float
            The largest privacy loss of all answers together, in (0, 10].
        asked : int, optional
            2 to the number of questions.
        skip : bool

        Raises
        ------
        ValueError
            If epsilon is outside its range, or the first wheel has more than 256 combinations.

        Examples
        --------
        >>> Linked.spun((2, 2), 2.0).wheels[0].probabilities.round(4)[0].tolist()
        [0.7112, 0.0963, 0.0963, 0.0963]
        """
        together = len(sizes) if asked is None else asked
        fewest, *more = sorted({math.prod(some) + skip for some in combinations(sizes, together)})
        first = wheel(fewest, epsilon, MOST_COMBINATIONS)
        others = (wheel_within(number, Fraction(*first.loss)) for number in more)
        return cls(sizes, (first, *others), together, skip)

    @classmethod
    def tossed(cls, questions: int, asked: int | None = None) -> Linked:
        """Make the wheel that real coins can stand in for: half of it is bright.

        The first coin keeps all answers or none, then one for each says yes or no. With K combinations of
        yes/no answers, a true one comes with 1/2 + 1/(2K) and any other with 1/(2K): the loss is ln(1 + K).

        Parameters
        ----------
        questions : int
            Two or more yes/no questions.
        asked : int, optional
            2 to the number of questions, at most 8.

        Examples
        --------
        >>> Linked.tossed(2).wheels[0].probabilities[0].tolist()
        [0.625, 0.125, 0.125, 0.125]
        """
        together = questions if asked is None else asked
        combos = 2**together
        return cls((2,) * questions, (wheel_within(combos, Fraction(1 + combos)),), together, coins=True)

    @property
    def sampled(self) -> bool:
        """True if a person is asked some of the questions."""
        return self.asked < len(self.sizes)

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The sets of questions that a person may be asked, by their places, in lexicographic order."""
        return tuple(combinations(range(len(self.sizes)), self.asked))

    def wheel(self, chosen: tuple[int, ...]) -> Channel:
        """Return the wheel of a set of questions: a combination of answers is an answer and a report."""
        number = math.prod(self.sizes[place] for place in chosen) + self.skip
        return next(each for each in self.wheels if each.answers == number)

    @property
    def weakest(self) -> Channel:
        """The channel of the report that one person makes: of several wheels, that of the greatest loss.

        It is the one with the fewest combinations: of the same loss, it keeps the most.
        """
        return self.wheels[0]

    def marginal(self, *places: int) -> MarginalChannel:
        """Return the channel of one question, or of several together.

        Parameters
        ----------
        *places : int
            The places of the questions, in order.

        Returns
        -------
        MarginalChannel
            Its answers and reports are the combinations of theirs, the first question's answer most
            significant, and where all can be left out a last one for that. Where people are asked different
            sets, of different numbers of combinations, the draw of the set is included, to within 2**-32.

        Examples
        --------
        >>> Linked.spun((2, 2), 2.0).marginal(0).probabilities.round(4)[0].tolist()
        [0.8075, 0.1925]
        """
        return marginal(self, places)

    def rows(self, *, drawn: bool) -> tuple[tuple[int, ...], ...]:
        """List the codes that may come together, one of each question.

        Parameters
        ----------
        drawn : bool
            True if the section is drawn: then the last row is that of who was not asked any.

        Returns
        -------
        tuple of tuple of int
            Set by set, its combinations in order, and where there is one the skip.
        """
        nobody = tuple(size + self.skip for size in self.sizes)  # the code of a question that is not asked
        rows = list(self.rows_asked(nobody))
        return (*rows, nobody) if drawn else tuple(rows)

    def rows_asked(self, nobody: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the rows of everybody who is asked."""
        for chosen in self.sets:
            of_set = list(product(*(range(self.sizes[place]) for place in chosen)))
            if self.skip:
                of_set.append(tuple(self.sizes[place] for place in chosen))
            for codes in of_set:
                row = dict(enumerate(nobody)) | dict(zip(chosen, codes, strict=True))
                yield tuple(row.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class MarginalChannel(Channel):
    """The channel of a linked question, or of several: the wheel of all, seen from these.

    Parameters
    ----------
    weights, form
        Of the question's own answers and reports.
    linked : Linked
        Whoever sees all reports learns what its wheel tells, which is more than these weights tell.
    places : tuple of int
    """

    linked: Linked
    places: tuple[int, ...]

    @property
    def bright(self) -> float:
        """The chance that all answers stand, p: by so much an answer makes its own report likelier."""
        return float(self.probabilities[0, 0] - self.probabilities[1, 0])


@lru_cache(maxsize=1024)
def marginal(linked: Linked, places: tuple[int, ...]) -> MarginalChannel:
    """Build the channel of some of the questions; cached, as it depends on nothing else."""
    own = math.prod(linked.sizes[place] for place in places)
    sets = [chosen for chosen in linked.sets if set(places) <= set(chosen)]
    wheels = [linked.wheel(chosen) for chosen in sets]
    other = [Fraction(int(each.weights[0, 1])) for each in wheels]  # w of one combination
    alike = [w * (each.answers - linked.skip) / own for w, each in zip(other, wheels, strict=True)]  # (K/k) w
    weight, skipped = (round(sum(each) / len(sets)) for each in (alike, other))
    reports = np.array([weight] * own + [skipped] * linked.skip, np.int64)
    weights = np.tile(reports, (len(reports), 1))
    np.fill_diagonal(weights, TOTAL - (reports.sum() - reports))
    if linked.skip:
        return MarginalChannel(weights, Rows.table(weights), linked=linked, places=places)
    form = Windows(own, (Window(own, 1, int(weights[0, 0]), weight),))
    return MarginalChannel(weights, form, linked=linked, places=places)
