"""Whom the editor lets in, and what becomes of what somebody wrote who may not."""

from __future__ import annotations

from flask import Blueprint, make_response, request
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from server.editor.advice import advice, amount, measure_chosen, of_budget, radius
from server.editor.draft_page import draft_page, needs_factor_page, signed_out_page
from server.editor.languages import offered
from server.editor.left import absent
from server.editor.missing import missing, place
from server.editor.wording import hints
from server.forms.editor import draft_form
from server.forms.folded import FoldedError, unfolded
from server.forms.panels import panel_of
from server.language.rounding import rounded_up
from server.services import services
from server.staff.guard import ask_to_sign_in, decided, not_from_our_page, only
from server.store import surveys
from server.web.errors import error_page

blueprint = Blueprint("editor", __name__, url_prefix="/admin")
blueprint.add_app_template_filter(missing)
blueprint.add_app_template_filter(place)
blueprint.add_app_template_filter(panel_of, "panel")
blueprint.add_app_template_global(of_budget)
blueprint.add_app_template_global(hints)
blueprint.add_app_template_filter(advice)
blueprint.add_app_template_filter(amount)
blueprint.add_app_template_filter(radius)
blueprint.add_app_template_filter(rounded_up)
blueprint.add_app_template_filter(measure_chosen, "measure")
blueprint.register_error_handler(NotFound, absent)


@blueprint.before_request
def guard() -> ResponseReturnValue | None:
    """Admit who may. Whoever loses a right or the draft while they write keeps what they wrote."""
    slug = (request.view_args or {}).get("slug")
    writes = request.endpoint == "editor.save" and current_user.is_authenticated
    if writes and decided("edit", slug) == "hidden":
        return None  # the view shows what was typed, and nothing else
    refused = only("edit")()
    return lacking() or refused if request.endpoint == "editor.save" else refused


def lacking() -> ResponseReturnValue | None:
    """Say what somebody has to do before they can save: to sign in, or to set up a second factor."""
    if not current_user.is_authenticated:
        return signed_out_page()
    return needs_factor_page() if current_user.lacks_factor else None


@blueprint.errorhandler(CSRFError)
def without_token(error: CSRFError) -> ResponseReturnValue:
    """Do nothing that comes without its token, but let nothing be lost that was written by hand."""
    # Only what our own page sends is shown again: another could put words into an admin's form.
    ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    if not current_user.is_authenticated and request.endpoint == "editor.preview":
        return ask_to_sign_in()
    if request.endpoint == "editor.save" and not current_user.is_authenticated:
        return signed_out_page()
    if request.endpoint == "editor.save" and ours:
        if current_user.lacks_factor:
            return needs_factor_page()
        slug = (request.view_args or {})["slug"]
        found = services().storage.read(surveys.by_slug, slug) if decided("edit", slug) == "yes" else None
        if found is not None and found.draft is not None:
            try:
                form = draft_form(offered(found.draft))(unfolded(request.form))
            except FoldedError as wrong:
                return not_ours(wrong)
            form.validate()
            return make_response(draft_page(found, form, expired=True, wanted=request.form.get("open")), 400)
    return not_from_our_page(error)


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Tell whoever is signed out that they are: of them less is read than a draft may hold."""
    if request.endpoint == "editor.save" and not current_user.is_authenticated:
        return signed_out_page(413)
    return error_page(413, {})


@blueprint.errorhandler(FoldedError)
def not_ours(_error: FoldedError) -> ResponseReturnValue:
    """Refuse a form that our page cannot have written: to read a part of it would lose the rest."""
    return error_page(400, {})
