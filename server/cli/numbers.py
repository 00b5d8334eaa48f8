"""Options that take as many numbers as follow them: ``--counts 492 508``."""

from __future__ import annotations

import re
from typing import Any

import click

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class Numbers(click.ParamType):  # type: ignore[type-arg]
    """Numbers separated by commas, each checked by the type of one."""

    name = "numbers"

    def __init__(self, each: click.ParamType) -> None:  # type: ignore[type-arg]
        self.each = each

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Any, ...]:
        """Read the numbers."""
        if isinstance(value, tuple):
            return value
        return tuple(self.each.convert(part, param, ctx) for part in str(value).split(","))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Say that several may follow."""
        return "NUMBER..."


class CommandWithNumbers(click.Command):
    """A command whose options of type `Numbers` take every number that follows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join what follows such an option with commas, and go on as usual."""
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
