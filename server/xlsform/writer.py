"""Surveys written as XLSForms, with columns of our own for what XLSForm does not know."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from server.xlsform.headings import DEFAULT, OUR_PREFIX, language_name, text_heading
from server.xlsform.questions import word
from server.xlsform.reader import OF_GROUP, SURVEY_TEXTS, read_xlsform
from survey.definition import PREVIEWS, Definition
from survey.fields import DefinitionError, Problem, Texts
from survey.markdown import sources
from survey.question import Boxes, Choice, Number, Question

Cells = dict[str, str | int | float]
"""One row: heading -> what stands under it."""

FIRST = ("type", "name")
PLAIN = ("id", "kind", "wording", "note", "help", "matrix_wording", "options", "low", "high", "unit")
"""Keys of a question that have a column of XLSForm."""

WIDTHS = {"label": 48, "hint": 32, "guidance_hint": 32, f"{OUR_PREFIX}::title": 32, "form_title": 32}
WIDTHS |= {"name": 20, "type": 28}
OTHER_WIDTH = 18
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""Stated as the time of writing, so that the same survey gives the same bytes."""


def write_xlsform(definition: Definition) -> bytes:
    """Write an XLSForm, and read it again to check that nothing was lost.

    Raises
    ------
    DefinitionError
        If a text holds what no spreadsheet can, such as a control character; it names the key.
    """
    data = workbook(sheets(definition))
    try:
        reread = read_xlsform(data, definition.slug).definition
    except DefinitionError as error:
        raise DefinitionError(definition.slug, [*changed_keys(definition, None), *error.problems]) from error
    if reread.as_toml() != definition.as_toml():
        raise DefinitionError(definition.slug, list(changed_keys(definition, reread)))
    return data


def sheets(definition: Definition) -> dict[str, list[Cells]]:
    """Return the rows of every sheet, without headings."""
    lists: dict[tuple[type[Question], Any], str] = {}
    choices: list[Cells] = []
    survey = list(survey_rows(definition, lists, choices))
    return {"survey": survey, "choices": choices, "settings": [settings(definition)]}


def settings(definition: Definition) -> Cells:
    """Return the row of the sheet settings."""
    first, *others = definition.languages
    row: Cells = {"form_title": definition.title[first], "form_id": definition.slug}
    row[DEFAULT] = language_name(first)
    row |= {text_heading(f"{OUR_PREFIX}::title", each): definition.title[each] for each in others}
    own: dict[str, Any] = {"step": definition.step, "reports_while_open": definition.reports_while_open}
    own |= definition.budget_as_dict()
    own |= {} if definition.asked is None else {"asked": definition.asked}
    own |= {"markdown": True} if definition.nodes else {}
    own |= {"quick_exit": definition.quick_exit} if definition.quick_exit else {}
    own |= {"outcome": definition.outcome}
    own |= {} if definition.preview == PREVIEWS[0] else {"preview": definition.preview}
    own |= {"kept_until": str(definition.kept_until)} if definition.kept_until else {}
    own |= {"invitations": definition.invitations} if definition.invitations else {}
    return row | {f"{OUR_PREFIX}::{name}": cell_value(value) for name, value in own.items()}


def survey_rows(
    definition: Definition, lists: dict[tuple[type[Question], Any], str], choices: list[Cells]
) -> Iterator[Cells]:
    """Yield the rows of the sheet survey: what is read first, the questions, what is read last."""
    spoken = {key: name for name, key in SURVEY_TEXTS.items() if getattr(definition, key)}
    last = {key: name for key, name in spoken.items() if key in ("help", "closing")}
    for key, name in spoken.items():
        if key not in last:
            yield note(name, getattr(definition, key), "acknowledge" if key == "consent" else "note")
    for section in definition.sections:
        if section.plain:
            for question in section.questions:
                yield question_row(question, definition.languages, lists, choices)
            continue
        own = section.as_dict()
        yield (
            {"type": "begin_group", "name": section.id}
            | texts("label", section.title)
            | {f"{OUR_PREFIX}::{key}": cell_value(own[key]) for key in OF_GROUP if key in own}
        )
        if section.introduction:
            yield note(f"{section.id}_introduction", section.introduction)
        for question in section.questions:
            yield question_row(question, definition.languages, lists, choices)
        yield {"type": "end_group", "name": section.id}
    for key, name in last.items():
        yield note(name, getattr(definition, key))


def note(name: str, spoken: Texts, kind: str = "note") -> Cells:
    """Return the row of a text that asks for nothing, or for consent."""
    row: Cells = {"type": kind, "name": name}
    return row | texts("label", spoken) | ({"required": "yes"} if kind == "acknowledge" else {})


