"""The page that plans a whole draft and shows every margin now and then, before anything is taken over."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from server.drafts.advice import measure
from server.drafts.draft_problems import draft_problems
from server.drafts.planning.plan import DraftPlan, Incomplete, taken_over, unplanned, usual_total
from server.drafts.planning.plan_cache import best_of, compare_ways, plan_of, without_refusal
from server.drafts.planning.planned_draft import planned_draft
from server.forms.planning import PlanningForm
from server.language.request_language import current, translate
from server.language.rounding import rounded_people
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import edited_by_me
from server.staff.guard import only
from server.staff.progress_page import answer_after, search_and_tell
from server.staff.survey_lookup import conflict, survey_named
from server.store import drafts
from server.store.drafts import DraftChangedError
from server.store.surveys import Survey, WrongState
from survey.draft import expected_of, linked_sections
from survey.plan import FEWEST_ASKED, Outlook, PlanError
from survey.plan.proposal import UNLINKED, Proposal
from survey.privacy import times_in_100

blueprint = Blueprint("planning", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))

blueprint.add_app_template_filter(unplanned)
blueprint.add_app_template_filter(usual_total)
blueprint.add_app_template_filter(expected_of, "expected")
blueprint.add_app_template_filter(linked_sections)

NEXT = {"open": "lifecycle.confirm_opening"}
"""Name in the form -> the page to which a plan leads that is taken over, if not back to the draft."""


@blueprint.get("/surveys/<slug>/plan")
def page(slug: str) -> ResponseReturnValue:
    """Show the plan for the total and the respondents in the address."""
    survey = survey_named(slug)
    if survey.document is None:
        return conflict("frozen")
    return answer_after(
        partial(search_and_tell, lambda: survey.checked), partial(compared, survey, survey.document)
    )


def compared(survey: Survey, document: Mapping[str, Any]) -> ResponseReturnValue:
    """Show the plan of a draft whose channels are known."""
    slug = survey.slug
    if draft_problems(survey).faults:
        return redirect(url_for("lifecycle.confirm_opening", slug=slug))  # which says what is wrong
    usual = {"total": usual_total(document), "respondents": str(expected_of(document))}
    form = PlanningForm(data=usual | request.args.to_dict())
    if not form.validate():
        return offload.draw(shown, survey, form)
    return answer_after(partial(compare_ways, document, form), lambda: offload.draw(shown, survey, form))


@blueprint.post("/surveys/<slug>/plan")
def take_over(slug: str) -> ResponseReturnValue:
    """Save the draft as planned, if it still is the one whose plan was shown.

    From the editor comes no plan that was shown: the best one is taken.
    """
    survey = survey_named(slug)
    if survey.document is None:
        return conflict("frozen")
    form = PlanningForm(request.form)
    if not form.validate():
        return make_response(offload.draw(shown, survey, form), 422)
    search = best_of if form.way.data else plan_of
    return answer_after(partial(without_refusal, search, survey.document, form), partial(saved, survey, form))


def saved(survey: Survey, form: Any) -> ResponseReturnValue:
    """Save the draft as the form wants it planned, and lead on; or say why it was not."""
    slug, document = survey.slug, survey.document or {}
    try:
        planned = planned_document(document, form) | {"expected": int(form.respondents.data)}
        replace = edited_by_me(drafts.replace, slug)
        services().storage.write(replace, survey.id, form.seen.data, planned, current_user.name)
    except (Incomplete, PlanError):  # the page says what it lacks
        return make_response(offload.draw(shown, survey, form), 409)
    except (DraftChangedError, WrongState):
        return make_response(offload.draw(shown, survey_named(slug), form, changed=True), 409)
    target = NEXT.get(request.form.get("then", ""), "surveys.show")
    return redirect(url_for(target, slug=slug, saved="plan"))


def planned_document(document: Mapping[str, Any], form: Any) -> dict[str, Any]:
    """Return a draft as the form wants it planned: in one of the best ways, or with nothing linked anew.

    Raises
    ------
    Incomplete, PlanError
        If there is no such plan.
    """
    if not form.way.data:
        return taken_over(document, plan_of(document, form))
    for way in best_of(document, form):
        if way.family == form.way.data:
            return planned_draft(document, way)
    raise Incomplete(0)


def shown(survey: Survey, form: Any, changed: bool = False) -> str:
    """Render the page: with the plan, or why there is none."""
    document = survey.document or {}
    plan, refusal = None, ""
    best: tuple[Proposal, ...] = ()
    if form.validate():
        try:
            if form.single.data:  # no other plan knows that limit
                best = best_of(document, form)
            else:
                plan = plan_of(document, form)
                with suppress(PlanError):  # where no way has all that is wanted, the plan is shown alone
                    best = best_of(document, form)
        except Incomplete as lacking:
            refusal = translate(
                "editor.plan.lacking" if lacking.number else "editor.plan.nothing", number=lacking.number
            )
        except PlanError as refused:
            refusal = reason(refused)
    return render_template(
        "drafts/plan.html",
        survey=survey,
        form=form,
        plan=plan,
        rows=[] if plan is None else rows(plan),
        others=[] if plan is None else others(plan),
        ways=ways(best),
        skips=None if plan is None else cost_of_skips(plan),
        refusal=refusal,
        changed=changed,
        seen=survey.tag,
    )


def reason(refused: PlanError) -> str:
    """Say why there is no plan."""
    if refused.name == "right":
        return translate("editor.plan.no_limits")
    if refused.least is None:
        return translate("editor.plan.shows_nothing")
    return translate(f"editor.plan.few_{refused.name}", least=f"{refused.least:,.10g}", fewest=FEWEST_ASKED)


def others(plan: DraftPlan) -> list[dict[str, Any]]:
    """Return what the table of all plans within both limits shows."""
    return [
        {
            "asked": within.plan.asked or plan.drawn,
            "total": f"{within.total:.4g}",
            "right": within.guess.times_right,
            "telling": within.guess.times_telling,
            "people": people_shown(within.people),
            "chosen": within is plan.chosen,
        }
        for within in plan.others
    ]


def people_shown(people: float) -> str:
    """Write a number of people with two digits, rounded up; a dash where no number is enough.

    Examples
    --------
    >>> people_shown(7318.2), people_shown(96.0), people_shown(math.inf)
    ('7,400', '96', '–')
    """
    return f"{rounded_people(people):,}" if people < math.inf else "–"


def ways(best: Sequence[Proposal]) -> list[dict[str, Any]]:
    """Return what the page compares of the best ways to ask a draft."""
    most = max((way.people for way in best), default=1)
    return [
        {
            "family": way.family,
            "links": way.links,
            "boxes": way.links and way.family in UNLINKED,
            "parts": f"{way.asked} / {way.drawn}" if way.asked else "",
            "people": people_shown(way.people),
            "part": f"{100 * way.people / most:.1f}",
            "total": f"{way.total:.4g}",
            "right": way.guess.times_right,
            "single": times_in_100(way.single),
            "telling": way.guess.times_telling,
            "knows_one": way.knows_one,
        }
        for way in best
    ]


def cost_of_skips(plan: DraftPlan) -> str | None:
    """Return how many people the plan would need if nobody could skip; None where that is the same number."""
    people = plan.people_without_skips
    if people is None or people_shown(people) == people_shown(plan.chosen.people):
        return None
    return people_shown(people)


def rows(plan: DraftPlan) -> list[dict[str, Any]]:
    """Return what the table shows of each question."""
    return [
        {
            "text": words(change.question.get("wording", {})),
            "id": change.question.get("id", ""),
            "now": state(change.now, change.question),
            "then": state(change.then, change.question),
        }
        for change in plan.changes
    ]


def state(outlook: Outlook | None, question: Any) -> dict[str, Any] | None:
    """Put one question's epsilon, askings and margin into words."""
    if outlook is None:
        return None
    epsilon = (
        translate("editor.plan.coins")
        if outlook.question.epsilon is None
        else f"{outlook.question.epsilon:g}"
    )
    margin = measure(outlook, outlook.margin, words(question.get("unit", {})))
    return {"epsilon": epsilon, "asked": f"{outlook.asked:,.0f}", "margin": margin}


def words(texts: Any) -> str:
    """Return a text in the language of the page, or in another that has one."""
    return str(texts.get(current()) or next(iter(texts.values()), ""))
