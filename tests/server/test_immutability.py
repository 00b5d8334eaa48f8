"""A published survey cannot be changed, whichever way somebody tries: by the code, or by SQL past it."""

import sqlite3
from contextlib import closing

import pytest

from server.store import drafts, surveys
from server.store.sqlite.connection import connect
from server.store.surveys import SlugTaken, WrongState

VALUES = "(survey_id, key, counted, published) VALUES ({}, NULL, x'', x'')"
BY_SQL = {
    "other bytes": "UPDATE publications SET json = x'7b7d'",
    "another fingerprint": f"UPDATE publications SET fingerprint = '{'0' * 64}'",
    "moved to another survey": "UPDATE publications SET survey_id = 2",
    "withdrawn": "DELETE FROM publications WHERE survey_id = 1",
    "replaced": f"INSERT OR REPLACE INTO publications VALUES (1, x'7b7d', '{'0' * 64}')",
    "upserted": f"INSERT INTO publications VALUES (1, x'7b7d', '{'0' * 64}') "
    "ON CONFLICT DO UPDATE SET json = excluded.json",
    "back to a draft": "UPDATE surveys SET state = 'draft', draft = '{}' WHERE id = 1",
    "given a draft": "UPDATE surveys SET draft = '{}' WHERE id = 1",
    "given saves": "UPDATE surveys SET saves = '[]' WHERE id = 1",
    "renamed": "UPDATE surveys SET slug = 'other' WHERE id = 1",
    "renumbered": "UPDATE surveys SET id = 9 WHERE id = 1",
    "replaced as a survey": "INSERT OR REPLACE INTO surveys VALUES (1, 'exams', 'draft', '{}', NULL)",
    "replaced by its name": "REPLACE INTO surveys (slug, state, draft) VALUES ('exams', 'draft', '{}')",
    "overrun by another survey's name": "UPDATE OR REPLACE surveys SET slug = 'exams' WHERE id = 2",
    "overrun by another survey's number": "UPDATE OR REPLACE surveys SET id = 1 WHERE id = 2",
    "inserted as open": "INSERT INTO surveys (slug, state) VALUES ('third', 'open')",
    "a publication for a draft": f"INSERT INTO publications VALUES (2, x'7b7d', '{'0' * 64}')",
    "a replaced bucket": "INSERT OR REPLACE INTO buckets_1 VALUES (0, x'00000000')",
    "a bucket that moves": "UPDATE buckets_1 SET bucket = 1",
    "a bucket that holds no bytes": "UPDATE buckets_1 SET records = 0",
    "a bucket that goes": "DELETE FROM buckets_1",
    "counts made again": f"INSERT INTO counts {VALUES.format(1)}",
    "replaced counts": f"INSERT OR REPLACE INTO counts {VALUES.format(1)}",
    "counts for a draft": f"INSERT INTO counts {VALUES.format(2)}",
    "counts of another length": "UPDATE counts SET counted = x'00', published = x'00'",
    "fewer codes than were counted": "UPDATE counts SET published = x'00'",
    "counts that are numbers": "UPDATE counts SET counted = 0",
    "another key": "UPDATE counts SET key = randomblob(16)",
    "counts that move": "UPDATE counts SET survey_id = 2",
    "removed counts": "DELETE FROM counts WHERE survey_id = 1",
}

ONCE_CLOSED = {
    "opened again": "UPDATE surveys SET state = 'open' WHERE id = 1",
    "one more report": f"INSERT INTO reports_1 VALUES (x'{'cd' * 16}', 0, 0)",
    "a replaced report": f"INSERT OR REPLACE INTO reports_1 VALUES (x'{'ab' * 16}', 0, 0)",
    "a changed report": "UPDATE reports_1 SET copied = 0",
    "a removed report": "DELETE FROM reports_1",
    "other counts": "UPDATE counts SET counted = zeroblob(32)",
    "fewer counts shown": "UPDATE counts SET published = zeroblob(32)",
    "a key": "UPDATE counts SET key = randomblob(16)",
    "replaced counts": f"INSERT OR REPLACE INTO counts {VALUES.format(1)}",
    "removed counts": "DELETE FROM counts",
}


def dump(storage):
    with closing(sqlite3.connect(storage.path)) as connection:
        return list(connection.iterdump())


@pytest.fixture
def two(door):
    """An open survey with one report, number 1, and a draft, number 2."""
    assert door.send(door.body(receipt="ab" * 16)) == (200, "stored")
    door.storage.write(surveys.create_draft, {"slug": "second"})
    return door.storage


def let_through(storage, attempts, recursive_triggers="ON"):
    """Give what is not refused, or refused after it has changed something; what is leaves all as it was."""
    before = dump(storage)

    def refused(sql):
        with closing(connect(storage.path)) as db:
            db.execute(f"PRAGMA recursive_triggers={recursive_triggers}")
            try:
                db.execute(sql)
            except sqlite3.IntegrityError:
                return dump(storage) == before
        return False

    return [name for name, sql in attempts.items() if not refused(sql)]


@pytest.mark.parametrize("recursive_triggers", ["ON", "OFF"])
def test_the_database_refuses(two, recursive_triggers):
    assert let_through(two, BY_SQL, recursive_triggers) == []


def test_the_code_refuses_before_the_database_has_to(two):
    with pytest.raises(WrongState, match="cannot change; exams is open"):
        two.write(drafts.replace, 1, "", {"slug": "exams"}, "ada")
    with pytest.raises(WrongState, match="published once; exams is open"):
        two.write(surveys.open_survey, 1)
    with pytest.raises(SlugTaken):
        two.write(surveys.create_draft, {"slug": "exams"})
    with pytest.raises(SlugTaken):
        two.write(drafts.replace_at_address, 2, "", {"slug": "exams"}, "ada")


def test_closing_is_final(two):
    two.write(surveys.close_survey, 1)
    two.finish()
    before = dump(two)
    assert let_through(two, ONCE_CLOSED) == []
    with pytest.raises(WrongState, match="only an open survey"):
        two.write(surveys.close_survey, 1)
    assert dump(two) == before


def test_removing_the_whole_survey_is_the_one_way_and_leaves_nothing(two):
    two.write(surveys.delete_survey, 1)
    two.finish()
    left = "\n".join(dump(two))
    assert "buckets_1" not in left
    for table in ("publications", "counts", "days"):
        assert f'INSERT INTO "{table}"' not in left
    assert two.write(surveys.create_draft, {"slug": "exams"}).id == 3  # no number is used twice
