"""Surveys that ask the same: waves, for the same people again, and groups, for other people.

Each is a survey of its own. All that came from one survey, also as copies of copies, name that one, and the
one that asked their people first. They do so even when it is deleted: its waves still ask the same people,
and its groups still show who belongs to which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from server.store import surveys
from server.store.engine import Connection
from server.store.surveys import Survey

Relation = Literal["wave", "group"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class Relative:
    """A survey of a family.

    Attributes
    ----------
    survey : Survey
    people : int
        The number of the survey that asked these people first: two surveys may have been answered by the
        same people where it is the same.
    again : Survey or None
        The first one of the family that asks these people; None where this is it.
    """

    survey: Survey
    people: int
    again: Survey | None


def create_related(db: Connection, table: Mapping[str, Any], source_id: int, relation: Relation) -> Survey:
    """Store a draft that is linked to another survey, or to the one which that is linked to.

    Raises
    ------
    SurveyGone
        If the other one is gone.
    DefinitionError, SlugTaken
        As `surveys.create_draft`.
    """
    origin, people = origin_and_people(db, surveys.get(db, source_id).id)
    draft = surveys.create_draft(db, table)
    db.execute(
        "INSERT INTO origins (survey_id, origin_id, people_id) VALUES (?, ?, ?)",
        [draft.id, origin, people if relation == "wave" else draft.id],
    )
    return draft


def origin_and_people(db: Connection, survey_id: int) -> tuple[int, int]:
    """Return the numbers of the first survey of a family, and of the first for the people of this one."""
    row = db.execute("SELECT origin_id, people_id FROM origins WHERE survey_id = ?", [survey_id]).fetchone()
    return (survey_id, survey_id) if row is None else (int(row[0]), int(row[1]))


def one_of_groups(db: Connection, survey_id: int) -> bool:
    """Return whether a survey has groups beside it, so that its link shows who belongs to which."""
    of_group = "SELECT 1 FROM origins WHERE origin_id = ? AND people_id <> origin_id LIMIT 1"
    return db.execute(of_group, [origin_and_people(db, survey_id)[0]]).fetchone() is not None


def family(db: Connection, survey_id: int) -> list[Relative]:
    """Return all surveys that are linked with one, itself included, in the order in which they were made.

    Returns
    -------
    list of Relative
        The first one first; empty where the survey is linked with no other.
    """
    origin, _ = origin_and_people(db, survey_id)
    linked = db.execute(
        "SELECT survey_id, people_id FROM origins WHERE origin_id = ? ORDER BY survey_id", [origin]
    ).fetchall()
    relatives: list[Relative] = []
    earliest: dict[int, Survey] = {}
    first = db.execute("SELECT id, id FROM surveys WHERE id = ?", [origin]).fetchall()
    for number, people in [*first, *linked]:
        survey = surveys.get(db, number)
        relatives.append(Relative(survey, people, earliest.get(people)))
        earliest.setdefault(people, survey)
    return relatives if len(relatives) > 1 else []
