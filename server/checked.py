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
    shown : callable
        How a refusal shows the text; of a secret, not all of it.
    """

    def __init__(
        self,
        name: str,
        allowed: str,
        read: Callable[[str], object],
        *,
        shown: Callable[[str], str] = repr,
    ) -> None:
        self.name = name
        self.allowed = allowed
        self.read = read
        self.shown = shown

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the value; a default that is no text is what it is."""
        if not isinstance(value, str):
            return value
        try:
            return self.read(value)
        except ValueError:
            return self.fail(f"must be {self.allowed}, got {self.shown(value)}", param, ctx)
