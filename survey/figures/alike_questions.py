"""The questions that several surveys ask alike, so that their answers can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from survey.figures.questions import answer_names
from survey.publication import Publication
from survey.question import Boxes, Choice, Number, Question


def asked_alike(publications: Sequence[Publication]) -> list[Question]:
    """Return the questions of the first survey that all the others ask in the same way, in its order.

    Parameters
    ----------
    publications : sequence of Publication
        Two or more.

    Notes
    -----
    They have the same id, kind and answers, and the same words for every answer in each language that both
    surveys have. Wording, mechanism and epsilon may differ: the estimates allow for that.
    """
    first, *others = (
        {question.id: question for question in publication.definition.questions}
        for publication in publications
    )
    return [
        question
        for name, question in first.items()
        if all(name in other and are_alike(question, other[name]) for other in others)
    ]


def are_alike(question: Question, other: Question) -> bool:
    """Return whether two questions have the same answers."""
    if question.kind != other.kind or answer_names(question) != answer_names(other):
        return False
    if isinstance(question, Choice | Boxes) and isinstance(other, Choice | Boxes):
        return len(question.options) == len(other.options) and all(
            mine[code] == theirs[code]
            for mine, theirs in zip(question.options, other.options, strict=True)
            for code in mine.keys() & theirs.keys()
        )
    if isinstance(question, Number) and isinstance(other, Number):
        return (question.low, question.high, question.step) == (other.low, other.high, other.step)
    return True
