"""What holds for every question of a kind, so that a page says it once."""

from __future__ import annotations

from collections.abc import Iterable

from server.results.sections import Section

EXPLANATIONS = {
    "quantiles_text": lambda section: bool(
        section.figures.first.number and section.figures.first.number.quantiles
    ),
    "skips": lambda section: section.figures.question.skip == "apart",
    "skip_randomized": lambda section: section.figures.question.skip == "randomized",
    "pooled": lambda section: section.figures.first.pooled is not None,
    "leaving.text": lambda section: section.banded,
}
"""Message -> whether it is about a question."""


def explained(sections: Iterable[Section]) -> list[str]:
    """Return the messages that are about any of the questions, in the order above."""
    laid_out = list(sections)
    return [key for key, applies in EXPLANATIONS.items() if any(map(applies, laid_out))]
