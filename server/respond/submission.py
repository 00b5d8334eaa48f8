"""What a respondent's page sends: taken, or answered with what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.forms.faults import Fault
from server.forms.submission import receipt_in, submission_form
from server.language.catalogue import LANGUAGES, say
from server.respond.kept import kept
from server.services import services
from server.store import submissions
from server.store.database import Unavailable
from server.store.submissions import Submission
from server.web.security import use_policy

blueprint = Blueprint("submission", __name__)

STATUS = {"stored": 200, "stale": 409, "different": 409, "closed": 410, "busy": 503, "refused": 400}
"""Outcome of a submission, as the page's script reads it, and the status of the answer that carries it."""


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy of an answer that is shown in the page's hidden frame."""
    use_policy("framed")


@blueprint.post("/s/<slug>")
def send(slug: str) -> Response:
    """Take a submission."""
    if not comes_from_own_page():
        return answer("refused", [Fault("submission.page", {})], status=403)
    sent = request.form
    found = services().storage.read(submissions.find_with_receipt, slug, receipt_in(sent))
    if found is None:
        return answer("closed", status=404)
    survey, publication, stored = found
    beside = bool(request.args) or request.mimetype != "application/x-www-form-urlencoded"
    form = submission_form(publication, sent)
    problems = form.problems(sent)
    fits = not form.fingerprint.errors and form.fingerprint.data == publication.fingerprint
    if stored is not None:  # a receipt that is known is answered the same way for ever
        again = fits and not beside and not problems and form.reports == stored
        return answer("stored" if again else "different")
    if beside:
        return answer("refused", [Fault("submission.beside", {})])
    if not fits and not form.fingerprint.errors:
        return answer("stale")  # another publication: its columns are not ours to check
    if problems:
        return answer("refused", problems)
    if not kept().rate_limit.allows(request.remote_addr or ""):
        return answer("busy", status=429)
    submission = Submission(survey.id, form.fingerprint.data, form.receipt.data, form.reports)
    outcome = services().committer.submit(submission, services().today)
    return answer("closed" if outcome == "missing" else outcome)


def comes_from_own_page() -> bool:
    """Tell whether our own page sends this. A token instead would make every visitor's page differ.

    Browsers leave Sec-Fetch-Site out over plain http on a local network; there Origin decides.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return request.headers.get("Origin") == request.host_url.rstrip("/")


def answer(outcome: str, problems: Sequence[Fault] = (), status: int | None = None) -> Response:
    """Answer a submission: a tiny page for the hidden frame, the same bytes for the same outcome."""
    response = make_response(answer_page(outcome, tuple(problems)), status or STATUS[outcome])
    if response.status_code in (429, 503):
        response.headers["Retry-After"] = "5"
    return response


def answer_page(outcome: str, problems: tuple[Fault, ...]) -> bytes:
    """Render the answer, once for each outcome; with problems, each time."""
    pages = kept().pages
    if problems or outcome not in pages:
        texts = [
            (code, say(code, f"outcome.{outcome}.title"), say(code, f"outcome.{outcome}.text"))
            for code in LANGUAGES
        ]
        told = [(code, say(code, each.key, **each.values)) for code in LANGUAGES for each in problems]
        page = render_template("respond/answer.html", outcome=outcome, texts=texts, problems=told).encode()
        if problems:
            return page
        pages[outcome] = page
    return pages[outcome]


@blueprint.errorhandler(Unavailable)
def busy(error: Unavailable) -> Response:
    """Say that the database cannot be used now; nothing was stored, and sending again is safe."""
    return answer("busy")


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    """Refuse a body that no survey's page sends."""
    return answer("refused", [Fault("submission.large", {"most": request.max_content_length})], status=413)
