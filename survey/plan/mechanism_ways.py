"""The mechanisms for a question, each with the reports that its wants take at every loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from survey.channel import MAXIMUM_EPSILON, Channel
from survey.design.base_sets import BASE_SETS
from survey.design.planned_design import planned_design
from survey.design.subset_variance import total_variance
from survey.design.wants import CURVE, MEAN, SHARES, WANTS
from survey.limits import CONFIDENCE_LEVEL, MOST_COMBINATIONS
from survey.mechanisms import coin, cyclic, designed
from survey.mechanisms.designed import LEAST_EPSILON, MOST_EPSILON
from survey.mechanisms.sampled_boxes import box_variance
from survey.mechanisms.subset_selection import MOST_CATEGORIES
from survey.plan.curve import curve
from survey.plan.linking import bright_share, variance_through
from survey.plan.mechanism_variance import Moments, figure_values, through_channels, through_sets
from survey.plan.pair_figures import Matrix, Vector
from survey.plan.planned_channel import planned_channel
from survey.plan.survey_plan import PlanError
from survey.plan.wanted import Want
from survey.privacy import reports_of
from survey.privacy.hardest_pairs import Telling, Told
from survey.question import Boxes, Choice, Number, Question
from survey.question.question import Wants
from survey.weighted_sets import MOST_ANSWERS_OF_SETS

COIN = coin().epsilon
DESIGNS = 6
"""The number of epsilons at which a channel is designed, as this may take seconds."""

QUICK, MORE_DESIGNS = 6, 24
"""Up to so many answers a design takes hundredths of a second, and is made at so many epsilons."""

FEW_POINTS = 101
"""Up to so many numbers other mechanisms than a question's own are tried."""

Z = NormalDist().inv_cdf((1 + CONFIDENCE_LEVEL) / 2)


@dataclass(frozen=True, eq=False)
class Way:
    """A mechanism for a question.

    Attributes
    ----------
    mechanism : str
        In `survey.mechanisms`, or ``linked`` for boxes of which some are on one wheel.
    reports : ndarray, shape (losses,)
        The reports that the wants take at every loss, never rising; infinite where nothing can be estimated.
    shares : ndarray, shape (answers, losses)
        n times the variance of each share.
    telling : callable
        Loss -> the channels of the reports that one person makes.
    reporting : ndarray or float
        At every loss, the part of those asked who report: of sampled boxes, the part that is sampled.
    times : int
        The loss for each unit of epsilon: the number of boxes where each has its own.
    on_wheel : int
        How many boxes are linked.
    wants : tuple of (str, float), or None
        What the channel is designed for, where it is.
    """

    mechanism: str
    reports: Vector
    shares: Matrix
    telling: Callable[[float], list[Telling]]
    reporting: Vector | float = 1.0
    times: int = 1
    on_wheel: int = 0
    wants: Wants | None = None

    def up_to(self, largest: float, losses: Vector) -> Way:
        """Return it with no gain from losses above one; nothing can be estimated where that is 0."""
        last = int(np.searchsorted(losses, largest * (1 + 1e-9))) - 1
        reports = np.full(len(losses), np.inf) if last < 0 else self.reports.copy()
        if last >= 0:
            reports[last:] = reports[last]
        return replace(self, reports=reports)

    def only_at(self, useful: npt.NDArray[np.bool_]) -> Way:
        """Return it as if it were of use at some losses only, the others being as good as those below."""
        return replace(self, reports=np.minimum.accumulate(np.where(useful, self.reports, np.inf)))


def ways_of(
    question: Question, truth: Vector, wants: Sequence[Want], losses: Vector, *, linked: bool
) -> tuple[Way, ...]:
    """Return the mechanisms that suit a question and what is wanted of it.

    Parameters
    ----------
    question : Question
        Its epsilon does not count. Real coins, a size, a utility, and boxes that have an epsilon each are
        left as they are.
    truth : ndarray
        The expected shares.
    wants : sequence of Want
    losses : ndarray
    linked : bool
        Whether boxes may be linked.

    Raises
    ------
    PlanError
        If nothing can be estimated at any loss.
    """
    match question:
        case Number():
            found = list(number_ways(question, wants, losses))
        case Boxes():
            found = list(boxes_ways(question, truth, wants, losses, linked=linked))
        case _:
            found = list(answer_ways(question, truth, wants, losses))
    useful = [way for way in found if np.isfinite(way.reports).any()]
    if not useful:
        raise PlanError("total", None, f"{question.id} shows nothing", float(losses[-1]))
    return tuple(useful)


