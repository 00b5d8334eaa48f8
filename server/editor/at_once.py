"""Set every epsilon of a draft with one press: the plan is made and taken over without being looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flask import url_for

from server.editor.draft_page import asked
from server.editor.keeping import replace
from server.editor.whole import Incomplete, has_epsilon, is_for_the_plan, plan_draft, taken_over
from server.forms.editor import PlanningForm
from server.forms.section import apart
from server.runtime import offload
from server.services import services
from server.store import edits
from server.store.edits import DraftChangedError
from server.store.surveys import Survey, WrongState
from survey.fields import Problem
from survey.plan import PlanError
from survey.privacy.limits import LARGEST_TOTAL

USUAL = math.floor(LARGEST_TOTAL * 1e4) / 1e4
"""The total that a draft without a limit is planned for, unless the admin wants another."""

LONGEST = 50
"""Characters of a number that is shown again; a longer one is none."""


def usual_total(draft: Mapping[str, Any]) -> str:
    """Return the total that a plan of a draft begins with: its limit, if it has one."""
    return f"{draft.get('budget', {}).get('limit', USUAL):g}"


def unplanned(draft: Mapping[str, Any]) -> int:
    """Return how many questions of a draft have no epsilon yet."""
    return sum(not has_epsilon(question) for _, question in apart(draft)[1])


def lacks_only_a_plan(problems: Sequence[Problem]) -> bool:
    """Return whether nothing keeps a draft from being opened but epsilons that nobody has set."""
    return bool(problems) and all(map(is_for_the_plan, problems))


def plan_at_once(found: Survey, total: str, respondents: str) -> str:
    """Save a draft as it is planned for a total, and return the address of the page to go to.

    Parameters
    ----------
    found : Survey
        As it is stored.
    total, respondents : str
        As they were typed. Where they are wrong, or there is no such plan, nothing is saved, and the page
        to go to is that of the plan, which says why.
    """
    draft = found.draft or {}
    form = PlanningForm(data={"total": total[:LONGEST], "respondents": respondents[:LONGEST]})
    if form.validate():
        try:
            plan = offload.compute(plan_draft, draft, float(form.total.data), int(form.respondents.data))
            planned = taken_over(draft, plan)
            seen = edits.basis(draft, services().storage.read(edits.find, found.id))
            replace(found, seen, planned)
        except (Incomplete, PlanError, DraftChangedError, WrongState):
            pass
        else:
            return url_for("editor.survey", slug=found.slug, saved="plan", respondents=asked(form))
    typed = {"total": form.total.data, "respondents": form.respondents.data}
    return url_for("planning.page", slug=found.slug, **typed)
