"""Build a database as an older version left it, and print it as SQL: the databases in this folder.

It runs on the code of that version, which `PYTHONPATH` names, so that the schema, the triggers and the
published bytes are of then; receipts, reports and days come from a seed, so that it prints the same again:

    git worktree add ../before 492c410
    PYTHONPATH=../before uv run python tests/server/databases/build.py > tests/server/databases/every_kind.sql

and likewise from 9c7986d, with the word `sections`, sections.sql; and from 77aab90, with the word `buckets`,
buckets.sql, in which reports are in buckets.

There are two surveys with every mechanism: `running` is open with 12 respondents and a step of 5, so that its
results show five; `finished` is closed with 11, one more than two steps. `half` is a draft. In sections.sql
some are asked half of the questions and the others the other half.
"""

import random
import sqlite3
import sys
import tempfile
from pathlib import Path

from sqlite_utils import Database

from server.store import accounts, submissions, surveys
from server.store.submissions import Submission
from survey.mechanisms import BoxChannel
from survey.publication import question_columns
from survey.randomize import randomize, randomize_boxes, words_for

SECTIONS, BUCKETS = (sys.argv[1:] == [word] for word in ("sections", "buckets"))
COMMIT = "9c7986d" if SECTIONS else "77aab90" if BUCKETS else "492c410"