def answer_ways(question: Question, truth: Vector, wants: Sequence[Want], losses: Vector) -> Iterator[Way]:
    """Yield the mechanisms of a yes/no question or a choice."""
    k = question.answers
    figures = figure_values(tuple({SHARES, *(want.figure for want in wants)}), k)
    if question.skip == "randomized" and len(figures) > 1:
        raise ValueError(f"{question.id} must not be skipped if more than shares are wanted of it")

    def way(name: str, moments: Mapping[str, Moments], build: Callable[[float], Channel]) -> Way:
        variances = {figure: each.largest(figure, truth) for figure, each in moments.items()}
        return Way(
            name,
            reports_for(variances, wants, losses, question),
            moments[SHARES].variances(truth),
            lambda loss: list(reports_of(question.columns_of(build(loss)))),
        )

    if question.epsilon is None:
        half = through_sets_of(figures, np.full(len(losses), 1), np.full(len(losses), COIN))
        yield way("coin", half, lambda _: coin())
        return
    if isinstance(question, Choice) and own_design(question):
        yield way(question.mechanism, through_channels(built(question), figures, losses), built(question))
        return
    if question.mechanism == "exponential":
        yield way("exponential", through_channels(built(question), figures, losses), built(question))
    sizes = np.ones(len(losses), int)
    name = "wheel" if isinstance(question, Choice) else question.mechanism
    yield way(name, through_sets_of(figures, sizes, losses), built(question, name))
    if not isinstance(question, Choice):
        return
    if k <= MOST_CATEGORIES:
        totals = np.array([[total_variance(k, loss, w) for loss in losses.tolist()] for w in range(1, k)])
        sizes = 1 + totals.argmin(axis=0)
        if (sizes > 1).any():
            yield way("subset", through_sets_of(figures, sizes, losses), built(question, "subset"))
    if k in BASE_SETS:
        yield way("cyclic", through_channels(lambda loss: cyclic(k, loss), figures, losses),
                  lambda loss: cyclic(k, loss))  # fmt: skip
    mix = {want.figure: 1.0 for want in wants}
    ordered = question.ordered and question.skip != "randomized"
    if ordered and k <= MOST_ANSWERS_OF_SETS and set(mix) & {MEAN, CURVE}:
        designs = designed_moments(k, mix, figures, losses)
        build = partial(designed, k, wants=mix, search=planned_design)
        yield replace(way("designed", designs, build), wants=in_order(mix))


def designed_moments(
    k: int, mix: Mapping[str, float], figures: Mapping[str, Matrix], losses: Vector
) -> dict[str, Moments]:
    """Return the moments of a channel that is designed for what is wanted."""
    allowed = losses[(losses >= LEAST_EPSILON) & (losses <= MOST_EPSILON)]
    if not len(allowed):
        allowed = losses[:1]  # at which it is refused
    build = partial(designed, k, wants=mix, search=planned_design)
    within = through_channels(build, figures, allowed, MORE_DESIGNS if k <= QUICK else DESIGNS)
    below = int((losses < LEAST_EPSILON).sum())
    above = len(losses) - below - len(allowed)

    def padded(part: Matrix, before: float) -> Matrix:
        whole = np.pad(part, ((0, 0), (0, 0), (below, 0)), constant_values=before)
        return np.pad(whole, ((0, 0), (0, 0), (0, above)), "edge")

    return {
        name: Moments(padded(each.means, 0), padded(each.squares, np.inf)) for name, each in within.items()
    }


def through_sets_of(figures: Mapping[str, Matrix], sizes: Vector, losses: Vector) -> dict[str, Moments]:
    """Return the moments of sets of a size that depends on the loss."""
    listed = {}
    for name, counted in figures.items():
        shape = (*counted.shape, len(losses))
        means, squares = np.empty(shape), np.empty(shape)
        for size in np.unique(sizes).tolist():
            some = sizes == size
            moments = through_sets(counted, size, losses[some])
            means[..., some], squares[..., some] = moments.means, moments.squares
        listed[name] = Moments(means, squares)
    return listed


def boxes_ways(
    question: Boxes, truth: Vector, wants: Sequence[Want], losses: Vector, *, linked: bool
) -> Iterator[Way]:
    """Yield the mechanisms of boxes: one by one, some drawn, or some on one wheel."""
    boxes = len(question.options)
    yes = np.array([[0.0, 1.0]])

    def way(
        name: str,
        parts: Vector,
        variance: Vector,
        telling: Callable[[float], list[Telling]],
        times: int = 1,
        on_wheel: int = 0,
    ) -> Way:
        part = parts / boxes
        reports = reports_for({SHARES: variance / part}, wants, losses, question)
        return Way(name, reports, np.stack([variance / part] * 2), telling, part, times, on_wheel)

    if question.scope == "box":
        shared = through_sets(yes, 1, losses / boxes).variances(truth)[0]
        each = built(replace(question, scope="box"))
        all_boxes = np.full(len(losses), float(boxes))
        yield way("per_box", all_boxes, shared, lambda loss: told(question, each(loss / boxes)), times=boxes)
        return
    drawn = np.array([float(drawn_boxes(boxes, loss)) for loss in losses.tolist()])
    for name, parts in (("per_box", np.full(len(losses), float(boxes))), ("sampled_box", drawn)):
        build = built(replace(question, mechanism=name, scope="question" if name == "per_box" else None))
        variance = through_sets(yes, 1, losses / parts).variances(truth)[0]
        yield way(name, parts, variance, telling_of(question, build))
    most = int(math.log2(MOST_COMBINATIONS))
    for number in range(2, min(boxes, most) + 1) if linked else ():
        bright = np.asarray(bright_share(losses, 2**number))
        variance = variance_through(bright, np.outer([0.5, 0.5], 1 - bright), truth, yes)[0]
        parts = np.full(len(losses), float(number))
        yield way("linked", parts, variance, telling_of_wheel(2**number), on_wheel=number)


