"""What an admin types for a picture of a question: its description; the picture itself was sent before."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from wtforms import Field, Form, FormField, HiddenField

from server.forms.faults import fault
from server.forms.numbers import is_whole
from server.forms.texts import texts_form, tidy, written_texts
from survey.picture import LONGEST_ALT, MOST_SIDE, SHA256, TYPES

SIDES = ("width", "height")


@cache
def picture_form(languages: tuple[str, ...]) -> type[Form]:
    """Make the form of a question's picture."""

    class PictureForm(Form):  # type: ignore[misc]  # WTForms has no types
        """A picture that is stored: its name, its type, its size, and what it shows in words."""

        sha256 = HiddenField(filters=[tidy])
        type = HiddenField(filters=[tidy])
        width = HiddenField(filters=[tidy])
        height = HiddenField(filters=[tidy])
        alt = FormField(texts_form(languages, LONGEST_ALT))

        def validate_sha256(self, field: Field) -> None:
            """Check what the page fills in by itself: it names a picture, or none."""
            if field.data and not picture_table(self.data, []):
                raise fault("pictures.error.unknown", value=field.data)

    return PictureForm


def typed_picture(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields show for a picture of a draft: the inverse of `picture_table`."""
    sides = {side: str(table.get(side, "")) for side in SIDES}
    named = {key: table.get(key, "") for key in ("sha256", "type")}
    return {**named, **sides, "alt": table.get("alt", {})}


def picture_table(data: Mapping[str, Any], languages: list[str]) -> dict[str, Any]:
    """Read a picture as the table of a survey file; empty where there is none."""
    there = SHA256.fullmatch(data["sha256"]) and data["type"] in TYPES
    if not (there and all(is_whole(data[side], 1, MOST_SIDE) for side in SIDES)):
        return {}
    sides = {side: int(data[side]) for side in SIDES}
    named = {"sha256": data["sha256"], "type": data["type"]}
    return {**named, **sides, "alt": written_texts(data["alt"], languages)}