TOTAL = 2**32
THEN = "2026-06-01 09:00:00+00:00"
OPTIONS = [{"en": name.title(), "ko": f"{name} 답"} for name in ("never", "seldom", "often", "always")]
QUESTIONS = {
    "copied": {"kind": "yes_no", "mechanism": "spinner_coin", "epsilon": 1.0},
    "bought": {"kind": "yes_no", "mechanism": "spinner", "epsilon": 0.5, "skip": "randomized"},
    "data": {"kind": "yes_no", "mechanism": "coin", "skip": "apart", "by_hand": "coin"},
    "relief": {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": OPTIONS},
    "income": {"kind": "choice", "mechanism": "subset", "epsilon": 1.0, "options": OPTIONS},
    "worry": {
        "kind": "choice",
        "mechanism": "exponential",
        "epsilon": 1.0,
        "options": OPTIONS,
        "ordered": True,
    },
    "taken": {"kind": "boxes", "mechanism": "per_box", "epsilon": 0.5, "options": OPTIONS, "scope": "box"},
    "happened": {
        "kind": "boxes",
        "mechanism": "sampled_box",
        "epsilon": 1.0,
        "options": OPTIONS,
        "skip": "apart",
    },
    "content": {"kind": "number", "mechanism": "one_bit", "epsilon": 1.0, "low": 0, "high": 10, "step": 1},
    "hours": {"kind": "number", "mechanism": "laplace", "epsilon": 1.0, "low": 0, "high": 6, "step": 1},
    "drinks": {
        "kind": "number",
        "mechanism": "gaussian",
        "epsilon": 1.0,
        "delta": 1e-6,
        "low": 0,
        "high": 6,
        "step": 1,
    },
    "spent": {"kind": "number", "mechanism": "hybrid", "epsilon": 2.0, "low": 0, "high": 50, "step": 10},
}


def definition(slug):
    """A survey with every mechanism, in two languages."""
    texts = {
        "title": {"en": "Exams & <honesty>", "ko": "시험과 정직"},
        "information": {"en": "Who asks, and why.", "ko": "누가, 왜 묻는지."},
        "consent": {"en": "I take part.", "ko": "참여합니다."},
    }
    questions = [
        {"id": name, "wording": {"en": f"What of {name}?", "ko": f"{name}?"}} | question
        for name, question in QUESTIONS.items()
    ]
    results = {"step": 5, "reports_while_open": False}
    common = {"slug": slug, "languages": ["en", "ko"], **texts, "results": results}
    common |= {"budget": {"limit": 30.0, "waves": 2}}
    if not SECTIONS:
        return {"candor": 1, **common, "questions": questions}
    halves = [{"id": name, "questions": questions[start::2]} for start, name in enumerate(("evens", "odds"))]
    return {"candor": 2, **common, "asked": 1, "sections": halves}


def reports(publication, draw):
    """Answer every question at random, and randomize the answers."""
    codes, left_out = {}, draw.randrange(2) if SECTIONS else None
    for number, (question, columns) in enumerate(question_columns(publication)):
        first = next(iter(columns.values()))
        if left_out is not None and number // (len(QUESTIONS) // 2) == left_out:
            codes |= {name: column.not_asked_code for name, column in columns.items()}
            continue
        if first.skip_code is not None and draw.random() < 0.2:
            chosen = [first.skip_code] * len(columns)
        elif isinstance(first.channel, BoxChannel):
            ticks = [draw.randrange(2) for _ in columns]
            words = [draw.randrange(TOTAL) for _ in range(words_for(first.channel))]
            chosen = randomize_boxes(first.channel, ticks, words)
        else:
            channel = first.channel
            chosen = [randomize(channel, draw.randrange(channel.answers), draw.randrange(TOTAL))]
        assert question.fault(tuple(columns.values()), chosen) is None
        codes |= zip(columns, chosen, strict=True)
    return codes


def fill(db, slug, respondents, draw):
    """Open a survey, and let respondents come on two days."""
    survey = surveys.open_survey(db, surveys.create_draft(db, definition(slug)).id)
    publication = survey.publication
    batch = [
        Submission(survey.id, publication.fingerprint, draw.randbytes(16).hex(), reports(publication, draw))
        for _ in range(respondents)
    ]
    for day, part in (("2026-06-01", batch[:4]), ("2026-06-02", batch[4:])):
        sent = {"sent": 0} if BUCKETS else {}  # it was not asked for before
        submissions.add_to_day(db, survey.id, day, started=len(part) + 1, **sent)
        assert set(submissions.record(db, part, day)) == {"stored"}
    return survey


def build(db):
    """Make everything that a database can hold."""
    draw = random.Random(8)
    fill(db, "running", 12, draw)
    surveys.close_survey(db, fill(db, "finished", 11, draw).id)
    surveys.create_draft(db, {"candor": 1, "slug": "half", "title": {"en": "Half"}})
    for name, role in (("ada", "admin"), ("ben", "researcher")):
        insert = "INSERT INTO accounts (name, role, password_hash) VALUES (?, ?, ?)"
        db.conn.execute(insert, [name, role, f"$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ${name}"])
        person = accounts.by_name(db, name)
        db.conn.execute(
            "INSERT INTO sessions VALUES (?, ?, ?)", [draw.randbytes(32).hex(), person.id, 1780000000]
        )
    db.conn.execute("INSERT INTO settings VALUES ('secret_key', ?)", ["0" * 64])
    if BUCKETS:
        token = "INSERT INTO tokens VALUES (1, ?, 1, 'nightly', 0, 0, NULL, '2026-06-02')"
        db.conn.execute(token, [draw.randbytes(32).hex()])
        db.conn.execute("INSERT INTO token_surveys VALUES (1, 1)")
    db.conn.execute("UPDATE _sqlite_migrations SET applied_at = ?", [THEN])


def in_memory():
    """A database of a version whose functions take any connection."""
    try:
        from server.store.database import migrate
    except ImportError:  # its place until 492c410
        from server.database import migrate

    db = Database(sqlite3.connect(":memory:", isolation_level=None))
    migrate(db)
    db.conn.execute("BEGIN IMMEDIATE")
    build(db)
    db.conn.execute("COMMIT")
    return db.conn


def in_a_file():
    """A database of a version with storage, after what closing leaves to do."""
    from server.store.sqlite.storage import SQLiteStorage

    path = Path(tempfile.mkdtemp()) / "candor.db"
    storage = SQLiteStorage(path, draw=random.Random(9).randbytes)
    storage.create()
    storage.write(build)
    storage.finish()
    storage.close()
    return sqlite3.connect(path)


def main():
    conn = in_a_file() if BUCKETS else in_memory()
    print(f"-- A database with every kind of question as commit {COMMIT} left it, made by build.py.")
    print("\n".join(conn.iterdump()))


if __name__ == "__main__":
    main()
