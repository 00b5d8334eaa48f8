"""The audit log: who of the staff did what, when and to which survey; nothing of respondents, no address.

A line is written in the transaction of the deed, so neither is stored without the other. Triggers keep lines
from being changed; removing a survey or an account leaves the lines about it. Each line has the hash of the
one before: see `server.store.staff.audit_chain`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from hashlib import sha256
from typing import Concatenate, ParamSpec, TypeVar

from server.store.engine import Connection

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

COMMAND_LINE = "command line"
"""The name in the log for the command ``candor``. No account can have it: it has a space."""

BY_DATE = "by date"
"""The name in the log for what happens on a date that an admin has set. Closing by a quota is not logged: the
line would tell when the last report came."""

AFTER_CLOSING = "after closing"
"""The name in the log for what a server does once a survey is closed."""

BY_PROVIDER = "by provider"
"""The name in the log for what follows from an answer of a provider that signs staff in."""

MACHINES = {
    COMMAND_LINE: "command_line",
    BY_DATE: "by_date",
    AFTER_CLOSING: "after_closing",
    BY_PROVIDER: "by_provider",
}
"""Names that are no account's -> ``audit.<key>`` in the catalogues."""

DEEDS = (
    "signed_in",
    "break_glass_used",
    "provider_refused",
    "provider_linked",
    "signed_out",
    "session_ended",
    "signed_out_everywhere",
    "password_changed",
    "password_issued",
    "password_after_wrong_ones",
    "code_refused",
    "recovery_code_used",
    "factor_added",
    "factor_removed",
    "recovery_codes_drawn",
    "factor_reset",
    "factor_required",
    "factor_not_required",
    "account_added",
    "account_removed",
    "invitation_made",
    "invitation_withdrawn",
    "invitation_used",
    "reset_allowed",
    "reset_used",
    "rights_changed",
    "token_made",
    "token_revoked",
    "draft_begun",
    "draft_imported",
    "draft_edited",
    "reason_given",
    "survey_opened",
    "survey_closed",
    "survey_deleted",
    "survey_handed_over",
    "opening_proposed",
    "deletion_proposed",
    "removal_proposed",
    "stop_proposed",
    "proposal_taken_on",
    "proposal_confirmed",
    "proposal_declined",
    "second_admin_required",
    "second_admin_not_required",
    "survey_planned",
    "survey_paused",
    "survey_resumed",
    "survey_archived",
    "survey_restored",
    "reports_removed",
    "hold_set",
    "hold_lifted",
    "rows_downloaded",
    "list_downloaded",
    "invitations_made",
    "invitations_withdrawn",
    "backup_restored",
    "list_made",
)
"""The deeds that are logged; ``audit.deed.<deed>`` in the catalogues puts each into words."""


@dataclass(frozen=True)
class Line:
    """A line of the log.

    Attributes
    ----------
    id : int
        Higher than the number of every earlier line.
    moment : str
        UTC to the second, ``YYYY-MM-DDTHH:MM:SSZ``, by the clock of the database.
    who : str
        The name that the account had, or `COMMAND_LINE`.
    what : str
        One of `DEEDS`, or a deed of a later version.
    survey : str or None
        The slug that the survey had.
    about : str or None
        The name of the account, the token or whatever else it was done to.
    nonce : str
        128 random bits in hexadecimal digits: nobody who has the hash alone can try which line it is of.
    previous : str
        The hash of the line before; `BEGINNING` in the first.
    """

    id: int
    moment: str
    who: str
    what: str
    survey: str | None
    about: str | None
    nonce: str
    previous: str

    @property
    def hash(self) -> str:
        """The SHA-256, in hexadecimal digits, of the fields as a JSON list without white space, in UTF-8.

        Bytes, which Candor never writes, become a list, so that they have another hash than any text.
        """
        written = json.dumps(astuple(self), ensure_ascii=False, separators=(",", ":"), default=list)
        return sha256(written.encode()).hexdigest()

    @property
    def is_text(self) -> bool:
        """True unless a field holds bytes, which SQLite can store where text belongs."""
        return not any(isinstance(value, bytes) for value in astuple(self))


COLUMNS = tuple(field.name for field in fields(Line))
SELECT = f"SELECT {', '.join(COLUMNS)} FROM audit"

BEGINNING = "0" * 64
"""Stands in the first line, which has none before it."""


