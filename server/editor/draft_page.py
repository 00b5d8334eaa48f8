"""The page that a draft is written on: filled from what is stored, or from what was typed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import make_response, render_template, request
from flask.typing import ResponseReturnValue
from wtforms import Form

from server.editor import live
from server.editor.cards import cards, untranslated, written
from server.editor.inapplicable import in_words
from server.editor.keeping import Joined
from server.editor.languages import offered
from server.editor.missing import worded
from server.editor.overstatements import overstatements
from server.editor.preview import Preview
from server.editor.reading import draft_preview, settings
from server.editor.standing import Standing, entries, standing
from server.forms.editor import EXPECTED, MOST_EXPECTED
from server.forms.faults import Fault
from server.forms.folded import folded
from server.forms.grouping import KINDS as GROUPED
from server.forms.grouping import runs
from server.forms.numbers import is_whole
from server.forms.panels import CLOSED, FIELDS, is_panel, panel_of
from server.forms.question import (
    MECHANISMS,
    MOST,
    SETTINGS,
    new_question,
    question_form,
    question_table,
)
from server.forms.removal import Removed
from server.forms.rows import Row
from server.forms.section import Parts, section_form
from server.forms.state import ROWS, state_of
from server.language.request_language import current
from server.runtime import offload
from server.services import services
from server.staff.redirect_target import known_page
from server.store import drafts
from server.store.lifecycle import life, opening_reasons
from server.store.surveys import Survey
from survey.section import MOST_QUESTIONS


def draft_page(
    found: Survey,
    form: Any,
    refused: str = "",
    expired: bool = False,
    removed: Removed | None = None,
    joined: Joined | None = None,
    wanted: str | None = None,
) -> str:
    """Show a draft with what was typed and what it means; where that is what is stored, what it lacks.

    Parameters
    ----------
    found : Survey
    form : Form
        Of `draft_form`, with what to show.
    refused : str
        Why nothing was saved, in a sentence.
    expired : bool
        Whether the form came without a valid token, so that nothing was done.
    removed : Removed or None
        What was just removed, and can be brought back.
    joined : Joined or None
        What somebody else has changed at the same time, which is in the draft now.
    wanted : str or None
        The place to show; without one that of the address, or of the first fault.
    """
    draft = found.draft or {}
    stored = not (refused or expired)
    held = services().storage.read(life.of, found.id)
    publication, problems = drafts.ready(services().storage, found, held, services().clock().timestamp())
    words = list(overstatements(draft))
    # A draft that cannot be opened yet may have its figures all the same.
    priced = publication or (offload.compute(drafts.would_be, draft, found.slug)[0] if words else None)
    respondents = None if form.respondents.errors else int(form.respondents.data)
    previews = offload.compute(form_previews, form, respondents)
    stands = standing(form, found.slug) if form.errors else Standing((), entries(problems, draft))
    name_codes(form)
    state = named_state(form)
    opened = opened_panel(state, wanted, [each.field for each in stands.faults])
    languages = offered(draft)
    written_in = written(state, languages)
    shown = shown_languages(written_in)
    places = [each.field for each in (*stands.faults, *stands.missing)] if stored or form.errors else []
    return render_template(
        "editor/draft.html",
        survey=found,
        form=form,
        stored=stored,
        stands=stands,
        held=held,
        fingerprint=publication.fingerprint if publication else None,
        overstated=words,
        guess=offload.compute(opening_reasons.figures, priced) if priced else None,
        ready=stored and publication is not None and not form.errors,
        previews=previews,
        messages=live.messages(),
        blanks=blanks(languages),
        blank_part=section_form(languages)(prefix=f"sections-{UNPLACED}-"),
        panels=json.dumps(dict(FIELDS)),
        **live.budget_of(form, previews, form_parts(form)),
        asked=asked(form),
        languages=languages,
        written=written_in,
        shown=shown,
        untranslated=untranslated(state, written_in),
        opened=opened,
        cards=cards(state, previews, places, [*shown, *written_in]),
        wrong=Counter(map(panel_of, places)),
        typed=folded(state),
        removed=removed,
        joined=joined,
        most_questions=MOST_QUESTIONS,
        mechanisms=MECHANISMS,
        most_options=MOST,
        inapplicable=in_words(),
        refused=refused,
        expired=expired,
        saved="saved" in request.args or removed is not None or joined is not None,
    )


def named_state(form: Any) -> dict[str, Any]:
    """Return what a form holds, with a uid for each question and part, which their fields get as well."""
    state = state_of(form.data) | {"respondents": form.respondents.data}
    for rows in ROWS:
        for entry, row in zip(form[rows].entries, state[rows], strict=True):
            entry.put("uid", row["uid"])
    return state


def opened_panel(data: Mapping[str, Any], wanted: str | None, faulty: Sequence[str]) -> str:
    """Choose the panel to open: the one that is wanted, that of the first fault, or the first question."""
    rows = [f"question-{n + 1}" for n in range(len(data["questions"]))]
    there = {*FIELDS, CLOSED, *rows, *(f"part-{n + 1}" for n in range(len(data["sections"])))}
    chosen = wanted or request.args.get("open") or next(iter(faulty), "")
    if chosen and panel_of(chosen) in there and (is_panel(chosen) or panel_of(chosen) != CLOSED):
        return panel_of(chosen)
    if chosen == CLOSED:
        return CLOSED
    return rows[0] if rows else "start"


def shown_languages(written_in: Sequence[str]) -> list[str]:
    """Return the languages whose fields are seen: those that the page asks for, or the reader's."""
    wanted = request.values.get("shown", "").split(",")
    own = current() if current() in written_in else next(iter(written_in), "")
    return [code for code in written_in if code in wanted] or [own]


