"""Parts of a draft as they would be published, for the respondents' own modules to draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.drafts.draft_reading import LinkedReading
from server.drafts.question_settings import QuestionReading
from server.language.request_language import current, translate
from survey.draft import question_table
from survey.draft.document import read as read_marks
from survey.publication import section_entry
from survey.question.question import MARKED

Question = Mapping[str, Any]


def text_of(texts: Mapping[str, str], language: str) -> str:
    """Return a text in a language, or in another that has one."""
    written = (text for text in (texts.get(language, ""), *texts.values()) if text.strip())
    return next(written, "").strip()


def published_part(
    document: Mapping[str, Any],
    reading: LinkedReading | None,
    wheel: tuple[Mapping[str, Any], list[int]] | None,
    waves: int | None,
) -> dict[str, Any] | None:
    """Return a linked section as it would be published, with the survey's waves.

    None where a setting is missing or wrong.
    """
    if reading is None or reading.section is None or wheel is None or waves is None:
        return None
    entries = [
        as_published(document["questions"][place], own, f"draft_{place}")
        for place, own in zip(wheel[1], reading.questions, strict=True)
    ]
    nodes = {text: tree for entry in entries for text, tree in entry.pop("nodes", {}).items()}
    table = (
        reading.section.as_dict() | section_entry(reading.section) | {"questions": entries, "waves": waves}
    )
    return table | ({"nodes": nodes} if nodes else {})


def published_entry(question: Question, reading: QuestionReading) -> dict[str, Any] | None:
    """Return a question as it would be published, for the respondents' own modules to draw.

    None where a setting is missing or wrong, and for a linked question, which is never drawn by itself.
    """
    if reading.known is None or reading.known.question.linked:
        return None
    return as_published(question, reading, "draft")


def as_published(question: Question, reading: QuestionReading, name: str) -> dict[str, Any]:
    """Return a question in one language, with a stand-in for each text that is missing."""
    known = reading.known
    assert known is not None  # noqa: S101  # as the callers have checked
    language = current()
    own = question_table(question, linked=known.question.linked is not None)
    table = {"kind": known.question.kind} | {
        key: value for key, value in own.items() if not isinstance(value, dict)
    }
    texts: dict[str, Any] = {
        key: {language: text}
        for key in ("note", "help", "unit")
        if (text := text_of(question.get(key, {}), language))
    }
    wording = text_of(question.get("wording", {}), language) or translate("editor.seen.wording")
    texts |= {"id": name, "wording": {language: wording}}
    if "options" in table:
        texts["options"] = [
            {language: text_of(option.get("text", {}), language) or translate("editor.option", n=n)}
            for n, option in enumerate(question["options"], 1)
        ]
    if picture := question.get("picture"):
        texts["picture"] = picture | {"alt": {language: text_of(picture.get("alt", {}), language)}}
    marked = (read_marks(text) for key in MARKED for text in texts.get(key, {}).values())
    trees = {text.source: text.nodes for text in marked if text}
    return table | texts | ({"nodes": trees} if trees else {}) | dict(known.published)
