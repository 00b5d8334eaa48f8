"""A survey's page as HTML, with its definition, its scripts and its messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from flask import render_template

from server.language.catalogue import FIRST, LANGUAGES, say, section
from server.language.language_names import own_name
from server.language.moments import day
from server.respond.process_memory import memory
from survey.definition import Definition
from survey.invitations import LISTED
from survey.publication import Publication, canonical_json
from survey.question import Question

FINAL = ("stale", "different", "closed", "refused")
FINAL_FOR_INVITED = ("used", "uninvited")
"""Outcomes that a page tells again after a reload, when only their names are left."""

BEFORE = ("legend", "later", "lock", "enter", "locked", "spinning")
ONLY = {
    "answers": "after",
    **dict.fromkeys(("review", "discarded", "result.will", "result.resumed", "cause.on"), "before"),
    **dict.fromkeys(("matrix.recorded", "matrix.how"), "before"),
    **{f"question.{part}": "before" for part in BEFORE},
}
"""A message's key, or its first part -> the survey's `outcome` with which alone it travels."""

SETS = ("designed", "cyclic")
"""The mechanisms whose reports are sets, but for `subset`, which has few."""

COUNTED, NAMED = ("title", "spin", "bright", "dark", "kept", "chance"), 4
"""The messages on linked answers that name their number, and up to which number there is a word for it."""

NOTHING: Mapping[str, str] = MappingProxyType({})


def page_bytes(publication: Publication) -> bytes:
    """Render a survey's page, once for each publication. Its addresses are relative, under any prefix."""
    return memory().pages.get(publication.fingerprint, lambda: render(publication, root="..").encode())


def render(
    publication: Publication,
    root: str | None = None,
    template: str = "respond/page.html",
    instead: Mapping[str, str] = NOTHING,
    **others: object,
) -> str:
    """Render the page of a publication; `server.respond.try_out` adds what a page without storing needs."""
    return render_template(
        template,
        publication=publication,
        root=root,
        kinds=kinds_of(publication),
        style=style_of(publication.definition),
        more=needs_second_script(publication.definition),
        linked=any(question.linked for question in publication.definition.questions),
        sets=reports_sets(publication.definition),
        together=memory().together,
        messages=messages(publication.definition, instead),
        spoken=spoken_by(publication.definition.languages),
        spoken_by=spoken_by,
        day=day,
        name_of=own_name,
        **others,
    )


def kinds_of(publication: Publication) -> list[str]:
    """List the kinds of question that the page shows."""
    return sorted({page_kind(question) for question in publication.definition.questions})


def needs_second_script(definition: Definition) -> bool:
    """Return whether a survey has more than yes/no questions, plain or linked.

    See `server.web.files.survey_scripts`.
    """
    besides = definition.invitations or definition.nodes or definition.pictures or definition.samples
    return bool(besides or definition.outcome == "before") or any(
        page_kind(question) != "yes_no"
        or question.skip == "apart"
        or question.by_hand
        or question.help
        or question.matrix
        for question in definition.questions
    )


def style_of(definition: Definition) -> str:
    """Name the style of a survey's page: most need the first part only. See `server.web.files.assets`."""
    questions = definition.questions
    besides = definition.nodes or definition.pictures or definition.outcome == "before"
    if besides or any(page_kind(question) != "yes_no" or question.help for question in questions):
        return "survey.css"
    return "linked.css" if any(question.matrix or question.linked for question in questions) else "candor.css"


def reports_sets(definition: Definition) -> bool:
    """Return whether the reports of a question are sets that a script of their own shows."""
    return any(question.mechanism in SETS for question in definition.questions)


def page_kind(question: Question) -> str:
    """Name the module and the template of a question: a skip that is randomized makes yes/no a choice.

    Linked questions that are left out all together have no option for it.
    """
    own_skip = question.skip == "randomized" and not (question.linked and question.linked.skip)
    return "choice" if question.kind == "yes_no" and own_skip else question.kind


