"""The parts of a survey as an admin types them: each a row of its own, to which questions are assigned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wtforms import BooleanField, Field, Form, FormField, HiddenField, StringField

from server.forms.faults import fault
from server.forms.names import PART, proposed
from server.forms.texts import texts_form, tidy, written_texts
from survey.question import IDENTIFIER
from survey.section import TEXTS

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
        and is_one_group(inside)
        and section.get("id") == inside[0].get("id")
    )


def is_one_group(questions: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether questions are a single one, or neighbours on one scale."""
    names = {question.get("matrix") for question in questions}
    return len(questions) == 1 or (len(names) == 1 and None not in names)


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
    placed: dict[str, Table] = {}
    for place, question in questions:
        last = sections[-1] if sections else {}
        if place == ALONE and is_plain(last) and is_one_group([*last["questions"], question]):
            last["questions"].append(question)
            continue
        if place == ALONE:
            named = {"id": question["id"]} if "id" in question else {}
            sections.append(named | {"questions": [question]})
            continue
        if place not in placed:
            placed[place] = rows[int(place)] | {"questions": []}
            sections.append(placed[place])
        placed[place]["questions"].append(question)
    empty = [row | {"questions": []} for index, row in enumerate(rows) if str(index) not in placed]
    return {"sections": sections + empty}


def parts(draft: Mapping[str, Any]) -> Parts:
    """Return which questions of a draft are asked together."""
    rows, questions = apart(draft)
    asked = draft.get("asked")
    return Parts(
        tuple(place or group_of(question) for place, question in questions),
        tuple(row.get("always") is True for row in rows),
        asked if type(asked) is int else None,
    )


def group_of(question: Mapping[str, Any]) -> str:
    """Return what the questions of a group outside of any part have in common: they are asked together."""
    return f"matrix {question['matrix']}" if question.get("matrix") else ALONE


@dataclass(frozen=True)
class Parts:
    """Which questions are asked together, and how many of the parts a person is asked.

    Attributes
    ----------
    places : tuple of str
        For each question the place of its part's row, or `ALONE`.
    always : tuple of bool
        For each row, whether everybody is asked it.
    asked : int or None
        How many of the others; None for all of them.
    """

    places: tuple[str, ...]
    always: tuple[bool, ...]
    asked: int | None

    def is_always(self, question: int) -> bool:
        """Return whether everybody is asked a question."""
        rows = {str(row) for row, always in enumerate(self.always) if always}
        return self.places[question] in rows

    @property
    def drawn(self) -> int:
        """How many parts with questions are not always asked."""
        kept = [place for n, place in enumerate(self.places) if not self.is_always(n)]
        return kept.count(ALONE) + len(set(kept) - {ALONE})

    @property
    def fixed(self) -> int:
        """How many parts with questions everybody is asked."""
        return len({place for n, place in enumerate(self.places) if self.is_always(n)})

    @property
    def samples(self) -> bool:
        """Whether people are asked different parts."""
        return self.asked is not None and self.asked < self.drawn

    def people(self, question: int, respondents: int) -> int:
        """Return how many people are expected to be asked a question, 1 or more."""
        if self.asked is None or not self.samples or self.is_always(question):
            return respondents
        return max(1, respondents * self.asked // self.drawn)


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
