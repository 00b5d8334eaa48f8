"""The document of a draft, and the survey file that it makes.

A document has the keys of a survey file. Besides, every section, question and option has a fixed `uid`, the
questions stand in one list and name their section, and what was typed wrong stays as it was typed. None of
this is in the file.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import Any, TypeGuard

from survey import matrix
from survey.definition import MARKED, TEXTS
from survey.draft.groups import USUAL_KIND, regrouped
from survey.draft.parts import parts_of
from survey.draft.units import LISTS, Document, is_empty
from survey.linked_section import ALONE, OF_LINKED, OF_SECTION
from survey.markdown import Marked, escaped, marked
from survey.question.question import MARKED as MARKED_OF_QUESTION
from survey.rules import Refusal
from survey.section import TEXTS as TEXTS_OF_SECTION
from survey.section import asked_together
from survey.version import FORMAT, WITH_TEXTS, version_needed
from survey.version import tables as tables_in

Table = dict[str, Any]

EXPECTED, MOST_EXPECTED = 1000, 100_000_000
"""People that a draft is planned for unless it says how many, and the most that it may say."""

OF_THE_DRAFT = frozenset({"expected", *LISTS})
"""Keys of a document that its survey file has otherwise, or not at all."""

OF_KIND: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "yes_no": frozenset({"by_hand"}),
        "choice": frozenset({"options", "ordered"}),
        "boxes": frozenset({"options"}),
        "number": frozenset({"low", "high", "step", "unit"}),
    }
)
OF_MECHANISM: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "subset": frozenset({"size"}),
        "exponential": frozenset({"utility"}),
        "per_box": frozenset({"scope"}),
        "gaussian": frozenset({"delta"}),
        "designed": frozenset({"wants"}),
    }
)
OF_SOME = frozenset({"epsilon"}).union(*OF_KIND.values(), *OF_MECHANISM.values())
"""Keys that only some questions have; what else of them a draft remembers is not in the file."""

SETTINGS = OF_SOME - {"unit"} | {"kind", "mechanism", "skip"}
"""Keys that a question's figures depend on; of its options their number."""

TEXT_KEYS = frozenset({*TEXTS, *TEXTS_OF_SECTION, *MARKED_OF_QUESTION, "unit", "alt"})
"""Keys that hold one text in several languages."""

REQUIRED = frozenset({"questions", "wording", "matrix_wording", "alt"})
"""Keys that a file has even where nothing is in them, so that each language is missed by itself."""


def new_uid() -> str:
    """Draw the fixed name of a node."""
    return f"n{secrets.token_hex(6)}"


def applies(key: str, question: Mapping[str, Any]) -> bool:
    """Return whether a question has a key, by its kind and its mechanism.

    Examples
    --------
    >>> applies("epsilon", {"kind": "yes_no", "mechanism": "coin"})
    False
    """
    if key == "epsilon":
        return question.get("mechanism") != "coin"
    own = OF_KIND.get(question.get("kind", USUAL_KIND), frozenset())
    return key not in OF_SOME or key in own | OF_MECHANISM.get(question.get("mechanism", ""), frozenset())


def expected_of(document: Mapping[str, Any]) -> int:
    """Return how many people a draft is planned for."""
    expected = document.get("expected")
    return expected if is_expected(expected) else EXPECTED


def is_expected(value: object) -> TypeGuard[int]:
    """Return whether a draft can be planned for so many people."""
    return type(value) is int and 1 <= value <= MOST_EXPECTED


def nodes_of(document: Mapping[str, Any]) -> dict[str, Table]:
    """Return the sections and the questions of a document by their uids."""
    return {node["uid"]: node for name in LISTS for node in document.get(name, [])}


