"""Questions and parts as rows of a draft: fields are not built again of one that was right before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from wtforms import Form, FormField
from wtforms.utils import unset_value

RIGHT: dict[tuple[type[Form], bytes], None] = {}
"""Forms of rows, each with the digest of what it has held and found right; the earliest first."""
MOST_RIGHT = 10_000


class Row(FormField):  # type: ignore[misc]  # WTForms has no types
    """A question or a part of a draft.

    Notes
    -----
    Thirty questions have 1,700 fields. To build them took most of the time of a save, and from one save to
    the next a single row changes. So a row that its form has held unchanged before, and found right, stays
    data until somebody asks for its fields. Whether it is right depends on nothing but the row.
    """

    def process(self, formdata: Any, data: Any = unset_value, extra_filters: Any = None) -> None:
        """Take what was typed. From data, build the fields only where something may be wrong."""
        self.given = None if formdata else digest(data)
        if self.was_right(self.given):
            self.__dict__.pop("form", None)
            self.object_data = self.kept = data
        else:
            super().process(formdata, data, extra_filters)

    def was_right(self, given: bytes | None) -> bool:
        """Return whether the form has held data of this digest before, and found it right."""
        return given is not None and (self.form_class, given) in RIGHT

    @property
    def built(self) -> bool:
        """Whether there are fields."""
        return "form" in vars(self)

    @cached_property
    def form(self) -> Form:
        """The fields of a row that has stayed data so far."""
        super().process(None, self.kept)  # puts them where this property would stand
        found: Form = vars(self)["form"]
        return found

    @property
    def data(self) -> dict[str, Any]:
        """What was typed."""
        found: dict[str, Any] = self.form.data if self.built else self.kept
        return found

    def value(self, name: str) -> Any:
        """Return what was typed into one field."""
        return self.form[name].data if self.built else self.kept[name]

    def put(self, name: str, value: Any) -> None:
        """Put something else into one field. What is wrong with the row stays said."""
        if self.value(name) != value:
            self.form[name].data = value

    @property
    def errors(self) -> Mapping[str, Any]:
        """What is wrong with it."""
        found: Mapping[str, Any] = self.form.errors if self.built else {}
        return found

    def post_process(self, formdata: Any = None) -> None:
        """Finish what `process` has begun."""
        if self.built:
            super().post_process(formdata)

    def validate(self, form: Form, extra_validators: Any = ()) -> bool:
        """Check the row, and remember one that is right."""
        right: bool = not self.built or super().validate(form, extra_validators)
        if right and self.built and self.given is not None and self.given == digest(self.data):
            remember(self.form_class, self.given)
        return right


def remember(form_class: type[Form], given: bytes) -> None:
    """Remember that a form has found a row right, and forget the earliest that it remembers."""
    while len(RIGHT) >= MOST_RIGHT:
        RIGHT.pop(next(iter(RIGHT)), None)
    RIGHT[form_class, given] = None


def digest(data: Any) -> bytes | None:
    """Return what stands for a row; None for what is none. Fields in another order make another row."""
    return hashlib.sha256(json.dumps(data).encode()).digest() if isinstance(data, dict) else None
