"""Questions of an XLSForm, read as tables of the survey file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.language.catalogue import FIRST, LANGUAGES, say
from server.xlsform import cell_values
from server.xlsform.headings import OUR_PREFIX, Heading
from server.xlsform.place import Place
from server.xlsform.workbook import SheetRow
from survey.fields import Problem
from survey.question import KINDS
from survey.question.choice import MOST_OPTIONS

YES_NO = {"no", "yes"}
"""The names of the options of a list for yes and no."""

NUMBERS = frozenset({"epsilon", "delta", "low", "high", "step", "size"})
TABLES = frozenset({"utility", "wants", "picture"})
TRUTHS = frozenset({"ordered"})

RANGE = {"start": "low", "end": "high", "step": "step"}
"""Parameter of the type range -> key of the survey file."""


@dataclass
class AskedQuestion:
    """A question, and the places of its keys.

    Attributes
    ----------
    row : Row
    table : dict
        The question as in the survey file.
    places : dict
        Key -> its place, unless it stands in this row under its own heading.
    faults, foreign : list of Problem
    """

    row: SheetRow
    table: dict[str, Any]
    places: dict[str, Place | SheetRow] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)
    foreign: list[Problem] = field(default_factory=list)


class OptionLists:
    """The lists of options of a form: name -> rows of the sheet choices."""

    def __init__(self, rows: Sequence[SheetRow], default: str | None) -> None:
        self.default = default
        self.rows: dict[str, list[SheetRow]] = {}
        self.options: dict[str, list[dict[str, str]]] = {}
        self.used: set[str] = set()
        for row in rows:
            self.rows.setdefault(row.take("list_name") or "", []).append(row)

    def texts(self, name: str) -> list[dict[str, str]]:
        """Return the options of a list, which is read only once."""
        if name not in self.options:
            self.options[name] = [row.texts("label") for row in self.rows.get(name, [])]
        return self.options[name]

    @property
    def used_rows(self) -> list[SheetRow]:
        """The rows of lists that some question uses."""
        return [row for name in self.rows if name in self.used for row in self.rows[name]]

    @property
    def unused_rows(self) -> list[SheetRow]:
        """The rows of lists that no question uses."""
        return [row for name in self.rows if name not in self.used for row in self.rows[name]]


def read_question(row: SheetRow, kind: list[str], lists: OptionLists) -> AskedQuestion | None:
    """Read the row of a question; return None if no survey can ask it.

    Parameters
    ----------
    row : Row
    kind : list of str
        The words of its type.
    lists : Lists
    """
    words = [each.lower() for each in kind]
    select = "_".join(words[:2]) if words[:1] == ["select"] else "".join(words[:1])
    rest = kind[2:] if words[:1] == ["select"] else kind[1:]
    if select in ("select_one", "select_multiple") and rest:
        asked = AskedQuestion(row, shared_keys(row))
        if rest[1:]:
            asked.foreign.append(row.at("type").fault("list_last", " ".join(kind)))
        with_options(asked, select, rest[0], lists)
        return asked
    if words in (["range"], ["integer"], ["decimal"]):
        asked = AskedQuestion(row, shared_keys(row) | {"kind": "number"})
        if words == ["range"]:
            with_range(asked)
        return asked
    return None


def shared_keys(row: SheetRow) -> dict[str, Any]:
    """Read the keys that every kind has: its name, its texts, and our own columns."""
    table: dict[str, Any] = {} if (name := row.take("name")) is None else {"id": name}
    table |= {"wording": wording} if (wording := row.texts("label")) else {}
    table |= {"note": note} if (note := row.texts("hint")) else {}
    table |= {"help": texts} if (texts := row.texts("guidance_hint")) else {}
    table |= {"matrix_wording": stem} if (stem := row.texts(f"{OUR_PREFIX}::matrix_wording")) else {}
    table |= {"unit": unit} if (unit := row.texts(f"{OUR_PREFIX}::unit")) else {}
    for heading, text in list(row.rest()):
        if heading.name.startswith(f"{OUR_PREFIX}::"):
            row.read.add(heading)
            key = heading.name.removeprefix(f"{OUR_PREFIX}::")
            table[key] = read_value(key, text)
    return table


def read_value(key: str, text: str) -> object:
    """Read the value of one of our columns."""
    if key in NUMBERS:
        return cell_values.number(text)
    if key in TABLES:
        return cell_values.table(text)
    return cell_values.truth(text) if key in TRUTHS else text


def with_options(asked: AskedQuestion, select: str, name: str, lists: OptionLists) -> None:
    """Add the kind and the options of a question that has a list."""
    rows = lists.rows.get(name)
    if rows is None:
        known = tuple(filter(None, lists.rows))
        limits = {"select": select} | ({"lists": known} if known else {})
        asked.faults.append(asked.row.at("type").fault("list" if known else "list_none", name, **limits))
        rows = []
    lists.used.add(name)
    names = [row.take("name") or "" for row in rows]
    if is_yes_no(select, asked.table.get("mechanism"), names):
        asked.table["kind"] = "yes_no"
        asked.foreign += other_words(rows, names)
        if {each.lower() for each in names} != YES_NO or len(names) != 2:
            value = f"{name}: {', '.join(names)}"
            asked.faults.append(asked.row.at("type").fault("list_yes_no", value))
        return
    asked.table["kind"] = "choice" if select == "select_one" else "boxes"
    asked.table["options"] = lists.texts(name)
    if len(rows) <= MOST_OPTIONS:
        asked.places |= {f"options[{index}]": row for index, row in enumerate(rows)}
    counted = [[str(start + index) for index in range(len(names))] for start in (0, 1)]
    if names not in counted and rows:
        asked.foreign.append(rows[0].at("name").fault("list_numbers", ", ".join(names)))


def is_yes_no(select: str, mechanism: object, names: Sequence[str]) -> bool:
    """Return whether a question is one of yes and no, by its mechanism or else by its list."""
    if select != "select_one" or mechanism in KINDS["choice"].mechanisms:
        return False
    return mechanism in KINDS["yes_no"].mechanisms or {each.lower() for each in names} == YES_NO


def other_words(rows: Sequence[SheetRow], names: Sequence[str]) -> list[Problem]:
    """List labels of yes and no that differ from the words of a survey's page."""
    problems = []
    for row, name in zip(rows, names, strict=True):
        for language, text in row.texts("label").items():
            if text != word(name.lower(), language):
                place = row.at(Heading("label", language))
                problems.append(place.fault("list_word", text, word=word(name.lower(), language)))
    return problems


def word(name: str, language: str) -> str:
    """Return yes or no in a language, or in English if the product does not speak it."""
    spoken = language if language in LANGUAGES else FIRST
    return say(spoken, f"results.{name}") if name in YES_NO else name


def with_range(asked: AskedQuestion) -> None:
    """Add the grid of a number, which the parameters of a range hold."""
    text = asked.row.take("parameters")
    place = asked.row.at("parameters")
    asked.places |= dict.fromkeys(RANGE.values(), place)
    if text is None:
        return
    parameters = cell_values.parameters(text)
    if parameters is None or not parameters.keys() <= RANGE.keys():
        asked.faults.append(place.fault("parameters", text))
        return
    grid: Mapping[str, object] = {RANGE[name]: cell_values.number(each) for name, each in parameters.items()}
    for key in sorted(grid.keys() & asked.table.keys()):
        twice = asked.row.at(f"{OUR_PREFIX}::{key}")
        asked.faults.append(twice.fault("parameters_say", asked.table[key]))
    asked.table |= grid