def number_ways(question: Number, wants: Sequence[Want], losses: Vector) -> Iterator[Way]:
    """Yield the mechanisms of a number, for its mean or its curve."""
    figures = {want.figure for want in wants}
    classes = min(question.answers, MOST_ANSWERS_OF_SETS)
    if SHARES in figures:
        raise ValueError(f"{question.id} must be asked for its mean or its curve, not for shares")
    values = figure_values(tuple({SHARES, *figures}), classes)
    mix = dict.fromkeys(sorted(figures), 1.0)
    truth = np.full(classes, 1 / classes)
    no_shares = np.full((1, len(losses)), np.inf)
    if CURVE not in figures:
        others = ("hybrid", "one_bit", "laplace") if question.answers <= FEW_POINTS else ("hybrid",)
        for name in dict.fromkeys((question.mechanism, *others)):
            if name == "designed":
                continue
            chosen = replace(question, mechanism=name, delta=question.delta if name == "gaussian" else None)
            line = curve(chosen, float(losses[-1]))
            deviations = np.interp(losses, line.epsilons, line.deviations, left=np.inf)
            reports = reports_for({MEAN: deviations**2}, wants, losses, question)
            yield Way(name, reports, no_shares, telling_of(question, built(chosen)))
        return
    moments = designed_moments(classes, mix, values, losses)
    variances = {figure: moments[figure].largest(figure, truth) for figure in figures}
    reports = reports_for(variances, wants, losses, question)
    build = partial(designed, classes, wants=mix, search=planned_design)
    yield Way("designed", reports, no_shares, lambda loss: [build(loss)], wants=in_order(mix))


def in_order(mix: Mapping[str, float]) -> Wants:
    """Return what is wanted with its weights, in the order of a survey file."""
    return tuple((want, mix[want]) for want in WANTS if want in mix)


def drawn_boxes(boxes: int, epsilon: float) -> int:
    """Return how many boxes a sampled box question draws."""
    return min(range(1, boxes + 1), key=lambda drawn: box_variance(boxes, epsilon, drawn, 0.5))


def told(question: Question, channel: Channel) -> list[Telling]:
    """Return the channels of one person's reports on a question."""
    return list(reports_of(question.columns_of(channel)))


def telling_of(question: Question, build: Callable[[float], Channel]) -> Callable[[float], list[Telling]]:
    """Return what lists the channels of one person's reports at a loss."""
    return lambda loss: told(question, build(loss))


def telling_of_wheel(combinations: int) -> Callable[[float], list[Telling]]:
    """Return the same of one wheel."""
    return lambda loss: [Told.of_wheel(combinations, loss)]


def own_design(question: Choice) -> bool:
    """Return whether more is set than a mechanism, so that it is left as it is."""
    return question.size is not None or question.utility is not None


def built(question: Question, mechanism: str | None = None) -> Callable[[float], Channel]:
    """Return what builds the channel of a question with another mechanism, at an epsilon."""
    name = mechanism or question.mechanism
    return lambda epsilon: planned_channel(
        replace(question, mechanism=name, epsilon=min(epsilon, MAXIMUM_EPSILON))
    )


def with_mechanism(question: Question, mechanism: str, wants: Wants | None) -> Question:
    """Return a question with another mechanism; what only its own mechanism has goes with it."""
    changes: dict[str, Any] = {}
    if mechanism != question.mechanism:
        changes = {name: None for name in ("size", "utility", "scope", "delta") if hasattr(question, name)}
        if mechanism == "per_box":
            changes["scope"] = "question"
    if hasattr(question, "wants"):
        changes["wants"] = wants
    return replace(question, mechanism=mechanism, **changes)


def reports_for(
    variances: Mapping[str, Vector], wants: Sequence[Want], losses: Vector, question: Question
) -> Vector:
    """Return the reports that the wants take at every loss, never rising: (z/margin)^2 n Var."""
    needed = np.max([variances[want.figure] * (Z / want.margin) ** 2 for want in wants], axis=0)
    if question.epsilon is None or question.by_hand:
        needed = np.where(losses < COIN * (1 - 1e-12), np.inf, needed)
    return np.asarray(np.minimum.accumulate(np.where(np.isfinite(needed), needed, np.inf)))
