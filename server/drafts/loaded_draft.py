"""A stored draft as its page gets it: with what is wrong, what is missing, and what promises too much."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import url_for

from server.drafts.draft_problems import draft_problems, figures_in_words, overstatements
from server.runtime import offload
from server.store.surveys import Survey


def loaded(survey: Survey) -> dict[str, Any]:
    """Return what the page knows of a stored draft besides its document."""
    problems = draft_problems(survey)
    return {
        "hash": survey.tag,
        "slug": survey.slug,
        "address": url_for("editing.save", slug=survey.slug),
        "faults": [asdict(entry) for entry in problems.faults],
        "missing": [asdict(entry) for entry in problems.missing],
        "ready": problems.ready,
        "promises": promises(survey),
    }


def promises(survey: Survey) -> dict[str, Any]:
    """List the words of a draft that promise too much, with both figures where it has them."""
    words = overstatements(survey)
    publication = survey.complete if words else None
    figures = figures_in_words(offload.compute(lambda: publication.guess)) if publication else ""
    return {"words": [asdict(entry) for entry in words], "figures": figures}
