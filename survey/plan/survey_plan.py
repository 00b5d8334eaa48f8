"""A plan of a survey: the number of sections that each person is asked, and every epsilon, for one total."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from survey.channel import require_whole
from survey.plan.curve import Curve, curve
from survey.plan.progressive_filling import Allocation, PlannedQuestion
from survey.plan.respondents import MOST_RESPONDENTS
from survey.progress import stretch
from survey.question import Question
from survey.section import MOST_SETS, Section

FEWEST_ASKED = 30
"""With fewer expected askings a normal interval means nothing, and no plan is made."""

DIGITS = 4
"""The number of decimals to which the epsilons of a plan are rounded down."""


class PlanError(ValueError):
    """A plan that cannot be made.

    Attributes
    ----------
    name : str
        The argument that is too small: ``total``, ``respondents``, or the limit ``right``.
    least : float or None
        The least that it must be; None where no such number is known.
    """

    def __init__(self, name: str, least: float | None, why: str, value: float) -> None:
        self.name = name
        self.least = least
        range_ = "larger" if least is None else f"at least {least:.10g}"
        super().__init__(f"{name} must be {range_}: {why}, got {value:.10g}")


@dataclass(frozen=True)
class SurveyPlan:
    """The number of sections that each person is asked, and the sections with their epsilons.

    Attributes
    ----------
    asked : int or None
        The number of sections asked among those that are not always asked; None for all of them.
    sections : tuple of Section
        The sections of the survey, with the epsilons of the plan.
    """

    asked: int | None
    sections: tuple[Section, ...]


def too_little(allocations: Sequence[Allocation], total: float, waves: int) -> PlanError:
    """Return the error of a total that is less than what the questions cost at least."""
    least = waves * min(each.loss(each.cheapest()) for each in allocations)
    rounded = math.ceil(1e4 * least) / 1e4
    return PlanError("total", rounded, "the questions cost no less, and one with two coins costs ln 3", total)


def asks_of(
    sections: Sequence[Section],
    total: float,
    respondents: int,
    *,
    waves: int,
    asked: int | None,
    share: float | None,
    weights: Sequence[float] | None,
) -> tuple[list[PlannedQuestion], list[int]]:
    """Return every question with its precision up to a total, and the numbers of sections that may be asked.

    Parameters and errors are those of `survey.plan.plans_within`, with `total` above 0.
    """
    require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    if share is not None and not 0 <= share <= 1:
        raise ValueError(f"share must be a number from 0 to 1, got {share!r}")
    number = sum(len(section.questions) for section in sections)
    weighed = iter(alike(sections, read_weights(weights, number)))
    planned = [
        (place, question, weight)
        for place, section in enumerate(sections)
        for question, weight in weighed_questions(section, list(islice(weighed, len(section.questions))))
    ]
    found = curves([question for _, question, _ in planned], total, waves, share)
    asks = [
        PlannedQuestion(place, curve, weight)
        for (place, _, weight), curve in zip(planned, found, strict=True)
    ]
    drawn = sum(not section.always for section in sections)
    return asks, choices(drawn, asked, respondents)


def weighed_questions(section: Section, weights: Sequence[float]) -> list[tuple[Question, float]]:
    """Return the questions of a section with their weights; of linked ones, that of the fewest answers.

    Its share is the least certain, and its epsilon that of all. The weight tells how few are asked it, too.
    """
    if section.linked is None:
        return list(zip(section.questions, weights, strict=True))
    fewest = min(section.questions, key=lambda question: question.answers)
    return [(fewest, max(weights) * math.sqrt(len(section.linked.sizes) / section.linked.asked))]


def choices(drawn: int, asked: int | None, respondents: int) -> list[int]:
    """Return the numbers of sections that a person may be asked.

    Raises
    ------
    PlanError
        If too few people would be asked each section.
    ValueError
        If `asked` is not a number that a survey can have.
    """
    if asked is not None and drawn:
        require_whole("asked", asked, 1, drawn)
        if math.comb(drawn, asked) > MOST_SETS:
            raise ValueError(f"asked must leave at most {MOST_SETS} sets of sections, got {asked} of {drawn}")
    wanted = range(1, drawn + 1) if asked is None else [asked]
    drawable = [m for m in wanted if math.comb(drawn, m) <= MOST_SETS] if drawn else [0]
    # A section is asked of n m / k people; where all are asked always, of everybody.
    enough = [m for m in drawable if respondents * (m / drawn if drawn else 1) >= FEWEST_ASKED]
    if not enough:
        most = max(drawable)
        least = math.ceil(FEWEST_ASKED * (drawn / most if drawn else 1))
        why = f"an estimate needs {FEWEST_ASKED} people who are asked the question"
        raise PlanError("respondents", least, why, respondents)
    return enough


def read_weights(weights: Sequence[float] | None, questions: int) -> Sequence[float]:
    """Check the weights of the questions; 1 each where there are none."""
    if weights is None:
        return [1.0] * questions
    if len(weights) != questions or not all(0 < each < math.inf for each in weights):
        raise ValueError(f"weights must be {questions} numbers above 0, got {weights!r}")
    return weights


def alike(sections: Sequence[Section], weights: Sequence[float]) -> list[float]:
    """Return the weights, with the greatest of a matrix for all its lines, as these share one epsilon."""
    names = [(place, question.matrix) for place, each in enumerate(sections) for question in each.questions]
    greatest: dict[tuple[int, str | None], float] = {}
    for name, weight in zip(names, weights, strict=True):
        greatest[name] = max(weight, greatest.get(name, weight))
    return [greatest[name] if name[1] else weight for name, weight in zip(names, weights, strict=True)]


def curves(questions: Sequence[Question], total: float, waves: int, share: float | None) -> list[Curve]:
    """Return the curve of every question, computed once for all whose settings are the same.

    Raises
    ------
    PlanError
        If nothing can be estimated from one of them with any epsilon that it may have.
    """
    most = total / waves
    known: dict[str, Curve] = {}
    listed = []
    for place, question in enumerate(questions):
        epsilon = None if question.epsilon is None else most  # the one that it has does not count
        settings = repr(replace(question, id="", wording={}, note={}, epsilon=epsilon))
        if settings not in known:
            try:
                with stretch(place, place + 1, of=len(questions)):
                    known[settings] = curve(question, most, share)
            except ValueError as refusal:
                raise PlanError("total", None, f"{question.id} shows nothing ({refusal})", total) from refusal
        listed.append(known[settings])
    return listed


def with_epsilons(sections: Sequence[Section], epsilons: Sequence[float]) -> tuple[Section, ...]:
    """Return the sections with an epsilon for each question, rounded down; two coins have none."""
    remaining = iter(epsilons)
    return tuple(
        section.spun(floored(next(remaining)))
        if section.linked
        else replace(section, questions=tuple(map(with_epsilon, section.questions, remaining)))
        for section in sections
    )


def with_epsilon(question: Question, epsilon: float) -> Question:
    """Return a question with another epsilon."""
    return question if question.epsilon is None else replace(question, epsilon=floored(epsilon))


def floored(number: float) -> float:
    """Round a total or an epsilon down to what a plan writes."""
    return float(math.floor(number * 10**DIGITS + 1e-6) / 10**DIGITS)
