"""The surveys of staff: their list, and the page of each."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import HTTPException, NotFound

from server.drafts.advice import advice, amount, beside_limit, measure_chosen, of_budget, radius
from server.drafts.draft_page import draft_page
from server.drafts.draft_reading import draft_previews
from server.drafts.question_preview import composed, publication_previews
from server.drafts.wording import hints
from server.forms.new_survey import BlanksForm
from server.runtime import offload
from server.services import services
from server.staff.guard import decided, may, needs, only
from server.staff.progress_page import answer_after, search_and_tell
from server.staff.survey_lookup import survey_named
from server.store.lifecycle import dated_proposals, legal_hold, life, proposals, retention
from server.store.lifecycle.life import Life
from server.store.lifecycle.proposals import StaffProposal
from server.store.results import survey_results, visible_results
from server.store.results.progress import progress
from server.store.surveys import Survey
from server.store.upkeep import backup_series
from server.store.upkeep.backup_series import Outcome
from server.surveys.starters import starters
from server.surveys.waves import total_with
from server.web.errors import worded

blueprint = Blueprint("surveys", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))
blueprint.add_app_template_global(of_budget)
blueprint.add_app_template_global(hints)
blueprint.add_app_template_filter(advice)
blueprint.add_app_template_filter(amount)
blueprint.add_app_template_filter(radius)
blueprint.add_app_template_filter(beside_limit)
blueprint.add_app_template_filter(measure_chosen, "measure")


@blueprint.get("")
@needs("create")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that the reader may look at, the latest first; the archive if it is asked for."""
    lists = services().storage.read(survey_results.surveys_in_lists, archived="archived" in request.args)
    rows, away = ([row for row in part if may("look", row[0].id)] for part in lists)
    offered_at_first = () if rows or away else offload.compute(starters)
    lives, holds = services().storage.read(life.of_all), services().storage.read(legal_hold.of_all)
    today = services().clock().date()
    return render_template(
        "surveys/list.html",
        rows=rows,
        lives=lives,
        proposals=proposed({survey.id: survey for survey, _ in (*rows, *away)}),
        holds=holds,
        due=[
            survey
            for survey, _ in (*rows, *away)
            if survey.id not in holds and retention.is_over(survey, lives.get(survey.id, Life()), today)
        ],
        backups=failed_backups(),
        away=len(away),
        starters=offered_at_first,
        blanks=BlanksForm(),
    )


def proposed(surveys: dict[int, Survey]) -> list[tuple[StaffProposal, Survey]]:
    """Return what waits for a second admin, each with the one of these surveys that it is about."""
    waiting = services().storage.read(proposals.waiting, services().clock().timestamp())
    return [(each, surveys[each.survey_id]) for each in waiting if each.survey_id in surveys]


def failed_backups() -> Outcome | None:
    """Return what admins read of backups into a folder: that one failed, or should have been made."""
    if current_user.role != "admin":
        return None
    outcome = services().storage.read(backup_series.outcome)
    return outcome if outcome is not None and outcome.wrong(services().clock()) else None


@blueprint.get("/surveys/<slug>")
@needs("look")
def show(slug: str) -> ResponseReturnValue:
    """Show a draft to write on, or a published survey to read."""
    survey = survey_named(slug)
    if survey.document is None:
        return offload.draw(published_page, survey)
    if request.args.get("saved") != "plan":
        return offload.draw(draft_page, survey)
    previews = partial(draft_previews, survey.document)  # for what the page says of the plan
    return answer_after(partial(search_and_tell, previews), lambda: offload.draw(draft_page, survey))


@blueprint.errorhandler(NotFound)
def absent(error: NotFound) -> ResponseReturnValue | HTTPException:
    """Answer that there is no such survey; to whoever may make one, offer what their browser kept of it."""
    wanted = request.endpoint == "surveys.show" and current_user.is_authenticated
    if wanted and decided("create", None) == "yes":
        return render_template("surveys/absent.html"), 404
    return worded(error)


def published_page(survey: Survey) -> str:
    """Show a published survey: nothing in it can change any more."""
    publication = survey.publication
    return render_template(
        "surveys/published.html",
        survey=survey,
        publication=publication,
        definition=publication.definition if publication else None,
        previews=offload.compute(publication_previews, publication) if publication else [],
        composed=offload.compute(composed, publication) if publication else None,
        over_waves=total_with(survey),
        results=services().storage.read(visible_results.results, survey),
        held=services().storage.read(life.of, survey.id),
        hold=services().storage.read(legal_hold.of, survey.id),
        unconfirmed=services().storage.read(dated_proposals.unconfirmed, survey.id),
        proposals=services().storage.read(proposals.of_survey, survey.id, services().clock().timestamp()),
        progress=services().storage.read(progress, survey, services().today),
        address=url_for("respond.page", slug=survey.slug, _external=True),
        opened="opened" in request.args,
    )
