"""A short form of the campaign in `tests/benchmarks/campaign`: what is acknowledged is stored once."""

import base64
import os
import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import cluster
import network
import power_on_postgresql
import pytest
from engines import installed, prepared
from ledger import Ledger, answers, draw, faults, other, sizes_of
from losses import losses, worst_losses
from on_sqlite import SQLite
from outages import limited
from power_on_sqlite import WEAKER, cut_short, recorded
from spellings import address, files_in, numbers, places, planted, spellings
from statements_on_postgresql import split
from statements_on_sqlite import empty, killed

from server.store import surveys
from server.store.engine import Unavailable
from server.store.sqlite.storage import SQLiteStorage

BATCHES = 10

on_postgresql = pytest.mark.skipif(
    cluster.programs() is None and "CI" not in os.environ, reason="tests/run installs it"
)


def test_whatever_survives_a_power_cut_holds_what_was_acknowledged(tmp_path):
    recording = recorded(tmp_path, BATCHES)
    assert losses(recording, 12, random.Random(1)) == []
    assert worst_losses(recording) == []


@pytest.mark.parametrize("weaker", WEAKER)
def test_with_weaker_settings_it_would_not(tmp_path, weaker):
    assert worst_losses(recorded(tmp_path, BATCHES, weaker)) != []


@on_postgresql
def test_a_power_cut_takes_nothing_from_postgresql_that_was_acknowledged_unless_syncs_are_left_out(tmp_path):
    recording = power_on_postgresql.recorded(tmp_path, 6)
    assert losses(recording, 2, random.Random(1)) == []
    unsynced = [event for event in recording.events if event.kind != "sync"]
    assert worst_losses(replace(recording, events=unsynced)) != []


@pytest.mark.parametrize("acknowledged", [1, 40, 300])
def test_a_process_that_is_killed_loses_nothing_that_it_has_acknowledged(tmp_path, acknowledged):
    ledger = cut_short(tmp_path / "candor.db", 1000, acknowledged)
    assert len(ledger.acknowledged) >= acknowledged
    assert faults(SQLiteStorage(tmp_path / "candor.db"), ledger) == []


def test_tables_whose_making_is_killed_at_any_statement_are_all_there_or_none(tmp_path):
    statements, wrong = killed("create", empty(tmp_path / "empty.db"))
    assert statements >= 10
    assert wrong == []


def test_a_script_is_split_where_its_statements_end():
    function = "CREATE FUNCTION one() RETURNS integer AS $$\n    SELECT 1;\n$$ LANGUAGE sql;\n"
    assert split(f"-- A table.\nCREATE TABLE a (\n    b text\n);\n{function}SELECT 1") == [
        "-- A table.\nCREATE TABLE a (\n    b text\n);\n",
        function,
        "SELECT 1",
    ]


class Used:
    """A store that is used, and what was sent to it."""

    def __init__(self, storage, survey):
        object.__setattr__(storage, "busy_seconds", 60.0)  # a busy machine is no fault
        self.storage, self.survey = storage, survey
        self.ledger = Ledger()
        self.chance = random.Random(1)

    def send(self, number=20):
        sent = dict(draw(sizes_of(self.survey), self.chance) for _ in range(number))
        self.ledger.sent |= sent
        outcomes = dict(answers(self.storage, self.survey, sent))
        assert set(outcomes.values()) == {"stored"}
        self.ledger.acknowledged |= set(outcomes)


@pytest.fixture
def used(tmp_path):
    database = SQLite(tmp_path)
    used = Used(database.storage(), prepared(database))
    used.send()
    yield used
    used.storage.close()


@on_postgresql
def test_a_postgresql_server_that_is_killed_loses_nothing_that_was_acknowledged():
    with installed("postgresql") as (database, survey):
        used = Used(database.storage(), survey)
        for _ in range(2):
            used.send()
            database.kill()
            with pytest.raises(Unavailable):
                used.send()
            database.start()
        used.send()
        assert faults(used.storage, used.ledger) == []
        used.storage.close()


@pytest.mark.parametrize("pages", [0, 1, 8])
def test_a_full_disk_takes_nothing_and_loses_nothing(used, pages):
    with limited(os.getpid(), 4096 * pages), pytest.raises(Unavailable):
        used.send(400)
    used.send()
    assert faults(used.storage, used.ledger) == []


def test_a_disk_that_fills_while_a_survey_closes_loses_nothing_and_closing_goes_on(used):
    used.send(400)
    with limited(os.getpid(), used.storage.path.stat().st_size), pytest.raises(Unavailable):
        close(used)
    assert {got for _, got in answers(used.storage, used.survey, used.ledger.sent)} == {"repeated"}
    close(used)
    assert used.storage.read(surveys.get, used.survey.id).state == "closed"
    assert faults(used.storage, used.ledger) == []


def close(used):
    """Close the survey, and do what closing leaves to do."""
    if used.storage.read(surveys.get, used.survey.id).state == "open":
        used.storage.write(surveys.close_survey, used.survey.id)
    used.storage.finish()


def test_a_file_that_is_taken_away_and_brought_back_holds_everything(used):
    away = used.storage.path.rename(used.storage.path.with_suffix(".away"))
    with pytest.raises(Unavailable):
        used.send()
    away.rename(used.storage.path)
    used.send()
    assert faults(used.storage, used.ledger) == []


def test_a_backup_holds_what_was_acknowledged_before(used, tmp_path):
    with (
        closing(sqlite3.connect(used.storage.path)) as db,
        closing(sqlite3.connect(tmp_path / "backup.db")) as copy,
    ):
        db.backup(copy)
    before = Ledger(dict(used.ledger.sent), set(used.ledger.acknowledged))
    used.send()
    backup = SQLiteStorage(tmp_path / "backup.db")
    assert faults(backup, before) == []
    assert faults(backup, used.ledger) != []


def test_a_network_that_drops_repeats_and_delays_doubles_and_loses_nothing():
    network.run("sqlite", examples=4)


def lost(used):
    used.ledger.acknowledged.add("ab" * 16)
    used.ledger.sent["ab" * 16] = (0, 0, 0)


def changed(used):
    receipt = min(used.ledger.acknowledged)
    used.ledger.sent[receipt] = other(used.ledger.sent[receipt])


def doubled(used):
    used.ledger.acknowledged.discard(receipt := max(used.ledger.acknowledged))
    del used.ledger.sent[receipt]


@pytest.mark.parametrize("fault", [lost, changed, doubled])
def test_the_check_finds_what_is_lost_changed_or_there_too_often(used, fault):
    fault(used)
    assert faults(used.storage, used.ledger) != []


@pytest.mark.parametrize(
    "written", [spellings("SignQx7Wm"), address("127.77.93.41"), numbers(618_829_224)], ids=len
)
def test_the_search_for_marks_finds_each_spelling_plain_and_compressed(tmp_path, written):
    assert planted(tmp_path, {"mark": written}) == []
    (tmp_path / "clean").write_bytes(random.Random(1).randbytes(100_000))
    assert places(files_in(tmp_path), {"mark": written}) == []


@pytest.mark.parametrize("before", range(5))
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_is_found_wherever_the_mark_begins(before, encode):
    text = encode(b"???~~~"[:before] + b"mark?>~Qx7" + b"???~~~")
    assert any(spelled in text for spelled in spellings("mark?>~Qx7").values())
