"""The options that name a mechanism or a design on paper, and the channel built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from server.cli.shared.numbers import Numbers
from server.option_types import CheckedType
from survey import mechanisms, paper
from survey.channel import Channel
from survey.design.wants import read_wants
from survey.paper import Design
from survey.rules import Refusal

GRID = ("low", "high", "step")
Builder = Callable[..., Channel | Design]
BUILDERS: Mapping[str, tuple[Builder, tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "spinner_coin": (mechanisms.spinner_coin, ("epsilon",), ()),
        "spinner": (mechanisms.spinner, ("epsilon",), ()),
        "coin": (mechanisms.coin, (), ()),
        "wheel": (mechanisms.wheel, ("categories", "epsilon"), ()),
        "subset": (mechanisms.subset, ("categories", "epsilon"), ("size",)),
        "cyclic": (mechanisms.cyclic, ("categories", "epsilon"), ()),
        "designed": (mechanisms.designed, ("categories", "epsilon"), ("wants",)),
        "exponential": (mechanisms.exponential, ("categories", "epsilon"), ()),
        "per_box": (mechanisms.per_box, ("boxes", "epsilon"), ("scope",)),
        "sampled_box": (mechanisms.sampled_box, ("boxes", "epsilon"), ()),
        "one_bit": (mechanisms.one_bit, (*GRID, "epsilon"), ()),
        "laplace": (mechanisms.laplace, (*GRID, "epsilon"), ()),
        "gaussian": (mechanisms.gaussian, (*GRID, "epsilon", "delta"), ()),
        "hybrid": (mechanisms.hybrid, (*GRID, "epsilon"), ()),
        "designed_number": (mechanisms.designed_number, (*GRID, "epsilon"), ("wants",)),
        "forced": (paper.forced, (), ("truth", "forced_yes", "forced_no")),
        "dice": (paper.dice, ("dice",), ("yes_on", "no_on")),
        "warner": (paper.warner, ("truth",), ()),
        "unrelated": (paper.unrelated, ("truth", "prevalence"), ()),
        "crosswise": (paper.crosswise, ("prevalence",), ()),
        "triangular": (paper.triangular, ("prevalence",), ()),
        "linked": (paper.linked, ("options",), ("truth",)),
        "matrix": (lambda matrix: matrix, ("matrix",), ()),
    }
)
"""Name -> the function, the settings it needs, and those it accepts. Designs on paper come last."""

NEEDS = MappingProxyType(
    {
        "epsilon": "a number above 0 and at most 10",
        "delta": "a number above 0 and below 1",
        "categories": "the number of options",
        "boxes": "the number of boxes",
        "low": "the smallest number",
        "high": "the largest number",
        "step": "the distance between two numbers",
        "truth": "how often people answer truly, such as 3/4",
        "prevalence": "the share of yes to the other question, such as 1/4",
        "dice": "the number of dice",
        "options": "the number of options of each question, such as 2,2",
        "matrix": "a CSV file with the chance of each report, a line for each answer",
    }
)


class MatrixFile(click.ParamType):  # type: ignore[type-arg]
    """The type of a file with a matrix of chances, read into a design."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file."""
        path = click.Path(exists=True, dir_okay=False, path_type=Path).convert(value, param, ctx)
        try:
            with path.open(encoding="utf-8-sig", errors="replace") as file:
                return paper.read_matrix(file.read(LONGEST_MATRIX))
        except ValueError as error:
            return self.fail(f"{path}: {error}", param, ctx)


