"""Pages that keep what was typed where it cannot be saved as it is: nobody types anything twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Response, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import HTTPException, NotFound

from server.editor.conflict import Side, differences
from server.editor.keeping import basis_of, stored_state
from server.editor.versions import choices
from server.forms.editor import NewSurveyForm
from server.forms.state import State, ordered, state_of
from server.services import services
from server.staff.guard import decided
from server.store import edits, free_slugs
from server.store.surveys import Survey
from server.web.errors import worded


def state_typed(form: Any) -> State:
    """Return what a form holds, as it is compared with what is stored."""
    return ordered(state_of(form.data, current_user.name, form.basis.data or ""))


def two_versions(
    found: Survey, mine: State, seen: str, keep: Mapping[str, Side] | None = None
) -> ResponseReturnValue:
    """Show what somebody else has saved meanwhile beside what was typed, to choose question by question.

    Parameters
    ----------
    found : Survey
    mine : dict
        What was typed.
    seen : str
        The basis that it was typed on.
    keep : Mapping[str, str], optional
        What was chosen before a third version came.
    """
    survey, theirs = services().storage.read(edits.stored, found.id)
    if survey.draft is None:
        return left_over(mine, "frozen", survey.slug)
    state = stored_state(survey, theirs)
    page = render_template(
        "editor/versions.html",
        survey=survey,
        by=None if theirs is None else theirs.others(current_user.name) or None,
        choices=choices(differences(seen, mine, state), mine, state, keep or {}),
        mine=json.dumps(mine, ensure_ascii=False),
        seen=seen,
        met=basis_of(survey, theirs),
    )
    return make_response(page, 409)


def absent(error: NotFound) -> Response | HTTPException:
    """Answer that there is no such survey; to whoever may make one, offer what their browser kept of it."""
    wanted = request.endpoint == "editor.survey" and current_user.is_authenticated
    if wanted and decided("create", None) == "yes":
        return make_response(render_template("editor/absent.html"), 404)
    return worded(error)


def left_over(mine: State, why: str, slug: str, form: Any = None) -> ResponseReturnValue:
    """Show that a draft is gone, or published, and offer to make a new draft of what was typed.

    Parameters
    ----------
    mine : dict
    why : str
        ``gone`` or ``frozen``.
    slug : str
        The address that the draft has or had.
    form : NewSurveyForm, optional
        With the address that was typed, if it was refused.
    """
    form = form or NewSurveyForm(data={"slug": services().storage.read(free_slugs.suggest, slug)})
    typed = json.dumps(mine, ensure_ascii=False)
    page = render_template("editor/left_over.html", why=why, slug=slug, form=form, typed=typed)
    return make_response(page, 422 if form.errors else {"gone": 404, "frozen": 409}[why])
