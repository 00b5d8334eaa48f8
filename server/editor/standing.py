"""How a draft stands: what its fields refuse and what it still lacks, each with its field."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wtforms import Field, FieldList, Form, FormField

from server.editor.missing import NAMES, PART_NAMES, in_editor, in_language, missing, named, place, worded
from server.editor.whole import is_for_the_plan
from server.forms.editor import draft_table
from server.forms.faults import Fault
from server.forms.grouping import is_line
from server.forms.question import FIRST
from server.forms.rows import Row
from server.forms.section import apart
from server.forms.shape import Misshapen
from server.forms.state import OF_THE_VIEW
from server.language.request_language import translate
from server.runtime import offload
from server.services import services
from server.store import drafts
from server.store.lifecycle import life
from survey.definition import TEXTS
from survey.fields import Problem

OF_A_QUESTION = re.compile(
    r"questions-(?P<index>\d+)(?:-(?P<key>[a-z_]+)(?:-(?P<option>\d+))?(?:-(?P<language>.+))?)?"
)
OF_A_PART = re.compile(r"sections-(?P<index>\d+)-(?P<key>[a-z_]+)(?:-(?P<language>.+))?")
OF_THE_DRAFT = re.compile(rf"(?P<key>{'|'.join(TEXTS)})-(?P<language>.+)")

OPTIONS = re.compile(r"questions\[(?P<index>\d+)\]\.options")
OTHERS = {
    "respondents": "editor.respondents_expected",
    "languages_": "editor.languages",
    "section": "editor.part_of",
    "invited": "invitations.draft.invited",
    "invited_listed": "invitations.draft.listed",
}
"""Fields whose message has another name than they have."""


@dataclass(frozen=True)
class Entry:
    """One thing to mend.

    Attributes
    ----------
    field : str
        The id of its field in the editor.
    text : str
        What is wrong or missing, with the place.
    said : str
        What is wrong, without the place: at the field itself.
    """

    field: str
    text: str
    said: str = ""

    @property
    def question(self) -> int | None:
        """The number of its question, from 1."""
        found = OF_A_QUESTION.match(self.field)
        return int(found["index"]) + 1 if found else None


@dataclass(frozen=True)
class Standing:
    """How a draft stands.

    Attributes
    ----------
    faults : tuple of Entry
        What fields refuse.
    missing : tuple of Entry
        What else keeps the draft from being opened.
    """

    faults: tuple[Entry, ...]
    missing: tuple[Entry, ...]

    @property
    def ready(self) -> bool:
        """Whether the draft can be opened."""
        return not (self.faults or self.missing)


def standing(form: Any, slug: str, table: Mapping[str, Any] | None = None) -> Standing:
    """Look at a form that has been validated.

    Parameters
    ----------
    form : Form
        Of `draft_form`.
    slug : str
        The address of the draft as it is stored.
    table : Mapping, optional
        What `draft_table` makes of a form that refuses nothing, where that is known.
    """
    found = list(faults_in(form))
    faults = tuple(Entry(field, said(field, worded(each)), alone(worded(each))) for field, each in found)
    wrong = {field for field, _ in found}
    if wrong or table is None:
        right = without(form, wrong, slug) if wrong else form
        if right is None:
            return Standing(faults, ())
        table = draft_table(right.data)
    held = services().storage.read(life.of_named, slug)
    earliest = held.earliest_kept_until(services().clock().timestamp())
    _, problems = offload.compute(drafts.would_open, table, slug, earliest)
    problems += services().storage.read(drafts.pictures_lacking, slug, table)
    return Standing(faults, entries(problems, table, wrong))


def once(problems: Iterable[Problem], questions: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Leave out what the options of a line lack: its scale is that of the first, of which it is said."""
    for problem in problems:
        found = OPTIONS.match(problem.path)
        if not (found and is_line(questions, int(found["index"]))):
            yield problem


def entries(
    problems: Iterable[Problem], draft: Mapping[str, Any], wrong: Collection[str] = ()
) -> tuple[Entry, ...]:
    """Say what a draft lacks, in the order of the editor. All epsilons that nobody has set are one thing.

    Parameters
    ----------
    problems : iterable of Problem
    draft : Mapping[str, Any]
    wrong : collection of str
        The fields of which something else is said.
    """
    told = once(in_editor(problems, draft), [question for _, question in apart(draft)[1]])
    found = [each for each in told if place(each.path) not in wrong]
    unset = [each for each in found if is_for_the_plan(each)]
    said = [Entry(place(each.path), missing(each)) for each in found if each not in unset]
    by_plan = [Entry("plan_total", translate("starting.plan.title", n=len(unset)))] if unset else []
    return (*said, *by_plan)


