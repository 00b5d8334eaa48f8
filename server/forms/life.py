"""The dates and the quota of a survey, as they are typed: in the time of a place that is named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from wtforms import BooleanField, Field, Form, HiddenField, StringField, TextAreaField

from server.forms.account import trimmed
from server.forms.faults import fault
from server.forms.numbers import is_whole
from server.language.moments import local, moment, zone_named
from server.store.lifecycle.life import Life, Schedule
from survey.plan.linking_cost import LinkingCost
from survey.privacy.limits import LONGEST_REASON
from survey.section import Section

MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2})?", re.ASCII)
"""A moment as a field for date and time sends it, or as it is typed where a browser has no such field."""

LARGEST_QUOTA = 10_000_000
YEARS_AHEAD = timedelta(days=3653)
DAY = 24 * 3600
"""Seconds for which the removal of reports can be taken back at least."""


@dataclass(frozen=True)
class Now:
    """The state of a survey that the form is checked against.

    Attributes
    ----------
    instant : int
        The present moment, in seconds since 1970.
    state : str
        Of the survey.
    held : Life
        What is noted of it.
    fingerprint : str or None
        What its draft would publish; None if that lacks something.
    little : bool
        Whether that would protect little, so that a reason is needed to open it.
    dearer : sequence of (Section, LinkingCost)
        The sections of which linking takes more people, so that it has to be confirmed.
    kept_until : date or None
        Until when the survey says that its data is kept.
    """

    instant: int
    state: str
    held: Life
    fingerprint: str | None = None
    little: bool = False
    dearer: Sequence[tuple[Section, LinkingCost]] = ()
    kept_until: date | None = None


class LifeForm(Form):  # type: ignore[misc]  # WTForms has no types
    """When a survey opens and closes, with how many reports, and when those are removed."""

    zone = StringField(filters=[trimmed])
    opens = StringField(filters=[trimmed])
    closes = StringField(filters=[trimmed])
    quota = StringField(filters=[trimmed])
    remove = StringField(filters=[trimmed])
    fingerprint = HiddenField()
    reason = TextAreaField(filters=[trimmed])
    linking = BooleanField()

    now: Now

    def validate_zone(self, field: Field) -> None:
        """Check that the time zone is known here."""
        field.data = field.data or "UTC"
        if zone_named(field.data) is None:
            raise fault("life.error.zone", value=field.data)

    def validate_opens(self, field: Field) -> None:
        """Check that the draft opens later than now, as it was shown."""
        if not field.data or self.now.state != "draft":
            return
        self.later(field, self.now.held.opens_at, self.now.instant)
        self.while_kept(field)
        if self.now.fingerprint is None:
            raise fault("life.error.incomplete")
        if self.fingerprint.data != self.now.fingerprint:
            raise fault("life.error.changed")

    def validate_reason(self, field: Field) -> None:
        """Check that there is a reason where a date is set for a draft that protects little."""
        needed = self.now.little and self.sets_opening
        if len(field.data) > LONGEST_REASON or (needed and not field.data):
            raise fault("editor.little.missing", most=LONGEST_REASON, length=len(field.data))

    def validate_linking(self, field: Field) -> None:
        """Check that it is confirmed where a date is set for a draft whose linking takes more people."""
        if self.now.dearer and self.sets_opening and not field.data:
            raise fault("editor.linking.unconfirmed")

    @property
    def sets_opening(self) -> bool:
        """True where a date is set on which the draft opens as it is now."""
        set_before = self.now.held.opens_at is not None and self.now.held.opens_as == self.now.fingerprint
        return self.now.state == "draft" and bool(self.opens.data) and not set_before

    def validate_closes(self, field: Field) -> None:
        """Check that the survey closes after it opens, or was to open by itself."""
        if field.data and self.now.state != "closed":
            opens = self.instant("opens") if self.now.state == "draft" else self.now.held.opens_at
            self.later(field, self.now.held.closes_at, self.now.instant, opens)
            self.while_kept(field)

    def validate_quota(self, field: Field) -> None:
        """Check the number, and that it is not lowered once the survey is open."""
        if not field.data or self.now.state == "closed":
            return
        if not is_whole(field.data, 1, LARGEST_QUOTA):
            raise fault("life.error.quota", high=f"{LARGEST_QUOTA:,}", value=field.data)
        held = self.now.held.quota
        if self.now.state == "open" and (held is None or int(field.data) < held):
            key = "life.error.quota_new" if held is None else "life.error.quota_lower"
            raise fault(key, low=held, value=field.data)

    def validate_remove(self, field: Field) -> None:
        """Check that reports go after the survey closes, or was to close, when a day has passed, and in time.

        Where they cannot go any more by the day of which respondents read, any later one will do.
        """
        if field.data and not self.now.held.removed:
            opens = self.instant("opens") if self.now.state == "draft" else None
            closes = self.now.held.closes_at if self.now.state == "closed" else self.instant("closes")
            soonest = self.now.instant + DAY
            self.later(field, self.now.held.remove_at, soonest, closes or opens)
            self.while_kept(field, max(soonest, closes or 0, opens or 0))

    def later(self, field: Field, held: int | None, than: int, follows: int | None = None) -> None:
        """Check that a field holds a moment that is later than two others.

        Parameters
        ----------
        field : Field
        held : int or None
            What is stored: that need not be later than the first, since time goes on.
        than : int
            A moment that the clock gives.
        follows : int, optional
            A moment that the form or the survey gives.
        """
        typed, zone = self.read(field.data), self.zone.data or "UTC"
        if zone_named(zone) is None:
            return  # the fault of the time zone is said there
        latest = self.now.instant + int(YEARS_AHEAD.total_seconds())
        in_time = typed is not None and (typed == held or than < typed <= latest)
        if typed is None or not in_time or typed <= (follows or 0):
            low, high = moment(max(than, follows or 0), zone), moment(latest, zone)
            raise fault("life.error.moment", low=low, high=high, value=field.data)
        if local(typed, zone) != field.data.replace(" ", "T")[:16]:  # clocks that go forward leave it out
            raise fault("life.error.gap", value=field.data, zone=zone)

    def while_kept(self, field: Field, soonest: int = 0) -> None:
        """Check that a field holds a moment until the end of the day until which the data is kept.

        Parameters
        ----------
        field : Field
        soonest : int
            The moment after which it has to be; if it is that of the end or later, there is nothing to check.
        """
        typed, zone, day = self.read(field.data), zone_named(self.zone.data or "UTC"), self.now.kept_until
        if typed is None or zone is None or day is None or day == date.max:
            return
        end = int(datetime.combine(day + timedelta(days=1), time(), zone).timestamp())
        if typed > end > soonest:
            raise fault("life.error.kept", high=moment(end, zone.key), value=field.data, day=day)

    def instant(self, name: str) -> int | None:
        """Return the moment of a field, if it holds one."""
        return self.read(self[name].data)

    def read(self, text: str) -> int | None:
        """Read what a clock of the place shows; of two moments that it shows twice, the first."""
        zone, found = zone_named(self.zone.data or "UTC"), MOMENT.fullmatch(text or "")
        if zone is None or found is None:
            return None
        try:
            there = datetime.fromisoformat(f"{found[1]} {found[2]}").replace(tzinfo=zone)
            return int(there.astimezone(UTC).timestamp())
        except (ValueError, OverflowError):
            return None

    def plan(self) -> Schedule:
        """Return what was chosen; what a survey's state fixes stays as it is."""
        held, state = self.now.held, self.now.state
        opens = self.instant("opens") if state == "draft" else held.opens_at
        return Schedule(
            zone=self.zone.data,
            opens_at=opens,
            opens_as=None if opens is None else self.fingerprint.data if state == "draft" else held.opens_as,
            closes_at=held.closes_at if state == "closed" else self.instant("closes"),
            quota=held.quota if state == "closed" else int(self.quota.data) if self.quota.data else None,
            remove_at=held.remove_at if held.removed else self.instant("remove"),
        )
