"""Read TOML from anybody, and refuse a text before parsing it if that would take minutes.

A parser walks down from the top for every name of a dotted key, so a key of n names takes time in n squared:
40 kB of one key take 24 seconds. A survey file needs three names at most.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from survey.fields import Problem

MOST_NAMES = 8
"""The most names in a key, joined by dots."""

MOST_NESTED = 8
"""The most brackets that are open at once."""

LONGEST_WORD = 100
"""The most characters of a name or a number that is written without quotation marks."""

TEXT = re.compile(
    r"""
      "{3} (?: [^"\\] | \\. | "{1,2}(?!") )*+ (?: "{3,5} )?   # several lines, escapes
    | '{3} (?: [^']         | '{1,2}(?!') )*+ (?: '{3,5} )?   # several lines
    | "    (?: [^"\\\n] | \\. )*+ "?
    | '    [^'\n]*+ '?
    | \# [^\n]*+
    """,
    re.VERBOSE | re.DOTALL,
)
"""A text or a comment, https://toml.io/en/v1.0.0#string: its contents are neither keys nor brackets. One
without an end reaches as far as it can, so that no place is looked at twice."""

KEY = re.compile(rf"(?:\.[^.,=\[\]{{}}\n]*){{{MOST_NAMES}}}")
"""Dots of one key or number, with nothing between them that ends it."""

WORD = re.compile(r"[\w-]+")
BRACKET = re.compile(r"[\[\]{}]")


class Unreadable(ValueError):
    """A text that is not TOML, or that takes too long to parse."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def read(text: str) -> dict[str, Any]:
    """Parse a TOML document.

    Parameters
    ----------
    text : str

    Raises
    ------
    Unreadable
        With the place, what is allowed there, and what it holds.
    """
    for refusal in refused(text):
        raise Unreadable(refusal)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(Problem("the file", "toml", {"reason": str(error)}, text[:40])) from error


def refused(text: str) -> Iterator[Problem]:
    """Find keys, words and brackets beyond the limits of any survey, in time linear in the text."""
    bare = TEXT.sub(lambda match: '"' + "\n" * match[0].count("\n"), text)
    if key := KEY.search(bare):
        yield problem(text, bare, key.start(), "toml_names", MOST_NAMES)
    for word in WORD.finditer(bare):
        if len(word[0]) > LONGEST_WORD:
            yield problem(text, bare, word.start(), "toml_word", LONGEST_WORD)
    depth = 0
    for bracket in BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MOST_NESTED:
            yield problem(text, bare, bracket.start(), "toml_brackets", MOST_NESTED)


def problem(text: str, bare: str, position: int, rule: str, most: int) -> Problem:
    """Describe a problem by its line."""
    line = bare.count("\n", 0, position)
    return Problem(f"line {line + 1}", rule, {"most": most}, text.split("\n")[line].strip())
