"""Types of options, and of variables of the environment, that functions of ours read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import click

from server.database import shown

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class RefusedOption(click.BadParameter):
    """A value that cannot be used, reported in one sentence without the usage."""

    exit_code = 1

    def show(self, file: IO[str] | None = None) -> None:
        """Print the sentence."""
        click.ClickException.show(self, file)


class CheckedType(click.ParamType):  # type: ignore[type-arg]
    """A type whose values a function reads; a refusal names what is allowed and the value.

    Parameters
    ----------
    name : str
        Name of the value in help texts.
    allowed : str
        Allowed values, in words that follow "must be".
    read : callable
        Reads the text; raises ValueError if it cannot be used.
    shown : callable
        Shows the text in a refusal; of a secret, not all of it.
    error : type of click.BadParameter
        The exception of a refusal.
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
        """Read the value; a default that is no text passes unchanged."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError:
            told = f"must be {self.allowed}, got {self.shown(value)}"
            raise self.error(told, ctx=ctx, param=param) from None


class SettingsFile(click.ParamType):  # type: ignore[type-arg]
    """A file of settings, which a function reads; its refusal is a sentence.

    Parameters
    ----------
    read : callable
        Reads the file; raises ValueError with the sentence.
    """

    name = "file"

    def __init__(self, read: Callable[[Path], object]) -> None:
        self.read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file; a default that is no text passes unchanged."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(Path(value))
        except ValueError as error:
            raise RefusedOption(str(error), ctx=ctx, param=param) from None


class DatabaseFile(click.Path):
    """The path of an SQLite database; a refusal shows nothing of a URL, as it may hold a password.

    Parameters
    ----------
    exists : bool
        Whether the file must exist.
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
