"""Surveys read from XLSForms: each row becomes a table of the survey file, which is then checked.

A key of the survey file is a cell here, so every fault is named by sheet, row and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from server.xlsform import cell_values
from server.xlsform.headings import DEFAULT, OUR_PREFIX, Heading, languages_of, text_heading
from server.xlsform.place import Place
from server.xlsform.questions import AskedQuestion, OptionLists, read_question
from server.xlsform.workbook import SheetRow, Workbook, read_workbook
from survey.definition import TEXTS, Definition
from survey.fields import DefinitionError, Problem
from survey.read_definition import OPTIONAL_TEXTS, Prepare, from_dict
from survey.section import MOST_QUESTIONS
from survey.version import FORMAT, WITH_TEXTS, version_needed

CellReader = Callable[[str], object]

SETTINGS: Mapping[str, tuple[str, str, CellReader]] = {
    "step": ("results", "step", cell_values.number),
    "reports_while_open": ("results", "reports_while_open", cell_values.truth),
    "limit": ("budget", "limit", cell_values.number),
    "waves": ("budget", "waves", cell_values.number),
    "asked": ("", "asked", cell_values.number),
    "markdown": ("", "markdown", cell_values.truth),
    "quick_exit": ("", "quick_exit", cell_values.address),
    "invitations": ("", "invitations", cell_values.truth),
    "outcome": ("", "outcome", str),
    "preview": ("", "preview", str),
    "kept_until": ("", "kept_until", str),
}
"""Setting -> the table of the survey file that has it, its key there, and the function that reads it."""

OF_GROUP: Mapping[str, CellReader] = {
    "always": cell_values.truth,
    "linked": cell_values.truth,
    "epsilon": cell_values.number,
    "asked": cell_values.number,
    "skip": str,
    "by_hand": str,
}
"""Key of a section -> the function that reads it from the row with which its group begins."""

SURVEY_TEXTS = {f"{OUR_PREFIX}_{name}": name for name in TEXTS if name != "title"}
"""Name of a note or acknowledgement -> the text of the survey that its label is."""

NOTES = ("note", "acknowledge")
NAME = Heading("name")


class CannotHold(DefinitionError):
    """A form that is valid but for contents that no survey can hold."""


@dataclass
class Group:
    """A group of a form, or the questions that stand together outside of any."""

    row: SheetRow
    table: dict[str, Any]
    alone: bool
    questions: list[AskedQuestion] = field(default_factory=list)

    def whole(self) -> dict[str, Any]:
        """Return the section as a table of the survey file."""
        return self.table | {"questions": [each.table for each in self.questions]}


@dataclass
class Form:
    """A form while it is read."""

    book: Workbook
    lists: OptionLists
    parts: list[Group] = field(default_factory=list)
    texts: dict[str, SheetRow] = field(default_factory=dict)
    within: list[SheetRow] = field(default_factory=list)


@dataclass(frozen=True)
class ImportedSurvey:
    """A survey from a form.

    Attributes
    ----------
    definition : Definition
    left_out : tuple of Problem
        Contents of the form that the survey lacks.
    """

    definition: Definition
    left_out: tuple[Problem, ...] = ()


def read_xlsform(
    data: bytes, source: str, leave_out: bool = False, prepare: Prepare | None = None
) -> ImportedSurvey:
    """Read an XLSForm.

    Parameters
    ----------
    data : bytes
        An XLSX file.
    source : str
        Its name, for the messages.
    leave_out : bool
        Whether to leave out contents that no survey can hold.
    prepare : Callable, optional
        As of `survey.read_definition.parse`.

    Raises
    ------
    DefinitionError
        If the form is not valid, with every problem: sheet, row, column, allowed range and value.
    CannotHold
        If the form is valid but for such contents.
    """
    book = read_workbook(data, source)
    form = Form(book, OptionLists(book.rows.get("choices", []), book.default))
    for row in book.rows.get("survey", []):
        take_row(form, row)
    for opened in form.within:
        book.faults.append(opened.at("type").fault("group_ended", opened.take("type")))
    table, places = survey_table(form)
    book.foreign += unread_cells(form)
    asked = sum(len(part.questions) for part in form.parts)
    if asked > MOST_QUESTIONS:
        book.faults.append(Place("survey").fault("sheet_questions", asked, most=MOST_QUESTIONS))
    if not book.faults:
        if prepare:
            prepare(table)
        try:
            definition = from_dict(table, source)
        except DefinitionError as error:
            book.faults += [replace(each, path=place_of_key(places, each.path)) for each in error.problems]
    if book.faults:
        raise DefinitionError(source, [*book.faults, *book.foreign])
    if book.foreign and not leave_out:
        raise CannotHold(source, book.foreign)
    return ImportedSurvey(definition, tuple(book.foreign))


def take_row(form: Form, row: SheetRow) -> None:
    """Read one row of the sheet survey."""
    kind = (row.take("type") or "").split()
    word = "_".join(kind).lower()
    name = row.cells.get(NAME, "")
    if word in ("begin_group", "end_group"):
        take_group(form, row, word)
    elif word in NOTES and name in SURVEY_TEXTS and SURVEY_TEXTS[name] not in form.texts:
        row.take("name")
        row.texts("label")
        expect(form, row, "required", "yes" if word == "acknowledge" else "no")
        form.texts[SURVEY_TEXTS[name]] = row
    elif word == "note" and form.within and name == introduction(form.parts[-1]):
        row.take("name")
        form.parts[-1].table["introduction"] = row.texts("label")
    else:
        take_question(form, row, kind)


def introduction(part: Group) -> str:
    """Return the name of the note that introduces a section."""
    return f"{part.table.get('id', '')}_introduction"


def take_group(form: Form, row: SheetRow, word: str) -> None:
    """Begin or end a section; groups within groups have no place in a survey."""
    name = row.take("name")
    if word == "end_group":
        if not form.within:
            form.book.faults.append(row.at("type").fault("group_begun", "end_group"))
        else:
            form.within.pop()
        return
    form.within.append(row)
    if len(form.within) > 1:
        form.book.foreign.append(row.at("type").fault("group_within", "begin_group"))
        row.texts("label")
        return
    table: dict[str, Any] = {} if name is None else {"id": name}
    table |= {"title": title} if (title := row.texts("label")) else {}
    for key, read in OF_GROUP.items():
        if (text := row.take(f"{OUR_PREFIX}::{key}")) is not None:
            table[key] = read(text)
    form.parts.append(Group(row, table, alone=False))


def take_question(form: Form, row: SheetRow, kind: list[str]) -> None:
    """Read a question into the open section, or into one of its own."""
    asked = read_question(row, kind, form.lists)
    if asked is None:
        form.book.foreign.append(row.at("type").fault("type", " ".join(kind) or "nothing"))
        row.read.update(row.cells)
        return
    form.book.foreign += asked.foreign
    form.book.faults += asked.faults
    skip = asked.table.get("skip") is not None or asked.table["kind"] == "boxes"
    expect(form, row, "required", "no" if skip else "yes")
    if not form.within and not same_matrix(form, asked):
        form.parts.append(Group(row, {"id": asked.table["id"]} if "id" in asked.table else {}, alone=True))
    form.parts[-1].questions.append(asked)


def same_matrix(form: Form, asked: AskedQuestion) -> bool:
    """Return whether a question outside of any section belongs to the matrix of the question before it."""
    before = form.parts[-1] if form.parts else None
    name = asked.table.get("matrix")
    return (
        before is not None
        and before.alone
        and name is not None
        and before.questions[-1].table.get("matrix") == name
    )


def expect(form: Form, row: SheetRow, column: str, expected: str) -> None:
    """Note a cell whose yes or no differs from what the survey would do."""
    written = row.take(column)
    if written is not None and cell_values.truth(written) is not cell_values.truth(expected):
        limits = {"expected": expected, "prefix": OUR_PREFIX}
        form.book.foreign.append(row.at(column).fault("cell_required", written, **limits))


def survey_table(form: Form) -> tuple[dict[str, Any], dict[str, Place | SheetRow]]:
    """Put the tables of the survey file together; return them with the place of each key."""
    book = form.book
    places: dict[str, Place | SheetRow] = {"questions": Place("survey"), "sections": Place("survey")}
    places["languages"] = Place("survey", 1, "label::English (en)")
    table = settings(form, places)
    with_marks = isinstance(table.get("markdown"), bool) and table.pop("markdown")
    titles = [each for headings in book.headings.values() for each in headings]
    table["languages"] = languages_of(titles, book.default) or ([book.default] if book.default else [])
    for name in SURVEY_TEXTS.values():
        row = form.texts.get(name)
        places[name] = row or Place("survey", f"note {OUR_PREFIX}_{name}")
        if row or name not in OPTIONAL_TEXTS:
            table[name] = row.texts("label") if row else {}
    explicit = any(not part.alone for part in form.parts) or version_needed(table) > FORMAT
    questions: list[dict[str, Any]] = []
    for index, part in enumerate(form.parts):
        if explicit:
            places[f"sections[{index}]"] = part.row
        for number, asked in enumerate(part.questions):
            prefix = f"sections[{index}].questions[{number}]" if explicit else f"questions[{len(questions)}]"
            places |= {prefix: asked.row} | {f"{prefix}.{key}": place for key, place in asked.places.items()}
            questions.append(asked.table)
    table |= {"sections": [each.whole() for each in form.parts]} if explicit else {"questions": questions}
    version = WITH_TEXTS if with_marks else version_needed(table)
    return {"candor": version} | table, places


def settings(form: Form, places: dict[str, Place | SheetRow]) -> dict[str, Any]:
    """Read the sheet settings, which has one row."""
    rows = form.book.rows.get("settings", [])
    row = rows[0] if rows else SheetRow(Place("settings", 2), {}, {})
    for more in rows[1:]:
        form.book.foreign.append(more.place.fault("settings_row", "a row"))
        more.read.update(more.cells)
    table: dict[str, Any] = {}
    places |= {"slug": row.at("form_id"), "title": row}
    if (slug := row.take("form_id")) is not None:
        table["slug"] = slug
    title, first = row.take("form_title"), row.take(DEFAULT) and form.book.default
    table["title"] = row.texts(f"{OUR_PREFIX}::title")
    if title is not None:
        table["title"] = {first or first_language(form): title} | table["title"]
    for name, (inner, key, read) in SETTINGS.items():
        text = row.take(f"{OUR_PREFIX}::{name}")
        places[f"{inner}.{key}".strip(".")] = row.at(f"{OUR_PREFIX}::{name}")
        if text is not None:
            (table.setdefault(inner, {}) if inner else table)[key] = read(text)
    return table


def first_language(form: Form) -> str:
    """Return the language of the first label, which is that of the form if its settings name none."""
    named = (each.language for each in form.book.headings.get("survey", []) if each and each.language)
    return next(named, "en")


def unread_cells(form: Form) -> Iterator[Problem]:
    """Yield a problem for every cell that nothing has read."""
    rows = [*form.book.rows.get("survey", []), *form.lists.used_rows, *form.book.rows.get("settings", [])[:1]]
    for row in rows:
        for heading, text in row.rest():
            yield row.at(heading).fault("cell_foreign", text)
    for row in form.lists.unused_rows:
        yield row.place.fault("list_used", row.cells.get(NAME, ""))


def place_of_key(places: Mapping[str, Place | SheetRow], key: str) -> str:
    """Return the place of a key of the survey file: its own cell, or its column in the row it belongs to."""
    cuts = [len(key), *(index for index in reversed(range(len(key))) if key[index] in ".[")]
    start = next((key[:cut] for cut in cuts if key[:cut] in places), None)
    if start is None:
        return key
    place, rest = places[start], key[len(start) :].strip(".")
    if isinstance(place, Place):
        return str(replace(place, column=text_heading("label", rest)) if start in TEXTS and rest else place)
    return str(place.at(column_of(start, rest))) if rest or start == "title" else str(place.place)


def column_of(start: str, key: str) -> str:
    """Return the heading of a key of the survey file."""
    name, _, language = key.partition(".")
    if start == "title":
        return text_heading(f"{OUR_PREFIX}::title", key) if key else "form_title"
    plain = {"wording": "label", "title": "label", "introduction": "label", "note": "hint"}
    plain |= {"help": "guidance_hint", "id": "name", "options": "type", "kind": "type"}
    plain |= {"unit": f"{OUR_PREFIX}::unit", "matrix_wording": f"{OUR_PREFIX}::matrix_wording"}
    if start in SURVEY_TEXTS.values() or "options[" in start.rpartition(".")[2]:
        return text_heading("label", language or name)
    column = plain.get(name, f"{OUR_PREFIX}::{name}")
    return text_heading(column, language) if language else column
