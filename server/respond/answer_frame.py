"""The answer to a submission, which the survey's page reads in a hidden frame."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, make_response, render_template

from server.forms.faults import Fault
from server.language.catalogue import LANGUAGES, say
from server.web.content_policy import use_policy

RETRY_SECONDS = {"busy": "5", "paused": "60"}
"""Outcome -> seconds after which to send again, where nothing is stored now but can be stored later.

No script can read the headers of a frame, so the page says it too."""


def framed_answer(outcome: str, key: str, status: int, problems: Sequence[Fault] = ()) -> Response:
    """Answer with a tiny page that says an outcome in every language: the same bytes for the same outcome.

    Parameters
    ----------
    outcome : str
        As the page's script reads it.
    key : str
        The message of the catalogue that holds the title and the text.
    status : int
    problems : sequence of Fault
    """
    use_policy("framed")
    texts = [(code, say(code, f"{key}.title"), say(code, f"{key}.text")) for code in LANGUAGES]
    sentences = [
        (code, say(code, problem.key, **problem.values)) for code in LANGUAGES for problem in problems
    ]
    wait = RETRY_SECONDS.get(outcome)
    page = render_template("respond/answer.html", outcome=outcome, wait=wait, texts=texts, problems=sentences)
    return make_response(page, status, {"Retry-After": wait} if wait else {})
