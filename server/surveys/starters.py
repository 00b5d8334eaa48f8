"""The surveys that an admin can begin from: files of this server, and what each costs and needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from server.language.rounding import rounded_people
from survey.definition import Definition
from survey.opening_requirements import ASKERS, BLANK
from survey.plan import people_for
from survey.privacy import Guess, guess
from survey.publication import publish
from survey.read_definition import parse

NAMES = (
    "workplace-harassment",
    "staff-pulse",
    "exam-cheating",
    "substance-use",
    "health-behaviour",
    "undeclared-income",
)
"""In the order in which they are offered."""

MARGINS = (5, 10)
"""Margins of error, in hundredths of all that could come out: a card says how many people each takes."""


@dataclass(frozen=True)
class Starter:
    """A survey to begin from.

    Attributes
    ----------
    name : str
        Of its file, and of its message in the catalogue.
    definition : Definition
    people : tuple of (int, int)
        A margin of error in points, and how many people the least precise question needs for it.
    guess : Guess
        How often a guess at somebody's answers is right.
    """

    name: str
    definition: Definition
    people: tuple[tuple[int, int], ...]
    guess: Guess

    @property
    def asked(self) -> int:
        """Return how many questions one person is asked, at most."""
        sizes = sorted((len(section.questions) for section in self.definition.drawn), reverse=True)
        always = len(self.definition.questions) - sum(sizes)
        return always + sum(sizes[: self.definition.asked])


@cache
def starters() -> tuple[Starter, ...]:
    """Read all starters; it takes a moment, so only the first reader waits."""
    return tuple(read(name) for name in NAMES)


def read(name: str) -> Starter:
    """Read one starter."""
    text = (Path(__file__).parents[1] / "starters" / f"{name}.toml").read_text(encoding="utf-8")
    definition = parse(text, name)
    people = tuple((margin, people_needed(definition, margin / 100)) for margin in MARGINS)
    return Starter(name, definition, people, guess(publish(definition).reports, definition.waves))


def people_needed(definition: Definition, margin: float) -> int:
    """Return `survey.plan.people_for` a survey, to two digits, rounded up."""
    asked = definition.asked if definition.samples else None
    return rounded_people(people_for(margin, definition.sections, asked))


def filled(definition: Definition, first: str, blanks: Mapping[str, str]) -> dict[str, Any]:
    """Return a starter as a draft: in the reader's language first, with its blanks filled in.

    Parameters
    ----------
    definition : Definition
    first : str
        The language that comes first, if the starter is written in it.
    blanks : Mapping[str, str]
        `ASKERS` and ``kept_until`` -> what the draft has there, in every language; ``help`` -> what stands in
        place of the blank in the help. Where there is none, or an empty one, it stays open.
    """
    languages = sorted(definition.languages, key=lambda code: code != first)
    table = definition.as_dict() | {"languages": languages}
    table |= {key: dict.fromkeys(languages, text) for key in ASKERS if (text := blanks.get(key))}
    table |= {"kept_until": day} if (day := blanks.get("kept_until")) else {}
    if helper := blanks.get("help"):
        table["help"] = {code: BLANK.sub(lambda _: helper, text) for code, text in table["help"].items()}
    return table
