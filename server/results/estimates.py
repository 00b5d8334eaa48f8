"""Estimates as an address asks for them: of one survey, at a confidence level, by a method."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial

from flask import make_response, render_template
from werkzeug.exceptions import BadRequest, NotFound

from server.language.request_language import translate
from server.runtime.bounded_cache import BoundedCache
from server.services import services
from server.store.results import survey_results
from server.store.surveys import Survey
from survey.figures.questions import Figures, figures_of
from survey.figures.shares import Precision
from survey.interval import METHODS
from survey.limits import CONFIDENCE_LEVEL
from survey.results import Results

CONFIDENCE_LEVELS = (0.8, 0.9, 0.95, 0.99)
DEFAULT_METHOD = METHODS[0]

FIGURES: BoundedCache[Figures] = BoundedCache(128)


def read_figures(slug: str, arguments: Mapping[str, str]) -> Figures:
    """Estimate a survey as an address asks for it: ``?confidence_level=0.9&method=wilson&simultaneous=1``."""
    precision = chosen_precision(arguments)
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    return estimate_survey(*found, precision)


def estimate_survey(survey: Survey, results: Results, precision: Precision) -> Figures:
    """Estimate a published survey from counts, unless the same counts were estimated before."""
    assert survey.publication is not None  # noqa: S101  # a draft has no results
    work = partial(figures_of, survey.slug, survey.state, survey.publication, results, precision)
    return FIGURES.get(key_of_figures(survey, results, precision), work)


def key_of_figures(survey: Survey, results: Results, precision: Precision) -> Hashable:
    """Return a key of all that the figures of a survey follow from."""
    assert survey.publication is not None  # noqa: S101  # a draft has no results
    counts = tuple((name, tuple(each)) for name, each in results.counts.items())
    shown = results.respondents, counts, results.prepared, results.withheld
    return survey.publication.fingerprint, survey.slug, survey.state, shown, precision


def chosen_precision(arguments: Mapping[str, str]) -> Precision:
    """Read what is asked of the intervals."""
    return Precision(
        chosen_level(arguments),
        chosen_word(arguments, "method", METHODS, DEFAULT_METHOD),
        chosen_word(arguments, "simultaneous", ("0", "1"), "0") == "1",
    )


def chosen_level(arguments: Mapping[str, str]) -> float:
    """Read the confidence level: one of a few, so that few estimates have to be remembered."""
    levels = {str(level): level for level in CONFIDENCE_LEVELS}
    return levels[chosen_word(arguments, "confidence_level", tuple(levels), str(CONFIDENCE_LEVEL))]


def chosen_word(arguments: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> str:
    """Read one of the allowed words from the address.

    Raises
    ------
    BadRequest
        With a page that gives the name, what is allowed and the value.
    """
    value = arguments.get(name, default)
    if value in allowed:
        return value
    text = translate("results.choice", name=name, allowed=", ".join(allowed), value=value[:80])
    page = render_template("staff/message.html", title=translate("error.400.title"), text=text)
    raise BadRequest(response=make_response(page, 400))
