"""Which surveys ask the same: waves, for the same people again, and groups, for other people.

Each is a survey of its own. All that came from one survey, also as copies of copies, are linked to that one;
when it is deleted, the links go with it.
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
    relation : str or None
        What it is to the first one: ``wave`` or ``group``; None for the first one itself.
    """

    survey: Survey
    relation: Relation | None

    @property
    def same_people(self) -> bool:
        """Whether those who answered the first one may have answered this one, which may be the first."""
        return self.relation != "group"


def create_related(db: Connection, table: Mapping[str, Any], source_id: int, relation: Relation) -> Survey:
    """Store a draft that is linked to another survey, or to the one which that is linked to.

    Raises
    ------
    SurveyGone
        If the other one is gone.
    DefinitionError, SlugTaken
        As `surveys.create_draft`.
    """
    origin = origin_of(db, surveys.get(db, source_id).id)
    draft = surveys.create_draft(db, table)
    db.execute(
        "INSERT INTO origins (survey_id, origin_id, relation) VALUES (?, ?, ?)", [draft.id, origin, relation]
    )
    return draft


def origin_of(db: Connection, survey_id: int) -> int:
    """Return the number of the first survey of a family: a survey's own where it has no other."""
    row = db.execute("SELECT origin_id FROM origins WHERE survey_id = ?", [survey_id]).fetchone()
    return survey_id if row is None else int(row[0])


def one_of_groups(db: Connection, survey_id: int) -> bool:
    """Return whether a survey has groups beside it, so that its link shows who belongs to which."""
    of_group = "SELECT 1 FROM origins WHERE origin_id = ? AND relation = 'group' LIMIT 1"
    return db.execute(of_group, [origin_of(db, survey_id)]).fetchone() is not None


def family(db: Connection, survey_id: int) -> list[Relative]:
    """Return all surveys that are linked with one, itself included, in the order in which they were made.

    Returns
    -------
    list of Relative
        The first one first; empty where the survey is linked with no other.
    """
    origin = origin_of(db, survey_id)
    linked = dict(
        db.execute(
            "SELECT survey_id, relation FROM origins WHERE origin_id = ? ORDER BY survey_id", [origin]
        ).fetchall()
    )
    if not linked:
        return []
    return [Relative(surveys.get(db, number), linked.get(number)) for number in [origin, *linked]]