@dataclass(frozen=True)
class LineFilter:
    """A choice of lines: those with these values; None stands for any."""

    who: str | None = None
    what: str | None = None
    survey: str | None = None


def note(db: Connection, who: str, what: str, survey: str | None = None, about: str | None = None) -> None:
    """Log a deed in the transaction in which it is done.

    Parameters
    ----------
    db : Connection
    who : str
        The name of an account, or one of `MACHINES`.
    what : str
        One of `DEEDS`.
    survey : str, optional
        The slug of the survey.
    about : str, optional
        The name of an account, a token or whatever else it concerns; never a respondent.

    Notes
    -----
    Transactions that write do so one after the other, on whichever server, so none comes between reading the
    last line and writing the next. Were it otherwise, the second of two with the same hash would be refused.
    """
    if what not in DEEDS:
        raise ValueError(f"what must be one of {', '.join(DEEDS)}, got {what!r}")
    row = db.execute(f"{SELECT} ORDER BY id DESC LIMIT 1").fetchone()
    number, previous = (row[0] + 1, Line(*row).hash) if row else (1, BEGINNING)
    db.execute(
        "INSERT INTO audit (id, who, what, survey, about, nonce, previous) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [number, who, what, survey, about, secrets.token_hex(16), previous],
    )


def noted(
    function: Callable[Concatenate[Connection, Arguments], Result],
    who: str,
    what: str,
    survey: str | None = None,
    about: str | None = None,
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Return a function that also logs its deed; nothing is logged if it raises.

    Examples
    --------
    ``storage.write(noted(surveys.close_survey, "ada", "survey_closed", "exams"), survey.id)``
    """

    def both(db: Connection, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        result = function(db, *args, **kwargs)
        note(db, who, what, survey, about)
        return result

    return both


def noted_once_a_day(
    function: Callable[Concatenate[Connection, Arguments], Result],
    who: str,
    what: str,
    survey: str,
    today: str,
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Return a function that also logs its deed, once a day however often it is called: see `noted`."""

    def both(db: Connection, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        result = function(db, *args, **kwargs)
        note_once_a_day(db, who, what, survey, today)
        return result

    return both


RECENT = 1000
"""The number of latest lines that are searched for one of today: a long log must not slow down a save."""


def note_once_a_day(
    db: Connection, who: str, what: str, survey: str | None, today: str, about: str | None = None
) -> None:
    """Log a frequent deed once a day, or once more after `RECENT` other lines.

    Parameters
    ----------
    db : Connection
    who, what, survey, about
        As for `note`.
    today : str
        The UTC day, ``YYYY-MM-DD``.
    """
    if not known_today(db, who, what, survey, today, about):
        note(db, who, what, survey, about)


def known_today(
    db: Connection, who: str, what: str, survey: str | None, today: str, about: str | None = None
) -> bool:
    """Return whether the latest lines say that somebody did this on this day."""
    asked = (
        "SELECT 1 FROM audit WHERE id > (SELECT max(id) FROM audit) - ? AND who = ? AND what = ?"
        " AND coalesce(survey, '') = ? AND coalesce(about, '') = ? AND moment >= ? LIMIT 1"
    )
    return bool(db.execute(asked, [RECENT, who, what, survey or "", about or "", today]).fetchall())


def lines(
    db: Connection, wanted: LineFilter, before: int | None = None, most: int | None = None
) -> list[Line]:
    """Return lines, the latest first.

    Parameters
    ----------
    db : Connection
    wanted : LineFilter
    before : int, optional
        Return only lines with a lower number.
    most : int, optional
        The largest number of lines.
    """
    limits = {
        "lower(who) = lower(?)": wanted.who,
        "what = ?": wanted.what,
        "survey = ?": wanted.survey,
        "id < ?": before,
    }
    asked = {sql: value for sql, value in limits.items() if value is not None}
    where = " AND ".join(["1 = 1", *asked])
    limit = "" if most is None else f"LIMIT {most:d}"
    sql = f"{SELECT} WHERE {where} ORDER BY id DESC {limit}"
    return [Line(*row) for row in db.execute(sql, list(asked.values())).fetchall()]


def header() -> list[str]:
    """Return the names of the columns of the log as it is downloaded."""
    return ["number", "moment_utc", "who", "what", "survey", "about", "nonce", "previous_sha256", "sha256"]


def rows(lines: list[Line]) -> list[tuple[int | str | None, ...]]:
    """Return lines as rows of a table."""
    return [(*astuple(line), line.hash) for line in lines]
