"""The parts of a survey as an admin types them: each a row of its own, to which questions are assigned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from wtforms import BooleanField, Field, Form, FormField, HiddenField, StringField

from server.forms.faults import fault
from server.forms.names import PART, proposed
from server.forms.texts import texts_form, tidy, written_texts
from survey.question import IDENTIFIER
from survey.section import TEXTS, asked_together

Table = dict[str, Any]

ALONE = ""
"""What a question says that is a part by itself; the others say the place of their part's row."""


@cache
def section_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of one part."""

    class SectionForm(Form):  # type: ignore[misc]  # WTForms has no types
        """One part: what stands above its first question, and whether everybody is asked it."""

        uid = HiddenField(default="")
        id = StringField(filters=[tidy])
        always = BooleanField()

        def validate_id(self, field: Field) -> None:
            """Check the name, if it has one yet."""
            if field.data and not IDENTIFIER.fullmatch(field.data):
                raise fault("editor.error.id", value=field.data)

    texts = {
        name: FormField(texts_form(languages, most, may_have_marks=name == "introduction"))
        for name, most in TEXTS.items()
    }
    return type("SectionForm", (SectionForm,), texts)


def apart(draft: Mapping[str, Any]) -> tuple[list[Table], list[tuple[str, Table]]]:
    """Take a draft apart into the rows of its parts, and its questions with the place of their row.

    Parameters
    ----------
    draft : Mapping[str, Any]
        A survey file's tables; some may be missing.

    Returns
    -------
    rows : list of dict
        The sections that are more than their one question.
    questions : list of (str, dict)
        Each with the place of its section's row, or `ALONE`.

    Examples
    --------
    >>> own = {"id": "copied", "questions": [{"id": "copied"}]}
    >>> apart({"sections": [own, {"id": "home", "questions": [{"id": "rent"}, {"id": "heat"}]}]})[1]
    [('', {'id': 'copied'}), ('0', {'id': 'rent'}), ('0', {'id': 'heat'})]
    """
    if "sections" not in draft:
        return [], [(ALONE, question) for question in draft.get("questions", [])]
    rows: list[Table] = []
    questions: list[tuple[str, Table]] = []
    for section in draft["sections"]:
        inside = section.get("questions", [])
        place = ALONE
        if not is_plain(section):
            place = str(len(rows))
            rows.append({key: value for key, value in section.items() if key != "questions"})
        questions += [(place, question) for question in inside]
    return rows, questions


def is_plain(section: Mapping[str, Any]) -> bool:
    """Return whether a section's table says no more than its one question: `Section.plain`, of a draft."""
    inside = section.get("questions", [])
    return (
        section.keys() <= {"id", "questions"}
        and len(asked_together((ALONE, question.get("matrix") or "") for question in inside)) == 1
        and section.get("id") == inside[0].get("id")
    )


def together(rows: Sequence[Table], questions: Sequence[tuple[str, Table]]) -> Table:
    """Put rows and questions together as a survey file has them: the inverse of `apart`.

    Parameters
    ----------
    rows, questions
        As `apart` gives them.

    Returns
    -------
    dict
        With ``questions`` where there are no rows, else with ``sections``. A part stands where the first of
        its questions stands, a part without questions at the end.
    """
    if not rows:
        return {"questions": [question for _, question in questions]}
    sections: list[Table] = []
    for together in placed(questions).sections:
        place, first = questions[together[0]]
        head = rows[int(place)] if place != ALONE else {"id": first["id"]} if "id" in first else {}
        sections.append(head | {"questions": [questions[index][1] for index in together]})
    filled = {place for place, _ in questions}
    empty = [row | {"questions": []} for index, row in enumerate(rows) if str(index) not in filled]
    return {"sections": sections + empty}


def placed(
    questions: Sequence[tuple[str, Mapping[str, Any]]], always: Sequence[bool] = (), asked: Any = None
) -> Parts:
    """Return which questions are asked together; each has the place of its part's row, or `ALONE`."""
    return Parts(
        tuple((place, question.get("matrix") or "") for place, question in questions),
        tuple(always),
        asked if type(asked) is int else None,
    )


def parts(draft: Mapping[str, Any]) -> Parts:
    """Return which questions of a draft are asked together."""
    rows, questions = apart(draft)
    return placed(questions, [row.get("always") is True for row in rows], draft.get("asked"))


@dataclass(frozen=True)
class Parts:
    """Which questions are asked together, and how many of the parts a person is asked.

    Attributes
    ----------
    places : tuple of (str, str)
        For each question the place of its part's row, or `ALONE`, and its matrix, if it is in one.
    always : tuple of bool
        For each row, whether everybody is asked it.
    asked : int or None
        How many of the others; None for all of them.
    """

    places: tuple[tuple[str, str], ...]
    always: tuple[bool, ...]
    asked: int | None

    @cached_property
    def sections(self) -> list[list[int]]:
        """The questions of each part, as their places; every question by itself is one."""
        return asked_together(self.places)

    def is_always(self, question: int) -> bool:
        """Return whether everybody is asked a question."""
        rows = {str(row) for row, always in enumerate(self.always) if always}
        return self.places[question][0] in rows

    @property
    def drawn(self) -> int:
        """How many parts with questions are not always asked."""
        return len(self.sections) - self.fixed

    @property
    def fixed(self) -> int:
        """How many parts with questions everybody is asked."""
        return sum(self.is_always(together[0]) for together in self.sections)

    @property
    def samples(self) -> bool:
        """Whether people are asked different parts."""
        return self.asked is not None and self.asked < self.drawn

    @property
    def part(self) -> float:
        """What part of all people is asked a question that is not always asked."""
        return self.asked / self.drawn if self.asked is not None and self.samples else 1.0

    def chance(self, question: int) -> float:
        """Return how likely a person is to be asked a question."""
        return 1.0 if self.is_always(question) else self.part


def typed_section(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields show for a row: the inverse of `section_table`."""
    return {"id": row.get("id", ""), "always": row.get("always", False)} | {
        name: row.get(name, {}) for name in TEXTS
    }


def section_table(data: Mapping[str, Any], languages: list[str]) -> Table:
    """Read a valid row as the table of a survey file, without its questions and without what is empty."""
    table: Table = {"id": data["id"]} if data["id"] else {}
    table |= {name: texts for name in TEXTS if (texts := written_texts(data[name], languages))}
    return table | ({"always": True} if data["always"] else {})


def new_section(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the fields of a row that was just added, with a name that no other has."""
    return {"id": proposed(rows, PART)}
