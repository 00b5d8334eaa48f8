"""Numbers and notices as the pages of results write them: filters for templates."""

from __future__ import annotations

from flask import Flask

from server.language import rounding
from server.language.request_language import translate
from survey.notice import Notice


def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent, with a real minus sign and no negative zero."""
    return signed(f"{100 * share:.{digits}f}") + "%"


def level(share: float) -> str:
    """Write a confidence level in percent, with as many decimals as it has, up to three."""
    return f"{100 * share:.3f}".rstrip("0").rstrip(".") + "%"


def decimal(number: float | None, digits: int = 4) -> str:
    """Write a number with a fixed count of decimals; a dash where there is none."""
    return "–" if number is None else signed(f"{number:,.{digits}f}")


def upper_bound(bound: float | None) -> str:
    """Write an upper bound, never rounded down; a dash where there is none."""
    return "–" if bound is None else rounding.at_most(bound)


def suspicion(share: float, highest: bool) -> str:
    """Write the end of a range of suspicions in percent: never too narrow, and 100 only for who is certain.

    Examples
    --------
    >>> suspicion(0.7310586, True), suspicion(0.2689414, False), suspicion(0.9999546, True)
    ('73.2%', '26.8%', '99.996%')
    """
    write = rounding.at_most if highest else rounding.at_least
    texts = (write(100 * share, digits) for digits in (3, 4, 5, 6, 7))
    return next((text for text in texts if text != "100" or share == 1), "100") + "%"


def small(number: float) -> str:
    """Write a tiny probability: 1e-6."""
    return f"{number:.3g}".replace("e-0", "e-")


def notice_text(notice: Notice) -> str:
    """Write a notice in the language of the page."""
    values = dict(notice.values)
    if "method" in values:
        values["method"] = translate(f"results.methods.{values['method']}")
    return rounding.with_minus(translate(f"notice.{notice.code}", **values))


def signed(text: str) -> str:
    """Put a minus sign for the hyphen, and none before zero."""
    if not text.strip("-0.,"):
        return text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")


def init_app(app: Flask) -> None:
    """Bind the filters in templates."""
    for function in (percent, level, decimal, upper_bound, small, suspicion, notice_text):
        app.add_template_filter(function)
