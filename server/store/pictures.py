"""Pictures of surveys: each stored once, under the SHA-256 of its bytes, for as long as a survey uses it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.store.engine import Connection
from survey.fields import Problem
from survey.picture import named_in

MOST_PICTURES = 200
"""The most pictures that a draft may have at a time, those included that no question shows any more."""


@dataclass(frozen=True)
class StoredPicture:
    """A picture as everybody gets it.

    Attributes
    ----------
    type : str
        ``png``, ``jpeg`` or ``webp``: the end of its MIME type.
    width, height : int
        Pixels.
    data : bytes
        The file.
    """

    type: str
    width: int
    height: int
    data: bytes

    @property
    def sha256(self) -> str:
        """The name of the picture: 64 hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


class TooManyPictures(ValueError):
    """The draft has as many pictures as a draft may have."""


def add(db: Connection, survey_id: int, picture: StoredPicture) -> None:
    """Let a draft use a picture, and store it unless it is there already.

    Raises
    ------
    TooManyPictures
        If the draft keeps `MOST_PICTURES` others.
    """
    db.hold([survey_id])
    if len(of_survey(db, survey_id) - {picture.sha256}) >= MOST_PICTURES:
        raise TooManyPictures
    put(db, survey_id, picture)


def put(db: Connection, survey_id: int, picture: StoredPicture) -> None:
    """Store a picture unless it is there already, and let a draft use it."""
    db.execute(
        "INSERT INTO pictures (sha256, type, width, height, bytes) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (sha256) DO NOTHING",
        [picture.sha256, picture.type, picture.width, picture.height, picture.data],
    )
    link(db, survey_id, picture.sha256)


def link(db: Connection, survey_id: int, sha256: str) -> None:
    """Let a draft use a picture that is stored."""
    db.execute(
        "INSERT INTO survey_pictures (survey_id, sha256) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [survey_id, sha256],
    )


def of_survey(db: Connection, survey_id: int) -> set[str]:
    """Return the names of the pictures that a survey uses, or has used as a draft."""
    rows = db.execute("SELECT sha256 FROM survey_pictures WHERE survey_id = ?", [survey_id]).fetchall()
    return {name for (name,) in rows}


def link_named(db: Connection, survey_id: int, table: Mapping[str, Any]) -> None:
    """Let a new draft use every picture that it names and that is stored, as where it copies a survey."""
    for _, named in named_in(table):
        if db.execute("SELECT 1 FROM pictures WHERE sha256 = ?", [named["sha256"]]).fetchone():
            link(db, survey_id, named["sha256"])


def lacking(db: Connection, survey_id: int, table: Mapping[str, Any]) -> list[Problem]:
    """Return which pictures a survey file names that are not stored for this survey as it says."""
    rows = db.execute(
        "SELECT sha256, type, width, height FROM pictures JOIN survey_pictures USING (sha256) "
        "WHERE survey_id = ?",
        [survey_id],
    ).fetchall()
    held = {name: (kind, width, height) for name, kind, width, height in rows}
    problems = []
    for place, named in named_in(table):
        found = held.get(named["sha256"])
        if found is None:
            problems.append(Problem(f"{place}.sha256", "open_picture", {}, named["sha256"]))
        elif found != (stated := tuple(named.get(key) for key in ("type", "width", "height"))):
            limits = dict(zip(("type", "width", "height"), found, strict=True))
            problems.append(Problem(place, "open_picture_size", limits, stated))
    return problems


def keep_only(db: Connection, survey_id: int, names: set[str]) -> None:
    """Let a draft use only these of its pictures; what no survey uses any more goes."""
    for name in sorted(of_survey(db, survey_id) - names):
        db.execute("DELETE FROM survey_pictures WHERE survey_id = ? AND sha256 = ?", [survey_id, name])


def stored(db: Connection, sha256: str) -> StoredPicture | None:
    """Return the picture of this name, whoever uses it."""
    return read(db, "FROM pictures WHERE sha256 = ?", [sha256])


def used_by(db: Connection, survey_id: int, sha256: str) -> StoredPicture | None:
    """Return the picture of this name, if this survey uses it."""
    return read(
        db,
        "FROM pictures JOIN survey_pictures USING (sha256) WHERE survey_id = ? AND sha256 = ?",
        [survey_id, sha256],
    )


def published(db: Connection, slug: str, sha256: str) -> StoredPicture | None:
    """Return the picture of this name, if the survey of that name is published and shows it."""
    return read(
        db,
        "FROM pictures JOIN survey_pictures USING (sha256) JOIN surveys ON surveys.id = survey_id "
        "WHERE slug = ? AND sha256 = ? AND state <> 'draft'",
        [slug, sha256],
    )


def read(db: Connection, rest: str, values: list[str | int]) -> StoredPicture | None:
    """Read the one picture that a query finds."""
    row = db.execute(f"SELECT type, width, height, bytes {rest}", values).fetchone()
    if row is None:
        return None
    kind, width, height, data = row
    return StoredPicture(kind, width, height, bytes(data))
