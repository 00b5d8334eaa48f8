"""Changes to a draft that hold only if it still is what the admin saw."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from server.store import audit, surveys
from server.store.engine import Connection, Storage
from server.store.surveys import Survey
from server.web import offload
from survey.definition import OPTIONAL_TEXTS, TEXTS, from_dict
from survey.fields import DefinitionError, Problem
from survey.publication import Publication, publish


class DraftChangedError(Exception):
    """The draft is no longer what the admin saw."""


def basis(draft: Mapping[str, Any]) -> str:
    """Return a short name for the state of a draft, for the form that is filled from it."""
    return hashlib.sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest()[:32]


def would_be(draft: Mapping[str, Any], source: str) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish a draft on paper, or list what keeps it from being published."""
    started = {name: {} for name in TEXTS if name not in OPTIONAL_TEXTS} | dict(draft)
    try:
        return publish(from_dict(started, source)), ()
    except DefinitionError as error:
        return None, error.problems


def save_unless_changed(db: Connection, survey_id: int, seen: str, draft: Mapping[str, Any]) -> Survey:
    """Save a draft if the stored one still has the basis that the form was filled from, or is it already.

    A form that is sent twice, by a double click or again after its answer was lost, finds itself stored.

    Raises
    ------
    DraftChangedError
        If somebody else saved it meanwhile.
    """
    stored = surveys.get(db, survey_id).draft
    if stored is not None and basis(stored) not in (seen, basis(draft)):
        raise DraftChangedError
    return surveys.save_draft(db, survey_id, draft)


def open_as_confirmed(storage: Storage, survey_id: int, fingerprint: str, who: str) -> Survey:
    """Open a draft whose fingerprint will be the one that was confirmed, and note who has done it.

    Raises
    ------
    LookupError, WrongState
        If there is no such survey, or it is published already.
    DraftChangedError
        If it would have another, or is not complete.

    Notes
    -----
    To publish a large draft takes a second. That is done before the transaction, which sees that the draft is
    still the same.
    """
    draft = storage.read(surveys.get, survey_id).draft
    publication = None if draft is None else offload.compute(would_be, draft, "the draft")[0]
    if draft is not None and (publication is None or publication.fingerprint != fingerprint):
        raise DraftChangedError
    return storage.write(open_unchanged, survey_id, draft, publication, who)


def open_unchanged(
    db: Connection, survey_id: int, draft: Mapping[str, Any] | None, publication: Publication | None, who: str
) -> Survey:
    """Open a draft that is still the one from which a publication was made.

    Raises
    ------
    LookupError, WrongState, DraftChangedError
        If it is not.
    """
    stored = surveys.get(db, survey_id).draft
    if stored is not None and stored != draft:
        raise DraftChangedError
    opened = surveys.open_survey(db, survey_id, publication)
    audit.note(db, who, "survey_opened", opened.slug)
    return opened
