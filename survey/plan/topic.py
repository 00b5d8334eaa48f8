"""A question with what is wanted of it: the reports that this takes at every loss, by the best mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from survey.design.wants import SHARES
from survey.linked_section import MOST_BOXES
from survey.plan.linking import may_be_linked
from survey.plan.mechanism_ways import COIN, Way, own_design, ways_of
from survey.plan.outlook import estimated
from survey.plan.pair_figures import Matrix, Vector
from survey.plan.wanted import Want
from survey.privacy import guess
from survey.progress import stretch
from survey.question import Boxes, Choice, Question, YesNo

LEAST, FINE = 0.01, 1024
"""The smallest loss of a question, and the number of losses that are compared."""


def losses_up_to(most: float) -> Vector:
    """Return the losses that are compared, each larger than the one before by the same factor."""
    if most <= LEAST:
        return np.array([most])
    losses = np.geomspace(LEAST, most, FINE)
    return np.unique(np.append(losses, COIN)) if most >= COIN else losses


@dataclass(frozen=True, eq=False)
class Topic:
    """A question with what is wanted of it alone.

    Attributes
    ----------
    question : Question
    truth : ndarray, shape (answers,)
        The shares that are expected.
    wants : tuple of Want
        Of this question alone, one or more.
    losses : ndarray
        That are compared, the smallest first.
    ways : tuple of Way
        Its mechanisms.
    linkable : bool
        True if it may be on a wheel with others.
    """

    question: Question
    truth: Vector
    wants: tuple[Want, ...]
    losses: Vector
    ways: tuple[Way, ...]
    linkable: bool

    @cached_property
    def reports(self) -> Vector:
        """The reports that the wants take at every loss, by the best mechanism; never rising."""
        return np.asarray(np.stack([way.reports for way in self.ways]).min(axis=0))

    @cached_property
    def best(self) -> npt.NDArray[np.intp]:
        """The place of that mechanism at every loss."""
        return np.asarray(np.stack([way.reports for way in self.ways]).argmin(axis=0), np.intp)

    @cached_property
    def reporting(self) -> Vector:
        """The part of those asked who report with that mechanism, at every loss."""
        stacked = np.stack([way.reporting + 0 * self.losses for way in self.ways])
        return np.asarray(stacked[self.best, np.arange(len(self.losses))])

    @cached_property
    def shares(self) -> Matrix:
        """The variance of each share, times n, by that mechanism, shape (answers, losses)."""
        stacked = np.stack([way.shares for way in self.ways])
        return np.asarray(stacked[self.best, :, np.arange(len(self.losses))].T)

    @cached_property
    def largest(self) -> float:
        """The loss from which on no way needs fewer reports."""
        return float(self.losses[int(self.reports.argmin())])

    def way_at(self, loss: float) -> Way:
        """Return the best mechanism at a loss."""
        place = int(np.searchsorted(self.losses, loss * (1 + 1e-9))) - 1
        return self.ways[int(self.best[max(0, place)])]

    def limited_ways(self, right: float, waves: int) -> tuple[Way, ...]:
        """Return its ways up to the losses at which a guess at this answer is right no more often."""
        return tuple(way.up_to(self.largest_loss(way, right, waves), self.losses) for way in self.ways)

    def largest_loss(self, way: Way, right: float, waves: int) -> float:
        """Find the largest loss at which no report of a way lets a guess be right more often."""

        def within(place: int) -> bool:
            return all(
                guess([report], waves).right <= right
                for report in set(way.telling(float(self.losses[place])))
            )

        low, high = -1, len(self.losses)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if within(middle) else (low, middle)
        return float(self.losses[low]) if low >= 0 else 0.0


def topics(
    questions: Sequence[Question],
    wants: Sequence[Want],
    most: float,
    *,
    share: float | None = None,
    known: frozenset[int] = frozenset(),
    beside: frozenset[int] = frozenset(),
    linked: bool = True,
    in_file: bool = False,
) -> list[Topic]:
    """Return every question with what is wanted of it alone.

    Parameters
    ----------
    questions : sequence of Question
    wants : sequence of Want
        Of these and of pairs of them. A question of which nothing is wanted alone gets what it estimates.
    most : float
        The largest loss that a question may have.
    share : float, optional
        The expected share of yes, and of each box, in [0, 1]; equal shares where none is given.
    known : frozenset of int
        The places of questions that are not to be linked, because others know the answers.
    beside : frozenset of int
        The places of questions that share their section with others, so that boxes of theirs are not linked.
    linked : bool
        Whether anything may be linked.
    in_file : bool
        Whether only mechanisms count that a survey file can name.

    Raises
    ------
    ValueError
        If nothing can be estimated from a question at any loss, or a want does not suit it.
    """
    losses = losses_up_to(most)
    paired = {place for want in wants if len(want.questions) == 2 for place in want.questions}
    listed = []
    kinds: dict[object, tuple[Way, ...]] = {}
    for place, question in enumerate(questions):
        own = tuple(want for want in wants if want.questions == (place,))
        if not own:
            figure = estimated(question) if place not in paired else SHARES
            own = (Want.usual("mean" if figure == "mean" else SHARES, place),)
        if place in paired and not isinstance(question, YesNo | Choice):
            raise ValueError(
                f"pairs must be of yes/no questions and choices, got {question.kind} {question.id}"
            )
        truth = expected_shares(question, share)
        alone = place not in beside
        settings = (kind_of(question), alone, *((want.figure, want.margin) for want in own))
        if settings not in kinds:
            with stretch(place, place + 1, of=len(questions)):
                ways = ways_of(question, truth, own, losses, linked=linked)
            named = tuple(
                way
                for way in ways
                if way.mechanism in question.mechanisms or (alone and links_boxes(question, way))
            )
            if in_file and not named:
                raise ValueError(f"{question.id} has no mechanism for {own[0].figure} in a survey file")
            kinds[settings] = named if in_file else ways
        # Real coins belong to one question, and skips that count apart are not protected.
        plain = isinstance(question, YesNo | Choice) and question.epsilon is not None
        linkable = linked and plain and not question.by_hand and question.skip != "apart"
        linkable = linkable and place not in known
        linkable = linkable and not (isinstance(question, Choice) and own_design(question))
        listed.append(Topic(question, truth, own, losses, kinds[settings], linkable))
    return listed


def links_boxes(question: Question, way: Way) -> bool:
    """Return whether a survey file can link the boxes of a question in this way."""
    if not isinstance(question, Boxes) or question.skip is not None:
        return False
    return 2 <= way.on_wheel <= MOST_BOXES and may_be_linked([2] * len(question.options), way.on_wheel)


def limited_topics(listed: Sequence[Topic], right: float, waves: int) -> Sequence[Topic]:
    """Return questions with no way to let a guess at one answer be right more often than a share `right`."""
    if right >= 1:
        return listed
    kinds = {topic.ways: topic for topic in listed}
    limited = {ways: topic.limited_ways(right, waves) for ways, topic in kinds.items()}
    return [replace(topic, ways=limited[topic.ways]) for topic in listed]


def kind_of(question: Question) -> str:
    """Return what sets a question apart for a plan: its settings, without its name, texts and epsilon."""
    return repr(
        (
            type(question).__name__,
            question.mechanism,
            question.answers,
            question.skip,
            question.by_hand,
            question.epsilon is None,
            {
                key: len(value) if key == "options" else value
                for key, value in question.settings().items()
                if key != "unit"
            },
        )
    )


def expected_shares(question: Question, share: float | None) -> Vector:
    """Return the expected share of every answer: of yes and of a box, `share`; equal ones otherwise."""
    answers = question.answers
    if share is not None and isinstance(question, YesNo | Boxes):
        return np.array([1 - share, share, *[0.0] * (answers - 2)])
    return np.full(answers, 1 / answers)