@cache
def blanks(languages: tuple[str, ...]) -> dict[str, Blank]:
    """Make what the page's script clones: a question of every kind, of a group too, and a part, all empty."""
    found = {}
    for kind in MECHANISMS:
        empty = new_question(kind)
        content = json.dumps(question_form(languages)(data=empty).data)
        found[kind] = Blank(unplaced(languages, empty), content)
        if kind in GROUPED:
            group = unplaced(languages, empty | {"matrix": "group"})
            found |= {f"{kind}-first": Blank(group), f"{kind}-line": Blank(group, follows=True)}
    return found


def unplaced(languages: tuple[str, ...], empty: Mapping[str, Any]) -> Form:
    """Make the fields of an empty question that has no place yet, with one option where it has some."""
    options: list[dict[str, str]] = [{}] if empty["kind"] in MOST else []
    form: Form = question_form(languages)(prefix=f"questions-{UNPLACED}-", data={**empty, "options": options})
    return form


@dataclass(frozen=True)
class Blank:
    """Fields of a question that is not there yet.

    Attributes
    ----------
    form : Form
    json : str
        What they hold.
    follows : bool
        Whether it is a line of a group below the first.
    """

    form: Form
    json: str = "{}"
    follows: bool = False


UNPLACED = 999
"""Stands in names for the place of a row that has none yet; a draft has a hundred at most."""


def signed_out_page(status: int = 403) -> ResponseReturnValue:
    """Say that nothing was saved, to somebody who has to sign in: nothing that was sent is given back."""
    target = known_page(request.script_root + request.path)
    return make_response(render_template("editor/signed_out.html", target=target), status)


def needs_factor_page() -> ResponseReturnValue:
    """Keep what was typed by somebody who has to set up a second factor, to send it again.

    Notes
    -----
    Nothing is shown but what was sent. Once they have, sending it without a token brings back the editor,
    where it can be looked over and saved.
    """
    typed = [(name, value) for name, value in request.form.items(multi=True) if name != "csrf_token"]
    return make_response(render_template("editor/needs_factor.html", typed=typed), 403)


def form_previews(form: Any, respondents: int | None) -> list[Preview | None]:
    """Return the preview of every question of a form whose settings are right, those of its scale too."""
    asked_together = form_parts(form)
    questions = form.questions.entries
    # What is wrong with a scale is said of the first of its lines alone.
    wrong = {line.id for lines in runs(questions) if refuses(lines[0]) for line in lines}
    return [
        None
        if refuses(question) or question.id in wrong
        else form_preview(question, respondents, asked_together.chance(index))
        for index, question in enumerate(questions)
    ]


def refuses(question: Row) -> bool:
    """Return whether a setting of a question refuses what was typed."""
    return question.built and any(
        isinstance(each, Fault) for name in SETTINGS for each in question.form[name].errors
    )


def form_parts(form: Any) -> Parts:
    """Return which questions of a form are asked together."""
    return Parts(
        tuple(
            (entry.value("section") or "", entry.value("matrix") or "") for entry in form.questions.entries
        ),
        tuple(entry.value("always") for entry in form.sections.entries),
        int(form.asked.data) if form.asked.data and not form.asked.errors else None,
    )


def form_preview(question: Row, respondents: int | None, chance: float) -> Preview | None:
    """Return the preview of a question that refuses nothing; without respondents it has no margins."""
    return draft_preview(settings(question_table(question.data, [])), respondents, chance)


def name_codes(form: Any) -> None:
    """Make errors name languages, kinds and mechanisms as the page does."""
    questions = [entry.form for entry in form.questions.entries if entry.built]
    for field in [form.languages_, *(each[name] for each in questions for name in ("kind", "mechanism"))]:
        field.errors = [worded(each) if isinstance(each, Fault) else each for each in field.errors]


def expected() -> int | None:
    """Return the number of expected respondents in the address, or None for the usual one."""
    number = request.args.get("respondents", "")
    return int(number) if is_whole(number, 1, MOST_EXPECTED) and number != str(EXPECTED) else None


def asked(form: Any) -> str | None:
    """Return that number as the next address carries it, or None for the usual one."""
    number: str = form.respondents.data
    return None if number == str(EXPECTED) else number