def nested(document: Mapping[str, Any]) -> Table:
    """Put the questions into their sections, as in a survey file; nodes keep their uids.

    A section stands where the first of its questions stands, one without questions at the end.
    """
    table = {key: value for key, value in document.items() if key not in OF_THE_DRAFT}
    sections = [section_table(section) for section in document.get("sections", [])]
    questions, linked = document.get("questions", []), linked_sections(document)
    tables = [question_table(question, question.get("section") in linked) for question in questions]
    for before, question in zip([{}, *tables], tables, strict=False):
        if question.get("matrix") and question["matrix"] == before.get("matrix"):
            question.pop("matrix_wording", None)
    if not sections:
        return table | {"questions": tables}
    heads = {section["uid"]: section for section in sections}
    filled = []
    for places in parts_of(document).sections:
        head = heads.pop(questions[places[0]].get("section"), None)
        plain = {"id": name} if (name := tables[places[0]].get("id")) else {}
        filled.append((plain if head is None else head) | {"questions": [tables[place] for place in places]})
    empty: list[Table] = [{**head, "questions": []} for head in heads.values()]
    return table | {"sections": [*filled, *empty]}


def linked_sections(document: Mapping[str, Any]) -> frozenset[str]:
    """Return the uids of the sections whose questions are linked."""
    return frozenset(
        section["uid"] for section in document.get("sections", []) if section.get("linked") is True
    )


def section_table(section: Mapping[str, Any]) -> Table:
    """Write a section as the table of a survey file, without what its wheel does not need."""
    left_out: Sequence[str] = OF_LINKED
    if section.get("linked") is True:
        left_out = ("epsilon", "skip") if section.get("by_hand") == "coin" else ()
    return {key: value for key, value in section.items() if key not in left_out}


def question_table(question: Mapping[str, Any], linked: bool = False) -> Table:
    """Write a question as the table of a survey file, with its uid and those of its options.

    Of a linked question what its section says for all is left out: the draft remembers it.
    """
    if linked:
        question = {key: value for key, value in question.items() if key not in OF_SECTION}
    table = {key: value for key, value in question.items() if key != "section" and applies(key, question)}
    if "options" in table:
        table["options"] = [{"uid": option["uid"]} | option.get("text", {}) for option in table["options"]]
    for key in matrix.NOT_WITHIN if "matrix" in table else ("matrix_wording",):
        table.pop(key, None)
    table.setdefault("wording", {})
    if "matrix" in table:
        table.setdefault("matrix_wording", {})
    if "picture" in table:
        table["picture"] = {"alt": {}} | table["picture"]
    return table


def file_tables(document: Mapping[str, Any]) -> Table:
    """Return the tables of the survey file that a document makes, with what was typed wrong.

    Texts in a language that the survey does not have any more stay in the document alone.
    """
    languages = document.get("languages", [])
    table: Table = without_uids(nested(document), languages)
    return {"candor": version_of(table)} | table


def without_uids(value: Any, languages: Sequence[str]) -> Any:
    """Leave out the uids of nested tables, texts in other languages, and what is empty."""
    if isinstance(value, list):
        return [without_uids(inner, languages) for inner in value]
    if not isinstance(value, Mapping):
        return value
    table: Table = {}
    for key, inner in value.items():
        if key == "options":
            table[key] = [in_languages(option, languages) for option in inner]
        elif key != "uid":
            texts = key in TEXT_KEYS and isinstance(inner, Mapping)
            table[key] = in_languages(inner, languages) if texts else without_uids(inner, languages)
    return {key: inner for key, inner in table.items() if not is_empty(inner) or key in REQUIRED}


def in_languages(texts: Mapping[str, str], languages: Sequence[str]) -> dict[str, str]:
    """Keep the texts that are written in the languages of the survey."""
    return {code: texts[code] for code in languages if texts.get(code)}


def unit_at(tables: Mapping[str, Any], path: str) -> str | None:
    """Return the unit of a document that stands at a path of its survey file.

    Parameters
    ----------
    tables : Mapping[str, Any]
        The document as `nested` returns it.
    path : str
        Such as ``sections[0].questions[1].options[2].en``.

    Returns
    -------
    str or None
        None for what only the file has, such as the name of a section that the draft does not write.
    """
    unit: list[str] = []
    owner: list[str] = []
    here: Any = tables
    for name in re.findall(r"[^.\[\]]+", path):
        if isinstance(here, list):
            here = here[int(name)] if name.isdecimal() and int(name) < len(here) else None
            if isinstance(here, Mapping):
                if "uid" not in here:
                    unit = []
                    continue
                inside = unit[-1:] == ["options"]
                unit = [*(owner if inside else []), here["uid"], *(["text"] if inside else [])]
                owner = unit
        else:
            here = here.get(name) if isinstance(here, Mapping) else None
            if unit or owner or name not in ("sections", "id"):
                unit = [*unit, name]
            elif name == "sections":
                unit = [name]
    return ".".join(unit) or None


