"""Somebody who edits a draft at random, as the page of the editor lets them."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from survey.draft import from_units, units
from survey.draft.groups import regrouped
from survey.draft.units import LISTS

DRAFT: dict[str, Any] = {
    "slug": "rest",
    "languages": ["en"],
    "title": {"en": "Rest"},
    "sections": [{"uid": "n000000000001", "id": "home", "title": {"en": "At home"}}],
    "questions": [
        {
            "uid": "n00000000000a",
            "id": "tired",
            "kind": "yes_no",
            "epsilon": 1.0,
            "wording": {"en": "Tired?"},
        },
        {
            "uid": "n00000000000b",
            "id": "often",
            "kind": "choice",
            "section": "n000000000001",
            "options": [
                {"uid": "n0000000000b1", "text": {"en": "Never"}},
                {"uid": "n0000000000b2", "text": {"en": "Daily"}},
            ],
        },
        {"uid": "n00000000000c", "id": "rent", "kind": "number", "section": "n000000000001"},
    ],
}
SCALE = [{"uid": f"n0000000000{n}{n}", "text": {"en": word}} for n, word in enumerate(("No", "Yes"))]
LINES = [
    {"uid": f"n0000000000e{n}", "id": f"line_{n}", "kind": "choice", "matrix": "scale_1", "epsilon": 1.0}
    for n in (1, 2, 3)
]
GROUPED = DRAFT | {"questions": [*DRAFT["questions"], *(line | {"options": SCALE} for line in LINES)]}


class Writer:
    """Somebody who edits a draft at random.

    Attributes
    ----------
    document : dict
        The draft as it is by then.
    name : str
        Stands in all that they type.
    """

    def __init__(self, draw: random.Random, document: dict[str, Any], name: str) -> None:
        self.draw, self.name = draw, name
        self.take(deepcopy(document))

    def take(self, document: dict[str, Any]) -> None:
        self.document = document | {name: document.get(name, []) for name in LISTS}
        self.questions, self.sections = (self.document[name] for name in ("questions", "sections"))

    def edit(self, times: int) -> dict[str, Any]:
        """Do some edits, after each of which the lines of a group are alike."""
        for _ in range(times):
            self.draw.choice(EDITS)(self)
            self.take(regrouped(from_units(units(self.document))))
        return self.document

    def question(self) -> dict[str, Any]:
        """Draw a question; an empty one where there is none."""
        return self.draw.choice(self.questions or [{}])

    def place(self, nodes: list[Any]) -> int:
        return self.draw.randint(0, len(nodes))

    def typed(self) -> dict[str, str]:
        return {self.draw.choice(("en", "ko")): f"{self.name} {self.draw.random()}"}

    def new(self, name: str, most: int) -> dict[str, Any]:
        """Make a node with a name that another page may propose as well."""
        return {"uid": f"n{self.draw.getrandbits(48):012x}", "id": f"{name}{self.draw.randint(1, most)}"}

    def write(self) -> None:
        holders = [(self.document, "title"), *((section, "title") for section in self.sections)]
        node, key = self.draw.choice([*holders, *((question, "wording") for question in self.questions)])
        node[key] = node.get(key, {}) | self.typed()

    def set(self) -> None:
        question = self.question()
        lines = [line for line in self.questions if line.get("matrix", "") == question.get("matrix")]
        (lines or [question])[0]["epsilon"] = self.draw.choice([1.5, 2.5, "two", ""])

    def add(self) -> None:
        self.questions.insert(self.place(self.questions), self.new("q", 5))

    def add_line(self) -> None:
        at = self.draw.choice([n for n, line in enumerate(self.questions) if "matrix" in line] or [None])
        if at is not None:
            line = deepcopy(self.questions[at]) | self.new("q", 5)
            self.questions.insert(at + self.draw.randint(0, 1), line)

    def move(self) -> None:
        if self.questions:
            question = self.questions.pop(self.draw.randrange(len(self.questions)))
            self.questions.insert(self.place(self.questions), question)

    def join(self) -> None:
        self.question()["section"] = self.draw.choice(["", *(section["uid"] for section in self.sections)])

    def remove(self) -> None:
        if self.questions:
            self.questions.pop(self.draw.randrange(len(self.questions)))

    def add_section(self) -> None:
        self.sections.append(self.new("part_", 2))
        self.join()

    def remove_section(self) -> None:
        if self.sections:
            self.take(without(self.document, self.draw.choice(self.sections)["uid"]))

    def change_options(self) -> None:
        options = self.question().get("options", [])
        match self.draw.randrange(4) if options else None:
            case 0:
                self.draw.choice(options)["text"] = self.typed()
            case 1:
                options.pop(self.draw.randrange(len(options)))
            case 2:
                options.insert(self.place(options), {"uid": self.new("", 1)["uid"], "text": self.typed()})
            case 3:
                self.draw.shuffle(options)


EDITS = (
    Writer.write,
    Writer.set,
    Writer.add,
    Writer.add_line,
    Writer.move,
    Writer.join,
    Writer.remove,
    Writer.add_section,
    Writer.remove_section,
    Writer.change_options,
)


def without(document: dict[str, Any], uid: str) -> dict[str, Any]:
    """Return a copy without a question or a section; its questions stand alone then."""
    copy = deepcopy(document)
    for name in LISTS:
        copy[name] = [node for node in copy[name] if node["uid"] != uid]
    for question in copy["questions"]:
        if question.get("section") == uid:
            del question["section"]
    return copy
