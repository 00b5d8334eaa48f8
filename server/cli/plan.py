"""``candor plan``: plan a whole survey within both limits, or compare the mechanisms for one question."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from server.cli.plan_pair import plan_pair
from server.cli.plan_survey import WANT, WEIGHT, aligned_lines, plan_file
from server.cli.shared.numbers import SHARE, SHARE_BETWEEN, CommandWithNumbers, Numbers, examples
from server.option_types import FILE, CheckedType
from survey.column import Column
from survey.limits import CONFIDENCE_LEVEL
from survey.plan import ALTERNATIVES, KINDS, MechanismPlan, compare, power, respondents_for_power, suitable
from survey.privacy import guess, reports_of
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING

OF_SURVEY = frozenset(
    {"total", "right", "telling", "about", "asked", "weights", "wants", "known", "apart", "output"}
)
"""Options that plan a whole survey."""

OF_BOTH = frozenset({"file", "share", "respondents", "confidence_level", "as_json"})


@click.command(
    cls=CommandWithNumbers,
    epilog=examples(
        "candor plan health.toml --respondents 1000",
        "candor plan health.toml --right 85 --telling 90",
        "candor plan health.toml --want copied,data=odds_ratio --known data",
        "candor plan --epsilon 1 --share 10% --margin 5%",
        "candor plan --kind choice --categories 10 --epsilon 1 --respondents 5000",
        "candor plan --epsilon 1 --share 0.2 --null 0.1 --respondents 2000",
        "candor plan --epsilon 2 --share 0.2 0.3 --odds-ratio 2",
    ),
)
@click.argument("file", metavar="[FILE]", type=FILE, required=False)
@click.option(
    "--total",
    type=float,
    help="With FILE: the most epsilon that one person may lose over all waves, where --telling allows more.",
)
@click.option(
    "--right",
    type=click.IntRange(51, 99),
    default=MOST_RIGHT,
    show_default=True,
    help="With FILE: times in 100 that a guess at somebody's answers may be right at most.",
)
@click.option(
    "--telling",
    type=click.IntRange(51, 99),
    default=MOST_TELLING,
    show_default=True,
    help="With FILE: the same after the most telling result.",
)
@click.option(
    "--asked", type=int, help="With FILE: how many sections a person is asked; by default, the best number."
)
@click.option(
    "--weight",
    "weights",
    metavar="QUESTION=NUMBER",
    type=WEIGHT,
    multiple=True,
    help="With FILE: how much the margin of a question matters; 1 by default. Repeat it for others.",
)
@click.option(
    "--want",
    "wants",
    metavar="QUESTION[,QUESTION]=FIGURE[:MARGIN]",
    type=WANT,
    multiple=True,
    help="With FILE: a figure that is wanted of a question, or of two together. Repeat it for others.",
)
@click.option(
    "--about",
    type=click.Choice(("all", "single")),
    default="all",
    show_default=True,
    help="With FILE: whether --right limits guesses at all answers together, or at any single one.",
)
@click.option(
    "--known",
    metavar="QUESTION",
    multiple=True,
    help="With FILE: a question whose answer others know, such as the age group; it is not linked.",
)
@click.option("--apart", is_flag=True, help="With FILE: link nothing.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="With FILE: write the planned survey file, without comments.",
)
@click.option(
    "--kind", type=click.Choice(KINDS), default=KINDS[0], show_default=True, help="Kind of question."
)
@click.option("--epsilon", type=float, help="Privacy loss of the question, above 0 and at most 10.")
@click.option("--categories", type=int, default=2, show_default=True, help="Number of options (choice).")
@click.option("--ordered", is_flag=True, help="The options are ordered.")
@click.option(
    "--mean",
    "of_mean",
    is_flag=True,
    help="Estimate the mean position of ordered options, with the worst answers; a number question for the "
    "position is compared too.",
)
@click.option("--boxes", type=int, default=2, show_default=True, help="Number of boxes (boxes).")
@click.option("--low", type=float, default=0.0, show_default=True, help="Smallest number.")
@click.option("--high", type=float, default=10.0, show_default=True, help="Largest number.")
@click.option("--step", type=float, default=1.0, show_default=True, help="Distance between two numbers.")
@click.option(
    "--delta",
    type=float,
    help="Chance of an exception, above 0 and below 1; without it, gaussian is left out.",
)
@click.option(
    "--share",
    type=Numbers(SHARE),
    help="Expected share of yes or of a box, or of every option; by default, equal shares.",
)
@click.option(
    "--margin",
    metavar="SHARE|NUMBER",
    help="Half the width of the interval: a share such as 5%, or for a mean a number in its unit.",
)
@click.option(
    "--respondents", type=click.IntRange(min=1), default=1000, show_default=True, help="Planned respondents."
)
@click.option(
    "--confidence-level",
    type=SHARE_BETWEEN,
    default=CONFIDENCE_LEVEL,
    show_default=True,
    help="Level of the intervals.",
)
@click.option("--null", type=SHARE, help="Share that a test is to reject (yes_no).")
@click.option(
    "--power", "wanted", type=SHARE_BETWEEN, default=0.8, show_default=True, help="Power that the test needs."
)
@click.option(
    "--alternative",
    type=click.Choice(ALTERNATIVES),
    default=ALTERNATIVES[0],
    show_default=True,
    help="On which side of the null the test looks.",
)
@click.option(
    "--odds-ratio",
    type=float,
    help="Of two yes/no questions, with --share of both: plan a test of whether they go together.",
)
@click.option(
    "--difference",
    type=float,
    help="Instead: how much larger the share of yes to the second is among people with yes to the first "
    "than among the others.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def plan(
    context: click.Context,
    /,
    file: Path | None,
    total: float | None,
    right: int,
    telling: int,
    asked: int | None,
    weights: tuple[tuple[str, float], ...],
    wants: tuple[tuple[tuple[str, ...], str, float | None], ...],
    about: str,
    known: tuple[str, ...],
    apart: bool,
    output: Path | None,
    kind: str,
    epsilon: float | None,
    share: tuple[float, ...] | None,
    margin: str | None,
    respondents: int,
    confidence_level: float,
    null: float | None,
    wanted: float,
    alternative: str,
    odds_ratio: float | None,
    difference: float | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Plan a whole survey within both limits, or compare the mechanisms for one question.

    With FILE, find what to link, how many sections to ask and every epsilon, so that what is wanted needs the
    fewest people and a guess at somebody's answers is right no more often than --right and --telling say.
    The file may leave out every epsilon and mechanism. Shares, and means as a part of what could come out,
    are wanted to 5 points. Without FILE, compare every mechanism that suits a question, the best first.
    """
    refuse_others(context, file is not None)
    if file is not None:
        if share is not None and len(share) != 1:
            raise click.UsageError(f"--share must be one share with FILE, got {len(share)}")
        plan_file(
            file,
            respondents,
            settings={
                "total": total,
                "right": right,
                "telling": telling,
                "about": about,
                "asked": asked,
                "share": share[0] if share else None,
                "linked": not apart,
            },
            wants=wants,
            known=known,
            weights=weights,
            confidence_level=confidence_level,
            output=output,
            as_json=as_json,
        )
        return
    if epsilon is None:
        raise click.UsageError("Missing option '--epsilon'.")
    if odds_ratio is not None or difference is not None:
        plan_pair(epsilon, share, odds_ratio, difference, wanted, 1 - confidence_level, as_json)
        return
    if null is not None and (kind != "yes_no" or share is None):
        raise click.UsageError("--null needs a yes_no question and its --share")
    of_mean = kind == "number" or settings["of_mean"]
    margin_wanted = 0.05 * (settings["high"] - settings["low"] if kind == "number" else 1)
    if margin is not None:
        margin_wanted = read_margin(margin, of_mean)
    try:
        designs = designs_of(kind, epsilon, share, margin_wanted, respondents, confidence_level, settings)
        tables = [design_table(design) for design in designs]
        if null is not None and share is not None:
            alpha = 1 - confidence_level
            for row, design in zip(tables, designs, strict=True):
                row["power"] = power(design.channel, respondents, share[0], null, alpha, alternative)
                row["respondents_for_power"] = respondents_for_power(
                    design.channel, wanted, share[0], null, alpha, alternative
                )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    result = {
        "kind": kind,
        "best": designs[0].mechanism,
        "margin_wanted": margin_wanted,
        "respondents_planned": respondents,
        "confidence_level": confidence_level,
        "designs": tables,
    }
    click.echo(
        json.dumps(result, indent=2, allow_nan=False)
        if as_json
        else text(result, wanted, of_places=settings["of_mean"])
    )


