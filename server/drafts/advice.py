"""Advice on a question before it is published, in words: warnings, and sharper mechanisms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from server.drafts.comparison import Margin, MechanismComparison
from server.drafts.question_preview import Preview
from server.language.catalogue import NO_BREAK
from server.language.request_language import translate
from server.language.units import spaced
from survey.plan import Outlook
from survey.privacy import Budget, Guess, expected_radius, keeps_limit
from survey.privacy.forgery import WARNING
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING, keeps_both, protects_little

FEW, FEW_EPSILON = 200, 1.0
"""With fewer respondents at this epsilon or less, hardly anything can be said."""

WEAK_EPSILON = 3.0
"""Above this epsilon a report says nearly as much as the answer."""


@dataclass(frozen=True)
class Advice:
    """One sentence for the admin.

    Attributes
    ----------
    code : str
        Its message, ``editor.advice.<code>``.
    text : str
    warning : bool
        Whether something is wrong; otherwise something could be better.
    """

    code: str
    text: str
    warning: bool


def advice(preview: Preview, unit: str = "") -> list[Advice]:
    """Return advice on a question's settings, warnings first.

    Parameters
    ----------
    preview : Preview
    unit : str
        Of a number, in the language of the page.
    """
    return [*warnings(preview, unit), *improvements(preview, unit)]


def warnings(preview: Preview, unit: str) -> Iterator[Advice]:
    """Yield warnings about a question's settings."""
    comparison = preview.comparison
    epsilon = f"{preview.epsilon:.4g}"
    if comparison and comparison.respondents < FEW and preview.epsilon <= FEW_EPSILON:
        yield say("few", True, n=comparison.respondents, few=FEW, epsilon=epsilon)
    elif comparison and (wide := hopeless(preview, comparison)):
        margin = measure(wide, wide.chosen, unit)
        yield say("wide", True, n=comparison.respondents, people=people(comparison), margin=margin)
    if comparison and preview.delta * comparison.respondents >= 1:
        yield say(
            "delta", True, n=comparison.respondents, people=people(comparison), delta=amount(preview.delta)
        )
    if preview.mechanism == "hybrid" and preview.mean_only:
        yield say("mean_only", True, epsilon=epsilon, one_bit=named("one_bit"), laplace=named("laplace"))
    if preview.epsilon > WEAK_EPSILON:
        yield say("weak", True, epsilon=epsilon, **times(preview.guess))
    if preview.forgery > WARNING:
        yield say("forged", True, weight=amount(preview.forgery), most=f"{WARNING:g}")
    if preview.mechanism == "exponential" and comparison and comparison.complete:
        mean, shares = sorted(comparison.margins, key=lambda margin: margin.of)
        values = {"chosen": measure(shares, shares.chosen), "best": measure(shares, shares.best)}
        yield say("shares", True, mechanism=named(shares.mechanism), times=mean.times, **values)


def hopeless(preview: Preview, comparison: MechanismComparison) -> Margin | None:
    """Find a margin so large that hardly anything could be said.

    The shares of an exponential mechanism do not count: another warning covers them.
    """
    found = (each for each in comparison.margins if each.hopeless)
    return next((each for each in found if preview.mechanism != "exponential" or each.of != "share"), None)


def people(comparison: MechanismComparison) -> str:
    """Write how many respondents are expected."""
    return f"{comparison.respondents:,}"


def beside_limit(epsilon: float, limit: float | None) -> str:
    """Write a sum of losses with four decimals, and with more where these hide that it exceeds a limit.

    Examples
    --------
    >>> beside_limit(1.6094379, None), beside_limit(1.6094379, 1.0), beside_limit(1.6094379, 1.6094)
    ('1.6094', '1.6094', '1.60944')
    """
    written = (f"{epsilon:,.{digits}f}" for digits in range(4, 12))
    if keeps_limit(epsilon, limit):
        return next(written)
    return next((text for text in written if float(text.replace(",", "")) > (limit or 0)), f"{epsilon:,}")


def of_budget(sum_of_all: Budget, figures: Guess, limit: float | None) -> list[Advice]:
    """Return warnings about the whole survey: above its own limit, or beyond what a guess should tell.

    Parameters
    ----------
    sum_of_all : Budget
        Over all questions and waves.
    figures : Guess
        Likewise.
    limit : float or None
        The survey's own.
    """
    if limit is not None and not keeps_limit(sum_of_all.epsilon, limit):
        return [say("limit", True, limit=f"{limit:g}")]
    if protects_little(figures):
        return [say("little", True, **times(figures))]
    limits = {"most_right": MOST_RIGHT, "most_telling": MOST_TELLING}
    return [] if keeps_both(figures) else [say("beyond", True, **times(figures), **limits)]


def times(figures: Guess) -> dict[str, object]:
    """Return both figures in times in 100, by the names that the messages have for them."""
    return {"right": figures.times_right, "telling": figures.times_telling}


def improvements(preview: Preview, unit: str) -> Iterator[Advice]:
    """Yield what could be more precise at the same epsilon, or asked so that the results show more."""
    for margin in preview.comparison.margins if preview.comparison else ():
        if not margin.improvable or (preview.mechanism == "exponential" and margin.of == "share"):
            continue
        values = {"chosen": measure(margin, margin.chosen, unit), "best": measure(margin, margin.best, unit)}
        if margin.mechanism == preview.mechanism:
            yield say("size", False, **values)
        else:
            what = margin.of if preview.kind != "choice" or margin.of == "share" else "place"
            most = f"{margin.span + 1:g}"
            yield say(f"sharper_{what}", False, mechanism=named(margin.mechanism), most=most, **values)
    if preview.kind == "number":
        yield say("classes", False)


def say(code: str, warning: bool, /, **values: object) -> Advice:
    """Put a message into words."""
    return Advice(code, translate(f"editor.advice.{code}", **values), warning)


def named(mechanism: str) -> str:
    """Return the name of a mechanism."""
    return translate(f"editor.mechanism.{mechanism}.name")


def measure(margin: Margin | Outlook, value: float | None, unit: str = "") -> str:
    """Write a margin: of a share in points, of a mean in its unit, or without one beside its range."""
    if value is None:
        return translate("editor.no_margin")
    if margin.of == "share":
        return translate("editor.points", points=f"{100 * value:,.1f}")
    written = f"±{NO_BREAK}{amount(value)}{spaced(unit)}"
    return written if unit else translate("editor.in_range", margin=written, span=amount(margin.span))


def measure_chosen(margin: Margin, unit: str = "") -> str:
    """Write the margin that the chosen mechanism has."""
    return measure(margin, margin.chosen, unit)


def radius(preview: Preview, unit: str = "") -> str:
    """Write how far one forged report among the expected respondents can move an estimate."""
    share = preview.forgery
    if preview.comparison:
        drawn = Fraction(preview.sampled, preview.boxes) if preview.sampled and preview.boxes else None
        share = expected_radius(share, preview.comparison.respondents, drawn)
    if preview.low is not None and preview.high is not None:
        return amount(share * (preview.high - preview.low)) + spaced(unit)
    return translate("editor.only_points", points=amount(100 * share))


def amount(number: float) -> str:
    """Write a number with three significant digits.

    Examples
    --------
    >>> amount(0.123456), amount(1234.5), amount(1e-6)
    ('0.123', '1,234', '1e-6')
    """
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}".replace("e-0", "e-")
