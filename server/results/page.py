"""The results as researchers read them: dots with their intervals, and every number beside them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from flask import Blueprint, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, NotFound

from server.language import rounding
from server.language.chosen import current, translate
from server.results.figures import Figures, Precision, figures_of
from server.results.figures.cross import cross_axes
from server.results.sections import mean_digits, sections
from server.services import services
from server.staff.accounts import only
from server.store import readings
from server.store.accounts import ROLES
from server.web.kept import Kept
from survey.definition import Definition
from survey.interval import METHODS
from survey.notice import Notice

CONFIDENCE_LEVELS = (0.8, 0.9, 0.95, 0.99)
DEFAULT_LEVEL = 0.95
DEFAULT_METHOD = METHODS[0]

KEPT: Kept[Figures] = Kept(128)

blueprint = Blueprint("results", __name__, url_prefix="/results")
blueprint.before_request(only(*ROLES))


@blueprint.get("")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that were opened."""
    found = services().storage.read(readings.surveys_with_results)
    return render_template("results/list.html", rows=[each for each in found if each[1] is not None])


@blueprint.get("/<slug>")
def show(slug: str) -> ResponseReturnValue:
    """Show the estimates of a survey."""
    figures = read_figures(slug, request.args)
    definition = figures.publication.definition
    code = survey_language(definition)
    return render_template(
        "results/page.html",
        figures=figures,
        definition=definition,
        code=code,
        sections=sections(figures, code) if figures.respondents else [],
        levels=CONFIDENCE_LEVELS,
        methods=METHODS,
        mean_digits=mean_digits,
        crossable=[
            {"name": name, "label": side.title(code)}
            for name, side in cross_axes(figures.publication).items()
        ],
    )


def survey_language(definition: Definition) -> str:
    """Choose the survey's language that is nearest to the page's."""
    return current() if current() in definition.languages else definition.languages[0]


def read_figures(slug: str, arguments: Mapping[str, str]) -> Figures:
    """Estimate a survey as an address asks for it: ``?confidence_level=0.9&method=wilson&simultaneous=1``."""
    precision = chosen_precision(arguments)
    found = services().storage.read(readings.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    counts = tuple((name, tuple(each)) for name, each in results.counts.items())
    key = survey.publication.fingerprint, slug, survey.state, results.respondents, counts, precision
    return KEPT.get(key, partial(figures_of, survey, results, precision))


def chosen_precision(arguments: Mapping[str, str]) -> Precision:
    """Read what is asked of the intervals."""
    return Precision(
        chosen_level(arguments),
        chosen(arguments, "method", METHODS, DEFAULT_METHOD),
        chosen(arguments, "simultaneous", ("0", "1"), "0") == "1",
    )


def chosen_level(arguments: Mapping[str, str]) -> float:
    """Read the confidence level: one of a few, so that estimates can be kept."""
    levels = {str(level): level for level in CONFIDENCE_LEVELS}
    return levels[chosen(arguments, "confidence_level", tuple(levels), str(DEFAULT_LEVEL))]


def chosen(arguments: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> str:
    """Read one of a few words from the address.

    Raises
    ------
    BadRequest
        With a page that gives the name, what is allowed and the value.
    """
    value = arguments.get(name, default)
    if value in allowed:
        return value
    text = translate("results.choice", name=name, allowed=", ".join(allowed), value=value[:80])
    page = render_template("web/message.html", title=translate("error.400.title"), text=text)
    raise BadRequest(response=make_response(page, 400))


@blueprint.app_template_filter()
def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent, with a real minus sign and no negative zero."""
    return signed(f"{100 * share:.{digits}f}") + "%"


@blueprint.app_template_filter()
def level(share: float) -> str:
    """Write a confidence level in percent, with as many decimals as it has, up to three."""
    return f"{100 * share:.3f}".rstrip("0").rstrip(".") + "%"


@blueprint.app_template_filter()
def decimal(number: float | None, digits: int = 4) -> str:
    """Write a number with a fixed count of decimals; a dash where there is none."""
    return "–" if number is None else signed(f"{number:,.{digits}f}")


@blueprint.app_template_filter()
def at_most(bound: float | None) -> str:
    """Write an upper bound, never rounded down; a dash where there is none."""
    return "–" if bound is None else rounding.at_most(bound)


@blueprint.app_template_filter()
def small(number: float) -> str:
    """Write a tiny probability: 1e-6."""
    return f"{number:.3g}".replace("e-0", "e-")


@blueprint.app_template_filter()
def said(notice: Notice) -> str:
    """Say a notice in the language of the page."""
    values = dict(notice.values)
    if "method" in values:
        values["method"] = translate(f"results.methods.{values['method']}")
    return translate(f"notice.{notice.code}", **values)


def signed(text: str) -> str:
    """Put a minus sign for the hyphen, and none before zero."""
    if not text.strip("-0.,"):
        return text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")