def refuse_others(context: click.Context, with_file: bool) -> None:
    """Refuse options for surveys without FILE, and options for one question with it.

    Raises
    ------
    click.UsageError
        If there is such an option.
    """
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in OF_BOTH and (name in OF_SURVEY) != with_file:
            allowed = "absent with FILE: it is for one question" if with_file else "absent without FILE"
            raise click.UsageError(f"{option.opts[-1]} must be {allowed}")


def read_margin(text: str, of_mean: bool) -> float:
    """Read a margin of error: a share, or for a mean a number in its unit.

    Raises
    ------
    click.BadParameter
        If the text is no such margin.
    """
    try:
        margin: float = (ABOVE_0 if of_mean else SHARE_BETWEEN).convert(text, None, None)
    except click.BadParameter as error:
        error.param_hint = "--margin"
        raise
    return margin


def above_0(text: str) -> float:
    """Read a number above 0."""
    value = float(text)
    if not 0 < value < math.inf:
        raise ValueError
    return value


ABOVE_0 = CheckedType("number", "a number above 0, in the unit of the mean", above_0)


def designs_of(
    kind: str,
    epsilon: float,
    share: tuple[float, ...] | None,
    margin: float,
    respondents: int,
    confidence_level: float,
    settings: dict[str, Any],
) -> list[MechanismPlan]:
    """Compare the mechanisms that suit a question; the best comes first."""
    channels = suitable(
        kind,
        epsilon,
        categories=settings["boxes"] if kind == "boxes" else settings["categories"],
        wanted="mean" if settings["of_mean"] else "share",
        ordered=settings["ordered"],
        low=settings["low"],
        high=settings["high"],
        step=settings["step"],
        delta=settings["delta"],
    )
    proportions = share
    if share is not None and len(share) == 1:
        proportions = (1 - share[0], share[0])
    if settings["of_mean"] and not (kind == "choice" and settings["ordered"]):
        raise ValueError("--mean needs --kind choice --ordered; the mean of a number needs no option")
    return compare(
        channels,
        proportions,
        respondents=respondents,
        margin_wanted=margin,
        confidence_level=confidence_level,
        grid=np.arange(1, settings["categories"] + 1) if settings["of_mean"] else None,
    )


