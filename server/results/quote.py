"""One sentence of a question that can be quoted: estimate, interval, people and epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.language.catalogue import LANGUAGES, written
from server.language.chosen import current
from server.language.units import spaced
from server.results.filters import decimal, level, small
from server.results.overview import telling
from server.results.sections import Section, mean_decimals
from survey.question import Boxes, Choice, Number


@dataclass(frozen=True)
class Quote:
    """A sentence and its language."""

    text: str
    language: str


def quotes(section: Section, languages: Sequence[str], confidence_level: float) -> list[Quote]:
    """Return the sentence in the language of the page, then in every other one that the survey speaks too.

    Parameters
    ----------
    section : Section
        Of a question with respondents.
    languages : sequence of str
        Those of the survey.
    confidence_level : float
        What was asked for; each estimate has its own interval.
    """
    spoken = [current(), *(code for code in languages if code in LANGUAGES and code != current())]
    return [Quote(sentence(section, code, languages, confidence_level), code) for code in spoken]


def sentence(section: Section, code: str, languages: Sequence[str], confidence_level: float) -> str:
    """Write the sentence in one language; the survey's own words are in its first where it lacks this one."""
    figures = section.figures
    question, words = figures.question, code if code in languages else languages[0]
    source = {
        "wording": question.asks(words),
        "level": level(confidence_level),
        "epsilon": short(figures.epsilon) + (f", δ = {small(figures.delta)}" if figures.delta else ""),
    }
    if isinstance(question, Number) and figures.first.number is not None:
        number, mean = figures.first.number, figures.first.number.mean
        unit = spaced(question.unit[words]) if question.unit else ""
        value, low, high = (decimal(end, mean_decimals(number)) for end in (mean.value, mean.low, mean.high))
        values = {"estimate": value + unit, "low": low, "high": high}
        return written(
            code, "results.quote.number", **source, **values, people=people_of(code, number.respondents)
        )
    line, amounts = telling(section), section.amounts
    ends = (line.share.estimate, line.share.low, line.share.high)
    found = [amounts.of(each, line.respondents) for each in ends]
    estimate, low, high = (amounts.text(each) for each in found)
    option = written(code, "results.yes")
    if isinstance(question, Boxes | Choice):
        option = question.options[section.lines.index(line)][words]
    if amounts.people:
        estimated = written(code, "results.quote.estimated", n=round(found[0]), people=estimate)
    else:
        estimated = written(code, "results.quote.share", share=estimate)
    values = {
        "option": option,
        "estimate": estimated,
        "low": low,
        "high": high,
        "people": people_of(code, line.respondents),
    }
    kind = "boxes" if isinstance(question, Boxes) else "answer"
    return written(code, f"results.quote.{kind}", **source, **values)


def people_of(code: str, number: int) -> str:
    """Write how many people."""
    return written(code, "results.quote.people", n=number, people=f"{number:,}")


def short(epsilon: float) -> str:
    """Write an epsilon with up to four decimals: 1, not 1.0000.

    Examples
    --------
    >>> short(1.0), short(0.9506), short(1.0986122886681098)
    ('1', '0.9506', '1.0986')
    """
    return f"{epsilon:.4f}".rstrip("0").rstrip(".")
