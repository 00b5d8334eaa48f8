"""The development page that shows every component in every state."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, render_template

from server.language.catalogue import LANGUAGES, say, section
from server.results.charts.dot_plot import Dot, axis, dot_plot
from server.results.number_text import percent
from server.results.question_layout import ChartRow, Label
from survey.publication import Publication, canonical_json, publish
from survey.read_definition import from_dict

blueprint = Blueprint("style", __name__)

DEVICES = (
    ("spinner_coin", 0.1),
    ("spinner_coin", 1.0),
    ("spinner_coin", 4.0),
    ("spinner", 1.0),
    ("coin", None),
)
"""Mechanism and epsilon of each yes/no question in the sample survey."""

KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": 6},
    {"kind": "choice", "mechanism": "wheel", "epsilon": 2.0, "options": 20, "skip": "apart"},
    {"kind": "choice", "mechanism": "subset", "epsilon": 1.0, "options": 8},
    {"kind": "choice", "mechanism": "exponential", "epsilon": 2.0, "options": 5, "ordered": True},
    {"kind": "boxes", "mechanism": "per_box", "epsilon": 3.0, "options": 6},
    {"kind": "boxes", "mechanism": "sampled_box", "epsilon": 1.0, "options": 10},
    {"kind": "number", "mechanism": "one_bit", "epsilon": 1.0, "low": 0, "high": 50, "step": 1},
    {"kind": "number", "mechanism": "laplace", "epsilon": 2.0, "low": 0, "high": 50, "step": 1},
    {
        "kind": "number",
        "mechanism": "gaussian",
        "epsilon": 2.0,
        "low": 0,
        "high": 50,
        "step": 1,
        "delta": 1e-6,
    },
    {"kind": "number", "mechanism": "hybrid", "epsilon": 2.0, "low": 0, "high": 50, "step": 1},
)
"""A question of every other kind and mechanism; `options` is the number of its options."""

CHARTS = ((0.31, 0.24, 0.38, 0.42), (0.0, 0.0, 0.07, 0.26), (0.96, 0.9, 1.0, 0.71))
"""Estimate, low, high and noisy share of a row in the middle and at each end of the axis."""


@blueprint.get("/style")
def page() -> str:
    """Show the components with made-up results."""
    messages = canonical_json({code: dict(section(code, "respond")) for code in LANGUAGES})
    plot = dot_plot(axis(value for values in CHARTS for value in values), CHARTS)
    return render_template(
        "public/style.html",
        publication=sample(),
        messages=messages,
        plot=plot,
        rows=[shown(number, dot) for number, dot in enumerate(plot.dots, 1)],
        ticks=[percent(tick.value, 0) for tick in plot.ticks],
    )


def shown(number: int, dot: Dot) -> ChartRow:
    """Write a made-up estimate as a row of results."""
    estimate, low, high = (percent(mark.value, 0) for mark in (dot.estimate, dot.low, dot.high))
    option = Label(say(LANGUAGES[0], "style.sample.option", n=number), LANGUAGES[0])
    return ChartRow(option, dot, dot.estimate.value, estimate, low, high, 0)


@cache
def sample() -> Publication:
    """Publish the sample survey of this page."""

    def texts(key: str) -> dict[str, str]:
        """Return a text of the sample in every language."""
        return {code: say(code, f"style.sample.{key}") for code in LANGUAGES}

    def options(settings: dict[str, Any]) -> dict[str, Any]:
        if "options" not in settings:
            return {}
        numbered = range(1, settings["options"] + 1)
        return {
            "options": [{code: say(code, "style.sample.option", n=n) for code in LANGUAGES} for n in numbered]
        }

    devices: list[dict[str, Any]] = [
        {"mechanism": mechanism} | ({} if epsilon is None else {"epsilon": epsilon})
        for mechanism, epsilon in DEVICES
    ]
    questions = [
        {"id": f"question_{index}", "wording": texts("wording")} | settings | options(settings)
        for index, settings in enumerate([*devices, *KINDS])
    ]
    around = {key: texts(key) for key in ("title", "information", "consent", "help", "closing")}
    table = {"candor": 1, "slug": "style", "languages": list(LANGUAGES), **around, "questions": questions}
    return publish(from_dict(table, "the sample survey"))
