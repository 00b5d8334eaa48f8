"""What an option or a variable of the environment may hold, as a function of ours reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import click

from server.database import shown


class RefusedOption(click.BadParameter):
    """A value that cannot be used: one sentence without the usage, as for a fault that shows later."""

    exit_code = 1

    def show(self, file: IO[str] | None = None) -> None:
        """Print the sentence."""
        click.ClickException.show(self, file)


class CheckedType(click.ParamType):  # type: ignore[type-arg]
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


class DatabaseFile(click.Path):
    """The path of a database of SQLite's; of a URL a refusal tells nothing, as it may hold a password.

    Parameters
    ----------
    exists : bool
        Whether it must be there.
    """

    def __init__(self, *, exists: bool = False) -> None:
        super().__init__(exists=exists, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the path."""
        if shown(text := str(value)) != repr(text):
            raise RefusedOption(f"must be a SQLite file, got {shown(text)}", ctx=ctx, param=param)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            raise RefusedOption(error.message, ctx=ctx, param=param) from None