def version_of(table: Mapping[str, Any]) -> int:
    """Return the lowest version of the survey file that tables can be written in."""
    has_marks = any(read(text) for texts in texts_of(table) for text in texts.values())
    return WITH_TEXTS if has_marks else version_needed(table)


def read(text: str) -> Marked | None:
    """Return a text with its tree; None where it has no marks, or too many to be one."""
    try:
        tree = marked(text)
    except Refusal:
        return None
    return tree if isinstance(tree, Marked) else None


def texts_of(table: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """List the texts of a survey file that may have marks, each in all its languages."""
    sections = tables_in(table, "sections")
    questions = [question for holder in (table, *sections) for question in tables_in(holder, "questions")]
    holders = [(table, MARKED), *((section, ("introduction",)) for section in sections)]
    for holder, keys in [*holders, *((question, MARKED_OF_QUESTION) for question in questions)]:
        yield from (holder[key] for key in keys if isinstance(holder.get(key), dict))


def document_of(table: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> Document:
    """Make the document of a survey file's tables.

    Parameters
    ----------
    table : Mapping[str, Any]
        They may be incomplete.
    before : Mapping[str, Any], optional
        The document whose place it takes. Sections and questions of the same name, and the options at the
        same place, stay the same nodes.

    Returns
    -------
    dict
    """
    rest = deepcopy(dict(table))
    if rest.pop("candor", FORMAT) < WITH_TEXTS:  # what looks like a mark in an older file is none
        for texts in texts_of(rest):
            texts |= {language: escaped(text) for language, text in texts.items()}
    known = named(before or {})
    sections: list[Table] = []
    questions: list[Table] = []
    for section in rest.pop("sections", [{"questions": rest.pop("questions", [])}]):
        inside = section.pop("questions", [])
        place = {}
        if section and not is_plain(section, inside):
            sections.append(
                {"uid": known.get(("sections", section.get("id")), {}).get("uid") or new_uid()} | section
            )
            place = {"section": sections[-1]["uid"]}
        own = [question_node(question, known) | place for question in inside]
        if section.get("linked") is True:  # of no use in the file, but there once they are linked no more
            own = [{"mechanism": ALONE.get(each.get("kind", USUAL_KIND))} | each for each in own]
        questions += own
    kept = {"expected": before["expected"]} if before and "expected" in before else {}
    document = solid({**rest, **kept, "sections": sections, "questions": questions})
    return regrouped(document)


def named(document: Mapping[str, Any]) -> dict[tuple[str, str], Table]:
    """Return the sections and the questions of a document by their names."""
    return {(name, node["id"]): node for name in LISTS for node in document.get(name, []) if node.get("id")}


def is_plain(section: Mapping[str, Any], inside: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a section's table says no more than its one question, or group of them."""
    together = asked_together(("", question.get("matrix") or "") for question in inside)
    return section.keys() <= {"id"} and len(together) == 1 and section.get("id") == inside[0].get("id")


def question_node(table: Mapping[str, Any], known: Mapping[tuple[str, str], Table]) -> Table:
    """Make the node of a question from its table in a survey file."""
    before = known.get(("questions", table.get("id", "")), {})
    node = {"uid": before.get("uid") or new_uid()} | dict(table)
    if "options" in table:
        uids = [option["uid"] for option in before.get("options", [])]
        uids += [new_uid() for _ in table["options"][len(uids) :]]
        node["options"] = [
            {"uid": uid, "text": text} for uid, text in zip(uids, table["options"], strict=False)
        ]
    return node


def solid(value: Any) -> Any:
    """Leave out what is empty, at any depth; a node stays for its uid."""
    if isinstance(value, Mapping):
        kept = {key: solid(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if not is_empty(inner)}
    return [solid(inner) for inner in value] if isinstance(value, list) else value
