"""A picture is sent for a question of a draft: with the form, by its own button, or alone by the script."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

from flask import request
from werkzeug.datastructures import FileStorage

from server.forms.faults import Fault
from server.forms.picture import typed_picture
from server.pictures.reencoding import NotAPicture, reencode
from server.services import services
from server.store import pictures
from server.store.pictures import StoredPicture, TooManyPictures
from server.store.surveys import Survey

ACTION = re.compile(r"(?P<what>picture|unpicture)-(?P<question>[0-9]{1,3})")


class Refused(ValueError):
    """A file that is not taken.

    Attributes
    ----------
    fault : Fault
        The sentence about it.
    """

    def __init__(self, reason: str, **values: int) -> None:
        super().__init__(reason)
        shown = {name: f"{value:,}" for name, value in values.items()}
        self.reason, self.fault = reason, Fault(f"pictures.error.{reason}", shown)


def taken(survey: Survey, file: FileStorage | None) -> StoredPicture:
    """Store a picture for a draft: it is made anew from its pixels, and nothing else of the file is kept.

    Raises
    ------
    Refused
        If there is no file, it is no picture, or the draft has as many as it may keep.
    """
    if file is None or not file.filename:
        raise Refused("none")
    try:
        with closing(file):
            picture = StoredPicture(*reencode(file.read()))
        services().storage.write(pictures.add, survey.id, picture)
    except NotAPicture as error:
        raise Refused(error.reason, **error.values) from None
    except TooManyPictures:
        raise Refused("many", most=pictures.MOST_PICTURES) from None
    return picture


def pictured(survey: Survey | None, questions: list[dict[str, Any]], action: str) -> tuple[str, Fault | None]:
    """Give a question the picture that came with the form, or take it away, as the pressed button says.

    Parameters
    ----------
    survey : Survey or None
        A draft; otherwise nothing is stored.
    questions : list of dict
        What was typed; changed in place.
    action : str
        ``picture-0`` for a picture of the first question, ``unpicture-0`` for none.

    Returns
    -------
    tuple
        The field to look at next, empty where this is another button; and why the file is not taken.
    """
    found = ACTION.fullmatch(action)
    if found is None or int(found["question"]) >= len(questions):
        return "", None
    number = int(found["question"])
    place = f"questions-{number}-picture"
    if found["what"] == "unpicture":
        questions[number]["picture"] = typed_picture({})
        return f"question-{number + 1}", None
    if survey is None or survey.draft is None:
        return place, None
    try:
        picture = taken(survey, request.files.get("picture"))
    except Refused as refused:
        return place, refused.fault
    size = {"width": picture.width, "height": picture.height}
    alt = questions[number].get("picture", {}).get("alt", {})
    told = {"sha256": picture.sha256, "type": picture.type, **size, "alt": alt}
    questions[number]["picture"] = typed_picture(told)
    return place, None


def refuse(form: Any, place: str, fault: Fault) -> None:
    """Mark the picture of a question with the reason why another was not taken."""
    _, number, _ = place.split("-")
    form.questions.entries[int(number)].form["picture"].form.sha256.errors = [fault]
    form.questions.errors = [{"picture": [fault]}]  # which a list notes only while it is validated
