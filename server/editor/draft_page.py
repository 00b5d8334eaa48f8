"""The page that a draft is written on: filled from what is stored, or from what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import make_response, render_template, request
from flask.typing import ResponseReturnValue
from wtforms import Form

from server.editor import live
from server.editor.missing import in_editor, worded
from server.editor.preview import Preview
from server.editor.reading import draft_preview, settings
from server.forms.editor import EXPECTED, MOST_EXPECTED
from server.forms.faults import Fault
from server.forms.numbers import is_whole
from server.forms.question import MECHANISMS, MOST, SETTINGS, question_table
from server.forms.section import Parts
from server.language.catalogue import LANGUAGES
from server.services import services
from server.store import drafts
from server.store.surveys import Survey
from server.web import offload
from survey.section import MOST_QUESTIONS


def draft_page(found: Survey, form: Any, changed: bool = False, expired: bool = False) -> str:
    """Show a draft with what was typed and what it means; where that is what is stored, what it lacks.

    Parameters
    ----------
    found : Survey
    form : Form
        Of `draft_form`, with what to show.
    changed : bool
        Whether somebody else has saved the draft meanwhile.
    expired : bool
        Whether the form came without a valid token, so that nothing was done.
    """
    draft = found.draft or {}
    stored = not (changed or expired or form.errors)
    publication, problems = drafts.ready(services().storage, found)
    respondents = None if form.respondents.errors else int(form.respondents.data)
    previews = offload.compute(form_previews, form, respondents)
    name_codes(form)
    return render_template(
        "editor/draft.html",
        survey=found,
        form=form,
        stored=stored,
        problems=list(in_editor(problems, draft)) if stored else (),
        ready=stored and publication is not None,
        previews=previews,
        messages=live.messages(),
        **live.budget_of(form, previews, form_parts(form)),
        asked=asked(form),
        languages=offered(draft),
        most_questions=MOST_QUESTIONS,
        mechanisms=MECHANISMS,
        most_options=MOST,
        changed=changed,
        expired=expired,
        saved="saved" in request.args,
    )


def signed_out_page() -> ResponseReturnValue:
    """Keep what was typed by somebody whose session has ended, in fields that can be sent again.

    Notes
    -----
    Nothing is shown but what was sent. Once somebody is signed in again, sending it without a token brings
    back the editor, where it can be looked over and saved.
    """
    typed = [(name, value) for name, value in request.form.items(multi=True) if name != "csrf_token"]
    return make_response(render_template("editor/signed_out.html", typed=typed), 403)


def form_previews(form: Any, respondents: int | None) -> list[Preview | None]:
    """Return the preview of every question of a form whose own settings are right."""
    asked_together = form_parts(form)
    return [
        form_preview(entry.form, respondents and asked_together.people(index, respondents))
        for index, entry in enumerate(form.questions.entries)
    ]


def form_parts(form: Any) -> Parts:
    """Return which questions of a form are asked together."""
    return Parts(
        tuple(entry.form.section.data for entry in form.questions.entries),
        tuple(entry.form.always.data for entry in form.sections.entries),
        int(form.asked.data) if form.asked.data and not form.asked.errors else None,
    )


def form_preview(question: Form, respondents: int | None) -> Preview | None:
    """Return the preview of a question, without margins if the number of respondents is unknown."""
    if any(isinstance(each, Fault) for name in SETTINGS for each in question[name].errors):
        return None
    return draft_preview(settings(question_table(question.data, [])), respondents)


def name_codes(form: Any) -> None:
    """Make errors name languages, kinds and mechanisms as the page does."""
    questions = [entry.form for entry in form.questions.entries]
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


def offered(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages that have fields: the draft's in its order, then Candor's other languages."""
    return tuple(dict.fromkeys([*draft.get("languages", []), *LANGUAGES]))
