"""A test run of a draft: the respondent's own page, from which nothing can be stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import Unauthorized

from server.language.catalogue import FIRST, LANGUAGES, say
from server.respond.answer_frame import framed_answer
from server.respond.try_out import trial_page
from server.runtime import offload
from server.services import services
from server.staff.guard import ask_to_sign_in, csrf, only
from server.staff.progress_page import answer_after, search_and_tell
from server.staff.survey_lookup import conflict, survey_named
from server.store.lifecycle import opening
from server.store.surveys import Survey
from survey.draft import is_missing
from survey.opening_requirements import ASKERS, unready

blueprint = Blueprint("trial", __name__, url_prefix="/admin")
csrf.exempt(blueprint)  # the respondent's page holds no token, and there is nothing here to protect


blueprint.before_request(only("look"))


@blueprint.errorhandler(Unauthorized)
def signed_out(error: Unauthorized) -> ResponseReturnValue:
    """Tell somebody who is signed out during a test run so, in the frame that awaits an answer."""
    if request.endpoint == "trial.send":
        return framed_answer("busy", "editor.trial.signed_out", 403)
    return ask_to_sign_in(error)


@blueprint.get("/surveys/<slug>/try")
def page(slug: str) -> ResponseReturnValue:
    """Show a complete draft as respondents would meet it; of another, what it lacks."""
    survey = survey_named(slug)
    if survey.draft is None or survey.document is None:
        return conflict("frozen")
    told = with_invented(survey.draft, services().clock().date())
    would_be = partial(opening.would_be, told, slug)
    return answer_after(partial(search_and_tell, would_be), partial(tried, survey, told))


def tried(survey: Survey, told: Mapping[str, Any]) -> ResponseReturnValue:
    """Show a draft whose channels are known, with what was invented for it; or lead to what it lacks."""
    slug = survey.slug
    publication, _ = offload.compute(opening.would_be, told, slug)
    wrong = survey.checked and any(not is_missing(problem) for problem in survey.checked.problems)
    if publication is None or wrong:
        return redirect(url_for("lifecycle.confirm_opening", slug=slug))
    return trial_page(
        "drafts/trial.html",
        publication,
        invented=told != survey.draft,
        address=url_for("trial.send", slug=slug),
        pictures=url_for("pictures.show", slug=slug, sha256="0").removesuffix("0"),
        back=url_for("surveys.show", slug=slug),
    )


def with_invented(draft: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Return a draft with what it does not say yet invented: who asks, their contact, how long data is kept.

    Parameters
    ----------
    draft : Mapping[str, Any]
    today : date
    """
    lacks = {problem.path.partition(".")[0] for problem in unready(draft, today)}
    day = f"{today.year + 1}-12-31"
    texts = {
        key: {
            code: say(code if code in LANGUAGES else FIRST, f"editor.trial.{key}")
            for code in draft.get("languages", [])
        }
        for key in ASKERS
    }
    return dict(draft) | {key: value for key, value in (texts | {"kept_until": day}).items() if key in lacks}


@blueprint.post("/surveys/<slug>/try")
def send(slug: str) -> ResponseReturnValue:
    """Answer what a test run sends, without looking at it: the page ends as it would for respondents."""
    return framed_answer("stored", "editor.trial", 200)
