"""The sentence on people who leave over a result that they see before they send it."""

from __future__ import annotations

from server.language.request_language import translate
from server.language.units import spaced
from server.results.number_text import decimal, level
from server.results.overview import most_telling
from server.results.question_layout import QuestionSection, band_of, mean_decimals
from survey.question import Boxes, Choice, Number


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
