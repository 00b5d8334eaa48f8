"""Several choices: each box is a yes/no question with its own spinner and coin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from survey.channel import Channel, require_epsilon, require_whole, smallest_double_not_below_log
from survey.mechanisms.forced_response import spinner_coin
from survey.rules import Refusal

MOST_BOXES = 20
SCOPES = ("question", "box")


@dataclass(frozen=True, eq=False, kw_only=True)
class BoxChannel(Channel):
    """The channel of every column of a question with several choices.

    Parameters
    ----------
    weights, form
        The channel of one box's column: reports no and yes, and where boxes are sampled a third, not
        sampled.
    boxes : int
        How many boxes the question has, d.
    sampled : int
        How many of them a respondent reports on, s; all where boxes are independent.
    box : Channel
        The channel of one box that is reported on: two answers and two reports, 0 for no, 1 for yes.
    """

    boxes: int
    sampled: int
    box: Channel

    @cached_property
    def question_epsilon(self) -> float:
        """The loss of the whole question: the losses of the boxes that are reported on add up."""
        return smallest_double_not_below_log(*self.box.loss, times=self.sampled)

    @property
    def box_epsilon(self) -> float:
        """The loss of one box that is reported on."""
        return self.box.epsilon


def per_box(boxes: int, epsilon: float, scope: Literal["question", "box"] = "question") -> BoxChannel:
    """Build the channel of boxes that are randomized one by one, each by a spinner and a coin.

    Parameters
    ----------
    boxes : int
        d, 2 to 20.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].
    scope : {"question", "box"}
        The scope of epsilon: the question (each box then has epsilon/d), or each box (the question then loses
        up to d epsilon). `BoxChannel` has both losses.

    Returns
    -------
    BoxChannel
        Two answers and two reports, 0 for no and 1 for yes.

    Raises
    ------
    ValueError
        If a value is outside its range.

    References
    ----------
    Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, theorem 3.16 (composition).

    Examples
    --------
    >>> channel = per_box(4, 2.0)
    >>> round(channel.box_epsilon, 6), round(channel.question_epsilon, 6)
    (0.5, 2.0)
    """
    boxes = require_whole("boxes", boxes, 2, MOST_BOXES)
    epsilon = require_epsilon(epsilon)
    if scope not in SCOPES:
        raise Refusal("scope", "one_of", scope, choices=SCOPES)
    box = spinner_coin(epsilon / boxes if scope == "question" else epsilon)
    return BoxChannel(weights=box.weights, form=box.form, boxes=boxes, sampled=boxes, box=box)
