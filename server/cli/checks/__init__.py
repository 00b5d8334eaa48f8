"""What `candor doctor` looks at, a part of the installation a file; each finding is a `Check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "fault"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What was looked at.
    state : str
        ``ok``, ``warning`` or ``fault``.
    finding : str
        What was found.
    remedy : str
        What to do about it; empty where all is well.
    """

    name: str
    state: State
    finding: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.state:<8} {self.name:<14} {self.finding}" + (f": {self.remedy}" if self.remedy else "")
