"""The definition of a survey: read from its file, with every key checked, and written back."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import tomli_w

from survey import matrix, toml
from survey.fields import DefinitionError, Fields, Problem, Read, Texts
from survey.invitations import Invitations, read_invitations
from survey.limits import LONGEST_SLUG
from survey.markdown import Node, marked, sources, trees
from survey.picture import Picture
from survey.privacy.budget import MOST_WAVES
from survey.question import Question
from survey.section import MOST_QUESTIONS, Section, read_asked, read_sections, repeated_ids
from survey.version import NEW_KEYS, VERSIONS, WITH_SECTIONS, WITH_TEXTS, version_needed

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
MOST_COLUMNS = 1000
"""A submission with this many reports fits in 64 kB, and a table with this many columns in SQLite."""

MOST_LANGUAGES = 20
TEXTS = {
    "title": 200,
    "organisation": 200,
    "contact": 200,
    "information": 5000,
    "consent": 2000,
    "help": 5000,
    "closing": 2000,
}
"""The texts around the questions, each with the most characters it may have."""

OPTIONAL_TEXTS = frozenset({"organisation", "contact", "help", "closing"})
MARKED = ("information", "consent", "help", "closing")
"""Those that may have marks: a title is shown by the browser too, and who asks stands in one line."""

LARGEST_LIMIT = 1e9
WEB_ADDRESS = re.compile(r"https://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?([/?#][!-~]*)?", re.ASCII)
LONGEST_ADDRESS = 300
OUTCOMES = ("after", "before")
"""The time at which a respondent sees the results: after all were sent, or each before it is sent."""

STEP = 50
"""The number of respondents by which the results of an open survey advance, unless it sets another."""

LARGEST_STEP = 1_000_000


@dataclass(frozen=True)
class Definition:
    """A survey that has passed every check.

    Attributes
    ----------
    slug : str
        The last part of the survey's address.
    languages : tuple of str
        Language codes; the first is shown to a reader whose language is not among them.
    title, organisation, contact, information, consent, help, closing : Texts
        The texts before and after the questions; organisation and contact say who asks. Title, information
        and consent are never empty.
    step : int
        While the survey is open its results advance by this many respondents at a time, so that two
        results read one after the other never differ by one person.
    reports_while_open : bool
        Whether noisy reports may be downloaded before the survey is closed.
    limit : float or None
        The largest epsilon that the survey may cost one person, over all questions and waves: it is not
        published above it. None for no limit.
    waves : int
        The number of times that the same people are asked.
    sections : tuple of Section
        The sections, in the order in which they are asked; a question written without one is a section.
    asked : int or None
        How many of the sections that are not asked always one person is asked, drawn by the browser before
        any answer; None for all of them.
    quick_exit : bool or str
        Whether every screen has a button that leaves the survey at once, and for which page: an address, or
        True for an empty one.
    invitations : bool or str
        Whether a report needs a one-time invitation; ``"listed"`` if the researchers also see which were not
        used.
    outcome : str
        ``"after"`` if one press draws all results and sends them, and they are shown afterwards; ``"before"``
        if each result is seen before it is sent.
    kept_until : date or None
        Until when the data is kept, as respondents are told.
    """

    slug: str
    languages: tuple[str, ...]
    title: Texts
    organisation: Texts
    contact: Texts
    information: Texts
    consent: Texts
    help: Texts
    closing: Texts
    step: int
    reports_while_open: bool
    limit: float | None
    waves: int
    sections: tuple[Section, ...]
    asked: int | None = None
    quick_exit: bool | str = False
    invitations: Invitations = False
    outcome: str = OUTCOMES[0]
    kept_until: date | None = None

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, in order."""
        return tuple(question for section in self.sections for question in section.questions)

    @property
    def seen_first(self) -> bool:
        """True if people see each result before they send it, and may leave over it."""
        return self.outcome == "before"

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in order, each once."""
        shown = (question.picture for question in self.questions)
        return tuple({picture.sha256: picture for picture in shown if picture}.values())

    @property
    def drawn(self) -> tuple[Section, ...]:
        """The sections among which each person's are drawn, in order."""
        return tuple(section for section in self.sections if not section.always)

    @property
    def sections_asked(self) -> int:
        """The number of sections that one person is asked, with those that everybody is asked."""
        drawn = len(self.drawn)
        return len(self.sections) - drawn + (drawn if self.asked is None else self.asked)

    @property
    def samples(self) -> bool:
        """True if people are asked different sections."""
        return self.asked is not None and self.asked < len(self.drawn)

    @property
    def sets(self) -> int:
        """The number of sets of sections that a person may be asked: C(sections, asked), or 1."""
        return math.comb(len(self.drawn), self.asked) if self.asked is not None else 1

    @property
    def plain(self) -> bool:
        """True if its sections are written as bare questions."""
        return all(each.plain for each in self.sections)

    @property
    def format(self) -> int:
        """The version of the survey file that this needs: one without newer keys keeps its first bytes."""
        return WITH_TEXTS if self.nodes else version_needed(self.tables())

    def as_dict(self) -> dict[str, Any]:
        """Return the definition as the tables that its file holds, without empty texts."""
        table = self.tables()
        version = self.format
        if version == WITH_SECTIONS and self.plain:  # as this version has always been written
            table["sections"] = [section.as_dict() for section in self.sections]
            del table["questions"]
        return {"candor": version} | table

    @property
    def nodes(self) -> dict[str, list[Node]]:
        """Text as it was written -> its tree, for the texts that have marks."""
        texts = [getattr(self, name) for name in MARKED]
        texts += [section.introduction for section in self.sections]
        texts += [each for question in self.questions for each in question.marked_texts]
        return trees(texts)

    def tables(self) -> dict[str, Any]:
        """Return the tables of the file without its version."""
        table: dict[str, Any] = {"slug": self.slug, "languages": list(self.languages)}
        table |= {} if self.asked is None else {"asked": self.asked}
        table |= {"quick_exit": self.quick_exit} if self.quick_exit else {}
        table |= {name: sources(texts) for name in TEXTS if (texts := getattr(self, name))}
        table |= {"kept_until": self.kept_until.isoformat()} if self.kept_until else {}
        table |= {"invitations": self.invitations} if self.invitations else {}
        table["outcome"] = self.outcome
        table["results"] = {"step": self.step, "reports_while_open": self.reports_while_open}
        if budget := self.budget_as_dict():
            table["budget"] = budget
        grouped = len(self.sections) < len(self.questions)
        if self.plain and not (grouped and self.asked is not None):  # the draw has to see the groups
            return table | {"questions": [question.as_dict() for question in self.questions]}
        return table | {"sections": [section.as_dict() for section in self.sections]}

    def budget_as_dict(self) -> dict[str, Any]:
        """Return the limit and the waves, leaving out what the survey does not set."""
        limit = {} if self.limit is None else {"limit": self.limit}
        return limit | ({} if self.waves == 1 else {"waves": self.waves})

    def as_toml(self) -> str:
        """Write the survey file; `parse` reads the same definition from it."""
        in_lines = tomli_w.dumps(self.as_dict())
        # A text over several lines cannot hold a carriage return: it is read as a line break without one.
        return in_lines if "\\r" in in_lines else tomli_w.dumps(self.as_dict(), multiline_strings=True)


