"""The options that name a mechanism and its settings, read into a channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from survey import mechanisms
from survey.channel import Channel

GRID = ("low", "high", "step")
BUILDERS: Mapping[str, tuple[Callable[..., Channel], tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "spinner_coin": (mechanisms.spinner_coin, ("epsilon",), ()),
        "spinner": (mechanisms.spinner, ("epsilon",), ()),
        "coin": (mechanisms.coin, (), ()),
        "wheel": (mechanisms.wheel, ("categories", "epsilon"), ()),
        "subset": (mechanisms.subset, ("categories", "epsilon"), ("size",)),
        "exponential": (mechanisms.exponential, ("categories", "epsilon"), ()),
        "per_box": (mechanisms.per_box, ("boxes", "epsilon"), ("scope",)),
        "sampled_box": (mechanisms.sampled_box, ("boxes", "epsilon"), ()),
        "one_bit": (mechanisms.one_bit, (*GRID, "epsilon"), ()),
        "laplace": (mechanisms.laplace, (*GRID, "epsilon"), ()),
        "gaussian": (mechanisms.gaussian, (*GRID, "epsilon", "delta"), ()),
        "hybrid": (mechanisms.hybrid, (*GRID, "epsilon"), ()),
    }
)
"""Name -> the function, the settings it needs, and those it takes."""

NEEDS = MappingProxyType(
    {
        "epsilon": "a number in (0, 10]",
        "delta": "a number in (0, 1)",
        "categories": "the number of options",
        "boxes": "the number of boxes",
        "low": "the smallest number",
        "high": "the largest number",
        "step": "the distance between two numbers",
    }
)

OPTIONS = (
    click.option("--epsilon", type=float, help="Privacy loss, in (0, 10]; not for coin, where it is ln 3."),
    click.option("--categories", type=int, help="Number of options (wheel, subset, exponential)."),
    click.option("--size", type=int, help="Options in each report (subset); by default, the best number."),
    click.option("--boxes", type=int, help="Number of boxes (per_box, sampled_box)."),
    click.option(
        "--scope",
        type=click.Choice(["question", "box"]),
        help="What epsilon applies to (per_box); by default, the question.",
    ),
    click.option("--low", type=float, help="Smallest number (one_bit, laplace, gaussian, hybrid)."),
    click.option("--high", type=float, help="Largest number."),
    click.option("--step", type=float, help="Distance between two numbers."),
    click.option("--delta", type=float, help="Chance of an exception (gaussian), in (0, 1)."),
)


@dataclass(frozen=True)
class Mechanism:
    """A mechanism with its settings."""

    name: str
    channel: Channel

    @property
    def kind(self) -> str:
        """The kind of question that it is for, a name of `survey.plan.KINDS`."""
        needed = BUILDERS[self.name][1]
        for setting, kind in (("categories", "choice"), ("boxes", "boxes"), ("low", "number")):
            if setting in needed:
                return kind
        return "yes_no"

    def answers(self) -> list[str | int]:
        """Name the answers by index: no and yes, or the positions of the options."""
        if self.kind in ("yes_no", "boxes"):
            return ["no", "yes"]
        return list(range(self.channel.answers))


def mechanism_options(required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--mechanism`` and its settings to a command; they arrive as `mechanism` and `settings`."""

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
        If a setting is missing, is one that the mechanism does not take, or is refused by it.
    """
    build, needed, taken = BUILDERS[name]
    given = {setting: value for setting, value in settings.items() if value is not None}
    for setting, value in given.items():
        if setting not in (*needed, *taken):
            reason = ": it is ln 3" if (name, setting) == ("coin", "epsilon") else ""
            raise click.UsageError(f"--{setting} must be absent for {name}, got {value!r}{reason}")
    for setting in needed:
        if setting not in given:
            raise click.UsageError(f"--{setting} is missing: {name} needs {NEEDS[setting]}")
    try:
        return Mechanism(name, build(**given))
    except ValueError as error:
        refused = str(error).split(" ", 1)[0]
        if refused in given:
            raise click.BadParameter(str(error), param_hint=f"--{refused}") from error
        raise click.UsageError(str(error)) from error


def refuse_settings(settings: Mapping[str, object], instead: str) -> None:
    """Refuse options that have no meaning beside another one.

    Raises
    ------
    click.UsageError
        If one of them is given.
    """
    for name, value in settings.items():
        if value is not None:
            shown = str(value) if isinstance(value, Path) else value
            raise click.UsageError(f"--{name} must be absent where {instead} is given, got {shown!r}")
