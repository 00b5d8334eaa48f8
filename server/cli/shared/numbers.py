"""Options for shares, ``3%`` or ``0.03``, and for several numbers, ``--counts 492 508``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from server.option_types import CheckedType

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(%|/\d+)?")


def share(text: str) -> float:
    """Read a share from 0 to 1, as a number or in percent.

    Examples
    --------
    >>> share("3%"), share("0.03")
    (0.03, 0.03)
    """
    value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if not 0 <= value <= 1:
        raise ValueError
    return value


def share_between(text: str) -> float:
    """Read a share that is neither 0 nor 1."""
    value = share(text)
    if value in (0, 1):
        raise ValueError
    return value


def count(text: str) -> int:
    """Read a count."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


SHARE = CheckedType("share", "a share from 0 to 1, such as 0.05 or 5%", share)
SHARE_BETWEEN = CheckedType("share", "a share above 0 and below 1, such as 0.05 or 5%", share_between)
COUNT = CheckedType("count", "a whole number of 0 or more", count)


class Numbers(click.ParamType):  # type: ignore[type-arg]
    """Numbers separated by commas, all of one type."""

    name = "numbers"

    def __init__(self, number_type: click.ParamType) -> None:  # type: ignore[type-arg]
        self.number_type = number_type

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        return tuple(self.number_type.convert(part, param, ctx) for part in str(value).split(","))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return a metavar for several numbers."""
        return "SHARE..." if self.number_type is SHARE else "NUMBER..."


class NumbersOrFile(Numbers):
    """Numbers, or the name of a file that holds them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the numbers, or the path of a file that exists."""
        text = str(value)
        if isinstance(value, str) and not any(NUMBER.fullmatch(part) for part in text.split(",")):
            return click.Path(exists=True, dir_okay=False, path_type=Path).convert(value, param, ctx)
        return super().convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return a metavar for several numbers or a file."""
        return "NUMBER...|FILE"


class CommandWithNumbers(click.Command):
    """A command whose options of type `Numbers` take all numbers that follow them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the numbers after such an option with commas, and parse as usual."""
        taking = {name for option in self.params if isinstance(option.type, Numbers) for name in option.opts}
        joined: list[str] = []
        open_option = False
        for argument in args:
            number = NUMBER.fullmatch(argument)
            if open_option and number and joined[-1] not in taking:
                joined[-1] += f",{argument}"
            else:
                joined.append(argument)
            open_option = argument in taking or (open_option and number is not None)
        return super().parse_args(ctx, joined)


def examples(*lines: str) -> str:
    """Lay out the examples at the end of a help text, one on each line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def shown(value: float | None) -> str:
    """Write a number with three significant digits, more where it is large."""
    return "-" if value is None else f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
