"""What a press of "Remove" takes away, kept so that one more press brings it back."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import Form

from server.forms.folded import FoldedError, fields_of, read
from server.forms.names import proposed
from server.forms.section import ALONE
from survey.section import MOST_QUESTIONS

ACTION = re.compile(r"remove-(?P<at>[0-9]{1,3})(?:-(?P<option>[0-9]{1,3}))?")
SECTION = re.compile(r"remove-section-(?P<at>[0-9]{1,3})")

LAST = 999
"""The last place that a button can name."""

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Removed:
    """A question, an option or a part that is no longer there.

    Attributes
    ----------
    what : str
        ``question``, ``option`` or ``part``.
    at : int
        The place that it had.
    row : dict
        What was typed in it.
    within : list of int
        The question of an option; the questions of a part.
    """

    what: str
    at: int
    row: dict[str, Any]
    within: list[int]

    @property
    def json(self) -> str:
        """Return all of it as `removed_before` reads it."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @property
    def place(self) -> str:
        """Return the place of the page that it was taken from."""
        return f"questions-{self.within[0]}-options" if self.what == "option" else "questions"

    def restore(self, sections: Rows, questions: Rows) -> str:
        """Put it back where there is room, and return the place to look at."""
        if len(sections if self.what == "part" else questions) >= MOST_QUESTIONS and self.what != "option":
            return "questions"
        if self.what == "part":
            later = {str(row): str(row + 1) for row in range(self.at, len(sections))}
            for index, question in enumerate(questions):
                question["section"] = later.get(question["section"], question["section"])
                if index in self.within and question["section"] == ALONE:
                    question["section"] = str(min(self.at, len(sections)))
            sections.insert(self.at, self.row)
            return f"sections-{min(self.at, len(sections) - 1)}"
        if self.what == "question":
            if self.row.get("id") in [each.get("id") for each in questions]:
                self.row["id"] = proposed(questions)
            questions.insert(self.at, self.row)
            return f"question-{min(self.at + 1, len(questions))}"
        (number,) = self.within
        if number < len(questions):
            questions[number]["options"].insert(self.at, self.row)
        return f"questions-{number}-options-{self.at}"


def removed(sections: Rows, questions: Rows, action: str) -> Removed | None:
    """Remove what a button's action names: ``remove-1``, ``remove-1-2`` or ``remove-section-0``.

    The questions of a part that goes become parts by themselves.
    """
    if (found := SECTION.fullmatch(action)) and (at := int(found["at"])) < len(sections):
        within = [index for index, question in enumerate(questions) if question["section"] == str(at)]
        gone = Removed("part", at, sections.pop(at), within)
        later = {str(row + 1): str(row) for row in range(at, len(sections))} | {str(at): ALONE}
        for question in questions:
            question["section"] = later.get(question["section"], question["section"])
        return gone
    found = ACTION.fullmatch(action)
    if found is None or (at := int(found["at"])) >= len(questions):
        return None
    if found["option"] is None:
        return Removed("question", at, questions.pop(at), [])
    options, place = questions[at]["options"], int(found["option"])
    return Removed("option", place, options.pop(place), [at]) if place < len(options) else None


def removed_before(sent: str, form_class: type[Form]) -> Removed | None:
    """Read what an earlier page says was removed; None if it is no such thing.

    Parameters
    ----------
    sent : str
        As `Removed.json` wrote it.
    form_class : type
        Of `draft_form`, which knows the fields.
    """
    try:
        table = read(sent)
        row, within = table["row"], [int(each) for each in table["within"]]
        at, what = int(table["at"]), table["what"]
        rows = {"part": "sections", "question": "questions", "option": "questions"}[what]
        inside = {"options": [row]} if what == "option" else row
        data = form_class(MultiDict(fields_of({rows: [inside]}))).data[rows][0]
    except (FoldedError, KeyError, TypeError, ValueError, IndexError, OverflowError):  # 1e999 is none
        return None
    if not 0 <= at <= LAST or (
        what == "option" and (len(within) != 1 or within[0] < 0 or not data["options"])
    ):
        return None
    return Removed(what, at, data["options"][0] if what == "option" else data, within)
