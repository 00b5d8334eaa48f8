"""Failed attempts at passwords: counted in the database, so that all servers on it count together.

Nothing counts for a name alone: whoever guesses at an account from elsewhere would keep its owner out.
"""

from __future__ import annotations

from collections.abc import Mapping

from server.store.engine import Connection

LONGEST_WAIT = 60.0
"""Seconds. Whoever shares an address with somebody who keeps guessing waits no longer than this at a time."""

FORGET_AFTER = 60 * 60.0
"""Seconds without an attempt after which earlier ones no longer count, and are removed."""

MOST_KEYS = 10_000
"""How many keys are remembered; the ones longest unused go first."""

ROOM = 2
"""How many keys one attempt adds at most: an address, and a name from there."""


def seconds_to_wait(failures: int, free: int, last: float, now: float) -> float:
    """Return how long a key has to wait before its next attempt, in seconds.

    Parameters
    ----------
    failures : int
        How many attempts have failed.
    free : int
        How many failures cost nothing; after that 1, 2, 4 ... seconds, up to `LONGEST_WAIT`.
    last, now : float
        The moment of the last failure and the present one, in seconds. A last moment that is yet to come, by
        the clock of another server, counts as now.
    """
    if failures < free:
        return 0.0
    seconds = min(2.0 ** min(failures - free, 30), LONGEST_WAIT)
    return max(0.0, min(last, now) + seconds - now)


def wait(db: Connection, free: Mapping[str, int], now: float) -> float:
    """Return the seconds that the one of several keys with the longest wait has to wait; see `begin`."""
    return max(
        seconds_to_wait(failures, free[key], last, now)
        for key in free
        for failures, last in [failures_of(db, key, now)]
    )


def begin(db: Connection, free: Mapping[str, int], now: float) -> float:
    """Count an attempt as failed unless it has to wait; return the seconds that it has to wait.

    Done before the password is checked, so that many at once count.

    Parameters
    ----------
    db : Connection
    free : Mapping[str, int]
        Key -> how many of its failures cost nothing.
    now : float
        Seconds since 1970.
    """
    tidy(db, now)
    seconds = wait(db, free, now)
    if seconds == 0:
        for key in free:
            db.execute(
                """
                INSERT INTO attempts ("key", failures, last) VALUES (?, 1, ?)
                ON CONFLICT ("key") DO UPDATE SET failures = attempts.failures + 1, last = excluded.last
                """,
                [key, now],
            )
    return seconds


def succeeded(db: Connection, name: str, address: str, now: float) -> None:
    """Take back what `begin` counted: all of the name's failures, but only this one of the address's.

    Otherwise somebody with an account of their own could clear their address between guesses.
    """
    tidy(db, now)
    db.execute('DELETE FROM attempts WHERE "key" = ? OR ("key" = ? AND failures <= 1)', [name, address])
    db.execute('UPDATE attempts SET failures = failures - 1 WHERE "key" = ?', [address])


def failures_of(db: Connection, key: str, now: float) -> tuple[int, float]:
    """Return how many attempts of a key have failed, and when the last did."""
    row = db.execute(
        'SELECT failures, last FROM attempts WHERE "key" = ? AND last > ?', [key, now - FORGET_AFTER]
    ).fetchone()
    return (0, now) if row is None else (int(row[0]), float(row[1]))


def tidy(db: Connection, now: float) -> None:
    """Remove what no longer counts, and the keys longest unused where there are too many.

    Notes
    -----
    The first statement lets one transaction at a time count attempts, also where the engine would let several
    write: many guesses at once must not all read that there was none before them.
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
