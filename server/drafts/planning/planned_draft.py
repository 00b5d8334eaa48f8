"""A draft with one of the best ways to ask it written into it: wheels, mechanisms, epsilons, parts asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from survey.draft import new_uid
from survey.linked_section import OF_LINKED
from survey.plan.proposal import Proposal
from survey.section import Section

OF_DEVICE = ("mechanism", "epsilon", "size", "utility", "scope", "delta", "wants", "skip")
"""Keys of a question that a way to ask it sets or leaves out."""

Table = dict[str, Any]


def planned_draft(draft: Mapping[str, Any], way: Proposal) -> Table:
    """Return a draft that asks as a way does, with its total as the limit.

    Parameters
    ----------
    draft : Mapping[str, Any]
        Its document.
    way : Proposal
        Of `server.drafts.planning.best_ways.best_ways` for this document.
    """
    questions: list[Table] = [dict(question) for question in draft["questions"]]
    before: list[Table] = [dict(section) for section in draft.get("sections", [])]
    heads = {section["uid"]: section for section in before}
    for section in way.sections:
        own = [questions[place_of(question.id)] for question in section.questions]
        if section.linked:
            link(section, own, head_for(own, questions, heads))
        else:
            take_apart(section, own, heads)
    used = {question.get("section") for question in questions}
    unused = heads.keys() - {question.get("section") for question in draft["questions"]}
    sections = [head for uid, head in heads.items() if uid in used | unused]
    without = {key: value for key, value in draft.items() if key not in ("asked", "sections")}
    asked = {} if way.asked is None else {"asked": way.asked}
    budget = {**draft.get("budget", {}), "limit": way.total}
    return {**without, **asked, "budget": budget, "sections": sections, "questions": questions}


def place_of(name: str) -> int:
    """Return the place of a question by the name that `server.drafts.planning.plan.sections_of` gives it."""
    return int(name.removeprefix("question_")) - 1


def head_for(own: Sequence[Table], questions: Sequence[Table], heads: dict[str, Table]) -> Table:
    """Return the part of a draft that holds just these questions, or a new one."""
    uid = own[0].get("section")
    if uid in heads and [each for each in questions if each.get("section") == uid] == list(own):
        return heads[uid]
    names = {head.get("id") for head in heads.values()}
    name = next(name for number in count(1) if (name := f"part_{number}") not in names)
    head: Table = {"uid": new_uid(), "id": name}
    heads[head["uid"]] = head
    return head


def link(section: Section, own: Sequence[Table], head: Table) -> None:
    """Let a part of a draft have the wheel of a section, and its questions stand in it."""
    table = section.as_dict()
    for key in OF_LINKED:
        head.pop(key, None)
    head |= {"linked": True} | {key: table[key] for key in OF_LINKED if key in table}
    for question, planned in zip(own, table["questions"], strict=True):
        question["section"] = head["uid"]
        if "skip" not in planned:
            question.pop("skip", None)


def take_apart(section: Section, own: Sequence[Table], heads: Mapping[str, Table]) -> None:
    """Let questions draw for themselves; those that only a wheel held together stand alone again."""
    for question, planned in zip(own, section.questions, strict=True):
        table = planned.as_dict()
        for key in OF_DEVICE:
            question.pop(key, None)
        question |= {key: table[key] for key in OF_DEVICE if key in table}
        head = heads.get(question.get("section", ""), {})
        if head.get("linked") and not any(head.get(key) for key in ("title", "introduction", "always")):
            del question["section"]
    for uid in {str(question.get("section")) for question in own} & heads.keys():
        for key in ("linked", *OF_LINKED):
            heads[uid].pop(key, None)
