"""The checks of `candor doctor`, with a module for each part of an installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True)
class Check:
    """The result of a check.

    Attributes
    ----------
    name : str
        The thing that was checked.
    state : str
        ``ok``, ``warning`` or ``fault``.
    finding : str
        The finding, in words.
    remedy : str
        Advice; empty if all is well.
    """

    name: str
    state: State
    finding: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.state:<8} {self.name:<14} {self.finding}" + (f": {self.remedy}" if self.remedy else "")