def design_table(design: MechanismPlan) -> dict[str, Any]:
    """Return a design as a table for JSON."""
    figures = guess(reports_of([Column("asked", design.channel)]))
    row = vars(design) | {"right": figures.times_right, "telling": figures.times_telling}
    row |= {"variance": design.precision.variance}
    return {name: value for name, value in row.items() if name not in {"channel", "precision"}}


def text(result: dict[str, Any], wanted: float, *, of_places: bool) -> str:
    """Lay out a comparison; the mean position of ordered options needs a note."""
    level = f"{result['confidence_level']:.0%}"
    headings = {
        "mechanism": "mechanism",
        "epsilon": "epsilon",
        "delta": "delta",
        "right": "a guess is right",
        "telling": "most telling",
        "design_effect": "design effect",
        "respondents": f"respondents for ±{result['margin_wanted']:g}",
        "margin": f"± with {result['respondents_planned']}",
        "power": f"power with {result['respondents_planned']}",
        "respondents_for_power": f"respondents for power {wanted:g}",
    }
    shown = {name: heading for name, heading in headings.items() if name in result["designs"][0]}
    rows = [list(shown.values())]
    for design in result["designs"]:
        cells = [design[name] for name in shown]
        rows.append(
            ["" if c is None else c if isinstance(c, str) else f"{c:.4g}" if isinstance(c, float) else f"{c}"
             for c in cells]
        )  # fmt: skip
    note = ["", 'hybrid, one_bit and laplace ask for the position as a number: they need kind = "number".']
    table = [f"Best: {result['best']} (at {level} confidence)", "", *aligned_lines(rows)]
    return "\n".join(table + note if of_places else table)
