"""The methods of a survey, in words that a paper can take over, in each language that Candor speaks too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from server.language.catalogue import written
from server.language.moments import moment
from server.language.rounding import at_most
from server.results.archive.papers import (
    OF_LEAVING,
    OF_MECHANISM,
    OF_METHOD,
    OF_QUANTILES,
    OF_SHARES,
    cited,
    methods_of,
    of_question,
    of_survey,
)
from server.results.files.codebook import our_language
from server.results.files.material import Material
from server.store.lifecycle.life import Life
from survey.figures.questions import Figures, QuestionFigures

MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")
"""Characters that Markdown reads as more than themselves."""


def methods_text(material: Material, names: Sequence[str]) -> str:
    """Write the methods as Markdown.

    Parameters
    ----------
    material : Material
    names : sequence of str
        The files that come with it.
    """
    parts = []
    spoken: set[str] = set()
    for code in material.publication.definition.languages:
        language = our_language(code)
        if language not in spoken:
            parts.append("\n\n".join(part(material, names, language, code)))
        spoken.add(language)
    sources = "\n".join(f"- {paper.long}" for paper in of_survey(material.figures))
    return (
        "\n\n".join(
            [
                *parts,
                f"# {written(our_language(material.publication.definition.languages[0]), 'methods.sources')}",
                sources,
            ]
        )
        + "\n"
    )


def part(material: Material, names: Sequence[str], language: str, code: str) -> Iterator[str]:
    """Yield the paragraphs in one of Candor's languages, with the survey's words in `code`."""
    figures = material.figures

    def said(key: str, **values: object) -> str:
        return written(language, f"methods.{key}", **values)

    yield f"# {in_line(material.publication.definition.title[code])}"
    yield f"## {said('title')}"
    yield " ".join(paragraph(material, language))
    yield f"## {said('questions')}"
    yield "\n".join(question_table(figures, language))
    yield f"## {said('files')}"
    folded = dict.fromkeys("pictures/" if name.startswith("pictures/") else name for name in names)
    listed = [f"- `{name}`: {said('file.' + name.replace('.', '_').rstrip('/'))}" for name in folded]
    yield "\n".join(listed)
    if material.reports is None:
        few = material.figures.withheld
        yield said("withheld" if material.figures.state == "open" else "too_few" if few else "removed")
    yield said("cite")


def ending(held: Life, language: str) -> Iterator[str]:
    """Yield how a survey ended, and whether that was fixed beforehand, as far as it is known."""
    if held.closed_by is None:
        return
    when = "" if held.closes_at is None else in_line(moment(held.closes_at, held.zone))
    n = held.quota or 0
    yield written(language, f"life.ended.{held.closed_by}", moment=when, n=n, people=f"{n:,}")
    if held.closed_by != "hand" and held.end_changed is not None:
        yield written(language, "life.fixed.was_changed", moment=in_line(moment(held.end_changed, held.zone)))
    else:
        yield written(language, "life.fixed.was" if held.fixed else "life.fixed.was_not")


def paragraph(material: Material, language: str) -> Iterator[str]:
    """Yield the sentences of the paragraph on methods."""
    figures = material.figures

    def said(key: str, **values: object) -> str:
        return written(language, f"methods.{key}", **values)

    yield said("protected")
    yield said(
        "people.few" if figures.withheld else f"people.{figures.state}",
        n=figures.respondents,
        people=f"{figures.respondents:,}",
        version=material.version,
    )
    yield from ending(material.held, language)
    yield said("fingerprint", fingerprint=figures.publication.fingerprint)
    definition, total = figures.publication.definition, figures.budget
    if definition.samples:
        yield said("drawn", parts=len(definition.sections), asked=definition.sections_asked)
    if any(section.linked for section in definition.sections):
        yield said("linked", papers=cited(OF_MECHANISM["linked"]))
    delta = at_most(total.delta, 3)
    yield said("loss_delta" if total.delta else "loss", epsilon=at_most(total.epsilon, 6), delta=delta)
    if definition.waves > 1:
        yield said("waves", n=definition.waves)
    numbers = [each.first.number for each in figures.questions if each.first.number is not None]
    if len(numbers) < len(figures.questions):
        yield said("shares", papers=cited(OF_SHARES))
    if numbers:
        yield said("means")
    if any(number.quantiles for number in numbers):
        yield said("quantiles", papers=cited(OF_QUANTILES))
    yield from leaving(figures, language)
    level = f"{100 * figures.confidence_level:.3g}%"
    yield said("together" if figures.precision.simultaneous else "level", level=level)
    used = {method for each in figures.questions for method in methods_of(each)}
    for method in OF_METHOD:
        if method in used:
            yield said(f"method.{method}", papers=cited(OF_METHOD[method]))


def leaving(figures: Figures, language: str) -> Iterator[str]:
    """Yield what the band is, where people see a result before they send it."""
    if figures.publication.definition.seen_first:
        yield written(language, "methods.leaving.all")
    elif figures.by_hand:
        yield written(language, "methods.leaving.coins")
    else:
        return
    yield written(language, "methods.leaving.band", papers=cited(OF_LEAVING))


def question_table(figures: Figures, language: str) -> Iterator[str]:
    """Yield a table with a line for each question."""
    names = ("question", "mechanism", "stated", "exact", "delta", "n", "intervals", "papers")
    yield row(written(language, f"methods.heading.{name}") for name in names)
    yield row(["---"] * len(names))
    for each in figures.questions:
        yield row(question_cells(each, language))


def question_cells(figures: QuestionFigures, language: str) -> Iterator[str]:
    """Yield the cells of one question: what was asked for, what the integers keep, and how many reports."""
    question = figures.question
    yield f"`{question.id}`"
    yield written(language, f"results.mechanisms.{question.mechanism}")
    yield "" if question.epsilon is None else f"{question.epsilon:.6g}"
    yield at_most(figures.exact_epsilon, 6)
    yield at_most(figures.delta, 3) if figures.delta else ""
    yield f"{figures.answered:,}"
    used = dict.fromkeys(methods_of(figures))
    yield ", ".join(written(language, f"results.methods.{method}") for method in used)
    yield cited(of_question(figures))


def row(cells: Iterator[str] | Sequence[str]) -> str:
    """Write a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def in_line(text: str) -> str:
    r"""Write a text in one line of Markdown, so that no character of it is markup.

    Examples
    --------
    >>> in_line("a *b*\n# c")
    'a \\*b\\* \\# c'
    """
    return MARKS.sub(r"\\\1", " ".join(text.split()))
