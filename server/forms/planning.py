"""The form in which an admin says what a plan of a whole draft is for."""

from __future__ import annotations

from wtforms import BooleanField, Field, Form, HiddenField, StringField

from server.forms.faults import fault
from server.forms.numbers import is_whole, readable
from server.forms.texts import tidy
from survey.draft import MOST_EXPECTED
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.read_definition import LARGEST_LIMIT
from survey.section import MOST_QUESTIONS

LEAST_TIMES, MOST_TIMES = 51, 99
"""Times in 100 that a limit of the planner may be."""


def check_times(field: Field) -> None:
    """Check a limit in times of 100; one that was not sent is the usual one."""
    field.data = field.data or field.default
    if not is_whole(field.data, LEAST_TIMES, MOST_TIMES):
        raise fault("editor.error.times", low=LEAST_TIMES, high=MOST_TIMES, value=field.data)


class PlanningForm(Form):  # type: ignore[misc]  # WTForms has no types
    """The total, the people and the limits of a plan, and the draft whose plan was shown."""

    seen = HiddenField()
    asked = HiddenField(filters=[tidy])
    way = HiddenField()
    total = StringField(filters=[tidy])
    right = StringField(filters=[tidy], default=str(MOST_RIGHT))
    telling = StringField(filters=[tidy], default=str(MOST_TELLING))
    respondents = StringField(filters=[tidy])
    pairs = BooleanField()
    single = BooleanField()

    def wanted(self) -> tuple[float, int, int, int, int | None]:
        """Return total, respondents, both limits and the number of parts of a form that is valid."""
        asked = int(self.asked.data) if is_whole(self.asked.data, 1, MOST_QUESTIONS) else None
        limits = int(self.right.data), int(self.telling.data)
        return float(self.total.data), int(self.respondents.data), *limits, asked

    def validate_respondents(self, field: Field) -> None:
        """Check the number of people that are expected."""
        if not is_whole(field.data, 1, MOST_EXPECTED):
            raise fault("editor.error.respondents", most=MOST_EXPECTED, value=field.data)

    def validate_right(self, field: Field) -> None:
        """Check how often a guess may be right on average."""
        check_times(field)

    def validate_telling(self, field: Field) -> None:
        """Check how often a guess may be right after the most telling result."""
        check_times(field)

    def validate_total(self, field: Field) -> None:
        """Check the most epsilon that one person may lose."""
        if not 0 < (readable(field.data) or 0) <= LARGEST_LIMIT:
            raise fault("editor.error.total", most=f"{LARGEST_LIMIT:.0f}", value=field.data)
