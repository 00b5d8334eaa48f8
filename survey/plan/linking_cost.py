"""The people that a linked section needs, beside those of the best plan that links nothing of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from survey.plan.choose import choose
from survey.plan.compare_mechanisms import worst_share
from survey.plan.outlook import people_for
from survey.plan.plans_within import MARGIN
from survey.plan.proposal import unlinked
from survey.plan.respondents import MOST_RESPONDENTS, ExpectedPrecision
from survey.plan.survey_plan import PlanError
from survey.plan.variance import reporting
from survey.plan.wanted import Want
from survey.question import Question
from survey.section import Section

WIDEST = 99
"""Times in 100 that a guess may be right, so that the total alone limits what is compared."""

MOST_PAIRED = 8
"""Of more questions not all pairs are compared: it takes longer than somebody waits."""


@dataclass(frozen=True)
class LinkingCost:
    """The people that are needed for margins of 5 points, at the same total.

    Attributes
    ----------
    linked, apart : int
        For the share of every answer: as the questions are linked, and in the best plan that links nothing.
    linked_pairs, apart_pairs : int or None
        For the share of people with two answers, of every two questions; None where that is not worked out.
    """

    linked: int
    apart: int
    linked_pairs: int | None = None
    apart_pairs: int | None = None

    @property
    def is_dearer(self) -> bool:
        """True if linking takes more people for the shares than asking apart."""
        return self.linked > self.apart


def linking_cost(section: Section) -> LinkingCost | None:
    """Compare a linked section with the best plan that links nothing of it, at equal shares.

    Parameters
    ----------
    section : Section
        Its questions are linked.

    Returns
    -------
    LinkingCost or None
        None where no plan without the wheel is within the total, or within what a planner allows at most.
    """
    linked, total = section.linked, section.epsilon
    assert linked is not None  # noqa: S101  # as documented
    assert total is not None  # noqa: S101  # as every linked section has one
    plain = unlinked([replace(section, title={}, introduction={}, always=False)])
    if total > math.log(WIDEST / (100 - WIDEST)):
        return None
    shares = best_apart(plain, total, ())
    if shares is None:
        return None
    cost = LinkingCost(math.ceil(people_for(MARGIN, [section], None)), shares)
    pairs = [*combinations(range(len(plain)), 2)]
    if not pairs or len(plain) > MOST_PAIRED:  # none of boxes: no plan asks for theirs
        return cost
    apart = best_apart(plain, total, [Want.usual("both", *pair) for pair in pairs])
    return replace(
        cost, linked_pairs=max(people_for_pair(section.questions, pair) for pair in pairs), apart_pairs=apart
    )


def dearer_links(sections: Iterable[Section]) -> list[tuple[Section, LinkingCost]]:
    """Return the linked sections for whose shares linking takes more people than asking apart."""
    costs = [(section, linking_cost(section)) for section in sections if section.linked]
    return [(section, cost) for section, cost in costs if cost and cost.is_dearer]


def best_apart(sections: Sequence[Section], total: float, wants: Sequence[Want]) -> int | None:
    """Return the people that the best plan needs which links nothing; None where there is none."""
    try:
        best, *_ = choose(
            sections,
            MOST_RESPONDENTS,
            wants=wants,
            right=WIDEST,
            telling=WIDEST,
            total=total,
            linked=False,
            in_file=True,
        )
    except PlanError:
        return None
    return best.people


def people_for_pair(questions: Sequence[Question], pair: tuple[int, int]) -> int:
    """Return the people with whom the share of those with two linked answers has the usual margin."""
    linked = questions[0].linked
    assert linked is not None  # noqa: S101  # they are linked
    channel = linked.marginal(*pair)
    chance = math.comb(len(questions) - 2, linked.asked - 2) / len(linked.sets)
    variance, _ = worst_share(channel, None)
    return math.ceil(ExpectedPrecision(variance, reporting(channel)).respondents(MARGIN, chance))
