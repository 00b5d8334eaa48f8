"""The results on the front page: one question, answered by simulated people."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from server.language.request_language import current, nearest
from server.results.estimates import DEFAULT_METHOD
from server.results.number_text import level
from server.results.question_layout import QuestionSection, sections
from server.results.sentences import epsilon_text, sentence
from server.runtime import offload
from survey.figures.questions import Figures, figures_of
from survey.figures.shares import Precision
from survey.limits import CONFIDENCE_LEVEL
from survey.publication import publish
from survey.read_definition import parse
from survey.results import Reached, Results

REPORTS = (984, 768, 674, 574)
"""The reports of each option, drawn once; `tests/server/test_front.py` repeats the draw."""


@cache
def figures() -> Figures:
    """Estimate the shares of the question from its reports."""
    text = (resources.files(__package__) / "example_results.toml").read_text(encoding="utf-8")
    publication = publish(parse(text, "example_results.toml"))
    people = sum(REPORTS)
    (section,) = publication.definition.sections
    results = Results(
        respondents=people,
        counts={"copied": list(REPORTS)},
        final=True,
        prepared=True,
        sections={section.id: Reached(people, people)},
    )
    return figures_of("example", "closed", publication, results, Precision(CONFIDENCE_LEVEL, DEFAULT_METHOD))


@dataclass(frozen=True)
class Example:
    """The results of a question, with a sentence to quote and the number of simulated people."""

    section: QuestionSection
    quote: str
    level: str
    epsilon: str
    people: str


def example() -> Example:
    """Prepare the results as the results page does, in the language of this request."""
    results = offload.compute(figures)
    definition = results.publication.definition
    (section,) = sections(results, nearest(definition.languages))
    quote = sentence(section, current(), definition.languages, results.confidence_level)
    shown = level(results.confidence_level), epsilon_text(section.figures.epsilon), f"{results.respondents:,}"
    return Example(section, quote, *shown)
