"""The best ways to ask a survey for what is wanted: apart or linked, everything or some of it at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from survey.channel import require_whole
from survey.mechanisms.designed import MOST_EPSILON
from survey.plan.candidate import Limits
from survey.plan.chosen_plan import FAMILIES, ChosenPlan
from survey.plan.layouts import Layouts
from survey.plan.less_telling import less_telling
from survey.plan.planned_channel import limit_of_guesses
from survey.plan.respondents import MOST_RESPONDENTS
from survey.plan.search import BEST, Search
from survey.plan.survey_plan import PlanError, floored
from survey.plan.topic import LEAST, limited_topics, topics
from survey.plan.wanted import Want
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.progress import stretch
from survey.section import Section


def choose(
    sections: Sequence[Section],
    respondents: int,
    *,
    wants: Sequence[Want] = (),
    right: int = MOST_RIGHT,
    telling: int = MOST_TELLING,
    about: Literal["all", "single"] = "all",
    total: float | None = None,
    waves: int = 1,
    asked: int | None = None,
    share: float | None = None,
    known: frozenset[int] = frozenset(),
    linked: bool = True,
    in_file: bool = False,
    exact: int = BEST,
) -> tuple[ChosenPlan, ...]:
    """Find, for each way to ask a survey, the plan with the fewest people within both limits.

    Parameters
    ----------
    sections : sequence of Section
        At least one, with their questions; the epsilons that they have do not count.
    respondents : int
        How many people are expected: at least 30 of them must be asked each question.
    wants : sequence of Want
        Of the questions and of pairs of them. A question of which nothing is wanted gets the usual.
    right, telling : int
        Times in 100 that a guess may be right at most, from 51 to 99: on average, and after the most telling
        result.
    about : str
        ``all`` if `right` limits guesses at all answers of a person together, ``single`` for those at any
        single answer.
    total : float, optional
        The most epsilon that one person may lose over all waves, where that is less than the second limit
        allows.
    waves : int
    asked : int, optional
        How many parts are asked, where that is not to be chosen: only what has so many is tried.
    share : float, optional
        The expected share of yes, and of each box; equal shares where none is given.
    known : frozenset of int
        Places of questions whose answers others know, such as age group or role: they are not linked.
    linked : bool
        Whether anything may be linked.
    in_file : bool
        Whether only mechanisms count that a survey file can name.
    exact : int
        So many plans are worked out; others that link something may be missing.

    Returns
    -------
    tuple of ChosenPlan
        The best of each family that can have what is wanted, the one with the fewest people first.

    Raises
    ------
    PlanError
        If no way keeps both limits, or nothing can be estimated from a question.
    ValueError
        If an argument is outside its range.
    """
    for name, value in (("right", right), ("telling", telling)):
        require_whole(name, value, 51, 99)
    require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    if about not in ("all", "single"):
        raise ValueError(f"about must be all or single, got {about!r}")
    most = floored(math.log(telling / (100 - telling)))
    if total is not None:
        if not 0 < total < math.inf:
            raise ValueError(f"total must be a number above 0, got {total!r}")
        most = min(most, total)
    if most / waves < LEAST:
        raise PlanError("total", LEAST * waves, "no question costs less", most)
    questions = [question for section in sections for question in section.questions]
    together = [len(section.questions) for section in sections for _ in section.questions]
    with stretch(0, 0.5):
        plain = topics(
            questions,
            wants,
            min(most / waves, MOST_EPSILON),
            share=share,
            known=known,
            beside=frozenset(place for place, others in enumerate(together) if others > 1),
            linked=linked,
            in_file=in_file,
        )
    designs = [
        topic.question.answers for topic in plain if any(way.mechanism == "designed" for way in topic.ways)
    ]
    limits = Limits(most, limit_of_guesses(right, designs), about, waves, asked, respondents, exact)
    listed = limited_topics(plain, limits.single, waves)
    pairs = tuple(want for want in wants if len(want.questions) == 2)
    search = Search(Layouts(listed, pairs, sections), limits)
    with stretch(0.5, 0.8):
        search.run()
    if search.too_telling:
        search = replace(
            search, layouts=Layouts(less_telling(listed), pairs, sections), tried=set(), items={}
        )
        with stretch(0.8, 1):
            search.run()
    if not search.best:
        raise PlanError("right", None, f"any plan lets a guess be right over {right} times in 100", right)
    plans = [candidate.chosen(family, limits) for family, candidate in search.best.items()]
    return tuple(sorted(plans, key=lambda plan: (plan.people, FAMILIES.index(plan.family))))
