"""What an option or a variable of the environment may hold, as a function of ours reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


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
    secret : bool
        Whether a refusal shows the length of the value only.
    """

    def __init__(
        self, name: str, allowed: str, read: Callable[[str], object], *, secret: bool = False
    ) -> None:
        self.name = name
        self.allowed = allowed
        self.read = read
        self.secret = secret

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the value; a default that is no text is what it is."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError:
            got = f"{len(value)} characters" if self.secret else repr(value)
            return self.fail(f"must be {self.allowed}, got {got}", param, ctx)
