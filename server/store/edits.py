"""Drafts as they were typed, right or wrong: what stands in the editor's fields, and who saved it last.

`surveys.draft` holds the last version whose fields were right. What was typed since then is here, so that
nothing is lost while something is still wrong with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.store import surveys
from server.store.engine import Connection
from server.store.surveys import Survey, require

Table = Mapping[str, Any]

HEAD = 32
"""Hexadecimal digits that name one state of a draft. What follows them in a form tells its parts apart."""


class DraftChangedError(Exception):
    """The draft is no longer what the admin saw."""


@dataclass(frozen=True)
class Edits:
    """What was typed into the fields of a draft.

    Attributes
    ----------
    typed : dict
        The value of every field, by its name.
    by : str
        The name of the account that saved it; two, where what they typed was put together.
    wrong : bool
        Whether a field refuses what is in it. The draft itself is then an earlier version.
    """

    typed: dict[str, Any]
    by: str
    wrong: bool

    def others(self, me: str) -> str:
        """Name who else has saved it, or nobody.

        Whoever saves alone has seen what was there before. Where two versions were put together, neither has
        seen the other's yet.
        """
        return AND.join(name for name in self.by.split(AND) if name != me)


AND = ", "
"""Between the names of those who saved what was put together. No name has a space."""


def find(db: Connection, survey_id: int) -> Edits | None:
    """Return what was typed into a draft, unless nobody has saved it in the editor yet."""
    row = db.execute(
        "SELECT typed, saved_by, wrong FROM draft_edits WHERE survey_id = ?", [survey_id]
    ).fetchone()
    return None if row is None else Edits(json.loads(row[0]), row[1], bool(row[2]))


def stored(db: Connection, survey_id: int) -> tuple[Survey, Edits | None]:
    """Return a survey with what was typed into it, as one transaction shows both."""
    return surveys.get(db, survey_id), find(db, survey_id)


def basis(draft: Table, edits: Edits | None) -> str:
    """Return a short name for the state of a draft, for the form that is filled from it."""
    state = [draft] if edits is None else [draft, edits.typed]
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:HEAD]


def save(
    db: Connection, survey_id: int, seen: str, typed: dict[str, Any], table: Table | None, by: str
) -> tuple[Survey, Edits]:
    """Store what was typed, and the draft that it makes, if nobody has saved another meanwhile.

    What is stored already is a success, so that a form may be sent twice: by a double click, or again after
    its answer was lost.

    Parameters
    ----------
    db : Connection
    survey_id : int
    seen : str
        Begins with the `basis` that the fields were filled from.
    typed : dict
        The value of every field.
    table : Mapping or None
        The tables of a survey file that they make; None where a field is wrong. The draft then stays.
    by : str
        The name of the account, or several.

    Returns
    -------
    survey : Survey
    edits : Edits
        As they are stored now.

    Raises
    ------
    SurveyGone, WrongState, DefinitionError, SlugTaken
        If there is no such survey, if it is published, or if its slug cannot be used.
    DraftChangedError
        If somebody else saved it meanwhile.
    """
    survey, before = stored(db, survey_id)
    require(survey, "draft", "a published survey cannot change")
    draft = survey.draft or {}
    same = table == draft if before is None else typed == before.typed
    if not same and basis(draft, before) != seen[:HEAD]:
        raise DraftChangedError
    if table is not None and table != draft:
        survey = surveys.save_draft(db, survey_id, table)
    edits = Edits(typed, before.by if before is not None and same else by, wrong=table is None)
    db.execute(
        "INSERT INTO draft_edits (survey_id, typed, saved_by, wrong) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (survey_id) DO UPDATE SET typed = excluded.typed, saved_by = excluded.saved_by, "
        "wrong = excluded.wrong",
        [survey_id, json.dumps(typed, ensure_ascii=False), edits.by, int(edits.wrong)],
    )
    return survey, edits
