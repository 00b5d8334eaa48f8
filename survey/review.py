"""Warnings about a survey that could be published, for its author to look at."""

from __future__ import annotations

from collections.abc import Iterator

from survey import text_direction
from survey.plan.linking_cost import dearer_links
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING, keeps_both, protects_little
from survey.promises import overstated
from survey.publication import Publication


def warnings(publication: Publication) -> Iterator[str]:
    """Yield a sentence for each text that may deceive, and for figures beyond the limits that are advised.

    Parameters
    ----------
    publication : Publication
    """
    yield from text_direction.warnings(publication.definition)
    for section, cost in dearer_links(publication.definition.sections):
        yield (
            f"section {section.id} needs {cost.linked.shares:,} people linked, for shares within 5 points, "
            f"and {cost.same_total.shares:,} in the best plan at the same total that links nothing; opening "
            "it has to be confirmed"
        )
    guess = publication.guess
    telling = f"{guess.times_telling} after the most telling result"
    right = f"a guess is right {guess.times_right} times in 100, and {telling}"
    if protects_little(guess):
        yield f"it protects people little, and opens only for a reason: {right}"
    elif not keeps_both(guess):
        yield f"{right}; at most {MOST_RIGHT} and {MOST_TELLING} are advised"
    for key, words in overstated(publication.definition.as_dict()):
        yield f"{key} says “{words}”, but {right}"
