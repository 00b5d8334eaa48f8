"""The tables, in the order in which they came to be. What is here has run somewhere: append, never edit.

A newer step is a file in ``schema``, and has the name of PostgreSQL's step that does the same.

``Table.transform()`` of sqlite-utils drops triggers and fails on ``WITHOUT ROWID``: never use it on a table
that holds a publication or reports.
"""

from __future__ import annotations

import os

from sqlite_utils import Database, Migrations

from server.store.sqlite.buckets import Buckets, create_buckets
from server.store.sqlite.script import step
from server.store.sqlite.shape import KEY, shape_of
from survey.record import Layout

migrations = Migrations("candor")


@migrations()
def surveys(db: Database) -> None:
    """A survey's name and state; its draft until it is published. AUTOINCREMENT: no number is used twice."""
    db.execute(
        """
        CREATE TABLE surveys (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            slug TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
            draft TEXT CHECK (draft IS NULL OR json_valid(draft)),
            CHECK ((state = 'draft') = (draft IS NOT NULL))
        )
        """
    )
    db.execute(
        """
        CREATE TRIGGER surveys_start_as_drafts BEFORE INSERT ON surveys
        WHEN NEW.state <> 'draft' OR EXISTS (SELECT 1 FROM surveys WHERE id = NEW.id OR slug = NEW.slug)
        BEGIN SELECT RAISE(ABORT, 'a survey starts as a draft and replaces no other'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER surveys_keep_their_number BEFORE UPDATE ON surveys
        WHEN NEW.id IS NOT OLD.id OR EXISTS (SELECT 1 FROM surveys WHERE slug = NEW.slug AND id <> OLD.id)
        BEGIN SELECT RAISE(ABORT, 'a survey keeps its number and replaces no other'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER surveys_are_frozen_once_published BEFORE UPDATE ON surveys
        WHEN OLD.state <> 'draft' AND (NEW.slug IS NOT OLD.slug OR NEW.draft IS NOT OLD.draft)
        BEGIN SELECT RAISE(ABORT, 'a published survey cannot change'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER surveys_only_move_forward BEFORE UPDATE ON surveys
        WHEN NEW.state <> OLD.state AND (OLD.state || '>' || NEW.state) NOT IN ('draft>open', 'open>closed')
        BEGIN SELECT RAISE(ABORT, 'a survey goes from draft to open to closed'); END
        """
    )


@migrations()
def publications(db: Database) -> None:
    """What was published, byte for byte, for good: it goes only together with the whole survey."""
    db.execute(
        """
        CREATE TABLE publications (
            survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
            json BLOB NOT NULL CHECK (typeof(json) = 'blob'),
            fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64)
        )
        """
    )
    db.execute(
        """
        CREATE TRIGGER publications_are_made_once BEFORE INSERT ON publications
        WHEN EXISTS (SELECT 1 FROM publications WHERE survey_id = NEW.survey_id)
            OR (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
        BEGIN SELECT RAISE(ABORT, 'a survey is published once, when it opens'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER publications_never_change BEFORE UPDATE ON publications
        BEGIN SELECT RAISE(ABORT, 'a published survey cannot change'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER publications_stay_while_the_survey_does BEFORE DELETE ON publications
        WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
        BEGIN SELECT RAISE(ABORT, 'a published survey cannot be withdrawn'); END
        """
    )


@migrations()
def tallies(db: Database) -> None:
    """How often each report came; `published` is the copy that results show, made at every step."""
    db.execute(
        """
        CREATE TABLE tallies (
            survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
            "column" TEXT NOT NULL,
            report INTEGER NOT NULL CHECK (report >= 0),
            count INTEGER NOT NULL DEFAULT 0 CHECK (count >= 0),
            published INTEGER NOT NULL DEFAULT 0 CHECK (published BETWEEN 0 AND count),
            PRIMARY KEY (survey_id, "column", report)
        ) WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TRIGGER tallies_are_final_once_closed BEFORE UPDATE ON tallies
        WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
        BEGIN SELECT RAISE(ABORT, 'the counts of a closed survey are final'); END
        """
    )


@migrations()
def days(db: Database) -> None:
    """How often a survey was opened and sent, by UTC day, in total only."""
    db.execute(
        """
        CREATE TABLE days (
            survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
            day TEXT NOT NULL CHECK (day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
            started INTEGER NOT NULL DEFAULT 0,
            sent INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (survey_id, day)
        ) WITHOUT ROWID
        """
    )


@migrations()
def settings(db: Database) -> None:
    """What the server decides once and keeps, such as the key that signs staff sessions."""
    db.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


