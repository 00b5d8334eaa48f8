"""What a respondent's page reads in its hidden frame: an outcome, when to try again, and words for people."""

from __future__ import annotations

from collections.abc import Sequence

from flask import render_template

from server.forms.faults import Fault
from server.language.catalogue import LANGUAGES, say

RETRY_SECONDS = {"busy": "5", "paused": "60"}
"""When to try again, by outcome: where nothing is stored, and what was sent can be stored later.

No script can read the headers of a frame, so that the page says it too."""


def frame_page(outcome: str, key: str, problems: Sequence[Fault] = ()) -> str:
    """Render the answer to a submission in every language.

    Parameters
    ----------
    outcome : str
        As the page's script reads it.
    key : str
        Of the title and the text.
    problems : sequence of Fault
    """
    texts = [(code, say(code, f"{key}.title"), say(code, f"{key}.text")) for code in LANGUAGES]
    told = [(code, say(code, each.key, **each.values)) for code in LANGUAGES for each in problems]
    wait = RETRY_SECONDS.get(outcome)
    return render_template("respond/answer.html", outcome=outcome, wait=wait, texts=texts, problems=told)
