"""The exercises of the lessons, with their first numbers, which a script can change.

The numbers are made by ``static/js/lessons``; a test writes the first ones into the file beside this one, so
that the page shows them without a script and on paper.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from server.language.catalogue import section
from server.language.particles import WORD_JOINER

FIRST_NUMBERS = Path(__file__).with_suffix(".toml")

NUMBER_BEFORE_HANGUL = re.compile(r"(?<=\})(?=[가-힣])")
"""The place between a number and its Korean unit, where browsers would end a line."""


@dataclass(frozen=True)
class Exercise:
    """A question with its solution, in one language.

    Attributes
    ----------
    name : str
        As in the lesson's catalogue: ``one``, ``two`` or ``three``.
    ask : str
        The question, with a ``{name}`` in the place of each number.
    solution : tuple of str
        Its paragraphs; ``{formula}`` alone is the formula of the exercise.
    numbers : mapping
        The first numbers, as they are shown.
    """

    name: str
    ask: str
    solution: tuple[str, ...]
    numbers: Mapping[str, str]


@cache
def exercises(language: str, lesson: str) -> tuple[Exercise, ...]:
    """Read the exercises of a lesson."""
    words = {
        key: NUMBER_BEFORE_HANGUL.sub(WORD_JOINER, str(text))
        for key, text in section(language, f"learn_{lesson}").items()
    }
    lessons: dict[str, dict[str, dict[str, str]]] = tomllib.loads(FIRST_NUMBERS.read_text(encoding="utf-8"))
    return tuple(
        Exercise(
            name,
            words[f"exercise.{name}.ask"],
            tuple(words[f"exercise.{name}.solution"].split("\n")),
            numbers,
        )
        for name, numbers in lessons[lesson].items()
    )
