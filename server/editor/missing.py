"""What a draft still lacks before it can be opened, in words and with the place of its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from server.forms.faults import Fault
from server.forms.section import is_plain
from server.language.catalogue import LANGUAGES
from server.language.request_language import problem_sentence, spoken, translate
from survey.definition import TEXTS
from survey.fields import Problem

QUESTION = re.compile(
    r"questions\[(?P<index>\d+)\]\.(?P<key>\w+)(?:\[(?P<option>\d+)\])?(?:\.(?P<language>.+))?"
)
INSIDE = re.compile(r"sections\[(?P<section>\d+)\]\.(?:questions\[(?P<question>\d+)\]\.)?(?P<rest>.+)")
PART = re.compile(r"sections\[(?P<index>\d+)\]\.(?P<key>\w+)(?:\.(?P<language>.+))?")
TEXT = re.compile(rf"({'|'.join(TEXTS)})\.(.+)")
NAMES = (
    {
        "kind": "editor.kind.title",
        "id": "editor.id",
        "mechanism": "editor.mechanism.title",
        "wording": "editor.text.wording",
        "note": "editor.text.note",
        "help": "texts.help",
        "matrix": "texts.matrix",
        "matrix_wording": "texts.matrix_wording",
    }
    | {
        key: f"editor.{key}"
        for key in ("epsilon", "delta", "options", "low", "high", "unit", "size", "utility", "scope", "skip")
    }
    | {"step": "editor.grid_step", "by_hand": "editor.by_hand", "ordered": "editor.ordered"}
)
"""Key of a question -> the message that names its field."""

PART_NAMES = MappingProxyType(
    {
        "id": "editor.part_id",
        "title": "editor.text.title",
        "introduction": "editor.part_introduction",
        "questions": "editor.missing.no_question",
    }
)
"""Key of a part -> the message that names its field."""

WRONG: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("epsilon_estimable", "epsilon_mean", "epsilon_points", "epsilon_delta"), "epsilon")
    | dict.fromkeys(("utility_differs", "utility_mirror", "published_size"), "utility")
    | {"step_even": "step", "options": "options", "ordered": "mechanism"}
    | {"name_of_column": "id", "name_of_section": "part_id"}
)
"""Rule that a value may break together with others -> ``editor.wrong.<what>``, the editor's words for it."""


CODES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "editor.error.languages": spoken,
        "editor.error.language_has_texts": spoken,
        "editor.error.kind": lambda code: translate(f"editor.kind.{code}.name"),
        "editor.error.mechanism": lambda code: translate(f"editor.mechanism.{code}.name"),
    }
)
"""Faults that hold codes of the survey file -> what names them."""


def worded(fault: Fault) -> Fault:
    """Replace codes by words of the catalogue. A code without a word stays."""
    if fault.key not in CODES:
        return fault

    def name(code: str) -> str:
        try:
            return CODES[fault.key](code)
        except KeyError:
            return code

    values = {key: ", ".join(map(name, str(value).split(", "))) for key, value in fault.values.items()}
    return replace(fault, values=values)


def in_editor(problems: Iterable[Problem], draft: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the places of problems as the editor counts: questions one after the other, and rows of parts.

    Parameters
    ----------
    problems : iterable of Problem
        As in the survey file, where questions stand in their sections.
    draft : Mapping[str, Any]
    """
    sections = draft.get("sections", [])
    for problem in problems:
        found = INSIDE.fullmatch(problem.path)
        if found is None:
            yield problem
            continue
        before = sections[: int(found["section"])]
        if found["question"] is not None:
            number = sum(len(section["questions"]) for section in before) + int(found["question"])
            yield replace(problem, path=f"questions[{number}].{found['rest']}")
        elif not is_plain(
            sections[int(found["section"])]
        ):  # what is wrong with its name is said of its question
            row = sum(not is_plain(section) for section in before)
            yield replace(problem, path=f"sections[{row}].{found['rest']}")


def place(key: str) -> str:
    """Return the id of the field that edits a key of the survey file.

    Examples
    --------
    >>> place("questions[0].wording.en"), place("title.ko"), place("results.step")
    ('questions-0-wording-en', 'title-ko', 'step')
    >>> place("questions[1].options[2].en"), place("budget.limit")
    ('questions-1-options-2-en', 'limit')
    >>> place("sections[0].title.ko"), place("sections[0].questions"), place("languages[1]")
    ('sections-0-title-ko', 'sections-0-id', 'languages')
    """
    if PART.fullmatch(key) and key.endswith(
        ".questions"
    ):  # a part has no field for them: they say where they are
        key = key.removesuffix("questions") + "id"
    if key.startswith("languages["):
        return "languages"
    own = key.removeprefix("results.").removeprefix("budget.")
    return own.replace("].", "-").replace("[", "-").replace("]", "").replace(".", "-")


def missing(problem: Problem) -> str:
    """Name what is missing. Other problems read as in the check of a survey file."""
    if problem.path == "questions":
        many = isinstance(
            problem.value, int
        )  # how many columns the questions fill: more than there is room for
        return translate("editor.missing.columns" if many else "editor.missing.questions", n=problem.value)
    if problem.path == "asked":
        return translate("editor.missing.asked", value=problem.value)
    if (found := PART.fullmatch(problem.path)) and (key := found["key"]) in PART_NAMES:
        name = wrong(problem.rule) or PART_NAMES[key]
        what = in_language(translate(name), found["language"])
        return translate("editor.missing.part", number=int(found["index"]) + 1, what=what)
    if problem.path == "budget.limit":  # a draft holds only limits that can be one: this one is too low
        return translate("editor.missing.limit", limit=f"{problem.value:g}")
    if found := QUESTION.fullmatch(problem.path):
        number, key = int(found["index"]) + 1, found["key"]
        if key == "picture":
            what = of_picture(found["language"] or "")
            return translate("editor.missing.question", number=number, what=what)
        if key in NAMES and (problem.value is None or found["language"]):
            return translate("editor.missing.question", number=number, what=named(found))
        if message := wrong(problem.rule):
            return translate("editor.missing.question", number=number, what=translate(message))
    if problem.path.startswith("languages["):
        return translate("editor.missing.words", code=problem.value, allowed=", ".join(LANGUAGES))
    if problem.path == "kept_until":
        what = translate("editor.kept_until")
        if problem.rule == "open_earliest":
            return translate("editor.missing.too_early", what=what, value=problem.value, **problem.limits)
        return what
    if found := TEXT.fullmatch(problem.path):
        what = in_language(translate(f"editor.text.{found[1]}"), found[2])
        if problem.value is None:
            return what
        if problem.rule == "open_blank":
            return translate("editor.missing.blank", what=what, **problem.limits)
    return problem_sentence(problem)


def wrong(rule: str) -> str | None:
    """Return the message about a value that breaks a rule together with others; None for another rule."""
    return f"editor.wrong.{WRONG[rule]}" if rule in WRONG else None


def named(found: re.Match[str]) -> str:
    """Name a field of a question: an option by its place, a text with its language."""
    if found["option"] is not None:
        what = translate("editor.option", n=int(found["option"]) + 1)
    else:
        what = translate(NAMES[found["key"]])
    return in_language(what, found["language"])


def of_picture(key: str) -> str:
    """Name what a picture lacks: its description in a language, or the picture itself."""
    name, _, code = key.partition(".")
    if name != "alt":
        return translate("pictures.gone")
    return in_language(translate("pictures.alt"), code or None)


def in_language(what: str, code: str | None) -> str:
    """Add the language that a text is missing in."""
    if code is None:
        return what
    return translate("editor.missing.in_language", what=what, spoken=spoken(code))
