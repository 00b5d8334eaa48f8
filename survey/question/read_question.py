"""Read a question of any kind from its table in a survey file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from survey.fields import Fields
from survey.limits import WORST_CONDITION
from survey.question.boxes import Boxes
from survey.question.choice import Choice
from survey.question.number import Number
from survey.question.question import Question
from survey.question.yes_no import YesNo
from survey.rules import Refusal

KINDS: Mapping[str, type[Question]] = MappingProxyType(
    {"yes_no": YesNo, "choice": Choice, "boxes": Boxes, "number": Number}
)

MOST_BYTES = 20_000
"""The most bytes that one question's mechanism may take in a publication."""


def read_question(fields: Fields, languages: tuple[str, ...], published: bool = False) -> Question:
    """Read one table of ``questions``; what is wrong with it is noted in `fields`.

    Parameters
    ----------
    fields : Fields
    languages : tuple of str
        Those of the survey: every text must be in all of them.
    published : bool
        Whether this was published once. Then its channel is the published one, and need not be built.
    """
    before = len(fields.problems)
    kind = fields.choice("kind", tuple(KINDS), default="yes_no")
    if not kind:  # nothing more can be said about a question of no kind
        return YesNo.read(Fields(fields.table, fields.place), languages)
    question = KINDS[kind].read(fields, languages)
    fields.refuse_unknown()
    if len(fields.problems) == before and not published:
        require_estimable(fields, question)
    return question


def require_estimable(fields: Fields, question: Question) -> None:
    """Note a problem if nothing could be estimated from the question's reports."""
    try:
        condition = question.condition_of(question.channel())
    except Refusal as refusal:
        fields.refused(refusal.parameter if refusal.parameter in fields.table else "epsilon", refusal)
        return
    if not condition <= WORST_CONDITION:
        fields.problem("epsilon", "epsilon_estimable", condition=condition, most=WORST_CONDITION)
    parts = [question.settings().get("utility"), question.channel().form.as_dict()]
    size = len(json.dumps(parts, separators=(",", ":")))
    if size > MOST_BYTES:
        key = "utility" if "utility" in fields.table else "mechanism"
        fields.problem(key, "published_size", most=MOST_BYTES, size=size)
