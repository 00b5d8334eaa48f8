"""Read the keys of a section whose questions are linked, and check that one wheel can serve all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from survey.channel import require_epsilon
from survey.fields import Fields
from survey.limits import MOST_COMBINATIONS, WORST_CONDITION
from survey.linked import MOST_ROWS, Linked
from survey.question import Question
from survey.rules import Refusal

ALONE = {"yes_no": "spinner_coin", "choice": "wheel", "boxes": "sampled_box"}
"""The kinds that can be linked, each with the mechanism by which it would be asked alone."""

MOST_BOXES = 6
"""The most boxes of one question that are asked together; of more, each person is asked a random set."""

OF_SECTION = ("mechanism", "epsilon", "by_hand")
"""The keys that a linked question has not: its section says them for all."""

OF_LINKED = ("epsilon", "asked", "skip", "by_hand")
"""The keys that a section has only where its questions are linked."""


@dataclass(frozen=True)
class OfWheel:
    """The keys of a section that only linked questions have.

    Attributes
    ----------
    epsilon : float or None
        None where it is refused.
    asked : int or None
        The number of questions that one person is asked; None for all of them.
    skip : bool
        True if all of them can be left out together.
    coins : bool
        True if real coins may decide in place of the wheel.
    boxes : int or None
        The number of boxes, where they are what is linked.
    """

    epsilon: float | None
    asked: int | None
    skip: bool
    coins: bool
    boxes: int | None


def read_keys(fields: Fields) -> OfWheel:
    """Read the keys of a section that only linked questions have."""
    questions = answers_asked(fields)
    if questions == 1:
        fields.problem("linked", "linked_several")
    asked = None
    if fields.get("asked") is not None and questions > 1:
        asked = fields.whole("asked", 2, questions, default=questions)
    by_hand = fields.get("by_hand")
    if by_hand not in (None, "coin"):
        fields.problem("by_hand", "by_hand")
    coins = by_hand == "coin"
    skip = fields.get("skip")
    if coins and skip is not None:
        fields.problem("skip", "linked_coins_skip")
    elif skip not in (None, "randomized"):
        fields.problem("skip", "linked_skip")
    epsilon = read_epsilon_of_coins(fields, asked or questions) if coins else read_epsilon(fields)
    boxes = boxes_of(fields)
    if boxes and (asked or boxes) > MOST_BOXES:
        fields.problem("asked", "linked_boxes", most=MOST_BOXES, boxes=boxes)
    return OfWheel(epsilon, asked, skip == "randomized", coins, boxes)


def boxes_of(fields: Fields) -> int | None:
    """Return the number of boxes of a section whose only question has some; None of any other."""
    match fields.table.get("questions"):
        case [{"kind": "boxes", "options": list(options)}]:
            return len(options)
    return None


def answers_asked(fields: Fields) -> int:
    """Return the number of answers that a section has on its wheel: of its questions, or of its boxes."""
    listed = fields.table.get("questions")
    return boxes_of(fields) or (len(listed) if isinstance(listed, list) else 0)


def read_epsilon(fields: Fields) -> float | None:
    """Read the epsilon of all answers together."""
    try:
        return require_epsilon(fields.get("epsilon"))
    except Refusal as refusal:
        fields.refused("epsilon", refusal)
        return None


def read_epsilon_of_coins(fields: Fields, together: int) -> float:
    """Return what real coins give for so many answers, and refuse an epsilon besides."""
    combinations = 2**together
    epsilon = math.log1p(combinations)
    if fields.get("epsilon") is not None:
        fields.problem("epsilon", "linked_coins_epsilon", epsilon=epsilon, combinations=combinations)
    return epsilon


def alone(fields: Fields, wheel: OfWheel) -> Fields | None:
    """Return the table of a linked question as if it were asked alone; None where it cannot be linked."""
    kind = fields.table.get("kind", "yes_no")
    if not isinstance(kind, str) or kind not in ALONE:
        fields.problem("kind", "linked_kind")
        return None
    if wheel.coins and kind != "yes_no":
        fields.problem("kind", "linked_coins_kind")
        return None
    for key in OF_SECTION:
        if key in fields.table:
            fields.problem(key, "linked_section")
    if kind == "boxes" and not wheel.boxes:
        fields.problem("kind", "linked_boxes_alone")
        return None
    if kind == "boxes" and "skip" in fields.table:
        fields.problem("skip", "linked_boxes_skip")
    elif wheel.coins and "skip" in fields.table:
        fields.problem("skip", "linked_coins_skip")
    elif fields.table.get("skip") == "apart":
        fields.problem("skip", "linked_skip")
    own = {"mechanism": ALONE[kind], "epsilon": wheel.epsilon or 1.0}
    left = {key: value for key, value in fields.table.items() if key not in (*OF_SECTION, "skip")}
    skip = {"skip": "randomized"} if kind != "boxes" and fields.table.get("skip") == "randomized" else {}
    return replace(fields, table=left | skip | own)


def read_wheel(fields: Fields, questions: Sequence[Question], keys: OfWheel) -> Linked | None:
    """Build the wheels of a section whose questions are in order; None where they cannot be built."""
    before = len(fields.problems)
    asked, skip = keys.asked, keys.skip
    if skip:
        for place, question in enumerate(questions):
            if question.skip is not None:
                inner = Fields(question.as_dict(), f"{fields.place}questions[{place}].", fields.problems)
                inner.problem("skip", "linked_skip_of_all")
    sizes = tuple(question.answers for question in questions for _ in question.column_names)
    together = len(sizes) if asked is None else asked
    most = math.prod(sorted(sizes)[-together:]) + skip
    if most > MOST_COMBINATIONS:
        fields.problem("linked", "linked_combinations", most=MOST_COMBINATIONS, combinations=most)
        return None
    rows = most * math.comb(len(sizes), together)
    if rows > MOST_ROWS:
        fields.problem("asked", "linked_rows", most=MOST_ROWS, rows=rows)
        return None
    if keys.coins:
        return Linked.tossed(len(sizes), together)
    linked = Linked.spun(sizes, keys.epsilon or 1.0, together, skip)
    condition = max(
        float(np.linalg.cond(linked.marginal(place).probabilities)) for place in range(len(sizes))
    )
    if not condition <= WORST_CONDITION:
        fields.problem("epsilon", "epsilon_estimable", condition=condition, most=WORST_CONDITION)
    return linked if len(fields.problems) == before else None
