"""What a respondent's page sends: taken, or answered with what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, make_response, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.forms.faults import Fault
from server.respond.answer_frame import RETRY_SECONDS, frame_page
from server.respond.origin import comes_from_own_page
from server.respond.process_memory import memory
from server.respond.submission_form import fingerprint_in, oversize, receipt_in, submission_form
from server.services import services
from server.store import submissions
from server.store.engine import Unavailable
from server.store.submissions import Submission
from server.web.content_policy import use_policy

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
"""Outcome of a submission, and the status of the answer that carries it."""

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
    Whatever is sent is counted before it is read, and nothing is parsed that is much longer than a valid one:
    so no submission costs much more.

    A reading says how to count a submission, and how to speak of its faults. Only a commit says that it is
    stored: a reading also finds what was answered "busy", because a disk or a standby did not confirm it.
    """
    if not comes_from_own_page(request.environ):
        return answer("refused", [Fault("submission.page", {})], status=403)
    deadline = services().storage.deadline()
    address = request.remote_addr or ""
    if COUNTED not in request.environ and not memory().rate_limit.allows(address):
        return answer("busy", status=429)
    is_form = request.mimetype == FORM and not request.query_string
    body = request.get_data() if is_form else b""
    found = services().storage.read(submissions.find_with_receipt, slug, receipt_in(body))
    if found is None:
        return answer("closed", status=404)
    survey, publication, stored = found
    if stored is None and not memory().rate_limit.allows_new(address):
        return answer("busy", status=429)
    if not is_form:
        return answer("refused", [Fault("submission.beside", {})])
    if stored is None and fingerprint_in(body) not in (None, publication.fingerprint):
        return answer("stale")  # another publication: its columns are not ours to check
    problems = oversize(publication, body)
    if not problems:
        form = submission_form(publication, request.form)
        problems = form.problems(request.form)
    if problems:  # a receipt that is known is answered the same way for ever
        return answer("refused", problems) if stored is None else answer("different")
    submission = Submission(survey.id, form.fingerprint.data, form.receipt.data, form.reports, form.token)
    try:
        outcome = services().committer.submit(submission, services().today, deadline)
    except Unavailable:
        if stored is None:
            memory().rate_limit.forgive_new(address)
        raise
    if outcome == "stored":
        memory().remember(slug, survey.id, publication)  # for `server.respond.fast_path`
    return answer(page_outcome(outcome))


def page_outcome(outcome: str) -> str:
    """Return the outcome that the page reads for one of a commit."""
    return {"repeated": "stored", "missing": "closed"}.get(outcome, outcome)


def answer(outcome: str, problems: Sequence[Fault] = (), status: int | None = None) -> Response:
    """Answer a submission: a tiny page for the hidden frame, the same bytes for the same outcome."""
    response = make_response(answer_page(outcome, tuple(problems)), status or STATUS[outcome])
    if response.status_code in (429, 503):
        response.headers["Retry-After"] = RETRY_SECONDS[outcome]
    return response


def answer_page(outcome: str, problems: tuple[Fault, ...]) -> bytes:
    """Render the answer, once for each outcome; with problems, each time."""
    if problems:
        return frame_page(outcome, f"outcome.{outcome}", problems).encode()
    pages = memory().pages
    if outcome not in pages:
        pages[outcome] = frame_page(outcome, f"outcome.{outcome}").encode()
    return pages[outcome]


@blueprint.errorhandler(Unavailable)
def busy(error: Unavailable) -> Response:
    """Answer that the database cannot be used now. Nothing was stored, and sending again is safe."""
    return answer("busy")


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    """Refuse a body that no survey's page sends."""
    use_policy("framed")  # it is refused before the blueprint is asked
    return answer("refused", [Fault("submission.large", {"most": request.max_content_length})], status=413)