def parse(text: str, source: str) -> Definition:
    """Read a survey file.

    Parameters
    ----------
    text : str
        The file, in TOML.
    source : str
        Its name, for the messages.

    Raises
    ------
    DefinitionError
        With every problem: file, key, allowed range and value.
    """
    try:
        table = toml.read(text)
    except toml.Unreadable as error:
        raise DefinitionError(source, [error.problem]) from error
    return from_dict(table, source)


def from_dict(
    table: Mapping[str, Any], source: str, published: bool = False, read: Read = marked
) -> Definition:
    """Check the tables of a survey file; see `parse`.

    Parameters
    ----------
    table : Mapping[str, Any]
    source : str
        The name of the file, for the messages.
    published : bool
        True if it was published. Then its channels are the published ones, and none is built here.
    read : Callable
        The reader of a text with marks, from the version on that has them.
    """
    fields = Fields(table)
    version = fields.get("candor")
    if isinstance(version, bool | float) or version not in VERSIONS:
        fields.problem("candor", "version")
    elif version < (needed := version_needed(table)):
        fields.problem("candor", "version_of_keys", version=needed, keys=NEW_KEYS[needed])
    elif version >= WITH_TEXTS:
        fields.read = read
    slug = fields.name("slug", SLUG, "slug")
    if len(slug) > LONGEST_SLUG:
        fields.problem("slug", "slug_length", most=LONGEST_SLUG)
    languages = read_languages(fields)
    texts = {
        name: (fields.marked_texts if name in MARKED else fields.texts)(
            name, languages, most, required=name not in OPTIONAL_TEXTS
        )
        for name, most in TEXTS.items()
    }
    step, reports_while_open = read_results(fields)
    limit, waves = read_budget(fields)
    sections = read_sections(fields, languages, published)
    asked = read_asked(fields, sections)
    quick_exit = read_quick_exit(fields)
    invitations = read_invitations(fields, reports_while_open)
    outcome = fields.choice("outcome", OUTCOMES, default=OUTCOMES[0])
    kept_until = fields.day("kept_until")
    fields.problems += repeated_names(sections, "sections" in table)
    fields.refuse_unknown()
    if fields.problems:
        raise DefinitionError(source, fields.problems)
    return Definition(
        slug=slug,
        languages=languages,
        step=step,
        reports_while_open=reports_while_open,
        limit=limit,
        waves=waves,
        sections=sections,
        asked=asked,
        quick_exit=quick_exit,
        invitations=invitations,
        outcome=outcome,
        kept_until=kept_until,
        **texts,
    )


