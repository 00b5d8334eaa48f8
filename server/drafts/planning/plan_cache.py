"""Plans of drafts, kept by all that they follow from, and the searches for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from server.drafts.planning.best_ways import best_ways
from server.drafts.planning.plan import DraftPlan, Incomplete, plan_draft
from server.runtime.bounded_cache import BoundedCache
from survey.plan import PlanError
from survey.plan.proposal import Proposal
from survey.progress import Listener, heard_by

Result = TypeVar("Result")

PLANS: BoundedCache[Any] = BoundedCache(32)
"""The latest plans, by all that they follow from: one of a long draft takes half a minute.

One is searched at a time, in a thread of its own: results and previews of others need not wait for it.
"""

WAITING: dict[Hashable, list[Listener]] = {}
"""The arguments of each search that goes on -> those who wait for it: whoever loads the page again, too."""


def plan_of(document: Mapping[str, Any], form: Any, listener: Listener | None = None) -> DraftPlan:
    """Return the plan of a draft that links nothing anew, within the limits of the form."""
    return worked_out(plan_draft, document, form.wanted(), listener)


def best_of(document: Mapping[str, Any], form: Any, listener: Listener | None = None) -> tuple[Proposal, ...]:
    """Return the best ways to ask a draft within the limits of the form."""
    wanted = (*form.wanted()[:-1], form.pairs.data, form.single.data)
    return worked_out(best_ways, document, wanted, listener).best


def worked_out(
    function: Callable[..., Result],
    document: Mapping[str, Any],
    wanted: tuple[object, ...],
    listener: Listener | None,
) -> Result:
    """Plan a draft, unless the same was wanted of it before: what was shown is taken over at once.

    That there is no such plan is known only after a search, and kept as well.
    """
    key = function.__name__, json.dumps(document, sort_keys=True), *wanted
    waiting = WAITING.setdefault(key, [])
    if listener:
        waiting.append(listener)

    def search() -> Result | PlanError:
        with heard_by(lambda part: tell_all(waiting, part)):
            try:
                return function(document, *wanted)
            except PlanError as refused:
                return refused

    try:
        plan: Result | PlanError = PLANS.get(key, search)
    finally:
        if listener:
            waiting.remove(listener)
        if not waiting:
            WAITING.pop(key, None)
    if isinstance(plan, PlanError):
        raise plan.with_traceback(None)
    return plan


def tell_all(waiting: Sequence[Listener], part: float) -> None:
    """Tell all who wait for a search how far it is."""
    for listener in tuple(waiting):
        listener(part)


def compare_ways(document: Mapping[str, Any], form: Any, listener: Listener) -> None:
    """Work out what the page of a plan shows."""
    if not form.single.data:
        without_refusal(plan_of, document, form, lambda part: listener(part / 2))
    without_refusal(best_of, document, form, lambda part: listener((1 + part) / 2))


def without_refusal(
    search: Callable[..., object], document: Mapping[str, Any], form: Any, listener: Listener
) -> None:
    """Search for a plan; why there is none is said by whoever asks for it next."""
    with suppress(Incomplete, PlanError):
        search(document, form, listener)
