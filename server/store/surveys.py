"""Surveys: drafts that change, publications that never do, and the one way from the first to the second."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import call
from typing import TYPE_CHECKING, Any, Literal, cast

from server.runtime.bounded_cache import BoundedCache
from server.store import invitation_list, pictures
from server.store.engine import Connection
from server.store.lifecycle import legal_hold, life, proposals
from server.store.lifecycle.life import ClosedBy
from server.store.publication_cache import publications, remember
from survey.definition import Definition
from survey.fields import DefinitionError, Problem, Texts
from survey.invitations import LISTED
from survey.limits import LONGEST_SLUG
from survey.publication import Publication
from survey.read_definition import SLUG

if TYPE_CHECKING:
    from survey.draft import DraftCheck

State = Literal["draft", "open", "closed"]


class SurveyGone(LookupError):
    """No survey has this number, or none any more."""


class SlugTaken(ValueError):
    """Another survey has this name."""


class WrongState(ValueError):
    """A survey is in another state than a request needs.

    Attributes
    ----------
    survey : Survey
    """

    def __init__(self, rule: str, survey: Survey) -> None:
        self.survey = survey
        super().__init__(f"{rule}; {survey.slug} is {survey.state}")


@dataclass(frozen=True)
class Survey:
    """A survey as it is stored.

    Attributes
    ----------
    id : int
    slug : str
        The last part of its address.
    state : str
        ``draft``, ``open`` or ``closed``.
    document : dict or None
        The draft as it is written, right or wrong: see `survey.draft`. None once published.
    publication : Publication or None
        What respondents see; None while a draft.
    """

    id: int
    slug: str
    state: State
    document: dict[str, Any] | None
    publication: Publication | None

    @cached_property
    def checked(self) -> DraftCheck | None:
        """The draft as it would be published, with the problems that it has; None once published."""
        if self.document is None:
            return None
        from survey.draft import check  # no respondent needs what drafts import

        return check(self.document, self.slug)

    @property
    def draft(self) -> dict[str, Any] | None:
        """Return the tables of the draft's survey file, without what is wrong; None once published."""
        return None if self.checked is None else self.checked.table

    @property
    def title(self) -> Texts:
        """Return the title, as far as it is written."""
        return (
            self.publication.definition.title if self.publication else (self.document or {}).get("title", {})
        )

    @property
    def complete(self) -> Publication | None:
        """Return the publication, or the one that a draft would have; None where that lacks anything."""
        return self.publication or (self.checked.publication if self.checked else None)

    @property
    def tag(self) -> str:
        """Return a hash that stands for the survey as it is: for a draft, another one after each change."""
        if self.publication:
            return self.publication.fingerprint
        from survey.draft import document_hash

        return document_hash(self.document or {})


SELECT = """
    SELECT surveys.id, slug, state, draft, json
    FROM surveys LEFT JOIN publications ON survey_id = surveys.id
"""


def read_rows(rows: Sequence[tuple[Any, ...]]) -> list[Survey]:
    """Build surveys from rows of `SELECT`."""
    read = iter(publications([data for *_, data in rows if data is not None]))
    return [
        Survey(
            id=survey_id,
            slug=slug,
            state=state,
            document=None if draft is None else json.loads(draft),
            publication=None if data is None else next(read),
        )
        for survey_id, slug, state, draft, data in rows
    ]


def by_slug(db: Connection, slug: str) -> Survey | None:
    """Return the survey of this name, if there is one; what could not be a name is not looked for."""
    if not SLUG.fullmatch(slug):
        return None
    row = db.execute(SELECT + "WHERE slug = ?", [slug]).fetchone()
    return None if row is None else read_rows([row])[0]


def get(db: Connection, survey_id: int) -> Survey:
    """Return the survey of this number.

    Raises
    ------
    SurveyGone
        If there is none.
    """
    row = db.execute(SELECT + "WHERE surveys.id = ?", [survey_id]).fetchone()
    if row is None:
        raise SurveyGone(f"no survey has the number {survey_id}")
    return read_rows([row])[0]


PUBLICATIONS: BoundedCache[Publication] = BoundedCache(128, run=call)
"""Publications by their fingerprints: to read one again takes longer than to store a batch."""


@dataclass(frozen=True)
class Intake:
    """The facts that decide whether a survey takes a submission.

    Attributes
    ----------
    state : str
        ``open``, ``paused``, or ``closed``, from the moment on at which it closes by itself.
    publication : Publication
    quota : int or None
        How many reports it takes.
    """

    state: Literal["open", "paused", "closed"]
    publication: Publication
    quota: int | None


def intake(db: Connection, survey_id: int, now: float) -> Intake | None:
    """Return what decides whether a survey takes a submission; None if there is none or it is a draft."""
    row = db.execute(
        "SELECT state, fingerprint, paused, closes_at, quota FROM surveys "
        "JOIN publications ON publications.survey_id = surveys.id "
        "LEFT JOIN life ON life.survey_id = surveys.id WHERE surveys.id = ?",
        [survey_id],
    ).fetchone()
    if row is None:
        return None
    state, fingerprint, paused, closes_at, quota = row
    if closes_at is not None and closes_at <= now:
        state = "closed"
    elif paused:
        state = "paused"
    publication = PUBLICATIONS.get(fingerprint, lambda: cast("Publication", get(db, survey_id).publication))
    return Intake(state, publication, quota)


