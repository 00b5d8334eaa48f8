"""What researchers get, on the front page: the results of one question, of people who were simulated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from server.language.request_language import current, nearest
from server.results.estimates import DEFAULT_LEVEL, DEFAULT_METHOD
from server.results.number_text import level
from server.results.question_layout import Section, sections
from server.results.quotes import sentence, short
from server.runtime import offload
from survey.definition import parse
from survey.figures import Figures, Precision, figures_of
from survey.publication import publish
from survey.results import Reached, Results

REPORTS = (984, 768, 674, 574)
"""How often each option was recorded. Drawn once, as `tests/server/test_front.py` draws it again."""


@cache
def figures() -> Figures:
    """Estimate the question from the counts of its reports."""
    text = (resources.files("server.public") / "example_results.toml").read_text(encoding="utf-8")
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
    return figures_of("example", "closed", publication, results, Precision(DEFAULT_LEVEL, DEFAULT_METHOD))


@dataclass(frozen=True)
class Example:
    """A question's results, with a sentence to quote and how many people were simulated."""

    section: Section
    quote: str
    level: str
    epsilon: str
    people: str


def example() -> Example:
    """Lay the results out as the results page does, in the language of this request."""
    found = offload.compute(figures)
    definition = found.publication.definition
    (section,) = sections(found, nearest(definition.languages))
    quote = sentence(section, current(), definition.languages, found.confidence_level)
    shown = level(found.confidence_level), short(section.figures.epsilon), f"{found.respondents:,}"
    return Example(section, quote, *shown)
