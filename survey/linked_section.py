"""Read the keys of a section whose questions are linked, and check that one wheel can serve all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from survey.channel import require_epsilon
from survey.fields import Fields
from survey.limits import MOST_COMBINATIONS, WORST_CONDITION
from survey.linked import MOST_ROWS, Linked
from survey.question import Question
from survey.rules import Refusal

ALONE = {"yes_no": "spinner_coin", "choice": "wheel"}
"""The kinds that can be linked, each with the mechanism by which it would be asked alone."""

OF_SECTION = ("mechanism", "epsilon", "by_hand")
"""The keys that a linked question has not: its section says them for all."""

OF_LINKED = ("epsilon", "asked", "skip")
"""The keys that a section has only where its questions are linked."""


def read_keys(fields: Fields) -> tuple[float | None, int | None, bool]:
    """Read the epsilon of a linked section, how many of its questions one person is asked, and its skip."""
    epsilon = None
    try:
        epsilon = require_epsilon(fields.get("epsilon"))
    except Refusal as refusal:
        fields.refused("epsilon", refusal)
    listed = fields.table.get("questions")
    questions = len(listed) if isinstance(listed, list) else 0
    if questions == 1:
        fields.problem("linked", "linked_several")
    asked = None
    if fields.get("asked") is not None and questions > 1:
        asked = fields.whole("asked", 2, questions, default=questions)
    skip = fields.get("skip")
    if skip not in (None, "randomized"):
        fields.problem("skip", "linked_skip")
    return epsilon, asked, skip == "randomized"


def alone(fields: Fields, epsilon: float) -> Fields | None:
    """Return the table of a linked question as if it were asked alone; None where it cannot be linked."""
    kind = fields.table.get("kind", "yes_no")
    if not isinstance(kind, str) or kind not in ALONE:
        fields.problem("kind", "linked_kind")
        return None
    for key in OF_SECTION:
        if key in fields.table:
            fields.problem(key, "linked_section")
    if fields.table.get("skip") == "apart":
        fields.problem("skip", "linked_skip")
    own = {"mechanism": ALONE[kind], "epsilon": epsilon}
    left = {key: value for key, value in fields.table.items() if key not in (*OF_SECTION, "skip")}
    skip = {"skip": "randomized"} if fields.table.get("skip") == "randomized" else {}
    return replace(fields, table=left | skip | own)


def read_wheel(
    fields: Fields, questions: Sequence[Question], epsilon: float, asked: int | None, skip: bool
) -> Linked | None:
    """Build the wheels of a section whose questions are in order; None where they cannot be built."""
    before = len(fields.problems)
    if skip:
        for place, question in enumerate(questions):
            if question.skip is not None:
                inner = Fields(question.as_dict(), f"{fields.place}questions[{place}].", fields.problems)
                inner.problem("skip", "linked_skip_of_all")
    sizes = tuple(question.answers for question in questions)
    together = len(sizes) if asked is None else asked
    most = math.prod(sorted(sizes)[-together:]) + skip
    if most > MOST_COMBINATIONS:
        fields.problem("linked", "linked_combinations", most=MOST_COMBINATIONS, combinations=most)
        return None
    rows = most * math.comb(len(sizes), together)
    if rows > MOST_ROWS:
        fields.problem("asked", "linked_rows", most=MOST_ROWS, rows=rows)
        return None
    linked = Linked.spun(sizes, epsilon, together, skip)
    condition = max(
        float(np.linalg.cond(linked.marginal(place).probabilities)) for place in range(len(sizes))
    )
    if not condition <= WORST_CONDITION:
        fields.problem("epsilon", "epsilon_estimable", condition=condition, most=WORST_CONDITION)
    return linked if len(fields.problems) == before else None
