"""The schema of a database beside the one that this version makes: what is more, less or different.

A trigger can log each report to the millisecond, and a column can do so by its default. So whatever could act
on what Candor stores keeps a server from starting. What only stands beside it is a matter of the operator,
who accepts it by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Part = tuple[str, str]
"""A part of a schema: its kind, such as ``trigger``, and its name."""

HARMLESS = frozenset(
    ("index", "grant", "extension", "table", "view", "materialized view", "sequence", "type", "statistics")
)
"""Kinds of which more may be there than this version makes: none of them acts on a table of Candor's. In
PostgreSQL an index that computes something does, and is of another kind; an event trigger can put a trigger
on each new table."""


@dataclass(frozen=True, order=True)
class Deviation:
    """A part of a schema that is not as this version makes it.

    Attributes
    ----------
    kind, name : str
    how : str
        ``more``, ``less`` or ``different``.
    """

    kind: str
    name: str
    how: Literal["more", "less", "different"]

    @property
    def part(self) -> str:
        """The part as messages name it, and as an operator accepts it."""
        return f"{self.kind} {self.name}"

    @property
    def refused(self) -> bool:
        """Say whether no server may start with it; a right that a role lacks shows by itself."""
        return self.kind not in HARMLESS if self.how == "more" else self.kind != "grant"

    def __str__(self) -> str:
        said = {
            "more": "is not of this version of Candor",
            "less": "is missing",
            "different": "is not as this version of Candor makes it",
        }
        return f"{self.part} {said[self.how]}"


def compare(made: Mapping[Part, str], held: Mapping[Part, str]) -> list[Deviation]:
    """List the deviations of a schema.

    Parameters
    ----------
    made, held : mapping of (str, str) to str
        The definitions of the parts that this version makes, and of those that are there.

    Examples
    --------
    >>> made = {("table", "life"): "a", ("table", "days"): "b"}
    >>> list(map(str, compare(made, {("table", "life"): "c", ("trigger", "days.spy"): "d"})))
    ['table days is missing', 'table life is not as this version of Candor makes it', \
'trigger days.spy is not of this version of Candor']
    """
    return sorted(
        [Deviation(*part, "less") for part in made.keys() - held.keys()]
        + [Deviation(*part, "more") for part in held.keys() - made.keys()]
        + [Deviation(*part, "different") for part in made.keys() & held.keys() if made[part] != held[part]]
    )
