"""What an option or a variable of the environment may hold, as a function of ours reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

import click


class Refusal(click.BadParameter):
    """A value that cannot be used: one sentence without the usage, as for a fault that shows later."""

    exit_code = 1

    def show(self, file: IO[str] | None = None) -> None:
        """Print the sentence."""
        click.ClickException.show(self, file)


class Checked(click.ParamType):  # type: ignore[type-arg]
    """A value that a function reads; a refusal names what is allowed and the value.

    Parameters
    ----------
    name : str
        What help texts call the value.
    allowed : str
        What it may hold, as it follows "must be".
    read : callable
        Reads the text; raises ValueError if it cannot be used.
    shown : callable
        How a refusal shows the text; of a secret, not all of it.
    error : type of click.BadParameter
        What a refusal is.
    """

    def __init__(
        self,
        name: str,
        allowed: str,
        read: Callable[[str], object],
        *,
        shown: Callable[[str], str] = repr,
        error: type[click.BadParameter] = click.BadParameter,
    ) -> None:
        self.name = name
        self.allowed = allowed
        self.read = read
        self.shown = shown
        self.error = error

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the value; a default that is no text is what it is."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError:
            told = f"must be {self.allowed}, got {self.shown(value)}"
            raise self.error(told, ctx=ctx, param=param) from None
