"""Drafts as they are stored: saved by several people at once, each from a page of their own."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from server.store import surveys
from server.store.engine import Connection
from server.store.surveys import SlugTaken, Survey, draft_json, free_slug, require
from survey.draft import (
    Change,
    Conflict,
    changed_units,
    changes_since,
    document_hash,
    document_of,
    merged,
    require_room,
)
from survey.fields import DefinitionError

MOST_PAGES = 30
"""Pages whose last save is remembered, for each draft."""

MOST_STEPS = 200
"""Saves of which is remembered what the units that they changed had been."""


class DraftChangedError(Exception):
    """The draft is no longer what the admin saw."""


class LateSaveError(Exception):
    """The page has saved something newer since it sent this."""


class ConflictError(Exception):
    """Somebody else has changed what the page has changed, so that somebody must choose.

    Attributes
    ----------
    draft : Survey
        As it is stored.
    since : tuple of str
        As of `SaveResult`.
    conflicts : list of Conflict
    """

    def __init__(self, draft: Survey, since: tuple[str, ...], conflicts: list[Conflict]) -> None:
        self.draft, self.since, self.conflicts = draft, since, conflicts
        super().__init__([conflict.unit for conflict in conflicts])


@dataclass(frozen=True)
class Author:
    """The account that saves, and from which page: each page numbers what it sends.

    Attributes
    ----------
    name : str
    page : str
        Empty for a program, and for a form that takes the place of the whole draft.
    number : int
        The same where the same is sent again.
    """

    name: str
    page: str = ""
    number: int = 0


@dataclass
class Saves:
    """The latest saves of a draft: by whom, and what they changed.

    Attributes
    ----------
    pages : list
        The last save of each page, the latest last: page, number, account, `document_hash` after it.
    steps : list
        The latest saves of all, the last one last: `document_hash` before it, and the hashes that the units
        which it changed had then.
    """

    pages: list[list[Any]] = field(default_factory=list)
    steps: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@dataclass(frozen=True)
class SaveResult:
    """The draft as a save leaves it.

    Attributes
    ----------
    survey : Survey
        As it is stored now.
    before : str
        The `survey.draft.document_hash` of what was stored before.
    since : tuple of str
        The names of the accounts that have saved since the page has seen the draft, the last one last; the
        author's too, where they did so from another page.
    """

    survey: Survey
    before: str
    since: tuple[str, ...]


def save(db: Connection, survey_id: int, seen: str, changes: Sequence[Change], author: Author) -> SaveResult:
    """Put what a page has changed into a draft, whoever else has changed it meanwhile.

    Parameters
    ----------
    db : Connection
    survey_id : int
    seen : str
        The `document_hash` of the stored draft that the page knows.
    changes : sequence of Change
        Whose units and values fit a draft: see `survey.draft.require_unit`.
    author : Author

    Raises
    ------
    SurveyGone, WrongState
        If there is no such survey, or it is published.
    LateSaveError
        If the page has saved a later one: this one was on its way for long.
    ConflictError
        If both have changed the same. Nothing is saved then.
    Refusal
        If a list would have more nodes than there is room for.
    """
    survey = surveys.get(db, survey_id)
    require(survey, "draft", "a published survey cannot change")
    document, saves = survey.document or {}, saves_of(db, survey_id)
    last = next((number for page, number, *_ in saves.pages if page == author.page), 0)
    if author.number < last:
        raise LateSaveError
    before, since = survey.tag, since_seen(saves, seen, author)
    if author.number == last:  # it has arrived before, and what came after it stands
        return SaveResult(survey, before, since)
    result = merged(document, changes, is_known=seen == before)
    if result.conflicts:
        raise ConflictError(survey, since, result.conflicts)
    require_room(result.document)
    return SaveResult(store(db, survey, result.document, saves, author), before, since)


def look(db: Connection, survey_id: int, seen: str, author: Author) -> SaveResult:
    """Return a draft as it is stored, and who has saved it since a page has seen it.

    Raises
    ------
    SurveyGone, WrongState
        If there is no such survey, or it is published.
    """
    survey = surveys.get(db, survey_id)
    require(survey, "draft", "a published survey cannot change")
    return SaveResult(survey, survey.tag, since_seen(saves_of(db, survey_id), seen, author))


def replace(db: Connection, survey_id: int, seen: str, document: Mapping[str, Any], name: str) -> Survey:
    """Let another document take a draft's place.

    Parameters
    ----------
    db : Connection
    survey_id : int
    seen : str
        The `document_hash` of the draft whose place it takes.
    document : Mapping[str, Any]
        Its nodes are those of the draft, as far as they are the same.
    name : str
        The account that saves.

    Raises
    ------
    SurveyGone, WrongState
        If there is no such survey, or it is published.
    DraftChangedError
        If somebody has saved another meanwhile.
    """
    survey = surveys.get(db, survey_id)
    require(survey, "draft", "a published survey cannot change")
    if document == survey.document:
        return survey
    if survey.tag != seen:
        raise DraftChangedError
    return store(db, survey, document, saves_of(db, survey_id), Author(name))


def replace_at_address(
    db: Connection, survey_id: int, seen: Collection[str], table: Mapping[str, Any], name: str
) -> Survey:
    """Let a survey file take a draft's place, at the address that it names.

    Parameters
    ----------
    db : Connection
    survey_id : int
    seen : collection of str
        The `document_hash` of the draft that whoever sends it has read, or several. What others have changed
        since then stays, where the file says of it what it said then.
    table : Mapping[str, Any]
        The tables of the file.
    name : str
        The account that saves.

    Raises
    ------
    SurveyGone, WrongState
        If there is no such survey, or it is published.
    DraftChangedError
        If both have changed the same, or what was read is not known any more.
    DefinitionError, SlugTaken
        If another survey has the address, or none can have it.
    """
    survey = surveys.get(db, survey_id)
    require(survey, "draft", "a published survey cannot change")
    stored = survey.document or {}
    document = document_of(table, stored)
    free_slug(db, document.get("slug"), survey_id)
    if document == stored:  # whoever repeats a request, after its answer was lost, finds it done
        return survey
    saves = saves_of(db, survey_id)
    if survey.tag not in seen:
        known = next((tag for tag, _ in saves.steps if tag in seen), "")
        changes = changes_since(saves.steps, known, stored, document)
        if changes is None or (result := merged(stored, changes)).conflicts:
            raise DraftChangedError
        require_room(result.document)
        document = result.document
        free_slug(db, document.get("slug"), survey_id)
    return store(db, survey, document, saves, Author(name))


def store(
    db: Connection, survey: Survey, document: Mapping[str, Any], saves: Saves, author: Author
) -> Survey:
    """Store a draft. Its address follows what was typed, where that can be one and is free."""
    try:
        slug = free_slug(db, document.get("slug"), survey.id)
    except (DefinitionError, SlugTaken):
        slug = survey.slug
    others = [entry for entry in saves.pages if entry[0] != author.page]
    entry = [author.page, author.number, author.name, document_hash(document)]
    step = survey.tag, changed_units(survey.document or {}, document)
    remembered = Saves([*others, entry][-MOST_PAGES:], [*saves.steps, step][-MOST_STEPS:])
    db.execute(
        "UPDATE surveys SET slug = ?, draft = ?, saves = ? WHERE id = ?",
        [slug, draft_json(document), json.dumps(asdict(remembered), ensure_ascii=False), survey.id],
    )
    return surveys.get(db, survey.id)


def saves_of(db: Connection, survey_id: int) -> Saves:
    """Return who has saved a draft, and what it was before."""
    row = db.execute("SELECT saves FROM surveys WHERE id = ?", [survey_id]).fetchone()
    return Saves(**json.loads(row[0])) if row and row[0] else Saves()


def since_seen(saves: Saves, seen: str, author: Author) -> tuple[str, ...]:
    """Return who has saved after the draft was as a page has seen it; all of them where that is not known."""
    pages = saves.pages
    known = [n for n, (page, *_, tag) in enumerate(pages, 1) if tag == seen or page == author.page]
    return tuple(dict.fromkeys(name for _, _, name, _ in pages[max(known, default=0) :]))
