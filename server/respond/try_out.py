"""A survey tried out: the respondents' own page, of which nothing is stored."""

from __future__ import annotations

import hashlib
from typing import Any

from server.respond.rendering import render
from server.web.content_policy import use_policy
from survey.publication import Publication

INSTEAD = {
    "sent.text": "trial.sent",
    "sent.keep": "trial.keep",
    "sent.once": "trial.again",
    "sent.list": "trial.list",
}
"""Message that is true of storing -> message that is true of a trial."""


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
    The fingerprint is of no survey. So the browser keeps the trial apart from real answers, and nothing would
    be stored even if the page sent to the survey itself.
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