@migrations()
def accounts(db: Database) -> None:
    """Who may sign in; names differ by more than the case of their letters."""
    db.execute(
        """
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            role TEXT NOT NULL CHECK (role IN ('admin', 'researcher')),
            password_hash TEXT NOT NULL CHECK (password_hash GLOB '$argon2id$*')
        )
        """
    )


@migrations()
def sessions(db: Database) -> None:
    """Staff sessions: the hash of a token that only a cookie holds, so that a session can be ended here."""
    db.execute(
        """
        CREATE TABLE sessions (
            token_hash TEXT PRIMARY KEY CHECK (length(token_hash) = 64),
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID
        """
    )
    db.execute("CREATE INDEX sessions_by_account ON sessions (account_id)")


@migrations()
def results_that_lag_a_step(db: Database) -> None:
    """`pending` holds the counts of the last step, which are shown at the next: see `Tally.advance`.

    What is shown of an open survey stays as it is: its next step shows the same once more.
    """
    db.execute("ALTER TABLE tallies ADD COLUMN pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0)")
    db.execute(
        """
        UPDATE tallies SET pending = published
        WHERE (SELECT state FROM surveys WHERE id = survey_id) = 'open'
        """
    )


@migrations()
def counts_that_stay(db: Database) -> None:
    """Tallies are made once, when the survey opens; they and the reports of a closed survey stay."""
    db.execute(
        """
        CREATE TRIGGER tallies_are_made_once BEFORE INSERT ON tallies
        WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
            OR EXISTS (
                SELECT 1 FROM tallies
                WHERE survey_id = NEW.survey_id AND "column" = NEW."column" AND report = NEW.report
            )
        BEGIN SELECT RAISE(ABORT, 'tallies are made once, when the survey opens'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER tallies_stay_while_the_survey_does BEFORE DELETE ON tallies
        WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
        BEGIN SELECT RAISE(ABORT, 'tallies go together with their survey'); END
        """
    )
    for (survey_id,) in db.execute("SELECT survey_id FROM publications").fetchall():
        table = f"reports_{survey_id:d}"
        db.execute(
            f"CREATE TRIGGER {table}_stay_once_closed BEFORE DELETE ON {table} "  # a number
            f"WHEN (SELECT state FROM surveys WHERE id = {survey_id:d}) IS NOT 'open' "
            "BEGIN SELECT RAISE(ABORT, 'the reports of a closed survey are final'); END"
        )


@migrations()
def nobody_apart_once_closed(db: Database) -> None:
    """Closing used to leave `pending` behind, so that `count - pending` was the reports of the last few.

    The trigger that keeps the counts of a closed survey is out of the way until this transaction ends.
    """
    trigger = "tallies_are_final_once_closed"
    ((sql,),) = db.execute("SELECT sql FROM sqlite_master WHERE name = ?", [trigger]).fetchall()
    db.execute(f"DROP TRIGGER {trigger}")
    db.execute(
        """
        UPDATE tallies SET pending = count
        WHERE (SELECT state FROM surveys WHERE id = survey_id) = 'closed'
        """
    )
    db.execute(sql)


@migrations()
def failed_attempts(db: Database) -> None:
    """Failed attempts at passwords, by an HMAC of the address and the name: see `server.store.attempts`."""
    db.execute(
        """
        CREATE TABLE attempts (
            "key" TEXT PRIMARY KEY CHECK (length("key") = 64),
            failures INTEGER NOT NULL CHECK (failures > 0),
            last DOUBLE PRECISION NOT NULL
        ) WITHOUT ROWID
        """
    )


