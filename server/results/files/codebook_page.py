"""The codebook to read and to print: one HTML file that needs no other, in each language of the survey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from server.language.catalogue import say
from server.language.language_names import called, direction
from server.language.rounding import at_most, with_minus
from server.results.files.codebook import Code, codes, our_language
from server.web.files.assets import folder
from survey.figures.questions import exact_epsilon
from survey.publication import Publication
from survey.question import Boxes, Question

MOST_SHOWN = 24
"""A column with more codes than this shows the first and the last: a page is read, not searched."""

ENDS = 4


@dataclass(frozen=True)
class QuestionCodes:
    """A question as the page shows it: its columns have the same codes.

    Attributes
    ----------
    columns : list of (str, dict[str, str])
        Name of the column, and of a box its words in each language.
    codes : list of Code or None
        None stands for those that are left out.
    left_out : int
    """

    question: Question
    epsilon: float
    delta: float
    columns: list[tuple[str, dict[str, str]]]
    codes: list[Code | None]
    left_out: int


def codebook_html(publication: Publication, version: str) -> str:
    """Write the page."""
    sections = [
        (section, [entry(publication, question) for question in section.questions])
        for section in publication.definition.sections
    ]
    return (
        template_environment()
        .get_template("results/files/codebook.html")
        .render(
            publication=publication, definition=publication.definition, version=version, sections=sections
        )
    )


@cache
def template_environment() -> Environment:
    """Set Jinja up to render the page without a request; a missing name is an error."""
    environment = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["at_most"] = at_most
    environment.filters["with_minus"] = with_minus
    environment.globals.update(say=say, our_language=our_language, direction=direction, called=called)
    return environment


def entry(publication: Publication, question: Question) -> QuestionCodes:
    """Lay out one question."""
    names = question.column_names
    every_code = list(codes(question, publication.columns[names[0]], publication.definition.languages))
    options = question.options if isinstance(question, Boxes) else [{}] * len(names)
    shown = list(shorten_reports(every_code))
    return QuestionCodes(
        question=question,
        epsilon=exact_epsilon(question, publication.columns[names[0]].channel),
        delta=publication.columns[names[0]].channel.guarantee[1],
        columns=[(name, dict(option)) for name, option in zip(names, options, strict=True)],
        codes=shown,
        left_out=len(every_code) - sum(code is not None for code in shown),
    )


def shorten_reports(every_code: Sequence[Code]) -> Iterator[Code | None]:
    """Yield the codes; of many reports in a row only the first and the last, with None between them."""
    reports = [code for code in every_code if code.meaning == "report"]
    if len(reports) > MOST_SHOWN:
        yield from (*reports[:ENDS], None, *reports[-ENDS:])
        yield from every_code[len(reports) :]
    else:
        yield from every_code
