"""Changes to a draft that hold only if it still is what the admin saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from server.language.catalogue import LANGUAGES, has_words
from server.language.moments import moment
from server.runtime import offload
from server.store import edits, pictures, surveys
from server.store.edits import DraftChangedError
from server.store.engine import Connection, Storage
from server.store.lifecycle import life, opening_reasons
from server.store.lifecycle.life import Life
from server.store.staff import audit
from server.store.surveys import Survey
from survey.definition import TEXTS
from survey.fields import DefinitionError, Problem
from survey.opening_requirements import unready
from survey.picture import named_in
from survey.publication import Publication, publish
from survey.read_definition import OPTIONAL_TEXTS, from_dict


class FaultyDraftError(DraftChangedError):
    """A field of the draft refuses what was typed into it: the draft is an earlier version."""


class PastItsEnd(ValueError):
    """The closing date of a draft has come: it would close as soon as it opened."""


def would_be(draft: Mapping[str, Any], source: str) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish a draft on paper, or list what keeps it from being published."""
    started = {name: {} for name in TEXTS if name not in OPTIONAL_TEXTS} | dict(draft)
    try:
        return publish(from_dict(started, source)), ()
    except DefinitionError as error:
        return None, error.problems


def would_open(
    draft: Mapping[str, Any], source: str, earliest: date
) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish a draft on paper as it would be opened, or list all that keeps it from that.

    Parameters
    ----------
    draft : Mapping[str, Any]
    source : str
        Where it came from, for the messages.
    earliest : date
        The first day until which its data may be kept.
    """
    publication, problems = would_be(draft, source)
    named = {problem.path for problem in problems}
    lacking = (problem for problem in lacks(draft, earliest) if problem.path not in named)
    return publication, (*problems, *lacking)


def lacks(draft: Mapping[str, Any], earliest: date) -> Iterator[Problem]:
    """List what a survey file may leave out and a survey that opens may not; `would_open` has the parameters.

    In a language whose words Candor does not have, half of the page would be English.
    """
    yield from unready(draft, earliest)
    for index, code in enumerate(draft.get("languages", [])):
        if not has_words(str(code)):
            yield Problem(f"languages[{index}]", "open_language", {"languages": LANGUAGES}, code)


def pictures_lacking(db: Connection, slug: str, table: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return which pictures a version of a draft names that are not stored for it."""
    survey = surveys.by_slug(db, slug) if any(named_in(table)) else None
    return () if survey is None else tuple(pictures.lacking(db, survey.id, table))


def ready(
    storage: Storage, survey: Survey, held: Life, now: float
) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish a stored draft on paper, or list what keeps it from being opened, pictures included.

    Parameters
    ----------
    storage : Storage
    survey : Survey
    held : Life
        What is noted of it.
    now : float
        In seconds since 1970.
    """
    draft = survey.draft or {}
    publication, problems = offload.compute(would_open, draft, survey.slug, held.earliest_kept_until(now))
    problems += tuple(storage.read(pictures.lacking, survey.id, draft))
    return (None if problems else publication), problems


def open_as_confirmed(
    storage: Storage, survey_id: int, fingerprint: str, who: str, now: float, reason: str = ""
) -> Survey:
    """Open a draft whose fingerprint will be the one that was confirmed, and note who has done it.

    Parameters
    ----------
    storage : Storage
    survey_id : int
    fingerprint : str
    who : str
        As the audit log names them.
    now : float
        In seconds since 1970.
    reason : str
        Why it is opened, if it protects little.

    Raises
    ------
    LookupError, WrongState
        If there is no such survey, or it is published already.
    DraftChangedError
        If it would have another, or is not complete.
    FaultyDraftError
        If something was typed into it that is wrong.
    PastItsEnd
        If its closing date has come.
    DefinitionError
        If it protects little, and no reason is given: for a date, it was given when that was set.

    Notes
    -----
    To publish a large draft takes a second. That is done before the transaction, which sees that the draft is
    still the same.
    """
    survey, typed = storage.read(edits.stored, survey_id)
    draft = survey.draft
    if typed is not None and typed.wrong:
        raise FaultyDraftError
    held = storage.read(life.of, survey_id)
    if draft is not None and held.closes_at is not None and held.over(now):
        later = f"after {moment(int(now), held.zone)} before the survey is opened"
        raise PastItsEnd(f"the closing date must be {later}, got {moment(held.closes_at, held.zone)}")
    publication = None if draft is None else ready(storage, survey, held, now)[0]
    if draft is not None and (publication is None or publication.fingerprint != fingerprint):
        raise DraftChangedError
    if publication is None or who == audit.BY_DATE:
        return storage.write(open_unchanged, survey_id, draft, publication, who)
    if problems := offload.compute(list, opening_reasons.lacking(publication, reason)):
        raise DefinitionError(survey.slug, problems)
    needed = offload.compute(opening_reasons.little, publication)
    return storage.write(open_unchanged, survey_id, draft, publication, who, reason if needed else "")


def open_unchanged(
    db: Connection,
    survey_id: int,
    draft: Mapping[str, Any] | None,
    publication: Publication | None,
    who: str,
    reason: str = "",
) -> Survey:
    """Open a draft that is still the one from which a publication was made; note who did it, and why.

    Raises
    ------
    LookupError, WrongState, DraftChangedError
        If it is not.
    """
    survey, typed = edits.stored(db, survey_id)
    if survey.draft is not None and survey.draft != draft:
        raise DraftChangedError
    if typed is not None and typed.wrong:
        raise FaultyDraftError
    opened = surveys.open_survey(db, survey_id, publication)
    if reason.strip():
        opening_reasons.note(db, who, opened.slug, reason)
    audit.note(db, who, "survey_opened", opened.slug)
    return opened
