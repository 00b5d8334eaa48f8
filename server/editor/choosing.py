"""What becomes of what was typed where somebody else was first: a choice between versions, or a new draft."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from server.editor.conflict import Side, differences, merged
from server.editor.draft_page import signed_out_page
from server.editor.keeping import basis_of, keep, stored_state
from server.editor.languages import languages_of, offered
from server.editor.left import left_over, two_versions
from server.editor.lookup import taken
from server.editor.standing import refused_in_words, spoiled
from server.forms.editor import EXPECTED, NewSurveyForm, draft_form, draft_table
from server.forms.shape import Misshapen, parsed, require_shape
from server.forms.state import ROWS, State, ordered, state_of
from server.language.request_language import translate
from server.services import services
from server.staff.audit_trail import made_by_me
from server.staff.guard import decided, needs, not_from_our_page, only
from server.store import edits, surveys
from server.store.edits import DraftChangedError
from server.store.engine import Connection
from server.store.surveys import SlugTaken, Survey, WrongState
from server.web.errors import error_page
from survey.section import MOST_QUESTIONS
from survey.version import FORMAT

blueprint = Blueprint("choosing", __name__, url_prefix="/admin")

PREFIX = "keep-"
"""How the names of the choices begin."""


@blueprint.before_request
def guard() -> ResponseReturnValue | None:
    """Admit who may. Whoever loses a right or the draft meanwhile keeps what they wrote."""
    if not current_user.is_authenticated:
        return signed_out_page()
    slug = (request.view_args or {}).get("slug")
    if slug is not None and decided("edit", slug) == "hidden":
        return None  # the view shows what was typed, and nothing else
    return only("edit")()


@blueprint.errorhandler(CSRFError)
def without_token(error: CSRFError) -> ResponseReturnValue:
    """Do nothing that comes without its token, but show again what our own page sent."""
    if not current_user.is_authenticated:
        return signed_out_page()
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return not_from_our_page(error)
    slug = (request.view_args or {}).get("slug")
    try:
        return chosen(slug, store=False) if slug else rescued(store=False)
    except Misshapen:
        return not_from_our_page(error)


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Tell whoever is signed out that they are: of them less is read than a draft may hold."""
    return error_page(413, {}) if current_user.is_authenticated else signed_out_page(413)


@blueprint.errorhandler(Misshapen)
def refused(error: Misshapen) -> ResponseReturnValue:
    """Say what is wrong with what did not come from our page."""
    text = refused_in_words(error)
    return render_template("web/message.html", title=translate("error.400.title"), text=text), 422


@blueprint.post("/surveys/<slug>/versions")
def choose(slug: str) -> ResponseReturnValue:
    """Store what was chosen of two versions, if no third has come."""
    return chosen(slug, store=True)


@blueprint.post("/left")
@needs("create")
def rescue() -> ResponseReturnValue:
    """Make a new draft of what was typed into one that is gone, or published."""
    return rescued(store=True)


def chosen(slug: str, store: bool) -> ResponseReturnValue:
    """Store what was chosen, or show both versions again."""
    found = services().storage.read(surveys.by_slug, slug) if decided("edit", slug) == "yes" else None
    if found is None:
        return gone(slug)
    mine = sent_state(found)
    survey, theirs = services().storage.read(edits.stored, found.id)
    if survey.draft is None:
        return left_over(mine, "frozen", slug)
    seen, basis, sides = request.form.get("seen", ""), basis_of(survey, theirs), chosen_sides()
    if store and request.form.get("met") == basis:
        state = stored_state(survey, theirs)
        both = merged(mine, state, differences(seen, mine, state), sides)
        for kind in ROWS:
            if len(both[kind]) > MOST_QUESTIONS:
                raise Misshapen("rows", field=kind, most=MOST_QUESTIONS, n=len(both[kind]))
        view = {"basis": basis, "respondents": str(EXPECTED)}
        try:
            saved = keep(survey, draft_form(offered(survey.draft))(data=both | view)).survey
            return redirect(url_for("editor.survey", slug=saved.slug, saved=1))
        except DraftChangedError:
            pass
        except WrongState:
            return left_over(mine, "frozen", slug)
    return two_versions(survey, mine, seen, sides)


def gone(slug: str) -> ResponseReturnValue:
    """Show what was typed, if anything was: the answer is the same where there never was a draft."""
    try:
        return left_over(sent_state(None), "gone", slug)
    except Misshapen:
        raise NotFound from None


def chosen_sides() -> dict[str, Side]:
    """Read the choices: name of a difference -> the version to keep."""
    found: dict[str, Side] = {}
    for name, value in request.form.items():
        if name.startswith(PREFIX) and value in ("mine", "theirs"):
            found[name.removeprefix(PREFIX)] = "mine" if value == "mine" else "theirs"
    return found


def rescued(store: bool) -> ResponseReturnValue:
    """Make the draft, or ask for its address again."""
    mine, form = sent_state(None), NewSurveyForm(request.form)
    slug = request.form.get("was", "")
    why = "frozen" if request.form.get("why") == "frozen" else "gone"
    if not form.validate() or not store:
        return left_over(mine, why, slug, form)
    view = {"slug": form.slug.data, "respondents": str(EXPECTED)}
    typed = draft_form(languages_of(mine["languages_"]))(data=mine | view)
    typed.validate()
    table = None if spoiled(typed) else draft_table(typed.data)
    state = state_of(typed.data, current_user.name)
    try:
        begun = made_by_me(create, "draft_begun", form.slug.data)
        made = services().storage.write(begun, form.slug.data, state, table, current_user.name)
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return left_over(mine, why, slug, form)
    return redirect(url_for("editor.survey", slug=made.slug, saved=1))


def create(db: Connection, slug: str, state: State, table: Mapping[str, Any] | None, who: str) -> Survey:
    """Store a new draft with what was typed, and note who began it."""
    languages = [code for code in state["languages_"] if code in languages_of(state["languages_"])]
    begun = surveys.create_draft(db, {"candor": FORMAT, "slug": slug, "languages": languages})
    made, _ = edits.save(db, begun.id, edits.basis(begun.draft or {}, None), state, table, who)
    return made


def sent_state(found: Survey | None) -> State:
    """Read what was typed, as our page sends it along.

    Raises
    ------
    Misshapen
        If it is something else.
    """
    mine = parsed(request.form.get("mine", "").encode("utf-8", "replace"))
    stored = found.draft if found else None
    form_class = draft_form(offered(stored) if stored else languages_of(mine.get("languages_")))
    require_shape(form_class(), mine)
    return ordered(state_of(form_class(data=mine).data, current_user.name))
