"""Save a draft while it is written: the editor's script sends what stands in the fields, right or wrong."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError, generate_csrf
from werkzeug.exceptions import RequestEntityTooLarge

from server.editor.conflict import differences
from server.editor.keeping import basis_of, keep_with_others, stored_state
from server.editor.languages import offered
from server.editor.overstatements import figures_in_words, overstatements
from server.editor.standing import Entry, refused_in_words
from server.forms.editor import EXPECTED, draft_form
from server.forms.shape import Misshapen, parsed, require_shape
from server.forms.state import OF_THE_VIEW, ROWS, ordered, state_of
from server.language.request_language import translate
from server.runtime import offload
from server.services import services
from server.staff.guard import decided, only
from server.store import drafts, edits, surveys
from server.store.edits import DraftChangedError
from server.store.surveys import Survey, SurveyGone, WrongState
from server.web.request_limits import MOST_BYTES_OF_A_SURVEY

blueprint = Blueprint("saving", __name__, url_prefix="/admin")


@blueprint.before_request
def guard() -> ResponseReturnValue | None:
    """Admit who may edit the draft; say in JSON what others have to do first, or that it is not there."""
    if not current_user.is_authenticated:
        return answer(401, "signed_out")
    if current_user.lacks_factor:
        return answer(403, "second_factor")
    if decided("edit", (request.view_args or {}).get("slug")) == "hidden":
        return answer(404, "gone")
    return only("edit")()


@blueprint.errorhandler(CSRFError)
def without_token(error: CSRFError) -> ResponseReturnValue:
    """Do nothing without a token. Whoever has signed in again gets another, which no other site can read."""
    if not current_user.is_authenticated:
        return answer(401, "signed_out")
    return answer(400, "expired", token=generate_csrf(), text=translate("editor.expired.text"))


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Say how long a draft may be; to whoever is signed out, that they are: of them less is read."""
    if not current_user.is_authenticated:
        return answer(413, "signed_out")
    return answer(413, "refused", text=translate("saving.refused.large", most=MOST_BYTES_OF_A_SURVEY))


@blueprint.post("/surveys/<slug>/autosave")
def autosave(slug: str) -> ResponseReturnValue:
    """Store what was typed, and say how the draft stands; or who has saved another meanwhile."""
    found = services().storage.read(surveys.by_slug, slug)
    if found is None:
        return answer(404, "gone")
    if found.draft is None:
        return answer(409, "frozen")
    try:
        sent = form = sent_form(found)
        kept, form, joined = keep_with_others(found, sent)
    except Misshapen as refused:
        at = {"field": refused.field} if refused.typed else {}
        return answer(422, "refused", text=refused_in_words(refused), **at)
    except DraftChangedError:
        return changed(found, sent)
    except WrongState:
        return answer(409, "frozen")
    except SurveyGone:
        return answer(404, "gone")
    return answer(
        200,
        "saved",
        basis=kept.basis,
        slug=kept.survey.slug,
        address=url_for("saving.autosave", slug=kept.survey.slug),
        uids={kind: [entry.value("uid") for entry in form[kind].entries] for kind in ROWS},
        faults=written(kept.standing.faults),
        missing=written(kept.standing.missing),
        ready=kept.standing.ready,
        promises=promises(kept.survey),
        **({} if joined is None else {"joined": asdict(joined), "typed": kept.edits.typed}),
    )


@blueprint.post("/surveys/<slug>/kept")
def whether_stored(slug: str) -> ResponseReturnValue:
    """Say whether what a browser has kept is in the draft by now, and is all of it; nothing is stored."""
    found = services().storage.read(surveys.by_slug, slug)
    if found is None:
        return answer(404, "gone")
    if found.draft is None:
        return answer(409, "frozen")
    try:
        form = sent_form(found)
    except Misshapen as refused:
        return answer(422, "refused", text=refused_in_words(refused))
    survey, stored = services().storage.read(edits.stored, found.id)
    seen = form.basis.data
    mine = ordered(state_of(form.data, current_user.name, seen))
    differing = differences(seen, mine, stored_state(survey, stored))
    state = "stored" if all(each.changed == "theirs" for each in differing) else "apart"
    return answer(200, state, newest=basis_of(survey, stored) == seen)


def sent_form(found: Survey) -> Any:
    """Read the body as the form of a draft.

    Raises
    ------
    Misshapen
        If it is something else.
    """
    body = parsed(request.get_data())
    form_class = draft_form(offered(found.draft or {}))
    if not isinstance(body.get("basis"), str):
        raise Misshapen("text", field="basis", value=str(body.get("basis")))
    require_shape(form_class(), body.get("typed"))
    view = {"basis": body["basis"], "respondents": str(EXPECTED), "add_kind": "yes_no"}
    typed = {name: each for name, each in body["typed"].items() if name not in OF_THE_VIEW}
    return form_class(data=typed | view)


def changed(found: Survey, form: Any) -> Response:
    """Answer who has saved another version, with it and with what differs."""
    survey, theirs = services().storage.read(edits.stored, found.id)
    if survey.draft is None:
        return answer(409, "frozen")
    typed = stored_state(survey, theirs)
    seen = form.basis.data
    mine = ordered(state_of(form.data, current_user.name, seen))
    differing = differences(seen, mine, typed)
    return answer(
        409,
        "changed",
        by=None if theirs is None else theirs.others(current_user.name) or None,
        basis=basis_of(survey, theirs),
        typed=typed,
        differing=[each.name for each in differing],
        changed={each.name: each.changed for each in differing},
    )


def promises(survey: Survey) -> dict[str, Any]:
    """List the words of a draft that promise too much, and say both figures where it has them."""
    draft = survey.draft or {}
    words = tuple(overstatements(draft))
    publication = offload.compute(drafts.would_be, draft, survey.slug)[0] if words else None
    figures = "" if publication is None else figures_in_words(publication.guess)
    return {"words": written(words), "figures": figures}


def written(some: tuple[Entry, ...]) -> list[dict[str, str]]:
    """Write entries as JSON has them."""
    return [
        {"field": each.field, "text": each.text} | ({"said": each.said} if each.said else {}) for each in some
    ]


def answer(status: int, state: str, **more: object) -> Response:
    """Answer with JSON."""
    body = json.dumps({"state": state, **more}, ensure_ascii=False)
    return Response(body, status, content_type="application/json")
