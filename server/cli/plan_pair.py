"""``candor plan --odds-ratio``: the people for a test of whether two yes/no questions go together."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import click

from server.cli.plan_survey import aligned_lines
from survey.channel import require_epsilon
from survey.mechanisms import spinner_coin
from survey.plan.association_power import respondents_for_association
from survey.plan.linking import bright_share
from survey.plan.pair_figures import Matrix, apart, joint_table, together
from survey.privacy import times_in_100

WAYS = {
    "linked": "both on one wheel",
    "same_total": "a spin each, at the same epsilon in all",
    "same_guess": "a spin each, where a guess is right as often",
}
"""The words for each way, in the table."""


def plan_pair(
    epsilon: float,
    share: tuple[float, ...] | None,
    odds_ratio: float | None,
    difference: float | None,
    power: float,
    significance: float,
    as_json: bool,
) -> None:
    """Print how many people a test of independence needs, linked and apart.

    Parameters
    ----------
    epsilon : float
        Of both questions together.
    share : tuple of float or None
        Of yes to each of them.
    odds_ratio, difference : float, optional
        One of them, as of `survey.plan.pair_figures.joint_table`.
    power, significance : float
    as_json : bool

    Raises
    ------
    click.UsageError
        If a number is outside its range, or one is missing.
    """
    if share is None or len(share) != 2:
        raise click.UsageError("--share must be two shares here, of yes to each question")
    if odds_ratio is not None and difference is not None:
        raise click.UsageError("--difference must be absent where --odds-ratio says how they go together")
    try:
        table = joint_table(*share, odds_ratio=odds_ratio, difference=difference)
        plans = pair_plans(require_epsilon(epsilon), table, power, significance)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if any(plan["people"] is None for plan in plans):
        raise click.UsageError("--odds-ratio must not be 1, nor --difference 0: nothing could be found then")
    result: dict[str, Any] = {
        "shares": share,
        "odds_ratio": odds_ratio,
        "difference": difference,
        "power": power,
        "significance": significance,
        "plans": plans,
    }
    click.echo(json.dumps(result, indent=2, allow_nan=False) if as_json else text(result))


def pair_plans(epsilon: float, table: Matrix, power: float, significance: float) -> list[dict[str, Any]]:
    """Return, for each way, its total epsilon, how often a guess is right, and the people.

    Notes
    -----
    A guess at both answers is right as often as at one of them: on a wheel both stand or fall together, and
    of two spins the second adds nothing to what may be guessed between two pairs of answers that differ in
    both.
    """
    bright = float(bright_share(epsilon, table.size))
    right = (1 + bright) / 2
    totals = {
        "linked": epsilon,
        "same_total": epsilon,
        "same_guess": 2 * math.log(right / (1 - right)),
    }
    plans = []
    for way, total in totals.items():
        own = spinner_coin(total / 2).probabilities
        chances = together(bright, *table.shape) if way == "linked" else apart(own, own)
        people = respondents_for_association(chances, table, power=power, significance=significance)
        plans.append(
            {
                "way": way,
                "total": total,
                "right": times_in_100(right if way == "linked" else float(own[1, 1])),
                "people": math.ceil(people) if people < math.inf else None,
            }
        )
    return plans


def text(result: Mapping[str, Any]) -> str:
    """Lay the plans out for reading."""
    first, second = result["shares"]
    how = "odds ratio" if result["odds_ratio"] is not None else "difference"
    head = (
        f"A test of two yes/no questions, shares {first:g} and {second:g}, "
        f"{how} {result[how.replace(' ', '_')]:g}: power {result['power']:g} at significance "
        f"{result['significance']:g}"
    )
    rows = [
        [WAYS[plan["way"]], f"{plan['total']:.4g}", f"{plan['right']}", f"{plan['people']:,}"]
        for plan in result["plans"]
    ]
    heads = ["", "total epsilon", "a guess is right", "people"]
    return "\n".join([head, "", *aligned_lines([heads, *rows])])