def texts(name: str, spoken: Texts) -> Cells:
    """Return a cell for each language of a text."""
    return {text_heading(name, language): text for language, text in sources(spoken).items()}


def question_row(
    question: Question,
    languages: Sequence[str],
    lists: dict[tuple[type[Question], Any], str],
    choices: list[Cells],
) -> Cells:
    """Return the row of a question; add its list of options to the choices unless it is there."""
    row: Cells = {"type": "range", "name": question.id}
    if not isinstance(question, Number):
        options = option_rows(question, languages)
        key = type(question), json.dumps(options)
        if key not in lists:
            lists[key] = "yes_no" if question.kind == "yes_no" else f"{question.id}_options"
            choices += [{"list_name": lists[key], **option} for option in options]
        kind = "select_multiple" if isinstance(question, Boxes) else "select_one"
        row["type"] = f"{kind} {lists[key]}"
    row |= texts("label", question.wording) | texts("hint", question.note)
    row |= texts("guidance_hint", question.help) | texts(
        f"{OUR_PREFIX}::matrix_wording", question.matrix_wording
    )
    table = {name: value for name, value in question.as_dict().items() if name not in PLAIN}
    row["required"] = "no" if "skip" in table or isinstance(question, Boxes) else "yes"
    if isinstance(question, Number):
        table.pop("step")
        row["parameters"] = f"start={question.low!r} end={question.high!r} step={question.step!r}"
        row |= texts(f"{OUR_PREFIX}::unit", question.unit)
    return row | {f"{OUR_PREFIX}::{name}": cell_value(value) for name, value in table.items()}


def option_rows(question: Question, languages: Sequence[str]) -> list[Cells]:
    """Return the options of a question, named by the numbers in its reports or columns."""
    if isinstance(question, Choice | Boxes):
        start = 1 if isinstance(question, Boxes) else 0
        return [named(str(n), option) for n, option in enumerate(question.options, start)]
    words = {name: {each: word(name, each) for each in languages} for name in ("no", "yes")}
    return [named(name, spoken) for name, spoken in words.items()]


def named(name: str, spoken: Texts) -> Cells:
    """Return the row of an option."""
    return {"name": name, **texts("label", spoken)}


def cell_value(value: Any) -> str | int | float:
    """Return a value for a cell: a float that a spreadsheet would round as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and float(f"{value:.15g}") != value:
        return repr(value)
    return value if isinstance(value, str | int | float) else json.dumps(value)


def column_order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the headings of rows: types and names first, texts before our own columns."""
    used = dict.fromkeys(name for row in rows for name in row)
    spoken = ("label", "hint", "guidance_hint")
    order = ("list_name", *FIRST, *spoken, "form_title", "form_id", DEFAULT, "required", "parameters")

    def rank(name: str) -> int:
        plain = name.partition("::")[0]
        return order.index(plain) if plain in order else len(order)

    return sorted(used, key=rank)


def workbook(tables: Mapping[str, list[Cells]]) -> bytes:
    """Write a workbook; a text stays a text even if it begins like a formula."""
    import xlsxwriter

    stream = BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties({"created": MADE})
    bold = book.add_format({"bold": True, "bg_color": "#E8EBF2", "bottom": 1, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    for name, rows in tables.items():
        sheet = book.add_worksheet(name)
        for column, title in enumerate(column_order(rows)):
            sheet.set_column(column, column, width(title))
            sheet.write_string(0, column, title, bold)
            for number, row in enumerate(rows, start=1):
                if title in row:
                    value = row[title]
                    write = sheet.write_string if isinstance(value, str) else sheet.write_number
                    write(number, column, value, wrapped)
        sheet.freeze_panes(1, 2)
    book.close()
    return stream.getvalue()


def width(title: str) -> int:
    """Return the width of a column, in characters."""
    return next((width for start, width in WIDTHS.items() if title.startswith(start)), OTHER_WIDTH)


def changed_keys(definition: Definition, reread: Definition | None) -> Iterator[Problem]:
    """Yield a problem for each key that a spreadsheet has changed."""
    before = dict(leaves(definition.as_dict()))
    after = dict(leaves(reread.as_dict())) if reread else {}
    for key, value in before.items():
        if reread is None and not (isinstance(value, str) and not value.isprintable()):
            continue
        if value != after.get(key) or type(value) is not type(after.get(key)):
            yield Problem(key, "workbook_values", {}, value)


def leaves(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value of nested tables and lists with its key."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from leaves(each, f"{place}.{name}".lstrip("."))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(each, f"{place}[{index}]")
    else:
        yield place, value
