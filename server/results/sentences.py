"""Sentences on the most telling estimate of a question: to quote it, and on people who leave over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.language.catalogue import LANGUAGES, written
from server.language.request_language import current, translate
from server.language.units import spaced
from server.results.number_text import decimal, level, small
from server.results.overview import most_telling
from server.results.question_layout import QuestionSection, band_of, mean_decimals
from server.store.lifecycle.life import Life
from survey.figures.numbers import NumberFigures
from survey.question import Boxes, Choice, Number


@dataclass(frozen=True)
class Quote:
    """A sentence and its language."""

    text: str
    language: str


FEWEST = 10
"""The fewest respondents that a sentence is about: one about fewer would be repeated without its interval."""

WIDEST = 0.5
"""The widest interval that a sentence is about, as a part of what is possible: of 0 to 100 %, or of the grid
of a number. A wider one leaves more open than it settles."""


def quotes(
    section: QuestionSection, languages: Sequence[str], confidence_level: float, ending: str
) -> list[Quote]:
    """Return the sentence in the language of the page, then in every other one that the survey speaks too.

    Parameters
    ----------
    section : Section
        Of a question with respondents.
    languages : sequence of str
        Those of the survey.
    confidence_level : float
        What was asked for; each estimate has its own interval.
    ending : str
        See `ending_of`.

    Returns
    -------
    list of Quote
        Empty where nothing can be quoted; see `quotable`.
    """
    if not quotable(section):
        return []
    spoken = [current(), *(code for code in languages if code in LANGUAGES and code != current())]
    return [
        Quote(
            f"{sentence(section, code, languages, confidence_level)} "
            f"{written(code, 'results.quote.sent')} {written(code, f'results.quote.{ending}')}",
            code,
        )
        for code in spoken
    ]


def ending_of(state: str, held: Life) -> str:
    """Name how a survey ended: ``open``, ``planned`` or ``unplanned``; by hand where nothing is noted."""
    if state == "open":
        return "open"
    return "planned" if held.closed_by is not None and held.fixed else "unplanned"


def quotable(section: QuestionSection) -> bool:
    """Return whether a question's most telling estimate says enough to be quoted.

    At least `FEWEST` people reported, and its interval is at most `WIDEST` of what is possible. An interval
    without any width, which some methods have where all reports are the same, says nothing either. Nothing
    is quoted beside a warning that its reports lie beyond what chance explains; a mean must be the unbiased
    one, which may be none that a population can have.
    """
    question, number = section.figures.question, section.figures.first.number
    if isinstance(question, Number) and number is not None:
        people, mean, possible = number.respondents, number.mean, question.high - question.low
        within, width = mean.value == mean.unbiased, mean.high - mean.low
    else:
        line = most_telling(section)
        people, possible = line.reported, 1.0
        within = not any(
            remark.notice.code == "infeasible" and remark.label in (None, line.label)
            for remark in section.remarks
        )
        width = line.share.high - line.share.low
    return people >= FEWEST and within and 0 < width <= WIDEST * possible


def sentence(section: QuestionSection, code: str, languages: Sequence[str], confidence_level: float) -> str:
    """Write an estimate in one language; the survey's own words are in its first where it lacks this one.

    Of a share at an end only the other end of its interval is told: at most 12 %, at least 88 %.
    """
    figures = section.figures
    question, words = figures.question, code if code in languages else languages[0]
    source = {
        "wording": question.asks(words),
        "level": level(confidence_level),
        "epsilon": epsilon_text(figures.epsilon) + (f", δ = {small(figures.delta)}" if figures.delta else ""),
    }
    if isinstance(question, Number) and figures.first.number is not None:
        return mean_sentence(question, figures.first.number, code, words, source)
    line, amounts = most_telling(section), section.amounts
    ends = (line.share.estimate, line.share.low, line.share.high, 0, 1)
    estimate, low, high, nobody, everybody = (amounts.of(each, line.respondents) for each in ends)
    option = written(code, "results.yes")
    if isinstance(question, Boxes | Choice):
        option = question.options[section.lines.index(line)][words]
    asks, told = "boxes" if isinstance(question, Boxes) else "answer", estimate
    if amounts.text(estimate) == amounts.text(nobody):
        asks, told = f"{asks}_at_most", high
    elif amounts.text(estimate) == amounts.text(everybody):
        asks, told = f"{asks}_at_least", low
    if amounts.people:
        amount = written(code, "results.quote.estimated", n=round(told), people=amounts.text(told))
    else:
        amount = written(code, "results.quote.share", share=amounts.text(told))
    values = {
        "option": option,
        "estimate": amount,
        "low": amounts.text(low),
        "high": amounts.text(high),
        "people": people_of(code, line.respondents),
    }
    return written(code, f"results.quote.{asks}", **source, **values)


def mean_sentence(
    question: Number, number: NumberFigures, code: str, words: str, source: Mapping[str, str]
) -> str:
    """Write the mean of a number."""
    mean, digits = number.mean, mean_decimals(number)
    unit = spaced(question.unit[words]) if question.unit else ""
    value, low, high = (decimal(end, digits) for end in (mean.value, mean.low, mean.high))
    values = {"estimate": value + unit, "low": low, "high": high}
    return written(
        code, "results.quote.number", **source, **values, people=people_of(code, number.respondents)
    )


def people_of(code: str, number: int) -> str:
    """Write how many people."""
    return written(code, "results.quote.people", n=number, people=f"{number:,}")


def epsilon_text(epsilon: float) -> str:
    """Write an epsilon with up to four decimals: 1, not 1.0000.

    Examples
    --------
    >>> epsilon_text(1.0), epsilon_text(0.9506), epsilon_text(1.0986122886681098)
    ('1', '0.9506', '1.0986')
    """
    return f"{epsilon:.4f}".rstrip("0").rstrip(".")


def leaving_sentence(section: QuestionSection, language: str, confidence_level: float) -> str | None:
    """Write the band of a question's most telling estimate; None where it has none.

    Parameters
    ----------
    section : Section
    language : str
        The one of the survey's languages that is shown.
    confidence_level : float
        What was asked for.
    """
    first, question = section.figures.first, section.figures.question
    if isinstance(question, Number) and first.number is not None:
        mean, digits = first.number.mean, mean_decimals(first.number)
        unit = spaced(question.unit[language]) if question.unit else ""
        ends = decimal(mean.band_low, digits), decimal(mean.band_high, digits) + unit
        return band_sentence("mean", ends, confidence_level) if mean.band_low is not None else None
    line = most_telling(section)
    band = band_of(line, section.amounts)
    if band is None:
        return None
    ends = section.amounts.text(band[0]), section.amounts.text(band[1])
    if isinstance(question, Choice) or len(first.best.shares) > 2:
        return band_sentence("share", ends, confidence_level, option=line.label.text)
    if isinstance(question, Boxes):
        return band_sentence("box", ends, confidence_level, option=line.label.text)
    coins = first.shares is not None and first.shares.yes.band_low is None
    return band_sentence("coins" if coins else "yes", ends, confidence_level)


def band_sentence(kind: str, ends: tuple[str, str], confidence_level: float, **values: str) -> str:
    """Say over which results people may have left, and how far the interval then reaches."""
    interval = {"level": level(confidence_level), "low": ends[0], "high": ends[1]}
    return translate(f"results.leaving.{kind}", **interval, **values)