def faults_in(form: Form) -> Iterator[tuple[str, Fault]]:
    """Return every fault of a form with the id of its field."""
    for field in form:
        yield from faults_of(field)


def faults_of(field: Field) -> Iterator[tuple[str, Fault]]:
    """Return the faults of a field; a list of fields has its own only where none of the fields has it."""
    if isinstance(field, Row) and not field.built:
        return
    if isinstance(field, FormField):
        yield from faults_in(field.form)
        return
    inside: list[Fault] = []
    if isinstance(field, FieldList):
        for entry in field.entries:
            for name, each in faults_of(entry):
                inside.append(each)
                yield name, each
    for each in field.errors:
        if isinstance(each, Fault) and each not in inside:
            yield field.id, each


def spoiled(form: Form) -> bool:
    """Return whether a field of the draft itself refuses what was typed."""
    return any(field not in OF_THE_VIEW for field, _ in faults_in(form))


def without(form: Any, wrong: set[str], slug: str) -> Any:
    """Return the form without what it refuses, to see what else there is; None where that is not possible."""
    blank = type(form)(data=form.data)
    for field in leaves(blank, wrong):
        if field.id in wrong:
            field.data = field.default or ""
    for entry in blank.questions.entries:
        if f"{entry.id}-mechanism" in wrong:
            entry.put("mechanism", FIRST.get(entry.value("kind"), ""))
    if blank.slug.id in wrong:
        blank.slug.data = slug
    blank.languages_.data = form.languages_.data
    again = type(form)(data=blank.data)  # made anew, so that questions on one scale are alike again
    again.validate()
    left = {field for field, _ in faults_in(again)}
    return again if left <= {again.languages_.id} else None


def leaves(form: Form, wrong: Collection[str]) -> Iterator[Field]:
    """Return the fields that hold values themselves, of the forms within this one where one is wrong."""
    for field in form:
        entries = field.entries if isinstance(field, FieldList) else [field]
        for each in entries:
            if not isinstance(each, FormField):
                yield each
            elif any(name.startswith(f"{each.id}-") for name in wrong):
                yield from leaves(each.form, wrong)


def said(field: str, fault: Fault) -> str:
    """Put a fault into words that say where it is."""
    return f"{place_of(field)}: {alone(fault)}"


def alone(fault: Fault) -> str:
    """Put a fault into words that stand at its field."""
    return translate(fault.key, **fault.values)


def place_of(field: str) -> str:
    """Return what the editor calls a field, with the number of its question or part."""
    what = named_field(field)
    for where, pattern in (("question", OF_A_QUESTION), ("part", OF_A_PART)):
        if found := pattern.fullmatch(field):
            return translate(f"saving.place.{where}", number=int(found["index"]) + 1, what=what)
    return what


def named_field(field: str) -> str:
    """Return what the editor calls a field, without the number of its question or part.

    Parameters
    ----------
    field : str
        Its id, such as ``questions-2-options-0-en``.
    """
    if (found := OF_A_QUESTION.fullmatch(field)) and found["key"] == "picture":
        name, _, code = (found["language"] or "").partition("-")
        return in_language(translate("pictures.alt" if name == "alt" else "pictures.title"), code or None)
    if found and found["key"]:
        known = found["option"] or found["key"] in NAMES
        return named(found) if known else of_message(found["key"], found["language"])
    if found := OF_A_PART.fullmatch(field):
        name = PART_NAMES.get(found["key"])
        key = found["key"]
        return in_language(translate(name), found["language"]) if name else of_message(key, found["language"])
    if found := OF_THE_DRAFT.fullmatch(field):
        return in_language(translate(f"editor.text.{found['key']}"), found["language"])
    return translate(f"editor.text.{field}") if field in TEXTS else of_message(field)


def of_message(key: str, language: str | None = None) -> str:
    """Return the message that names a field, or the key where there is none."""
    try:
        return in_language(translate(OTHERS.get(key, f"editor.{key}")), language)
    except KeyError:
        return in_language(key, language)


def refused_in_words(refused: Misshapen) -> str:
    """Say why nothing was saved. Where somebody has typed what is wrong, the field has the editor's name."""
    named = {"field": place_of(refused.field)} if refused.typed else {}
    return translate(refused.fault.key, **{**refused.fault.values, **named})
