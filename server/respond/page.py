"""What a respondent meets: one page that is the same for everybody, and the answer to its one form."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.forms.faults import Fault
from server.forms.submission import receipt_in, submission_form
from server.language.catalogue import LANGUAGES, say, section
from server.services import services
from server.store import submissions, surveys
from server.store.database import Unavailable
from server.store.submissions import Submission
from server.web.security import use_policy
from survey.definition import Definition
from survey.publication import Publication, canonical_json
from survey.question import Question

blueprint = Blueprint("respond", __name__)

STATUS = {"stored": 200, "stale": 409, "different": 409, "closed": 410, "busy": 503, "refused": 400}
"""Outcome of a submission, as the page's script reads it, and the status of the answer that carries it."""

MODULES = {
    "yes_no": ("devices/device", "devices/spinner", "kinds/group"),
    "choice": (
        "chance/compact_form",
        "devices/cards",
        "devices/slices",
        "devices/spinner",
        "devices/strip",
        "kinds/group",
        "kinds/options",
    ),
    "boxes": ("chance/compact_form", "chance/sample", "devices/device", "devices/spinner", "kinds/options"),
    "number": (
        "chance/compact_form",
        "chance/gaussian",
        "devices/slices",
        "devices/spinner",
        "devices/strip",
        "kinds/values",
    ),
}
"""What the script of each kind of question imports beyond what the page's own script does: fetched while the
page is read, and not after it."""


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy; `server.language.chosen` ignores everything else about the request."""
    use_policy("framed" if request.method == "POST" else "respondent")


@blueprint.get("/s/<slug>")
def page(slug: str) -> Response:
    """Show a survey: one constant string of bytes."""
    survey = services().storage.read(surveys.find, slug)
    if survey is None or survey.publication is None:
        return unavailable_page("no_survey", 404)
    if survey.state == "closed":
        return make_response(render_template("respond/closed.html", publication=survey.publication), 410)
    if request.method == "GET":
        services().committer.start(survey.id, services().today)
    data = page_bytes(survey.publication)
    response = make_response(data)
    response.mimetype = "text/html"
    response.cache_control.no_cache = True
    response.set_etag(etag(data))
    response.make_conditional(request)
    return response


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
    if not services().rate_limit.allows(request.remote_addr or ""):
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
    pages = services().pages
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


def page_bytes(publication: Publication) -> bytes:
    """Render a survey's page, once for each publication."""
    pages = services().pages
    if publication.fingerprint not in pages:
        pages[publication.fingerprint] = render_template(
            "respond/page.html",
            publication=publication,
            kinds=sorted(kinds := {page_kind(question) for question in publication.definition.questions}),
            modules=sorted({name for kind in kinds for name in (f"kinds/{kind}", *MODULES[kind])}),
            messages=messages(publication.definition),
        ).encode()
    return pages[publication.fingerprint]


@lru_cache(maxsize=256)
def etag(data: bytes) -> str:
    """Name the bytes of a page, once for each page."""
    return hashlib.sha256(data).hexdigest()[:32]


def page_kind(question: Question) -> str:
    """Name the module and the template of a question: a skip that is randomized makes yes/no a choice."""
    return "choice" if question.kind == "yes_no" and question.skip == "randomized" else question.kind


def messages(definition: Definition) -> bytes:
    """Give the page's messages as the JSON of its second island: the languages, and each key in all of them.

    What is said of one kind, mechanism, way to skip or budget only, such as ``kind.boxes.keep``, travels only
    where the survey has it.
    """
    questions = definition.questions
    used: dict[str, set[str | None]] = {
        "kind": {page_kind(question) for question in questions},
        "mechanism": {question.mechanism for question in questions},
        "skip": {question.skip for question in questions},
        "budget": set(definition.budget_as_dict()),
    }

    def travels(key: str) -> bool:
        part, _, rest = key.partition(".")
        return part not in used or rest.partition(".")[0] in used[part]

    texts = [section(code, "respond") for code in LANGUAGES]
    return canonical_json(
        [list(LANGUAGES), {key: [said[key] for said in texts] for key in texts[0] if travels(key)}]
    )


def unavailable_page(reason: str, status: int) -> Response:
    """Say in every language why there is no survey here."""
    texts = [
        (code, say(code, f"unavailable.{reason}.title"), say(code, f"unavailable.{reason}.text"))
        for code in LANGUAGES
    ]
    return make_response(render_template("web/unavailable.html", texts=texts), status)


@blueprint.errorhandler(Unavailable)
def busy(error: Unavailable) -> Response:
    """Say that the database cannot be used now; nothing was stored, and sending again is safe."""
    if request.method == "POST":
        return answer("busy")
    response = unavailable_page("busy", 503)
    response.headers["Retry-After"] = "5"
    return response


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(error: RequestEntityTooLarge) -> Response:
    """Refuse a body that no survey's page sends."""
    return answer("refused", [Fault("submission.large", {"most": request.max_content_length})], status=413)
