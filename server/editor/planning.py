"""The page that plans a whole draft and shows every margin now and then, before anything is taken over."""

from __future__ import annotations

import math
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from server.editor.advice import measure
from server.editor.at_once import unplanned, usual_total
from server.editor.draft_page import asked as in_address
from server.editor.keeping import has_faults, replace
from server.editor.lookup import conflict, survey_named
from server.editor.starters import rounded_up
from server.editor.whole import DraftPlan, Incomplete, plan_draft, taken_over
from server.forms.editor import EXPECTED, PlanningForm
from server.language.request_language import current, translate
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.store import edits
from server.store.edits import DraftChangedError
from server.store.surveys import Survey
from survey.plan import FEWEST_ASKED, Outlook, PlanError

blueprint = Blueprint("planning", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))

blueprint.add_app_template_filter(unplanned)
blueprint.add_app_template_filter(usual_total)

NEXT = {"open": "editor.confirm_opening"}
"""Where a plan that is taken over leads, if not back to the draft."""


@blueprint.get("/surveys/<slug>/plan")
def page(slug: str) -> ResponseReturnValue:
    """Show the plan for the total and the respondents in the address."""
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    if has_faults(found):
        return redirect(url_for("editor.confirm_opening", slug=slug))  # which says what is wrong
    usual = {"total": usual_total(found.draft), "respondents": str(EXPECTED)}
    return shown(found, PlanningForm(data=usual | request.args.to_dict()))


@blueprint.post("/surveys/<slug>/plan")
def take_over(slug: str) -> ResponseReturnValue:
    """Save the draft as planned, if it still is the one whose plan was shown."""
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    form = PlanningForm(request.form)
    if not form.validate():
        return make_response(shown(found, form), 422)
    try:
        draft = taken_over(found.draft, offload.compute(plan_draft, found.draft, *form.wanted()))
        replace(found, form.basis.data, draft)
    except (Incomplete, PlanError):  # somebody else changed it: the page says what it lacks now
        return make_response(shown(found, form), 409)
    except DraftChangedError:
        return make_response(shown(found, form, changed=True), 409)
    target = NEXT.get(request.form.get("then", ""), "editor.survey")
    return redirect(url_for(target, slug=slug, saved="plan", respondents=in_address(form)))


def shown(found: Survey, form: Any, changed: bool = False) -> str:
    """Render the page: with the plan, or why there is none."""
    draft = found.draft or {}
    plan, refusal = None, ""
    if form.validate():
        try:
            plan = offload.compute(plan_draft, draft, *form.wanted())
        except Incomplete as lacking:
            refusal = translate(
                "editor.plan.lacking" if lacking.number else "editor.plan.nothing", number=lacking.number
            )
        except PlanError as refused:
            refusal = reason(refused)
    return render_template(
        "editor/plan.html",
        survey=found,
        form=form,
        plan=plan,
        rows=[] if plan is None else rows(plan),
        others=[] if plan is None else others(plan),
        skips=None if plan is None else cost_of_skips(plan),
        refusal=refusal,
        changed=changed,
        basis=edits.basis(draft, services().storage.read(edits.find, found.id)),
        respondents=in_address(form),
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
            "asked": each.plan.asked or plan.drawn,
            "total": f"{each.total:.4g}",
            "right": each.guess.times_right,
            "telling": each.guess.times_telling,
            "people": people_shown(each.people),
            "chosen": each is plan.chosen,
        }
        for each in plan.others
    ]


def people_shown(people: float) -> str:
    """Write a number of people with two digits, rounded up; a dash where no number is enough.

    Examples
    --------
    >>> people_shown(7318.2), people_shown(96.0), people_shown(math.inf)
    ('7,400', '96', '–')
    """
    return f"{rounded_up(people):,}" if people < math.inf else "–"


def cost_of_skips(plan: DraftPlan) -> str | None:
    """Return how many people the plan would need if nobody could skip; None where nobody can."""
    people = plan.people_without_skips
    return None if people is None else people_shown(people)


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


def state(each: Outlook | None, question: Any) -> dict[str, Any] | None:
    """Put one question's epsilon, askings and margin into words."""
    if each is None:
        return None
    epsilon = (
        translate("editor.plan.coins") if each.question.epsilon is None else f"{each.question.epsilon:g}"
    )
    margin = measure(each, each.margin, words(question.get("unit", {})))
    return {"epsilon": epsilon, "asked": f"{each.asked:,.0f}", "margin": margin}


def words(texts: Any) -> str:
    """Return a text in the language of the page, or in another that has one."""
    return str(texts.get(current()) or next(iter(texts.values()), ""))
