"""What a draft's fields hold, as it is stored and compared: questions and parts have names that stay.

Questions move, and their names (``id``) can be changed, so neither says which question is which. A ``uid``
does: a question has it from when it is first shown until it is removed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

State = dict[str, Any]

UID = re.compile(r"[A-Za-z0-9_-]{1,40}")

OF_THE_VIEW = frozenset({"basis", "add_kind", "respondents"})
"""Fields of the editor's form that say nothing of the draft."""

ROWS = ("sections", "questions")


def state_of(data: Mapping[str, Any], *salt: str) -> State:
    """Return what the fields hold, with a uid for every question and part that has none yet.

    Parameters
    ----------
    data : Mapping[str, Any]
        ``form.data``.
    *salt : str
        Who saves, and what they saw: two people who each add a question at the same time add two.

    Notes
    -----
    The same fields get the same uids, so that a form that is sent twice is the same draft.
    """
    state = {name: value for name, value in data.items() if name not in OF_THE_VIEW}
    seen = {*state, *ROWS}  # a uid is no name of a field: both name what differs between two versions
    for kind in ROWS:
        rows = []
        for place, row in enumerate(state.get(kind, [])):
            uid = row.get("uid") or ""
            if not UID.fullmatch(uid) or uid in seen:
                uid = new_uid(kind, place, row, *salt)
            seen.add(uid)
            rows.append({**row, "uid": uid})
        state[kind] = rows
    return state


def ordered(state: State) -> State:
    """Return a state whose parts stand in the order of their first questions, as in a survey file.

    Examples
    --------
    >>> rows = {"sections": [{"uid": "a"}, {"uid": "b"}], "questions": [{"section": "1"}, {"section": "0"}]}
    >>> [row["uid"] for row in ordered(rows)["sections"]]
    ['b', 'a']
    """
    named = dict.fromkeys(question.get("section", "") for question in state["questions"])
    old = [str(place) for place in range(len(state["sections"]))]
    places = list(dict.fromkeys([*(place for place in named if place in set(old)), *old]))
    new = {place: str(n) for n, place in enumerate(places)}
    questions = [
        row | {"section": new[row["section"]]} if row.get("section") in new else row
        for row in state["questions"]
    ]
    return state | {"sections": [state["sections"][int(place)] for place in places], "questions": questions}


def new_uid(kind: str, place: int, row: Mapping[str, Any], *salt: str) -> str:
    """Make a name for a question or a part that has none."""
    content = json.dumps([kind, place, row, *salt], sort_keys=True)
    return kind[0] + hashlib.sha256(content.encode()).hexdigest()[:15]


def carried(state: State, before: Mapping[str, Any]) -> State:
    """Give the rows of a state the uids that rows of the same name had before, such as after a plan.

    Examples
    --------
    >>> carried({"sections": [], "questions": [{"id": "b"}]}, {"questions": [{"id": "b", "uid": "q1"}]})
    {'sections': [], 'questions': [{'id': 'b', 'uid': 'q1'}]}
    """
    named = {(kind, row["id"]): row["uid"] for kind in ROWS for row in before.get(kind, []) if row["id"]}
    rows = {
        kind: [
            row | ({"uid": named[kind, row["id"]]} if (kind, row["id"]) in named else {})
            for row in state[kind]
        ]
        for kind in ROWS
    }
    return state | rows
