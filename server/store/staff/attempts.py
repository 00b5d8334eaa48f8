"""Failed attempts at passwords: counted in the database, so that all servers on it count together.

Nothing counts for a name alone: somebody who guesses from elsewhere would lock out the owner of the account.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.store.engine import Connection

LONGEST_WAIT = 60.0
"""Seconds that one attempt waits at most, so that others at the address of a guesser are not locked out."""

FORGET_AFTER = 60 * 60.0
"""Seconds after which attempts no longer count and are removed, if no other came since."""

MOST_KEYS = 10_000
"""The largest number of keys that are remembered; those unused for longest go first."""

ROOM = 4
"""The largest number of keys that one attempt adds: three networks of an address, and a name there."""


def seconds_to_wait(failures: int, free: int, last: float, now: float) -> float:
    """Return the seconds that a key has to wait before its next attempt.

    Parameters
    ----------
    failures : int
        The number of attempts that have failed.
    free : int
        The number of failures that cost nothing; those after them cost 1, 2, 4 ... seconds, up to
        `LONGEST_WAIT`.
    last, now : float
        The moment of the last failure and the present one, in seconds. If the clock of another server put the
        last one into the future, it counts as now.
    """
    if failures < free:
        return 0.0
    seconds = min(2.0 ** min(failures - free, 30), LONGEST_WAIT)
    return max(0.0, min(last, now) + seconds - now)


def wait(db: Connection, free: Mapping[str, int], now: float) -> float:
    """Return the longest of the seconds that several keys have to wait; see `begin`."""
    return max(
        seconds_to_wait(failures, free[key], last, now)
        for key in free
        for failures, last in [failures_of(db, key, now)]
    )


def begin(
    db: Connection, name: Mapping[str, int], places: Mapping[str, int], now: float
) -> tuple[float, list[str]]:
    """Count an attempt as failed unless it has to wait.

    It is counted before the password is checked, so that many attempts at once all count.

    Parameters
    ----------
    db : Connection
    name, places : Mapping[str, int]
        The key of a name, and those of networks, the narrowest first -> the number of failures that cost
        nothing.
    now : float
        Seconds since 1970.

    Returns
    -------
    float
        The seconds that it has to wait.
    list of str
        The places for which it was counted.

    Notes
    -----
    A place that has used up what costs nothing is the last for which it counts: whoever goes on guessing from
    one network slows down nobody else in the wider ones.
    """
    tidy(db, now)
    seconds, counted = wait(db, {**name, **places}, now), []
    if seconds:
        return seconds, []
    for place, free in places.items():
        counted.append(place)
        if failures_of(db, place, now)[0] >= free:
            break
    for key in (*name, *counted):
        db.execute(
            """
            INSERT INTO attempts ("key", failures, last) VALUES (?, 1, ?)
            ON CONFLICT ("key") DO UPDATE SET failures = attempts.failures + 1, last = excluded.last
            """,
            [key, now],
        )
    return 0.0, counted


def succeeded(db: Connection, name: str, places: Sequence[str], now: float) -> None:
    """Take back what `begin` counted: all failures of the name, but only this one of the places.

    Otherwise somebody could clear their address between guesses by signing in to their own account.
    """
    tidy(db, now)
    db.execute('DELETE FROM attempts WHERE "key" = ?', [name])
    for place in places:
        db.execute('DELETE FROM attempts WHERE "key" = ? AND failures <= 1', [place])
        db.execute('UPDATE attempts SET failures = failures - 1 WHERE "key" = ?', [place])


def failures_of(db: Connection, key: str, now: float) -> tuple[int, float]:
    """Return the number of failed attempts of a key, and the moment of the last."""
    row = db.execute(
        'SELECT failures, last FROM attempts WHERE "key" = ? AND last > ?', [key, now - FORGET_AFTER]
    ).fetchone()
    return (0, now) if row is None else (int(row[0]), float(row[1]))


def tidy(db: Connection, now: float) -> None:
    """Remove attempts that no longer count, and the keys unused for longest if there are too many.

    Notes
    -----
    The first statement lets only one transaction at a time count attempts, even if the engine would let
    several write: of many guesses at once, each must see those before it.
    """
    db.execute(
        """
        INSERT INTO settings (name, value) VALUES ('attempts', 'one at a time')
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
    )
    db.execute("UPDATE attempts SET last = ? WHERE last > ?", [now, now])  # by the clock of another server
    db.execute("DELETE FROM attempts WHERE last <= ?", [now - FORGET_AFTER])
    ((keys,),) = db.execute("SELECT count(*) FROM attempts").fetchall()
    if keys >= MOST_KEYS:
        db.execute(
            'DELETE FROM attempts WHERE "key" IN (SELECT "key" FROM attempts ORDER BY last LIMIT ?)',
            [keys - MOST_KEYS + ROOM],
        )
