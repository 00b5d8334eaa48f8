"""Read the keys of a survey file one by one, and collect every problem instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from survey.rules import Refusal, allowed

Texts = Mapping[str, str]
"""One text in several languages: language code -> text."""

Read = Callable[[str], str]
"""A reader of texts with marks, which may raise `Refusal`."""


DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)

LONGEST_KEY, LONGEST_VALUE = 120, 80
"""The most characters of a key and of a value that a message repeats."""

MOST_PROBLEMS = 300
"""The most problems of a file that are named: 15 kB of empty tables can have a hundred thousand."""


@dataclass(frozen=True)
class Problem:
    """A key of a survey file that breaks a rule.

    Attributes
    ----------
    path : str
        The place in the file, such as ``questions[0].epsilon``.
    rule : str
        The one of `survey.rules.RULES` that the key breaks.
    limits : Mapping[str, object]
        The values of the names in the rule.
    value : object
        The value of the key; None where it is missing.
    """

    path: str
    rule: str
    limits: Mapping[str, object]
    value: object

    def __str__(self) -> str:
        """Return one sentence with the key, the range and the value."""
        wanted = allowed(self.rule, self.limits)
        if self.value is None:
            return f"{self.place} is missing; it must be {wanted}"
        return f"{self.place} must be {wanted}, got {self.shown}"

    @property
    def place(self) -> str:
        """The path, cut where it is long."""
        return shortened(self.path, LONGEST_KEY)

    @property
    def shown(self) -> str:
        """The value as Python writes it, cut where it is long."""
        try:
            return shortened(repr(self.value), LONGEST_VALUE)
        except (ValueError, RecursionError):  # a number of thousands of digits, or a list thousands deep
            return f"a value of the kind {type(self.value).__name__} that is too long to show"


def shortened(text: str, most: int) -> str:
    """Cut a text to so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


class DefinitionError(ValueError):
    """A survey file that cannot be used, with every problem found in it.

    Attributes
    ----------
    source : str
        The origin of the definition, usually a file name.
    problems : tuple of Problem
        The first `MOST_PROBLEMS`; one more says how many others there are.
    """

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        named, more = tuple(problems[:MOST_PROBLEMS]), len(problems) - MOST_PROBLEMS
        if more > 0:
            named += (Problem("the rest", "more_problems", {"most": MOST_PROBLEMS}, more),)
        self.problems = named
        super().__init__("\n".join(f"{source}: {problem}" for problem in named))


def as_date(text: str) -> date | None:
    """Read a date that is written as in ISO 8601, with hyphens; None where there is no such day.

    Examples
    --------
    >>> as_date("2027-12-31"), as_date("2027-02-30"), as_date("20271231")
    (datetime.date(2027, 12, 31), None, None)
    """
    try:
        return date.fromisoformat(text) if DATE.fullmatch(text) else None
    except ValueError:
        return None


@dataclass
class Fields:
    """One table of a survey file, its place, and the problems found so far (shared by all tables).

    `read` reads a text that may have marks; in versions without marks it leaves the text as it is. A value
    that cannot be read becomes a problem and an empty value, so that the rest is still read.
    """

    table: Mapping[str, Any]
    place: str = ""
    problems: list[Problem] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    read: Read = str

    def problem(self, key: str, rule: str, /, **limits: object) -> None:
        """Note that the key breaks a rule."""
        self.problems.append(Problem(self.place + key, rule, limits, self.table.get(key)))

    def refused(self, key: str, refusal: Refusal) -> None:
        """Note that a mechanism refuses what the key holds."""
        self.problem(key, refusal.rule, **refusal.limits)

    def get(self, key: str) -> Any:
        """Return the raw value of a key, and remember the key as a known one."""
        self.known.add(key)
        return self.table.get(key)

    def refuse_unknown(self) -> None:
        """Note every key that was not read: most are spelling mistakes."""
        for key in self.table:
            if key not in self.known:
                self.problem(key, "absent", known=tuple(sorted(self.known)))

    def name(self, key: str, pattern: re.Pattern[str], rule: str) -> str:
        """Read a short name that matches the pattern of a rule in full."""
        value = self.get(key)
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        self.problem(key, rule)
        return ""

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """Read one of a few words."""
        value = self.get(key)
        if value is None and default is not None:
            return default
        if isinstance(value, str) and value in choices:
            return value
        self.problem(key, "one_of", choices=choices)
        return ""

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """Read a whole number between two bounds."""
        value = self.get(key)
        if value is None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.problem(key, "whole", low=low, high=high)
        return default

    def day(self, key: str) -> date | None:
        """Read a day, written as in TOML or as a text; None where there is none."""
        value = self.get(key)
        if isinstance(value, str) and (read := as_date(value)):
            return read
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        if value is not None:
            self.problem(key, "date", low=date.min, high=date.max)
        return None

    def inner(self, key: str) -> Fields:
        """Return a table inside this one; an empty one where it is missing."""
        value = self.get(key)
        if value is not None and not isinstance(value, Mapping):
            self.problem(key, "table")
            value = None
        return Fields(value or {}, f"{self.place}{key}.", self.problems, read=self.read)

    def truth(self, key: str, default: bool) -> bool:
        """Read true or false."""
        value = self.get(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.problem(key, "truth")
        return default

    def texts(self, key: str, languages: tuple[str, ...], most: int, required: bool = True) -> Texts:
        """Read one text in every language of the survey, each at most `most` characters long."""
        value = self.get(key)
        if value is None and not required:
            return MappingProxyType({})
        if not isinstance(value, Mapping):
            self.problem(key, "texts", languages=languages)
            return MappingProxyType({})
        inner = Fields(value, f"{self.place}{key}.", self.problems)
        texts = {}
        for language in languages:
            text = inner.get(language)
            if isinstance(text, str) and text.strip() and len(text) <= most:
                texts[language] = text.strip()
            else:
                inner.problem(language, "text", most=most)
        inner.refuse_unknown()
        return MappingProxyType(texts)

    def marked_texts(self, key: str, languages: tuple[str, ...], most: int, required: bool = True) -> Texts:
        """Read one text, which may have marks, in every language of the survey."""
        texts = dict(self.texts(key, languages, most, required))
        for language, text in texts.items():
            try:
                texts[language] = self.read(text)
            except Refusal as refusal:
                place = f"{self.place}{key}.{language}"
                self.problems.append(Problem(place, refusal.rule, refusal.limits, text))
        return MappingProxyType(texts)

    def tables(self, key: str, most: int) -> Iterator[Fields]:
        """Read a list of tables, from one to `most` of them."""
        value = self.get(key)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            self.problem(key, "tables", most=most)
            return
        for index, table in enumerate(value):
            if isinstance(table, Mapping):
                yield Fields(table, f"{self.place}{key}[{index}].", self.problems, read=self.read)
            else:
                self.problems.append(Problem(f"{self.place}{key}[{index}]", "table", {}, table))
