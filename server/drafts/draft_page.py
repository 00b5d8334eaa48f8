"""The page on which a draft is written. Its script draws everything from the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomli_w
from flask import render_template, request

from server.drafts.draft_reading import draft_previews
from server.drafts.planning.plan import unplanned, usual_total
from server.forms.draft_fields import draft_fields
from server.language.catalogue import LANGUAGES, say, section
from server.language.request_language import current
from server.runtime import offload
from server.services import services
from server.store.lifecycle import dated_proposals, life, proposals
from server.store.surveys import Survey
from survey.design.wants import WANTS
from survey.draft import expected_of, file_tables, parts_of
from survey.mechanisms.independent_boxes import MOST_BOXES
from survey.publication import canonical_json
from survey.question import KINDS
from survey.question.choice import MOST_OPTIONS
from survey.section import MOST_QUESTIONS

SPOKEN = re.compile(
    r"kind\.\w+\.name|mechanism\.\w+\.name|question|part|linking\.card|no_questions|ready|missing\.title"
)
"""Messages of the editor that its script says."""


def draft_page(survey: Survey) -> str:
    """Show a draft to write on."""
    document = survey.document or {}
    languages = languages_offered(document)
    held = services().storage.read(life.of, survey.id)
    island = {"hash": survey.tag, "document": document}
    return render_template(
        "drafts/editor.html",
        survey=survey,
        draft=canonical_json(island),
        hash=survey.tag,
        text=tomli_w.dumps(file_tables(document), multiline_strings=True),
        languages=languages,
        fields=draft_fields(languages),
        messages=messages(),
        most_questions=MOST_QUESTIONS,
        wants=WANTS,
        mechanisms={kind: question.mechanisms for kind, question in KINDS.items()},
        most_options={"choice": MOST_OPTIONS, "boxes": MOST_BOXES},
        inapplicable={code: say(code, "texts.inapplicable") for code in LANGUAGES},
        held=held,
        unconfirmed=services().storage.read(dated_proposals.unconfirmed, survey.id),
        proposals=services().storage.read(proposals.of_survey, survey.id, services().clock().timestamp()),
        fingerprint=fingerprint(survey) if held.opens_at is not None else None,
        unplanned=unplanned(document),
        usual_total=usual_total(document),
        expected=expected_of(document),
        planned=planned(document) if request.args.get("saved") == "plan" else None,
    )


def fingerprint(survey: Survey) -> str | None:
    """Return the fingerprint that a draft would have; None where it lacks anything."""
    publication = offload.compute(lambda: survey.complete)
    return publication.fingerprint if publication else None


def languages_offered(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that have fields: the draft's in its order, then Candor's other languages."""
    return tuple(dict.fromkeys([*document.get("languages", []), *LANGUAGES]))


def planned(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a plan that was just taken over means: its parts and its margins."""
    parts = parts_of(document)
    return {
        "previews": offload.compute(draft_previews, document),
        "parts": parts if parts.samples else None,
        "respondents": expected_of(document),
    }


def messages() -> bytes:
    """Return what the script says in this page's language, as the JSON of an island.

    Those of the respondents' page are among them: its own modules draw the view of a question.
    """
    language = current()
    editor = {key: message for key, message in section(language, "editor").items() if SPOKEN.fullmatch(key)}
    spoken = {f"editor.{key}": message for key, message in editor.items()}
    spoken |= {f"outline.{key}": message for key, message in section(language, "outline").items()}
    return canonical_json({language: dict(section(language, "respond")) | spoken})
