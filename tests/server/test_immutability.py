"""A published survey cannot be changed, whichever way somebody tries: by the code, or by SQL past it."""

import sqlite3
from contextlib import closing

import pytest

from server.store import surveys
from server.store.sqlite.storage import connect
from server.store.surveys import SlugTaken, WrongState

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
    "renamed": "UPDATE surveys SET slug = 'other' WHERE id = 1",
    "renumbered": "UPDATE surveys SET id = 9 WHERE id = 1",
    "replaced as a survey": "INSERT OR REPLACE INTO surveys VALUES (1, 'exams', 'draft', '{}')",
    "replaced by its name": "REPLACE INTO surveys (slug, state, draft) VALUES ('exams', 'draft', '{}')",
    "overrun by another survey's name": "UPDATE OR REPLACE surveys SET slug = 'exams' WHERE id = 2",
    "overrun by another survey's number": "UPDATE OR REPLACE surveys SET id = 1 WHERE id = 2",
    "inserted as open": "INSERT INTO surveys (slug, state) VALUES ('third', 'open')",
    "a publication for a draft": f"INSERT INTO publications VALUES (2, x'7b7d', '{'0' * 64}')",
    "a changed report": "UPDATE reports_1 SET copied = 0",
    "a replaced report": f"INSERT OR REPLACE INTO reports_1 VALUES (x'{'ab' * 16}', 0, 0)",
    "an impossible report": f"INSERT INTO reports_1 VALUES (x'{'cd' * 16}', 2, 0)",
    "a report that is no number": f"INSERT INTO reports_1 VALUES (x'{'cd' * 16}', 'x', 0)",
    "a tally made again": "INSERT INTO tallies (survey_id, \"column\", report) VALUES (1, 'copied', 0)",
    "a replaced tally": "INSERT OR REPLACE INTO tallies VALUES (1, 'copied', 1, 9, 9, 9)",
    "a tally for a draft": "INSERT INTO tallies (survey_id, \"column\", report) VALUES (2, 'copied', 0)",
    "a removed tally": "DELETE FROM tallies WHERE survey_id = 1",
    "a receipt of the wrong length": "INSERT INTO reports_1 VALUES (x'cd', 0, 0)",
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


@pytest.mark.parametrize("attempt", BY_SQL)
@pytest.mark.parametrize("recursive_triggers", ["ON", "OFF"])
def test_the_database_refuses(two, attempt, recursive_triggers):
    before = dump(two)
    with closing(connect(two.path)) as db:
        db.execute(f"PRAGMA recursive_triggers={recursive_triggers}")
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(BY_SQL[attempt])
    assert dump(two) == before


def test_the_code_refuses_before_the_database_has_to(two):
    with pytest.raises(WrongState, match="cannot change; exams is open"):
        two.write(surveys.save_draft, 1, {"slug": "exams"})
    with pytest.raises(WrongState, match="published once; exams is open"):
        two.write(surveys.open_survey, 1)
    with pytest.raises(SlugTaken):
        two.write(surveys.create_draft, {"slug": "exams"})
    with pytest.raises(SlugTaken):
        two.write(surveys.save_draft, 2, {"slug": "exams"})


@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE surveys SET state = 'open' WHERE id = 1",
        f"INSERT INTO reports_1 VALUES (x'{'cd' * 16}', 0, 0)",
        "UPDATE tallies SET count = count + 1, published = published + 1",
        "INSERT INTO tallies (survey_id, \"column\", report) VALUES (1, 'copied', 2)",
        "INSERT OR REPLACE INTO tallies VALUES (1, 'copied', 1, 9, 9, 9)",
        "DELETE FROM tallies",
        "DELETE FROM reports_1",
    ],
)
def test_closing_is_final(two, attempt):
    two.write(surveys.close_survey, 1)
    before = dump(two)
    with closing(connect(two.path)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(attempt)
    with pytest.raises(WrongState, match="only an open survey"):
        two.write(surveys.close_survey, 1)
    assert dump(two) == before


def test_removing_the_whole_survey_is_the_one_way_and_leaves_nothing(two):
    two.write(surveys.delete_survey, 1)
    left = "\n".join(dump(two))
    assert "reports_1" not in left
    for table in ("publications", "tallies", "days"):
        assert f'INSERT INTO "{table}"' not in left
    assert two.write(surveys.create_draft, {"slug": "exams"}).id == 3  # no number is used twice