def repeated_names(sections: tuple[Section, ...], explicit: bool) -> Iterator[Problem]:
    """Note names that are used twice, and questions that fill more columns than a table has room for.

    Parameters
    ----------
    sections : tuple of Section
    explicit : bool
        True if the file has sections, so that their names and places appear in it.
    """
    if explicit:
        yield from repeated_ids(sections)
        yield from matrix.repeated([section.questions for section in sections])
    placed = [
        (f"sections[{i}].questions[{j}].id", question)
        for i, section in enumerate(sections)
        for j, question in enumerate(section.questions)
    ]
    if not explicit:
        placed = [(f"questions[{number}].id", question) for number, (_, question) in enumerate(placed)]
    seen: set[str] = set()
    for place, question in placed:
        names = {question.id, *question.column_names} if question.id else set()
        if names & seen:
            yield Problem(place, "name_of_column", {}, question.id)
        seen |= names
    if len(placed) > MOST_QUESTIONS:
        yield Problem("sections", "number_of_questions", {"most": MOST_QUESTIONS}, len(placed))
    columns = sum(len(question.column_names) for _, question in placed)
    if columns > MOST_COLUMNS:
        yield Problem("questions", "number_of_columns", {"most": MOST_COLUMNS}, columns)


def read_languages(fields: Fields) -> tuple[str, ...]:
    """Read the list of language codes; no code twice."""
    value = fields.get("languages")
    if (
        isinstance(value, list)
        and 1 <= len(value) <= MOST_LANGUAGES
        and all(isinstance(code, str) and LANGUAGE.fullmatch(code) for code in value)
        and len(set(value)) == len(value)
    ):
        return tuple(value)
    fields.problem("languages", "languages", most=MOST_LANGUAGES)
    return ("en",)


def is_web_address(text: str) -> bool:
    """Return whether a text is an address that a survey may lead to: https, and not too long."""
    return len(text) <= LONGEST_ADDRESS and WEB_ADDRESS.fullmatch(text) is not None


def read_quick_exit(fields: Fields) -> bool | str:
    """Read the key ``quick_exit``: a page to leave for, True for an empty one, or False."""
    value = fields.get("quick_exit")
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str) and is_web_address(value):
        return value
    fields.problem("quick_exit", "quick_exit", most=LONGEST_ADDRESS)
    return False


def read_results(fields: Fields) -> tuple[int, bool]:
    """Read the table ``results``: their step, and whether reports may be downloaded while it is open."""
    inner = fields.inner("results")
    step = inner.whole("step", 1, LARGEST_STEP, default=STEP)
    reports_while_open = inner.truth("reports_while_open", default=False)
    inner.refuse_unknown()
    return step, reports_while_open


def read_budget(fields: Fields) -> tuple[float | None, int]:
    """Read the table ``budget``: the limit of the loss of one person, and the waves."""
    inner = fields.inner("budget")
    limit = inner.get("limit")
    number = isinstance(limit, int | float) and not isinstance(limit, bool)
    if limit is not None and not (number and 0 < limit <= LARGEST_LIMIT):
        inner.problem("limit", "limit", most=LARGEST_LIMIT)
        limit = None
    waves = inner.whole("waves", 1, MOST_WAVES, default=1)
    inner.refuse_unknown()
    return None if limit is None else float(limit), waves
