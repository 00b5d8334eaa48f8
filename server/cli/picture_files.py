"""Pictures beside a survey file, in the folder ``pictures``, each named by its SHA-256."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from server.pictures.pixels import UnusablePicture, open_picture
from server.store.pictures import StoredPicture
from survey.definition import Definition
from survey.fields import DefinitionError, Problem
from survey.picture import Picture

FOLDER = "pictures"

LARGEST = 2_000_000
"""Bytes of a picture that a server has made: see `server.pictures.pixels`."""


def write_beside(file: Path, pictures: Iterable[StoredPicture]) -> None:
    """Write pictures into the folder beside a survey file."""
    folder = file.parent / FOLDER
    for picture in pictures:
        folder.mkdir(exist_ok=True)
        (folder / f"{picture.sha256}.{picture.type}").write_bytes(picture.data)


def read_beside(file: Path, definition: Definition) -> Iterator[StoredPicture]:
    """Yield those pictures of a survey that are in the folder beside its file.

    Raises
    ------
    DefinitionError
        If a picture is not the one that the survey names; none is made anew, as the fingerprint covers it.
    """
    for picture in definition.pictures:
        path = file.parent / FOLDER / picture.file
        if path.is_file():
            yield checked(path, picture)


def checked(path: Path, picture: Picture) -> StoredPicture:
    """Read a picture; refuse it unless it is the one that the survey names."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST or sha256(data).hexdigest() != picture.sha256:
        raise refused(path, "picture_hash")
    try:
        image = open_picture(data)
    except (UnusablePicture, OSError, ValueError, SyntaxError):
        raise refused(path, "picture_readable", type=picture.type) from None
    kind = "jpeg" if image.format == "MPO" else (image.format or "").lower()
    if (kind, *image.size) != (picture.type, picture.width, picture.height):
        raise refused(path, "picture_size", type=picture.type, width=picture.width, height=picture.height)
    return StoredPicture(picture.type, picture.width, picture.height, data)


def refused(path: Path, rule: str, **limits: object) -> DefinitionError:
    """Return the error of a file that breaks a rule."""
    return DefinitionError(str(path), [Problem("the file", rule, limits, path.name)])
