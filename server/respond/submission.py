"""Take what a respondent's page sends, or answer what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.forms.faults import Fault
from server.respond.answer_frame import framed_answer
from server.respond.origin import comes_from_own_page
from server.respond.process_memory import memory
from server.respond.submission_form import (
    faults_in,
    fingerprint_in,
    oversize,
    receipt_in,
    reports_in,
    token_in,
)
from server.services import services
from server.store import submissions
from server.store.engine import Unavailable
from server.store.submissions import Submission
from server.web.content_policy import use_policy
from server.web.limits.costs import MOST_BYTES

blueprint = Blueprint("submission", __name__)

FORM = "application/x-www-form-urlencoded"

STATUS = {
    "stored": 200,
    "stale": 409,
    "different": 409,
    "closed": 410,
    "busy": 503,
    "paused": 503,
    "refused": 400,
    "used": 409,
    "uninvited": 403,
}
"""Outcome of a submission -> status of the answer that carries it."""

COUNTED = "candor.counted"
"""Key of the environment of a request that `server.respond.fast_path` has already counted."""


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy of an answer that is shown in the page's hidden frame."""
    use_policy("framed")


@blueprint.post("/s/<slug>")
def send(slug: str) -> Response:
    """Take a submission.

    Notes
    -----
    A submission is counted before it is read, and nothing is parsed that is much longer than a valid one. So
    none costs much more than a valid one.

    A reading decides how a submission is counted and how its faults are told. Only a commit says that it is
    stored: a reading also finds what was answered "busy" because a disk or a standby did not confirm it.
    """
    if not comes_from_own_page(request.environ):
        return answer("refused", [Fault("submission.page", {})], status=403)
    deadline = services().storage.deadline()
    address = request.remote_addr or ""
    if not request.environ.get(COUNTED) and not memory().rate_limit.allows(address):
        return answer("busy", status=429)
    is_form = request.mimetype == FORM and not request.query_string
    body = request.get_data() if is_form else b""
    open_survey = services().storage.read(submissions.find_with_receipt, slug, receipt_in(body))
    if open_survey is None:
        return answer("closed", status=404)
    survey, publication, stored = open_survey
    if stored is None and not memory().rate_limit.allows_new(address):
        return answer("busy", status=429)
    if not is_form:
        return answer("refused", [Fault("submission.beside", {})])
    if stored is None and fingerprint_in(body) not in (None, publication.fingerprint):
        return answer("stale")  # another publication: its columns are not ours to check
    problems = oversize(publication, body) or faults_in(publication, request.form)
    if problems:  # a receipt that is known is answered the same way for ever
        return answer("refused", problems) if stored is None else answer("different")
    submission = Submission(
        survey.id,
        request.form["fingerprint"],
        request.form["receipt"],
        reports_in(publication, request.form),
        token_in(request.form),
    )
    try:
        outcome = services().committer.submit(submission, services().today, deadline)
    except Unavailable:
        if stored is None:
            memory().rate_limit.forgive_new(address)
        raise
    if outcome == "paused" and stored is None:
        memory().rate_limit.forgive_new(address)
    if outcome == "stored":
        memory().remember(slug, survey.id, publication)  # for `server.respond.fast_path`
    return answer(page_outcome(outcome))


def page_outcome(outcome: str) -> str:
    """Name the outcome of a commit as the page reads it."""
    return {"repeated": "stored", "missing": "closed"}.get(outcome, outcome)


def answer(outcome: str, problems: Sequence[Fault] = (), status: int | None = None) -> Response:
    """Answer a submission in the page's hidden frame."""
    return framed_answer(outcome, f"outcome.{outcome}", status or STATUS[outcome], problems)


@blueprint.errorhandler(Unavailable)
def busy(error: Unavailable) -> Response:
    """Answer that the database cannot be used now. Nothing was stored, and sending again is safe."""
    return answer("busy")


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    """Refuse a body that no survey's page sends."""
    return answer("refused", [Fault("submission.large", {"most": MOST_BYTES})], status=413)