class WantsText(click.ParamType):  # type: ignore[type-arg]
    """The type of what a channel is designed for: words such as ``curve``, or ``shares=1,curve=2``."""

    name = "wants"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read each want with its weight, 1 where none is named."""
        wants: dict[str, float] = {}
        for part in str(value).split(","):
            want, _, weight = part.partition("=")
            try:
                wants[want.strip()] = float(weight) if weight else 1.0
                read_wants(wants)
            except ValueError as error:
                return self.fail(str(error), param, ctx)
        return wants


CHANCE = CheckedType(
    "chance", "a chance from 0 to 1, such as 3/4, 0.75 or 75%", partial(paper.require_chance, "it")
)
TOTAL = click.IntRange(min=1)
LONGEST_MATRIX = 2**20
"""Most characters that are read of a file with a matrix."""

OPTIONS = (
    click.option(
        "--epsilon", type=float, help="Privacy loss, above 0 and at most 10; not for coin, where it is ln 3."
    ),
    click.option("--categories", type=int, help="Number of options of one choice."),
    click.option("--size", type=int, help="Options in each report (subset); by default, the best number."),
    click.option("--boxes", type=int, help="Number of boxes (per_box, sampled_box)."),
    click.option(
        "--scope",
        type=click.Choice(["question", "box"]),
        help="What epsilon applies to (per_box); by default, the question.",
    ),
    click.option("--low", type=float, help="Smallest number of a grid."),
    click.option("--high", type=float, help="Largest number."),
    click.option("--step", type=float, help="Distance between two numbers."),
    click.option(
        "--wants",
        type=WantsText(),
        help="What designed is for: shares, mean, curve, or several as shares=1,curve=2; by default all.",
    ),
    click.option("--delta", type=float, help="Chance of an exception (gaussian), above 0 and below 1."),
    click.option(
        "--truth",
        type=Numbers(CHANCE),
        help="How often people answer truly (forced; linked, by default 1/2, for coins), or the sensitive "
        "question (warner, unrelated), as 3/4, 0.75 or 75%. Two for unrelated: of two samples, with the "
        "counts of one after the other.",
    ),
    click.option("--forced-yes", type=CHANCE, help="How often chance says yes, whatever is true (forced)."),
    click.option("--forced-no", type=CHANCE, help="How often chance says no (forced)."),
    click.option(
        "--prevalence",
        type=CHANCE,
        help="Share of yes to the other question (unrelated, crosswise, triangular).",
    ),
    click.option("--dice", type=int, help="Number of dice (dice), 1 to 6."),
    click.option("--yes-on", type=Numbers(TOTAL), help="Totals on which people say yes (dice)."),
    click.option("--no-on", type=Numbers(TOTAL), help="Totals on which people say no (dice)."),
    click.option(
        "--options",
        type=Numbers(TOTAL),
        help="Numbers of options of questions whose answers one device decides for together (linked).",
    ),
    click.option(
        "--matrix",
        type=MatrixFile(),
        help="CSV file with the chance of each report, a line for each answer (matrix).",
    ),
)


@dataclass(frozen=True)
class Mechanism:
    """A mechanism with its settings, or a design on paper with its exact chances."""

    name: str
    channel: Channel
    design: Design | None = None

    @property
    def kind(self) -> str:
        """The kind of question that the mechanism is for, a name of `survey.plan.KINDS`."""
        needed = BUILDERS[self.name][1]
        if self.name in ("matrix", "linked"):
            return "choice"
        for setting, kind in (("categories", "choice"), ("boxes", "boxes"), ("low", "number")):
            if setting in needed:
                return kind
        return "yes_no"

    def answers(self) -> list[str | int]:
        """Name the answers by index: no and yes, or the positions of the options."""
        if self.kind in ("yes_no", "boxes"):
            return ["no", "yes"]
        return list(range(self.channel.answers))

    def reports(self) -> tuple[str, ...]:
        """Name the reports by index, if they have names."""
        if self.design is not None:
            return self.design.reports
        return ("no", "yes") if self.kind == "yes_no" else ()


def mechanism_options(required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a decorator that adds ``--mechanism`` and its settings to a command."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(OPTIONS):
            command = option(command)
        names = click.Choice(list(BUILDERS))
        help_text = "How answers are randomized."
        return click.option("--mechanism", type=names, required=required, help=help_text)(command)

    return add


def read_mechanism(name: str, settings: Mapping[str, Any]) -> Mechanism:
    """Build the mechanism that the options describe.

    Raises
    ------
    click.UsageError
        If a setting is missing, or the mechanism does not accept it.
    """
    build, needed, taken = BUILDERS[name]
    chosen = {setting: value for setting, value in settings.items() if value is not None}
    for setting, value in chosen.items():
        if setting not in (*needed, *taken):
            reason = ": it is ln 3" if (name, setting) == ("coin", "epsilon") else ""
            raise click.UsageError(
                f"{option_of(setting)} must be absent for {name}, got {shown(value)}{reason}"
            )
    for setting in needed:
        if setting not in chosen:
            raise click.UsageError(f"{option_of(setting)} is missing: {name} needs {NEEDS[setting]}")
    if "truth" in chosen:
        chosen["truth"] = single(chosen["truth"])
    try:
        built = build(**chosen)
    except ValueError as error:
        if isinstance(error, Refusal) and error.parameter in chosen:
            raise click.BadParameter(str(error), param_hint=option_of(error.parameter)) from error
        raise click.UsageError(str(error)) from error
    if isinstance(built, Design):
        return Mechanism(name, built.channel, built)
    return Mechanism(name, built)


def named(mechanism: str | None, settings: Mapping[str, Any], instead: str = "") -> str:
    """Return the name of the mechanism, which some settings imply.

    Raises
    ------
    click.MissingParameter
        If neither the name nor such a setting is given.
    """
    if mechanism is not None:
        return mechanism
    for setting, name in (
        ("matrix", "matrix"),
        ("forced_yes", "forced"),
        ("forced_no", "forced"),
        ("dice", "dice"),
    ):
        if settings.get(setting) is not None:
            return name
    raise click.MissingParameter(param_type="option", param_hint=f"'--mechanism'{instead}")


def single(chances: tuple[Any, ...]) -> Any:
    """Return the chance of an option that must hold one here, and may hold two elsewhere."""
    if len(chances) != 1:
        raise click.BadParameter(f"must be one chance, got {len(chances)}", param_hint="--truth")
    return chances[0]


def option_of(setting: str) -> str:
    """Write the name of a setting's option."""
    return f"--{setting.replace('_', '-')}"


def shown(value: object) -> str:
    """Write the value of an option as it is typed."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return (
        "a file"
        if isinstance(value, Design)
        else str(value)
        if isinstance(value, Fraction | Path)
        else repr(value)
    )


def refuse_settings(settings: Mapping[str, object], instead: str) -> None:
    """Refuse options that mean nothing together with another one.

    Raises
    ------
    click.UsageError
        If one of them is given.
    """
    for name, value in settings.items():
        if value is not None:
            raise click.UsageError(
                f"{option_of(name)} must be absent where {instead} is given, got {shown(value)}"
            )
