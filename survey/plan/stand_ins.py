"""Stand-ins for the epsilons and mechanisms that a survey file leaves to a plan."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from survey.linked_section import ALONE
from survey.version import tables

SOME_EPSILON = 1.0
"""The epsilon of a question that has none yet: the plan chooses another."""

SOME_MECHANISM = MappingProxyType({**ALONE, "number": "hybrid"})
"""Kind of question -> the mechanism of one that has none yet."""

Table = dict[str, Any]


def fill_in(survey: Table) -> list[frozenset[str]]:
    """Fill in the epsilons and mechanisms that a survey lacks.

    Parameters
    ----------
    survey : dict
        The tables of its file, which are changed. They may hold anything: what is wrong stays so.

    Returns
    -------
    list of frozenset of str
        For each question, over all sections, the keys that were filled in.

    Examples
    --------
    >>> survey = {"questions": [{}, {"kind": "number", "epsilon": 2.0}, {"mechanism": "coin"}]}
    >>> [sorted(filled) for filled in fill_in(survey)], survey["questions"][0]
    ([['epsilon', 'mechanism'], ['mechanism'], []], {'mechanism': 'spinner_coin', 'epsilon': 1.0})
    """
    holders = tables(survey, "sections") if "sections" in survey else [survey]
    return [filled for holder in holders for filled in fill_in_section(holder)]


def fill_in_section(holder: Table) -> Iterator[frozenset[str]]:
    """Fill in what the questions of a section lack, or its wheel, and yield the keys for each of them."""
    questions = tables(holder, "questions")
    if holder.get("linked") is True:
        by_coins = holder.get("by_hand") == "coin"
        filled = added(holder, {} if by_coins else {"epsilon": SOME_EPSILON})
        yield from [filled] * len(questions)
        return
    for question in questions:
        kind = question.get("kind", "yes_no")
        mechanism = SOME_MECHANISM.get(kind) if isinstance(kind, str) else None
        usual: Table = {"mechanism": mechanism} if mechanism else {}
        if question.get("mechanism") != "coin":
            usual["epsilon"] = SOME_EPSILON
        yield added(question, usual)


def added(table: Table, usual: Table) -> frozenset[str]:
    """Add the keys that a table lacks, and return them."""
    lacking = usual.keys() - table.keys()
    table |= {key: usual[key] for key in usual if key in lacking}
    return frozenset(lacking)
