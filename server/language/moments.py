"""Moments as people read them: day and time in a time zone, with its name."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from server.language.locale_data import locale_data


def zone_named(name: str) -> ZoneInfo | None:
    """Return a time zone by its IANA name, or None if this machine does not know it."""
    if name not in zones():
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@cache
def zones() -> frozenset[str]:
    """Return the names of all time zones, UTC among them."""
    return frozenset(available_timezones()) | {"UTC"}


def moment(instant: int, zone: str) -> str:
    """Write a moment as clocks in a time zone show it, or in UTC if the zone is unknown.

    Examples
    --------
    >>> moment(1796115600, "Asia/Seoul")
    '2026-12-01 18:00 Asia/Seoul'
    >>> moment(1796115600, "Nowhere/Atoll")
    '2026-12-01 09:00 UTC'
    """
    place = zone_named(zone)
    there = datetime.fromtimestamp(instant, place or UTC)
    return f"{there:%Y-%m-%d %H:%M} {zone if place else 'UTC'}"


def local(instant: int | None, zone: str) -> str:
    """Write a moment as the value of a field for date and time.

    Examples
    --------
    >>> local(1796115600, "Asia/Seoul"), local(None, "UTC")
    ('2026-12-01T18:00', '')
    """
    if instant is None:
        return ""
    return f"{datetime.fromtimestamp(instant, zone_named(zone) or UTC):%Y-%m-%dT%H:%M}"


def day(on: date, language: str) -> str:
    """Write a day in words of a language, as browsers do.

    Examples
    --------
    >>> day(date(2027, 12, 31), "en"), day(date(2027, 12, 31), "ko")
    ('December 31, 2027', '2027년 12월 31일')
    """
    data = locale_data(language)
    text: str = data["day"].format(year=on.year, month=data["months"][on.month - 1], day=on.day)
    return text
