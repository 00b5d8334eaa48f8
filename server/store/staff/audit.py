"""What staff did: who, what, when and on which survey. Nothing of respondents, and no address.

A line is written in the transaction of the deed, so that there is none without the other. Triggers keep it as
it is: whoever removes a survey or an account leaves the lines about them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Concatenate, ParamSpec, TypeVar

from server.store.engine import Connection

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

COMMAND_LINE = "command line"
"""Who does what the command ``candor`` does. No account can have this name: it has a space."""

BY_DATE = "by date"
"""Who does what an admin has set a date for. Closing by a quota is not written down: the line would say when
the last report came."""

MACHINES = {COMMAND_LINE: "command_line", BY_DATE: "by_date"}
"""Who is no account -> ``audit.<key>`` in the catalogues."""

DEEDS = (
    "signed_in",
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
    "survey_planned",
    "survey_paused",
    "survey_resumed",
    "survey_archived",
    "survey_restored",
    "reports_removed",
    "rows_downloaded",
    "list_downloaded",
    "invitations_made",
    "invitations_withdrawn",
)
"""What is written down; ``audit.deed.<deed>`` in the catalogues says it in words."""


@dataclass(frozen=True)
class Line:
    """A line of the log.

    Attributes
    ----------
    id : int
        Higher than that of every line before.
    moment : str
        UTC to the second, ``YYYY-MM-DDTHH:MM:SSZ``, by the clock of the database.
    who : str
        The name that the account had, or `COMMAND_LINE`.
    what : str
        One of `DEEDS`, or that of a later version.
    survey : str or None
        The slug that the survey had.
    about : str or None
        Whom or what else it was done to, such as the name of an account or of a token.
    """

    id: int
    moment: str
    who: str
    what: str
    survey: str | None
    about: str | None


@dataclass(frozen=True)
class LineFilter:
    """Which lines somebody wants to read; None where it does not matter."""

    who: str | None = None
    what: str | None = None
    survey: str | None = None


def note(db: Connection, who: str, what: str, survey: str | None = None, about: str | None = None) -> None:
    """Write down what somebody has done, in the transaction in which they do it.

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
        Whom or what else it concerns: staff or their things, never a respondent.
    """
    if what not in DEEDS:
        raise ValueError(f"what must be one of {', '.join(DEEDS)}, got {what!r}")
    db.execute("INSERT INTO audit (who, what, survey, about) VALUES (?, ?, ?, ?)", [who, what, survey, about])


def noted(
    function: Callable[Concatenate[Connection, Arguments], Result],
    who: str,
    what: str,
    survey: str | None = None,
    about: str | None = None,
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Make a function of a transaction write its line too; nothing is written if it raises.

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
    """Make a function of a transaction that is called again and again write one line a day: see `noted`."""

    def both(db: Connection, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        result = function(db, *args, **kwargs)
        note_once_a_day(db, who, what, survey, today)
        return result

    return both


RECENT = 1000
"""So many lines are looked through for one of today: a long log shall not make a save slow."""


def note_once_a_day(db: Connection, who: str, what: str, survey: str, today: str) -> None:
    """Write down what is done again and again, once a day, or again after `RECENT` other lines.

    Parameters
    ----------
    db : Connection
    who, what, survey : str
        As for `note`.
    today : str
        The UTC day, ``YYYY-MM-DD``.
    """
    if not known_today(db, who, what, survey, today):
        note(db, who, what, survey)


def known_today(db: Connection, who: str, what: str, survey: str, today: str) -> bool:
    """Return whether the log says already that somebody did it on this day."""
    asked = (
        "SELECT 1 FROM audit WHERE id > (SELECT max(id) FROM audit) - ?"
        " AND who = ? AND what = ? AND survey = ? AND moment >= ? LIMIT 1"
    )
    return bool(db.execute(asked, [RECENT, who, what, survey, today]).fetchall())


def lines(
    db: Connection, wanted: LineFilter, before: int | None = None, most: int | None = None
) -> list[Line]:
    """Return lines, the latest first.

    Parameters
    ----------
    db : Connection
    wanted : Wanted
        Which of them.
    before : int, optional
        Only lines with a lower number.
    most : int, optional
        How many at most.
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
    sql = f"SELECT id, moment, who, what, survey, about FROM audit WHERE {where} ORDER BY id DESC {limit}"
    return [Line(*row) for row in db.execute(sql, list(asked.values())).fetchall()]


def header() -> list[str]:
    """Return the names of the columns of a downloaded log."""
    return ["number", "moment_utc", "who", "what", "survey", "about"]


def rows(found: list[Line]) -> list[tuple[int | str | None, ...]]:
    """Return lines as rows of a table."""
    return [astuple(line) for line in found]
