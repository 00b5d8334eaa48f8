"""The rights of each role: the one table that the guards of pages and of the API ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from server.store.staff.accounts import Role
from server.store.staff.rights import AccountRights, Relation

Action = Literal[
    "enter",  # one's own account and tokens, and the list of results
    "create",  # begin or import a survey, and list those that one may look at
    "people",  # accounts, invitations, and what is required of everybody
    "audit",  # read what staff did
    "read",  # the results of a survey, as far as they may be shown
    "rows",  # its noisy reports, row by row
    "look",  # what it is before it opens, and what it was made of: drafts, trials, survey files
    "edit",  # its draft
    "open",
    "run",  # close it, and what else is done to an open one: pause, dates, quota, retention
    "invite",  # those whom it asks
    "delete",
    "oversee",  # set a legal hold and lift it, confirm what others have proposed
]
"""An action that needs a right. The first four concern no survey."""

NO_SURVEY: frozenset[Action] = frozenset({"enter", "create", "people", "audit"})
READING: frozenset[Action] = frozenset({"read", "rows"})
EDITING: frozenset[Action] = READING | {"look", "edit", "open", "run", "invite"}
OWNING: frozenset[Action] = EDITING | {"delete"}
EVERYTHING: frozenset[Action] = OWNING | {"oversee"}
NOTHING: frozenset[Action] = frozenset()

RIGHTS: Mapping[Role, Mapping[Relation, frozenset[Action]]] = {
    "admin": {
        "none": NO_SURVEY,
        "own": EVERYTHING,
        "given": EVERYTHING,
        "other": EVERYTHING,
    },
    "editor": {
        "none": frozenset({"enter", "create"}),
        "own": OWNING,
        "given": EDITING,
        "other": NOTHING,
    },
    "researcher": {
        "none": frozenset({"enter"}),
        "own": READING,
        "given": READING,
        "other": NOTHING,
    },
}
"""Role -> relation of the account to the survey, ``none`` where there is no survey -> its rights."""

Answer = Literal["yes", "hidden", "no"]


def decide(role: Role, action: Action, relation: Relation) -> Answer:
    """Return whether somebody may do something.

    Parameters
    ----------
    role : Role
    action : Action
    relation : Relation
        The account's relation to the survey.

    Returns
    -------
    str
        ``yes``; ``hidden`` if the survey must seem not to exist; ``no`` if only others may do it.

    Examples
    --------
    >>> decide("editor", "open", "own"), decide("editor", "open", "other"), decide("editor", "people", "none")
    ('yes', 'hidden', 'no')
    """
    rights = RIGHTS[role]
    if action in rights[relation]:
        return "yes"
    seen = relation == "none" or rights[relation]
    ever = any(action in actions for actions in rights.values())
    return "hidden" if ever and not seen else "no"


def may(standing: AccountRights, action: Action, survey_id: int | None = None) -> bool:
    """Return whether an account may do something, to a survey or to none."""
    relation = "none" if survey_id is None else standing.relation(survey_id)
    return decide(standing.role, action, relation) == "yes"
