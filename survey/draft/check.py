"""Everything that is wrong with a draft or missing in it, and the survey file of what is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from survey.definition import TEXTS
from survey.draft.document import Table, file_tables, nested, unit_at
from survey.draft.groups import is_of_scale, lines_of_groups
from survey.fields import DefinitionError, Problem
from survey.publication import Publication, publish
from survey.read_definition import OPTIONAL_TEXTS, from_dict


@dataclass(frozen=True)
class DraftCheck:
    """The publication of a draft, or the problems that keep it from being published.

    Attributes
    ----------
    table : dict
        The tables of its survey file, without what is wrong: all that may leave the editor.
    publication : Publication or None
        None where something keeps it from being published.
    problems : tuple of Problem
        What is wrong or missing, at the paths of the survey file.
    """

    table: Table
    publication: Publication | None
    problems: tuple[Problem, ...]


def check(document: Mapping[str, Any], source: str) -> DraftCheck:
    """Check a draft as its survey file would be checked.

    Parameters
    ----------
    document : Mapping[str, Any]
    source : str
        Where it comes from, for the messages.
    """
    table = file_tables(document)
    try:
        publication = publish(from_dict(table | blank_texts(table), source))
    except DefinitionError as error:
        wrong = [problem.path for problem in error.problems if not is_missing(problem)]
        return DraftCheck(without(table, wrong), None, error.problems)
    return DraftCheck(table, publication, ())


def blank_texts(table: Mapping[str, Any]) -> Table:
    """Return the texts that a survey needs and a draft has not begun: each language is missed by itself."""
    return {name: {} for name in TEXTS if name not in OPTIONAL_TEXTS and name not in table}


def at_units(document: Mapping[str, Any], problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Name the units of a document instead of the paths of its survey file.

    What the first line of a group has as well is not said of its other lines.
    """
    tables, lines = nested(document), lines_of_groups(document)
    placed = [(unit_at(tables, problem.path), problem) for problem in problems]
    return tuple(
        replace(problem, path=unit)
        for unit, problem in placed
        if unit is not None and not (unit.partition(".")[0] in lines and is_of_scale(unit))
    )


def is_missing(problem: Problem) -> bool:
    """Return whether something is not there yet, rather than wrong: most of a draft, at first."""
    return problem.value is None or isinstance(problem.value, list) or problem.rule.startswith("open_")


def without(table: Table, paths: Sequence[str]) -> Table:
    """Return tables without the keys at some paths. A list loses none of its places."""
    for path in paths:
        *outer, last = re.findall(r"[^.\[\]]+", path)
        here: Any = table
        for name in outer:
            if isinstance(here, list):
                here = here[int(name)] if name.isdecimal() and int(name) < len(here) else None
            else:
                here = here.get(name) if isinstance(here, dict) else None
        if isinstance(here, dict):
            here.pop(last, None)
    return table