@migrations()
def no_order_of_arrival(db: Database) -> None:
    """Open surveys keep their reports in buckets, and every survey its counts in one row of a fixed size.

    The order of the rows of a table could tell the order of arrival, so it was written anew again and again.
    How buckets, records and counts are written is a format of the file, which `shape` and `survey.record`
    hold to. Codes and the order of columns are read from the tables, so that no publication has to be. What
    was published stays so. `pending`, which differed from other counts by few people, is not taken along:
    see `server.store.publishing`.
    """
    db.execute(
        """
        CREATE TABLE counts (
            survey_id INTEGER PRIMARY KEY REFERENCES surveys (id) ON DELETE CASCADE,
            key BLOB CHECK (key IS NULL OR typeof(key) = 'blob' AND length(key) = 16),
            counted BLOB NOT NULL CHECK (typeof(counted) = 'blob'),
            published BLOB NOT NULL CHECK (typeof(published) = 'blob'),
            CHECK (length(published) = length(counted))
        )
        """
    )
    for survey_id, state in db.execute(
        "SELECT id, state FROM surveys WHERE state <> 'draft' ORDER BY id"
    ).fetchall():
        columns = [row[1] for row in db.execute(f"PRAGMA table_info(reports_{survey_id:d})").fetchall()]
        counts = {name: counts_of(db, survey_id, name) for name in columns[1:]}
        key = into_buckets(db, survey_id, {name: len(rows) for name, rows in counts.items()}, state)
        blobs = [
            b"".join(row[place].to_bytes(8) for rows in counts.values() for row in rows) for place in range(2)
        ]
        db.execute("INSERT INTO counts VALUES (?, ?, ?, ?)", [survey_id, key, *blobs])
    db.execute("DROP TABLE tallies")
    db.execute(
        """
        CREATE TRIGGER counts_are_made_once BEFORE INSERT ON counts
        WHEN (SELECT state FROM surveys WHERE id = NEW.survey_id) IS NOT 'open'
            OR EXISTS (SELECT 1 FROM counts WHERE survey_id = NEW.survey_id)
        BEGIN SELECT RAISE(ABORT, 'counts are made once, when the survey opens'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER counts_keep_their_survey BEFORE UPDATE ON counts
        WHEN NEW.survey_id IS NOT OLD.survey_id OR length(NEW.counted) <> length(OLD.counted)
            OR (NEW.key IS NOT OLD.key AND (NEW.key IS NOT NULL OR NOT EXISTS (
                SELECT 1 FROM sqlite_master WHERE name = 'reports_' || OLD.survey_id || '_come_once'
            )))
        BEGIN SELECT RAISE(ABORT, 'counts keep their survey, their length and their key'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER counts_are_final_once_closed BEFORE UPDATE OF counted, published ON counts
        WHEN (SELECT state FROM surveys WHERE id = OLD.survey_id) IS NOT 'open'
        BEGIN SELECT RAISE(ABORT, 'the counts of a closed survey are final'); END
        """
    )
    db.execute(
        """
        CREATE TRIGGER counts_stay_while_the_survey_does BEFORE DELETE ON counts
        WHEN EXISTS (SELECT 1 FROM surveys WHERE id = OLD.survey_id)
        BEGIN SELECT RAISE(ABORT, 'counts go together with their survey'); END
        """
    )


@migrations()
def api_tokens(db: Database) -> None:
    """What programs sign in with: see `server.store.tokens`. Who loses a role loses every token with it."""
    db.execute(
        """
        CREATE TABLE tokens (
            id INTEGER PRIMARY KEY,
            token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            writes INTEGER NOT NULL CHECK (writes IN (0, 1)),
            all_surveys INTEGER NOT NULL CHECK (all_surveys IN (0, 1)),
            expires TEXT,
            used TEXT
        )
        """
    )
    db.execute("CREATE INDEX tokens_by_account ON tokens (account_id)")
    db.execute(
        """
        CREATE TABLE token_surveys (
            token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
            survey_id INTEGER NOT NULL REFERENCES surveys (id) ON DELETE CASCADE,
            PRIMARY KEY (token_id, survey_id)
        ) WITHOUT ROWID
        """
    )
    db.execute("CREATE INDEX token_surveys_by_survey ON token_surveys (survey_id)")
    db.execute(
        """
        CREATE TRIGGER tokens_end_with_the_role AFTER UPDATE OF role ON accounts WHEN NEW.role <> OLD.role
        BEGIN DELETE FROM tokens WHERE account_id = NEW.id; END
        """
    )


STEPS: tuple[str, ...] = (
    "audit",
    "pictures",
    "life",
    "draft_edits",
    "staff_roles",
    "origins",
    "invitations",
    "staff_links",
    "second_factor",
)
"""The steps that are files in ``schema``, after those above."""

for name in STEPS:
    migrations(name=name)(step(name))


def counts_of(db: Database, survey_id: int, column: str) -> list[tuple[int, int]]:
    """Return (count, published) for each code of a column, from the table `tallies`."""
    select = 'SELECT count, published FROM tallies WHERE survey_id = ? AND "column" = ? ORDER BY report'
    return db.execute(select, [survey_id, column]).fetchall()


def into_buckets(db: Database, survey_id: int, codes: dict[str, int], state: str) -> bytes | None:
    """Put the reports of an open survey into buckets, a thousand at a time; return their key."""
    if state != "open":
        return None
    layout, key = Layout(tuple(codes.items())), os.urandom(KEY)
    create_buckets(db, survey_id, shape_of(layout.size))
    buckets = Buckets(db, survey_id, shape_of(layout.size), key, respondents=0)
    rows = db.conn.execute(f"SELECT * FROM reports_{survey_id:d}")
    while some := rows.fetchmany(1000):
        buckets.put({row[0]: layout.fields.pack(*row[1:]) for row in some})
        buckets.held.clear()
    db.execute(f"DROP TABLE reports_{survey_id:d}")
    return key