def all_surveys(db: Connection) -> list[Survey]:
    """Return every survey, in the order in which they were made."""
    return read_rows(db.execute(SELECT + "ORDER BY surveys.id").fetchall())


def published(db: Connection) -> list[bytes]:
    """Return the bytes of every publication."""
    return [json_bytes for (json_bytes,) in db.execute("SELECT json FROM publications").fetchall()]


def numbers(db: Connection) -> dict[str, int]:
    """Return the number of every survey by its name, the latest first."""
    return dict(db.execute("SELECT slug, id FROM surveys ORDER BY id DESC").fetchall())


def create_draft(db: Connection, table: Mapping[str, Any]) -> Survey:
    """Store a new draft under the slug that its table names; the rest may still be incomplete.

    Raises
    ------
    DefinitionError
        If the slug cannot be part of an address.
    SlugTaken
        If another survey has it.
    """
    from survey.draft import document_of

    return create_from_document(db, document_of(table))


def create_from_document(db: Connection, document: Mapping[str, Any]) -> Survey:
    """Store a document as a new draft; see `create_draft`."""
    slug = free_slug(db, document.get("slug"), survey_id=None)
    ((survey_id,),) = db.execute(
        "INSERT INTO surveys (slug, state, draft) VALUES (?, 'draft', ?) RETURNING id",
        [slug, draft_json(document)],
    ).fetchall()
    pictures.link_named(db, survey_id, document)
    return get(db, survey_id)


def import_definition(db: Connection, definition: Definition) -> Survey:
    """Store a survey file that has passed every check as a new draft; see `create_draft`."""
    return create_draft(db, definition.as_dict())


def open_survey(db: Connection, survey_id: int, publication: Publication | None = None) -> Survey:
    """Publish a draft: check it, freeze its bytes, make room for its reports. There is no way back.

    Parameters
    ----------
    db : Connection
    survey_id : int
    publication : Publication, optional
        What the draft gives, if that is known; otherwise it is worked out here.

    Raises
    ------
    LookupError, WrongState
        If there is no such survey, or it is published already.
    DefinitionError
        If the draft is not complete, or a picture of it is not here; it stays a draft.
    SecondAdminNeeded
        If that takes one, and none has confirmed what the draft gives.
    """
    survey = get(db, survey_id)
    require(survey, "draft", "a survey is published once")
    made = publication or publication_of(survey)
    db.hold([survey_id], alone=True)
    proposals.need(db, survey_id, "open", made.fingerprint)
    proposals.forget(db, survey_id, "open")
    proposals.forget(db, survey_id, "delete")
    if problems := pictures.lacking(db, survey_id, made.definition.as_dict()):
        raise DefinitionError(survey.slug, problems)
    pictures.keep_only(db, survey_id, {picture.sha256 for picture in made.definition.pictures})
    db.reports.create(survey_id, remember(made))
    return get(db, survey_id)


def publication_of(draft: Survey) -> Publication:
    """Return what a draft publishes.

    Raises
    ------
    DefinitionError
        If something of it is wrong or missing.
    """
    checked = cast("DraftCheck", draft.checked)
    if checked.publication is None:
        raise DefinitionError(draft.slug, checked.problems)
    return checked.publication


def close_survey(db: Connection, survey_id: int, by: ClosedBy = "hand") -> Survey:
    """Stop taking reports, for good: the exact counts are published now, also if the survey is paused.

    Raises
    ------
    LookupError, WrongState
        If there is no such survey, or it is not open.
    """
    survey = get(db, survey_id)
    require(survey, "open", "only an open survey can be closed")
    publication = cast("Publication", survey.publication)
    db.hold([survey_id], alone=True)
    life.note(db, survey_id, paused=0)
    if publication.definition.invitations == LISTED:
        invitation_list.settle(db, survey_id)
    db.reports.close(survey_id, publication)
    life.note(db, survey_id, closed_by=by)
    return get(db, survey_id)


def delete_survey(db: Connection, survey_id: int) -> None:
    """Remove a survey with all that belongs to it: publication, reports, counts and days.

    Raises
    ------
    LookupError
        If there is no such survey.
    OnHold
        If a legal hold keeps it.
    SecondAdminNeeded
        If that takes one, and none has confirmed it.
    """
    db.hold([survey_id], alone=True)
    survey = get(db, survey_id)
    legal_hold.refuse(db, survey_id, survey.slug)
    proposals.need(db, survey_id, "delete", survey.publication.fingerprint if survey.publication else "")
    db.reports.drop(survey_id)


def require(survey: Survey, state: State, rule: str) -> None:
    """Refuse what a survey's state does not allow."""
    if survey.state != state:
        raise WrongState(rule, survey)


def free_slug(db: Connection, slug: object, survey_id: int | None) -> str:
    """Return a slug if it can be part of an address and no other survey has it.

    Raises
    ------
    DefinitionError, SlugTaken
    """
    if not (isinstance(slug, str) and SLUG.fullmatch(slug) and len(slug) <= LONGEST_SLUG):
        raise DefinitionError("the draft", [Problem("slug", "slug_stored", {"most": LONGEST_SLUG}, slug)])
    other = by_slug(db, slug)
    if other is not None and other.id != survey_id:
        raise SlugTaken(f"slug must be free, got {slug!r}, the name of another survey")
    return slug


def draft_json(document: Mapping[str, Any]) -> str:
    """Write a draft as it is stored."""
    return json.dumps(document, ensure_ascii=False)
