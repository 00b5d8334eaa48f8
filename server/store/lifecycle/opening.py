"""From a draft to an open survey: what keeps it from being opened, and opening it as it was confirmed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from server.language.catalogue import LANGUAGES, has_words
from server.language.moments import moment
from server.runtime import offload
from server.store import pictures, surveys
from server.store.drafts import DraftChangedError
from server.store.engine import Connection, Storage
from server.store.lifecycle import dated_proposals, life, opening_reasons, proposals
from server.store.lifecycle.life import Life
from server.store.lifecycle.proposals import SecondAdminNeeded
from server.store.staff import audit
from server.store.staff.accounts import Account
from server.store.surveys import Survey
from survey.draft.check import blank_texts
from survey.fields import DefinitionError, Problem
from survey.opening_requirements import unready
from survey.publication import Publication, publish
from survey.read_definition import from_dict


class PastItsEnd(ValueError):
    """The closing date of a draft has come: it would close as soon as it opened."""


def would_be(table: Mapping[str, Any], source: str) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish the tables of a survey file on paper, or list what keeps them from being published."""
    try:
        return publish(from_dict(blank_texts(table) | dict(table), source)), ()
    except DefinitionError as error:
        return None, error.problems


def would_open(survey: Survey, earliest: date) -> tuple[Publication | None, tuple[Problem, ...]]:
    """Publish a draft on paper as it would be opened, or list all that keeps it from that, but for pictures.

    Parameters
    ----------
    survey : Survey
        A draft.
    earliest : date
        The first day until which its data may be kept.
    """
    checked = survey.checked
    assert checked is not None  # noqa: S101  # it is a draft
    named = {problem.path for problem in checked.problems}
    lacking = [problem for problem in lacks(checked.table, earliest) if problem.path not in named]
    slug = checked.table.get("slug", survey.slug)
    taken = [Problem("slug", "slug_free", {}, slug)] if slug != survey.slug else []
    return checked.publication, (*checked.problems, *taken, *lacking)


def lacks(draft: Mapping[str, Any], earliest: date) -> Iterator[Problem]:
    """List what a survey file may leave out and a survey that opens may not.

    Parameters
    ----------
    draft : Mapping[str, Any]
        The tables of the survey file.
    earliest : date
        The first day until which its data may be kept.

    Notes
    -----
    In a language whose words Candor does not have, half of the page would be English.
    """
    yield from unready(draft, earliest)
    for index, code in enumerate(draft.get("languages", [])):
        if not has_words(str(code)):
            yield Problem(f"languages[{index}]", "open_language", {"languages": LANGUAGES}, code)


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

    Returns
    -------
    publication : Publication or None
        None where anything keeps it from being opened.
    problems : tuple of Problem
        At the paths of the survey file.
    """
    publication, problems = offload.compute(would_open, survey, held.earliest_kept_until(now))
    problems += tuple(storage.read(pictures.lacking, survey.id, survey.draft or {}))
    return (None if problems else publication), problems


def open_or_propose(
    storage: Storage, survey_id: int, fingerprint: str, account: Account, now: float, reason: str = ""
) -> Survey | None:
    """Open a draft as `open_as_confirmed` does; where that takes a second admin, propose it and return None.

    The reason for opening one that protects little is logged with the proposal, where the admin reads it.
    """
    try:
        return open_as_confirmed(storage, survey_id, fingerprint, account.name, now, reason)
    except SecondAdminNeeded as needed:
        storage.write(propose, survey_id, needed.subject, account, now, needed.reason)
        return None


def propose(
    db: Connection, survey_id: int, fingerprint: str, account: Account, now: float, reason: str
) -> None:
    """Propose to open a draft now and not on a date, for a reason if one was given.

    Raises
    ------
    SurveyGone, WrongState
        If it was deleted meanwhile, or opened.
    """
    survey = surveys.get(db, survey_id)
    surveys.require(survey, "draft", "a survey is published once")
    if life.of(db, survey_id).opens_at is not None:
        life.note(db, survey_id, opens_at=None, opens_as=None)
    proposals.propose(db, survey_id, "open", fingerprint, account.id, now)
    if reason.strip():
        opening_reasons.note(db, account.name, survey.slug, reason)


def open_as_confirmed(
    storage: Storage,
    survey_id: int,
    fingerprint: str,
    who: str,
    now: float,
    reason: str = "",
    consent: Callable[[Connection], object] | None = None,
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
    consent : callable, optional
        Confirms in the same transaction what another has proposed, and given a reason for.

    Raises
    ------
    LookupError, WrongState
        If there is no such survey, or it is published already.
    SecondAdminNeeded
        If that takes one, and none has confirmed it.
    DraftChangedError
        If it would have another, is not complete, or something in it is wrong.
    PastItsEnd
        If its closing date has come.
    DefinitionError
        If it protects little, and no reason is given: for a date, it was given when that was set.

    Notes
    -----
    To publish a large draft takes a second. That is done before the transaction, which sees that the draft is
    still the same.
    """
    survey = storage.read(surveys.get, survey_id)
    draft = survey.document
    held = storage.read(life.of, survey_id)
    if draft is not None and held.closes_at is not None and held.over(now):
        later = f"after {moment(int(now), held.zone)} before the survey is opened"
        raise PastItsEnd(f"the closing date must be {later}, got {moment(held.closes_at, held.zone)}")
    publication = None if draft is None else ready(storage, survey, held, now)[0]
    if draft is not None and (publication is None or publication.fingerprint != fingerprint):
        raise DraftChangedError
    if publication is None or who == audit.BY_DATE or consent:
        return storage.write(open_unchanged, survey_id, draft, publication, who, consent=consent)
    if problems := offload.compute(list, opening_reasons.lacking(publication, reason)):
        raise DefinitionError(survey.slug, problems)
    given = reason if offload.compute(opening_reasons.little, publication) else ""
    try:
        return storage.write(open_unchanged, survey_id, draft, publication, who, given)
    except SecondAdminNeeded as needed:
        needed.reason = given
        raise


def open_unchanged(
    db: Connection,
    survey_id: int,
    draft: Mapping[str, Any] | None,
    publication: Publication | None,
    who: str,
    reason: str = "",
    consent: Callable[[Connection], object] | None = None,
) -> Survey:
    """Open a draft that is still the one from which a publication was made; note who did it, and why.

    Raises
    ------
    LookupError, WrongState, DraftChangedError
        If it is not.
    """
    document = surveys.get(db, survey_id).document
    if document is not None and document != draft:
        raise DraftChangedError
    if consent is not None:
        consent(db)
    elif publication is not None and who != audit.BY_DATE:
        dated_proposals.need_now(db, survey_id, publication.fingerprint)
    opened = surveys.open_survey(db, survey_id, publication)
    if reason.strip():
        opening_reasons.note(db, who, opened.slug, reason)
    audit.note(db, who, "survey_opened", opened.slug)
    return opened
