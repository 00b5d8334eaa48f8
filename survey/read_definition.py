"""Read a survey file: check every key, and collect all problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from survey import matrix, toml
from survey.definition import MARKED, OUTCOMES, PREVIEWS, TEXTS, Definition
from survey.fields import DefinitionError, Fields, Problem, Read
from survey.invitations import read_invitations
from survey.limits import LONGEST_SLUG
from survey.markdown import marked
from survey.privacy.budget import MOST_WAVES
from survey.section import MOST_QUESTIONS, Section, read_asked, read_sections, repeated_ids
from survey.version import NEW_KEYS, VERSIONS, WITH_TEXTS, version_needed

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
MOST_COLUMNS = 1000
"""A submission with this many reports fits in 64 kB, and a table with this many columns in SQLite."""

MOST_LANGUAGES = 20
OPTIONAL_TEXTS = frozenset({"organisation", "contact", "help", "closing"})
LARGEST_LIMIT = 1e9
WEB_ADDRESS = re.compile(r"https://[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:[0-9]{1,5})?([/?#][!-~]*)?", re.ASCII)
LONGEST_ADDRESS = 300
Prepare = Callable[[dict[str, Any]], object]
"""Changes the tables of a survey file before they are checked."""

STEP = 50
"""The number of respondents by which the results of an open survey advance, unless it sets another."""

LARGEST_STEP = 1_000_000


def parse(text: str, source: str, prepare: Prepare | None = None) -> Definition:
    """Read a survey file.

    Parameters
    ----------
    text : str
        The file, in TOML.
    source : str
        Its name, for the messages.
    prepare : Callable, optional

    Raises
    ------
    DefinitionError
        With every problem: file, key, allowed range and value.
    """
    try:
        table = toml.read(text)
    except toml.Unreadable as error:
        raise DefinitionError(source, [error.problem]) from error
    if prepare:
        prepare(table)
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
    preview = fields.choice("preview", PREVIEWS, default=PREVIEWS[0])
    if preview != PREVIEWS[0] and (quick_exit or invitations):
        fields.problem("preview", "preview_neutral")
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
        preview=preview,
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
