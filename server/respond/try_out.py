"""A trial of a survey: the respondents' own page, of which nothing is stored."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, make_response

from server.respond.answer_frame import RETRY_SECONDS, frame_page
from server.respond.rendering import render
from server.web.content_policy import use_policy
from survey.publication import Publication

INSTEAD = {"sent.text": "trial.sent", "sent.keep": "trial.keep", "sent.once": "trial.again"}
"""What a respondent reads of storing -> what is true of a trial."""


def trial_page(template: str, publication: Publication, address: str, **more: Any) -> str:
    """Show a survey as respondents would meet it, and choose the content policy that theirs has.

    Parameters
    ----------
    template : str
        Extends `respond/page.html` by what it says of the trial.
    publication : Publication
    address : str
        Where the page sends.
    **more : object
        For the template.

    Notes
    -----
    The fingerprint is of no survey: the browser keeps the trial apart from real answers, and what the page
    sends would be stored nowhere even if it were sent to the survey itself.
    """
    use_policy("pictured" if publication.definition.pictures else "respondent")
    return render(
        publication,
        template=template,
        instead=INSTEAD,
        trial=hashlib.sha256(f"trial {publication.fingerprint}".encode()).hexdigest(),
        address=address,
        **more,
    )


def framed_answer(outcome: str, key: str, status: int) -> Response:
    """Answer the frame of the respondent's page with one of the outcomes that it knows."""
    use_policy("framed")
    wait = RETRY_SECONDS.get(outcome)
    return make_response(frame_page(outcome, key), status, {"Retry-After": wait} if wait else {})
