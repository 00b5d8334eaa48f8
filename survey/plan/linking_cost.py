"""The people that a linked section needs, beside those of the best plan that links nothing of it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from survey.plan.choose import choose
from survey.plan.compare_mechanisms import worst_share
from survey.plan.outlook import people_for
from survey.plan.plans_within import MARGIN
from survey.plan.proposal import unlinked
from survey.plan.respondents import MOST_RESPONDENTS, ExpectedPrecision
from survey.plan.survey_plan import PlanError
from survey.plan.variance import reporting
from survey.plan.wanted import Want
from survey.privacy import guess
from survey.question import Question
from survey.section import Section

WIDEST = 99
"""Times in 100 that a guess may be right, so that the total alone limits what is compared."""

MOST_PAIRED = 6
"""Of more questions not all pairs are compared: it takes longer than somebody waits."""


LATEST: deque[tuple[Section, LinkingCost | None]] = deque(maxlen=32)
"""The sections that were compared last, and their costs: a page and its form ask for the same one again."""


@dataclass(frozen=True)
class People:
    """The people that are needed for margins of 5 points.

    Attributes
    ----------
    shares : int or None
        For the share of every answer.
    pairs : int or None
        For the share of people with two answers, of every two questions.
        None where no plan does it within the limits, or where that is not worked out.
    """

    shares: int | None
    pairs: int | None = None


@dataclass(frozen=True)
class LinkingCost:
    """The people that a linked section needs, and those of the best plans that link nothing of it.

    Attributes
    ----------
    linked : People
    same_total : People
        Of the best plan with the same epsilon in all.
    same_guess : People
        Where a guess at all answers is right as often.
    same_single : People
        Where a guess at the single answer that is guessed best is right as often.
    """

    linked: People
    same_total: People
    same_guess: People
    same_single: People

    @property
    def is_dearer(self) -> bool:
        """True if linking takes more people for the shares than asking apart at the same total."""
        linked, apart = self.linked.shares, self.same_total.shares
        return linked is not None and apart is not None and linked > apart

    @property
    def pays_for_pairs(self) -> bool:
        """True if it takes fewer for the shares of people with two answers."""
        linked, apart = self.linked.pairs, self.same_total.pairs
        return linked is not None and apart is not None and linked < apart


def linking_cost(section: Section) -> LinkingCost | None:
    """Compare a linked section with the best plans that link nothing of it, at equal shares.

    Parameters
    ----------
    section : Section
        Its questions are linked.

    Returns
    -------
    LinkingCost or None
        None where no plan without the wheel is within the total, or within what a planner allows at most.
    """
    for known, cost in tuple(LATEST):
        if known == section:
            return cost
    cost = compared(section)
    LATEST.append((section, cost))
    return cost


def compared(section: Section) -> LinkingCost | None:
    """Work out what `linking_cost` returns, which takes seconds for four questions."""
    linked, total = section.linked, section.epsilon
    assert linked is not None  # noqa: S101  # as documented
    assert total is not None  # noqa: S101  # as every linked section has one
    plain = unlinked([replace(section, title={}, introduction={}, always=False)])
    if total > math.log(WIDEST / (100 - WIDEST)) or best_apart(plain, total, ()) is None:
        return None
    pairs = [*combinations(range(len(plain)), 2)]
    if len(plain) > MOST_PAIRED:
        pairs = []  # nor are there any of boxes: no plan asks for theirs
    wants = [Want.usual("both", *pair) for pair in pairs]
    right = guess([linked.weakest]).times_right

    def apart(**limits: Any) -> People:
        of_pairs = best_apart(plain, wants=wants, **limits) if wants else None
        return People(best_apart(plain, wants=(), **limits), of_pairs)

    of_pairs = max((people_for_pair(section.questions, pair) for pair in pairs), default=None)
    return LinkingCost(
        People(math.ceil(people_for(MARGIN, [section], None)), of_pairs),
        same_total=apart(total=total),
        same_guess=apart(right=right),
        same_single=apart(right=right, about="single"),
    )


def dearer_links(sections: Iterable[Section]) -> list[tuple[Section, LinkingCost]]:
    """Return the linked sections for whose shares linking takes more people than asking apart."""
    costs = [(section, linking_cost(section)) for section in sections if section.linked]
    return [(section, cost) for section, cost in costs if cost and cost.is_dearer]


def best_apart(
    sections: Sequence[Section],
    total: float | None = None,
    wants: Sequence[Want] = (),
    right: int = WIDEST,
    about: Literal["all", "single"] = "all",
) -> int | None:
    """Return the people that the best plan needs which links nothing; None where there is none.

    Nor is there one where the largest total that a planner allows keeps it from being as telling as `right`
    allows: what it needs would say nothing then.
    """
    try:
        best, *_ = choose(
            sections,
            MOST_RESPONDENTS,
            wants=wants,
            right=right,
            telling=WIDEST,
            about=about,
            total=total,
            linked=False,
            in_file=True,
        )
    except PlanError:
        return None
    reached = best.guess.right if about == "all" else best.single
    bounded = total is None and 100 * reached < right - 1
    return None if bounded else best.people


def people_for_pair(questions: Sequence[Question], pair: tuple[int, int]) -> int:
    """Return the people with whom the share of those with two linked answers has the usual margin."""
    linked = questions[0].linked
    assert linked is not None  # noqa: S101  # they are linked
    channel = linked.marginal(*pair)
    chance = math.comb(len(questions) - 2, linked.asked - 2) / len(linked.sets)
    variance, _ = worst_share(channel, None)
    return math.ceil(ExpectedPrecision(variance, reporting(channel)).respondents(MARGIN, chance))
