"""``candor plan FILE``: plan the number of sections asked and every epsilon."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from server.cli.survey import read
from server.option_types import CheckedType
from survey.definition import Definition
from survey.fields import DefinitionError
from survey.plan import Outlook, PlanWithin, outlook, people_without_skips, plans_within


def weight(text: str) -> tuple[str, float]:
    """Read a question and its weight, such as ``copied=2``."""
    name, _, number = text.rpartition("=")
    value = float(number)
    if not (name and 0 < value < float("inf")):
        raise ValueError
    return name, value


WEIGHT = CheckedType("weight", "a question and a number above 0, such as copied=2", weight)


def plan_file(
    file: Path,
    respondents: int,
    *,
    limits: dict[str, Any],
    asked: int | None,
    share: float | None,
    weights: Sequence[tuple[str, float]],
    confidence_level: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Plan the survey of a file, print the changes, and write the planned file to `output` if it is given.

    Parameters
    ----------
    file : Path
    respondents : int
    limits : dict[str, Any]
        ``total``, ``right`` and ``telling``, as of `survey.plan.plans_within`.
    asked, share, weights
        As of `survey.plan.plan_survey`; each weight comes with the question that has it.
    confidence_level : float
    output : Path or None
    as_json : bool

    Raises
    ------
    click.ClickException
        If a file cannot be used.
    click.UsageError
        If no plan stays within the limits.
    """
    try:
        definition = read(file)
    except DefinitionError as error:
        raise click.ClickException(str(error)) from error
    try:
        options = limits | {
            "waves": definition.waves,
            "asked": asked,
            "share": share,
            "weights": weights_of(definition, weights),
        }
        plans = plans_within(definition.sections, respondents, **options)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    best = plans[0]
    without = people_without_skips(best.plan, definition.sections, respondents, **options)
    planned = replace(definition, sections=best.plan.sections, asked=best.plan.asked, limit=best.total)
    both = [
        outlook(each.sections, each.asked, respondents, share, confidence_level)
        for each in (definition, planned)
    ]
    result = {
        "total": best.total,
        **limits_table(best),
        "limit": definition.limit,
        "respondents": respondents,
        "confidence_level": confidence_level,
        "asked": len(planned.drawn) if planned.asked is None else planned.asked,
        "drawn": len(planned.drawn),
        "people_without_skips": None if without is None else whole(without),
        "plans": [plan_table(each, len(planned.drawn)) for each in plans],
        "questions": [change(now, then) for now, then in zip(*both, strict=True)],
    }
    if output is not None:
        output.write_text(planned.as_toml(), encoding="utf-8")
    click.echo(json.dumps(result, indent=2, allow_nan=False) if as_json else text(result))


def weights_of(definition: Definition, weights: Sequence[tuple[str, float]]) -> list[float]:
    """Return a weight for every question of a survey, 1 by default.

    Raises
    ------
    ValueError
        If a weight is for no question of the survey.
    """
    names = [question.id for question in definition.questions]
    for name, _ in weights:
        if name not in names:
            raise ValueError(f"--weight must name one of the questions {', '.join(names)}, got {name!r}")
    chosen = dict(weights)
    return [chosen.get(name, 1.0) for name in names]


def plan_table(plan: PlanWithin, drawn: int) -> dict[str, Any]:
    """Return a plan as a table for JSON: its sections, its figures, and the people needed for ± 5 points."""
    asked = drawn if plan.plan.asked is None else plan.plan.asked
    return {"asked": asked, "total": plan.total, **limits_table(plan), "people": whole(plan.people)}


def limits_table(plan: PlanWithin) -> dict[str, int]:
    """Return the times in 100 that a guess is right."""
    return {"right": plan.guess.times_right, "telling": plan.guess.times_telling}


def whole(people: float) -> int | None:
    """Return a number of people rounded up, or None if no number is enough."""
    return math.ceil(people) if people < math.inf else None


def change(now: Outlook, then: Outlook) -> dict[str, Any]:
    """Return one question before and after planning, as a table for JSON."""
    shared = {"question": now.question.id, "section": now.section.id, "always": now.section.always}
    return shared | {"of": now.of, "now": state(now), "planned": state(then)}


def state(prospect: Outlook) -> dict[str, Any]:
    """Return one question's epsilon, askings and margin of error."""
    return {"epsilon": prospect.question.epsilon, "asked": prospect.asked, "margin": prospect.margin}


def text(result: Mapping[str, Any]) -> str:
    """Lay a plan out for reading."""
    asked, drawn = result["asked"], result["drawn"]
    always = " and those that are always asked" if any(q["always"] for q in result["questions"]) else ""
    which = f"{asked} of the {drawn} sections{always}" if asked < drawn else "everything"
    rows = [["question", "of", "epsilon now", "then", "asked now", "then", "± now", "± then"]]
    for question in result["questions"]:
        pairs = ((question["now"][key], question["planned"][key]) for key in ("epsilon", "asked", "margin"))
        rows.append([question["question"], question["of"], *(shown(one) for pair in pairs for one in pair)])
    head = (
        f"Ask each person {which}: total epsilon {result['total']:g}, {result['respondents']} respondents, "
        f"{result['confidence_level']:.0%} confidence"
    )
    plans = [["sections asked", "a guess is right", "most telling", "people for ±5 points", "total epsilon"]]
    for plan in result["plans"]:
        figures = (plan[key] for key in ("asked", "right", "telling", "people"))
        plans.append([*("-" if each is None else f"{each}" for each in figures), f"{plan['total']:.4g}"])
    skips = result["people_without_skips"]
    lines = [] if skips is None else ["", f"If nobody could skip, ±5 points would take {skips} people."]
    lines = [
        *aligned_lines(rows),
        "",
        *aligned_lines(plans),
        *lines,
        *limit_lines(result["limit"], result["total"]),
    ]
    return "\n".join([head, "", *lines])


def limit_lines(now: float | None, then: float) -> list[str]:
    """Return the lines that announce a changed limit of the survey."""
    if now is None or now == then:
        return []
    return ["", f"The planned survey's limit is {then:g}, and no longer {now:g}."]


def shown(value: float | None) -> str:
    """Write a number with three significant digits, more where it is large."""
    return "-" if value is None else f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def aligned_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, its first column aligned to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