def messages(definition: Definition, instead: Mapping[str, str] = NOTHING) -> bytes:
    """Return the page's messages as JSON: the languages, the keys, and the messages in each language.

    Parameters
    ----------
    definition : Definition
    instead : Mapping[str, str]
        Key of a message -> key of the message that takes its place.

    Notes
    -----
    Messages for one way to ask, kind, mechanism, way to skip or budget only, for real coins, a quick exit or
    an early download, such as ``kind.boxes.keep``, travel only where the survey has it.
    """
    questions = definition.questions
    used: dict[str, set[str | None]] = {
        "kind": {
            *map(page_kind, questions),
            *(["sets"] if reports_sets(definition) else []),
        },
        "mechanism": {question.mechanism for question in questions},
        "skip": {question.skip for question in questions},
        "hand": {
            *(question.by_hand for question in questions),
            *("linked" for question in questions if question.by_hand and question.linked),
        },
        "budget": {*definition.budget_as_dict(), *(["parts"] if definition.samples else [])},
        "quick": {"exit"} if definition.quick_exit else set(),
        "invited": invited(definition),
        "results": {"reports_while_open"} if definition.reports_while_open else set(),
        "texts": {"help"} if any(question.help for question in questions) else set(),
        "matrix": {"progress", "recorded", "how", *(["each"] if any(q.matrix for q in questions) else [])}
        if any(question.matrix or question.linked for question in questions)
        else set(),
        "linked": linked_words(definition),
        "marks": {"leaves", "mail"} if definition.nodes else set(),
        "sections": {
            *(["drawn", "also", "found", "rest"] if definition.samples else []),
            *(["part", "progress"] if len(definition.sections) < len(questions) else []),
        },
    }

    def travels(key: str) -> bool:
        part, _, rest = key.partition(".")
        if definition.outcome != (ONLY.get(key) or ONLY.get(part) or definition.outcome):
            return False
        if part == "pictures":
            return bool(definition.pictures)
        return part not in used or not used[part].isdisjoint((rest, rest.partition(".")[0]))

    codes = spoken_by(definition.languages)
    texts = [
        {
            **section(code, "respond"),
            **{key: say(code, other) for key, other in instead.items()},
            **{key: say(code, key) for key in outcome_keys(definition)},
        }
        for code in codes
    ]
    keys = [key for key in texts[0] if travels(key)]
    return canonical_json([codes, keys, [[said[key] for key in keys] for said in texts]])


def linked_words(definition: Definition) -> set[str | None]:
    """Name the messages on linked questions that a survey has."""
    wheels = [question.linked for question in definition.questions if question.linked]
    numbers = {wheel.asked if wheel.asked <= NAMED else "more" for wheel in wheels}
    return {
        *(["so", "bound"] if wheels else []),
        *(["drawn"] if any(wheel.sampled for wheel in wheels) else []),
        *(["leave", "leave_hint", "skipped"] if any(wheel.skip for wheel in wheels) else []),
        *(f"{counted}.{number}" for counted in COUNTED for number in numbers),
    }


def outcome_keys(definition: Definition) -> list[str]:
    """List the messages of outcomes that may end taking part."""
    outcomes = (*FINAL, *FINAL_FOR_INVITED) if definition.invitations else FINAL
    return [f"outcome.{outcome}.{part}" for outcome in outcomes for part in ("title", "text")]


def invited(definition: Definition) -> set[str | None]:
    """Name the messages that a survey for those who were invited has."""
    if not definition.invitations:
        return set()
    return {"who", "apart", "together", "missing", LISTED if definition.invitations == LISTED else "unlisted"}


def spoken_by(languages: Sequence[str]) -> list[str]:
    """List the languages of Candor that readers of a survey need, the first for those that Candor lacks.

    Examples
    --------
    >>> spoken_by(["ko"]), spoken_by(["ko-KR", "en"]), spoken_by(["ko", "ar"])
    (['ko'], ['en', 'ko'], ['en', 'ko'])
    """
    wanted = {code.split("-")[0] for code in languages}
    available = [code for code in LANGUAGES if code.split("-")[0] in wanted]
    lacking = wanted - {code.split("-")[0] for code in available}
    return list(dict.fromkeys([FIRST, *available] if lacking else available))
