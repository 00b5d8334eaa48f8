"""The names that the editor has for the units of a draft: its fields, questions and parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from server.language.request_language import current, spoken, translate
from survey.definition import TEXTS
from survey.draft import nodes_of
from survey.draft.units import UID

OF_SURVEY: Mapping[str, str] = MappingProxyType(
    {name: f"editor.text.{name}" for name in TEXTS}
    | {name: f"editor.{name}" for name in ("slug", "languages", "kept_until", "asked", "quick_exit")}
    | {
        "expected": "editor.respondents_expected",
        "budget.limit": "editor.limit",
        "budget.waves": "editor.waves",
        "results.step": "editor.step",
        "results.reports_while_open": "editor.reports_while_open",
        "outcome": "editor.outcome_before",
        "preview": "editor.preview_title",
        "invitations": "invitations.draft.invited",
        "questions": "editor.questions",
        "sections": "editor.parts",
    }
)
"""Unit of the survey itself, without a language -> the message that names its field."""

OF_SECTION: Mapping[str, str] = MappingProxyType(
    {
        "id": "editor.part_id",
        "title": "editor.text.title",
        "introduction": "editor.part_introduction",
        "always": "editor.always",
        "questions": "editor.questions",
        "linked": "editor.linking.box",
        "epsilon": "editor.epsilon",
        "asked": "editor.linking.asked",
        "skip": "editor.linking.skip",
        "by_hand": "editor.linking.by_hand",
    }
)
"""Key of a section -> the message that names its field."""

OF_QUESTION: Mapping[str, str] = MappingProxyType(
    {
        name: f"editor.{name}"
        for name in ("id", "epsilon", "delta", "options", "low", "high", "unit", "size", "utility", "scope")
    }
    | {
        "skip": "editor.skip",
        "step": "editor.grid_step",
        "by_hand": "editor.by_hand",
        "ordered": "editor.ordered",
        "section": "editor.part_of",
        "kind": "editor.kind.title",
        "mechanism": "editor.mechanism.title",
        "wording": "editor.text.wording",
        "note": "editor.text.note",
        "help": "texts.help",
        "matrix": "texts.matrix",
        "matrix_wording": "texts.matrix_wording",
        "picture": "pictures.title",
        "picture.alt": "pictures.alt",
    }
    | {f"wants.{want}": f"editor.wants.{want}" for want in ("shares", "mean", "curve")}
)
"""Key of a question -> the message that names its field."""


def unit_name(document: Mapping[str, Any], unit: str) -> str:
    """Return what the editor calls a unit.

    Parameters
    ----------
    document : Mapping[str, Any]
        A draft that has the node of the unit, if it belongs to one.
    unit : str
    """
    owner, _, key = unit.partition(".")
    if not UID.fullmatch(owner):
        return field_name(OF_SURVEY, unit)
    node = nodes_of(document).get(owner, {"uid": owner})
    if not key:
        return node_name(document, node)
    if is_section(document, node):
        return translate(
            "saving.place.part", number=place_of(document, node), what=field_name(OF_SECTION, key)
        )
    what = option_name(node, key) or field_name(OF_QUESTION, key)
    return translate("saving.place.question", number=place_of(document, node), what=what)


def field_name(names: Mapping[str, str], key: str) -> str:
    """Return what a field is called, with the language of its text; its key where it has no name."""
    if key in names:
        return translate(names[key])
    stem, _, code = key.rpartition(".")
    if stem in names and "." not in code:
        known = re.fullmatch(r"[a-z]{2,3}(-\w+)*", code, re.IGNORECASE) is not None
        return in_language(translate(names[stem]), code) if known else translate(names[stem])
    first = key.partition(".")[0]
    return translate(names[first]) if first in names else key


def in_language(what: str, code: str) -> str:
    """Add the language that a text is in."""
    return translate("editor.missing.in_language", what=what, spoken=spoken(code))


def option_name(question: Mapping[str, Any], key: str) -> str:
    """Return what an option, or its text in a language, is called; nothing for another key."""
    uid, _, rest = key.partition(".")
    if not UID.fullmatch(uid):
        return ""
    uids = [option["uid"] for option in question.get("options", [])]
    what = translate("editor.option", n=uids.index(uid) + 1 if uid in uids else len(uids) + 1)
    return in_language(what, rest.removeprefix("text.")) if rest else what


def node_name(document: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    """Return what a question or a part is called: its number and its words."""
    where = "part" if is_section(document, node) else "question"
    texts = node.get("title" if where == "part" else "wording", {})
    words = texts.get(current()) or next(iter(texts.values()), "") or node.get("id", "")
    return translate(f"saving.title.{where}", number=place_of(document, node), words=words)


def is_section(document: Mapping[str, Any], node: Mapping[str, Any]) -> bool:
    """Return whether a node is a part."""
    return any(section["uid"] == node["uid"] for section in document.get("sections", []))


def place_of(document: Mapping[str, Any], node: Mapping[str, Any]) -> int:
    """Return the number of a question or a part; that behind the last one where the draft has no such."""
    nodes = document.get("sections" if is_section(document, node) else "questions", [])
    return next((n for n, other in enumerate(nodes, 1) if other["uid"] == node["uid"]), len(nodes) + 1)
