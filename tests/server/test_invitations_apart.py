"""What a copy of a database shows of who sent what: of SQLite nothing, of PostgreSQL nothing once closed."""

import random
import shutil
import sqlite3
import threading
from base64 import urlsafe_b64decode
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import invitations, submissions, surveys
from server.store.invitations import draw, hash_of
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.sqlite.connection import connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
from server.store.upkeep import backup
from server.store.upkeep.verification import verify_surveys

DAY = "2026-05-04"
PEOPLE = 300
COUNTED_BY_SQLITE = (slice(24, 28), slice(92, 96))


def invite(storage, survey, number=PEOPLE, seed=6):
    drawn = draw(number, random.Random(seed).randbytes)
    made = storage.write(invitations.make, survey.id, list(map(hash_of, drawn)))
    return [urlsafe_b64decode(token) for token in made.tokens(drawn)]


def reports(survey, number=PEOPLE, seed=7):
    """Receipts and reports, the same from the same seed."""
    chance = random.Random(seed)
    return [
        (chance.randbytes(16).hex(), {"copied": chance.randrange(2), "data": chance.randrange(2)})
        for _ in range(number)
    ]


def paired(survey, tokens, sent):
    fingerprint = survey.publication.fingerprint
    return [
        Submission(survey.id, fingerprint, receipt, report, token)
        for token, (receipt, report) in zip(tokens, sent, strict=True)
    ]


def record(storage, batch, memory=None):
    outcomes = storage.write(submissions.record, batch, DAY, memory)
    assert set(outcomes) == {"stored"}


def opened(storage, survey_file, slug="exams", **more):
    table = survey_file(slug, candor=3, **({"invitations": "listed"} | more))
    return storage.write(lambda db: surveys.open_survey(db, surveys.create_draft(db, table).id))


def file_of(storage):
    storage.close()
    held = bytearray(storage.path.read_bytes())
    for counted in COUNTED_BY_SQLITE:
        held[counted] = bytes(4)
    return bytes(held)


@pytest.mark.parametrize("invitations", [True, "listed"])
def test_whoever_used_which_invitation_the_file_is_the_same(app, survey_file, tmp_path, invitations):
    """The pairs differ, and their order, and who came with whom; the same tokens were used."""
    storage = app.extensions["candor"].storage
    survey = opened(storage, survey_file, invitations=invitations)
    tokens, sent = invite(storage, survey), reports(survey)
    storage.close()
    files, chance = [], random.Random(8)
    for size, last in ((200, 260), (7, 260), (1, 260), (60, 261)):
        copy = SQLiteStorage(Path(shutil.copy(storage.path, tmp_path / f"{size}.db")))
        some, theirs = [*tokens[:259], tokens[last]], sent[:260]  # the others are not used
        chance.shuffle(some)
        chance.shuffle(theirs)
        batch = paired(survey, some, theirs)
        for start in range(0, len(batch), size):
            record(copy, batch[start : start + size])
        files.append(file_of(copy))
    *same, other = files
    assert all(file == files[0] for file in same)
    assert other != files[0]  # another invitation was used


def test_a_sheet_is_overwritten_where_it_is(app, survey_file):
    storage = app.extensions["candor"].storage
    survey = opened(storage, survey_file)
    tokens, sent = invite(storage, survey), reports(survey)
    record(storage, paired(survey, tokens[:1], sent[:1]))
    storage.close()
    before = storage.path.read_bytes()
    record(storage, paired(survey, tokens[1:2], sent[1:2]))
    storage.close()
    after = storage.path.read_bytes()
    changed = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    hashes = before.index(hash_of(tokens[0][4:]))  # eight bytes with a bit for each stand right before them
    bits = [place for place in changed if hashes - 8 <= place < hashes + 16 * invitations.SHEET]
    assert len(bits) == 1
    assert before[bits[0]] ^ after[bits[0]] == 0b10
    assert len({place // 4096 for place in changed}) == 5  # head, counts, bucket, day, sheet


def test_of_what_is_removed_nothing_is_left_in_the_file(app, survey_file):
    storage = app.extensions["candor"].storage
    survey = opened(storage, survey_file)
    tokens, sent = invite(storage, survey), reports(survey)
    record(storage, paired(survey, tokens[:100], sent[:100]))
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    storage.close()
    held = storage.path.read_bytes()
    assert not any(hash_of(token[4:]) in held for token in tokens)


REFUSED = {
    "a bit taken back": "UPDATE invitations SET used = 4611686018427387904",
    "another hash": "UPDATE invitations SET hashes = {zeros}",
    "another number": "UPDATE invitations SET sheet = sheet + 1",
    "a sheet of another survey": "UPDATE invitations SET survey_id = 99",
    "a sheet that goes": "DELETE FROM invitations",
    "a sheet again": "INSERT INTO invitations (survey_id, sheet, used, hashes) "
    "SELECT survey_id, sheet, used, hashes FROM invitations",
    "a sheet of nothing": "INSERT INTO invitations (survey_id, sheet, used, hashes) "
    "SELECT survey_id, 9, used, {nothing} FROM invitations",
    "fewer": "UPDATE invited SET made = 1",
    "withdrawn ones back": "UPDATE invited SET withdrawn = 0",
    "a shorter list": "UPDATE invited SET listed = {nothing}",
    "without a count": "DELETE FROM invited",
}
ONCE_CLOSED = {
    "used after the close": "UPDATE invitations SET used = used | 2",
    "another list": "UPDATE invited SET listed = {longer}",
    "made after the close": "UPDATE invited SET made = made + 1",
    "a sheet after the close": "INSERT INTO invitations (survey_id, sheet, used, hashes) "
    "SELECT survey_id, 9, used, hashes FROM invitations",
}


@pytest.mark.engines
def test_what_was_used_stays_so_whoever_tries(app, engine, survey_file):
    storage = app.extensions["candor"].storage
    survey = opened(storage, survey_file)
    tokens, sent = invite(storage, survey, 62), reports(survey)
    memory = {}
    for number in range(30):
        record(storage, paired(survey, tokens[number : number + 1], sent[number : number + 1]), memory)
    storage.write(invitations.withdraw, survey.id)
    nothing, byte = ("''::bytea", r"'\x01'::bytea") if engine == "postgresql" else ("x''", "x'01'")
    zeros = "decode(repeat('00', 992), 'hex')" if engine == "postgresql" else "zeroblob(992)"
    values = {"nothing": nothing, "longer": f"listed || {byte}", "zeros": zeros}

    def tried(attempts):
        for name, sql in attempts.items():
            with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
                storage.write(lambda db, sql=sql, _=name: db.execute(sql.format(**values)))

    tried(REFUSED)
    storage.write(surveys.close_survey, survey.id)
    tried(ONCE_CLOSED)


@pytest.fixture
def servers(postgresql):
    """Two servers on one database, patient ones."""
    pair = [PostgreSQLStorage(postgresql, busy_seconds=60.0) for _ in range(2)]
    yield pair
    for storage in pair:
        storage.close()


def transactions(storage, table, key):
    """The number of the transaction that wrote each row, which PostgreSQL notes: key -> number."""
    return dict(storage.read(lambda db: db.execute(f"SELECT {key}, xmin::text FROM {table}").fetchall()))


def test_postgresql_shows_who_sent_what_until_the_survey_is_closed(servers, survey_file):
    """So the promise is left out for it. Once the reports are written anew, no number is left that joins."""
    storage = servers[0]
    survey = opened(storage, survey_file)
    tokens, sent = invite(storage, survey, 3 * 62), reports(survey)
    three = [tokens[0], tokens[62], tokens[124]]
    for one in paired(survey, three, sent[:3]):
        record(storage, [one])
    sheets = transactions(storage, "invitations", "sheet")
    arrived = transactions(storage, f"arrivals_{survey.id}", "encode(receipt, 'hex')")
    assert [sheets[number] for number in range(3)] == [arrived[receipt] for receipt, _ in sent[:3]]
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    rows = transactions(storage, f"reports_{survey.id}", "encode(receipt, 'hex')")
    assert len(rows) == 3
    assert len(set(rows.values())) == 1
    assert transactions(storage, "invitations", "sheet") == {}


def test_two_servers_with_the_same_invitations_in_opposite_orders_do_not_block_each_other(
    servers, survey_file
):
    first, second = (opened(servers[0], survey_file, slug) for slug in ("first", "second"))
    batch = []
    for seed, survey in enumerate((first, second)):
        tokens = invite(servers[0], survey, 3 * 62, seed=seed)
        batch += paired(survey, tokens[::10], reports(survey, 19, seed=seed))
    random.Random(5).shuffle(batch)
    others = [
        Submission(one.survey_id, one.fingerprint, f"{number:032x}", one.reports, one.invitation)
        for number, one in enumerate(batch)
    ]
    barrier = threading.Barrier(2)

    def send(number):
        barrier.wait()
        mine = batch if number == 0 else others[::-1]
        return servers[number].write_until(
            servers[number].deadline(), submissions.record_and_count, mine, [DAY] * len(mine), Counter(), {}
        )

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(send, range(2))
    assert Counter(one + other) == {"stored": len(batch), "used": len(batch)}


def test_a_retry_through_another_server_finds_its_first(servers, survey_file):
    survey = opened(servers[0], survey_file)
    tokens, sent = invite(servers[0], survey, 20), reports(survey, 20)
    for pair in zip(tokens, sent, strict=True):
        batch, barrier = paired(survey, [pair[0]], [pair[1]]), threading.Barrier(2)

        def send(storage, batch=batch, barrier=barrier):
            barrier.wait()
            return storage.write_until(
                storage.deadline(), submissions.record_and_count, batch, [DAY], Counter(), {}
            )

        with ThreadPoolExecutor(2) as pool:
            outcomes = [outcome for (outcome,) in pool.map(send, servers)]
        assert sorted(outcomes) == ["repeated", "stored"]


def held(storage):
    """What a database holds about invitations."""
    tables = {
        "invited": "SELECT survey_id, made, sheets, withdrawn, listed FROM invited",
        "invitations": "SELECT survey_id, sheet, used, hashes FROM invitations",
    }
    return {
        name: sorted(
            tuple(map(plain, row)) for row in storage.read(lambda db, sql=sql: db.execute(sql).fetchall())
        )
        for name, sql in tables.items()
    }


def plain(value):
    return bytes(value) if isinstance(value, memoryview) else value


def filled(storage, survey_file):
    """An open survey and a closed one, some of whose invitations were used."""
    found = []
    for seed, slug in enumerate(("running", "over")):
        survey = opened(storage, survey_file, slug)
        tokens, sent = invite(storage, survey, 100, seed=seed), reports(survey, 100, seed=seed)
        memory = {}
        for number in range(35):
            record(storage, paired(survey, tokens[number : number + 1], sent[number : number + 1]), memory)
        found.append((survey, tokens, sent))
    storage.write(surveys.close_survey, found[1][0].id)
    storage.finish()
    return found[0]


def test_a_move_takes_the_invitations_along(app, survey_file, postgresql):
    source, target = app.extensions["candor"].storage, PostgreSQLStorage(postgresql)
    survey, tokens, sent = filled(source, survey_file)
    before = held(source)
    source.close()
    ended = CliRunner().invoke(main, ["move", str(source.path), target.url.text])
    assert ended.exit_code == 0, ended.output
    assert held(target) == before
    again = paired(survey, tokens[34:36], [("ab" * 16, sent[0][1]), sent[35]])
    assert target.write(submissions.record, again, DAY) == ["used", "stored"]
    target.close()


@pytest.mark.engines
def test_as_many_were_used_as_there_are_reports(app, survey_file):
    storage = app.extensions["candor"].storage
    survey, tokens, _ = filled(storage, survey_file)
    assert [faults for *_, faults in verify_surveys(storage)] == [[], []]
    sheets = storage.write(invitations.hold_sheets, survey.id, tokens[40:42])
    storage.write(lambda db: replace(sheets, db=db).spend(tokens[40:42]))
    found = {slug: faults for slug, _, faults in verify_surveys(storage)}
    assert found == {"running": ["37 invitations were used, for 35 reports"], "over": []}


@pytest.mark.engines
def test_a_backup_holds_what_is_used_and_what_is_not(app, survey_file, tmp_path, database):
    source = app.extensions["candor"].storage
    survey, tokens, sent = filled(source, survey_file)
    before = held(source)
    backup.back_up(database, tmp_path / "backup")
    backup.restore(tmp_path / "backup", tmp_path / "restored.db")
    restored = SQLiteStorage(tmp_path / "restored.db")
    assert held(restored) == before
    again = paired(survey, tokens[34:36], [("ab" * 16, sent[0][1]), sent[35]])
    assert restored.write(submissions.record, again, DAY) == ["used", "stored"]
    restored.close()


def test_a_backup_made_right_after_the_close_holds_no_hash(app, survey_file, tmp_path):
    source = app.extensions["candor"].storage
    survey, tokens, _ = filled(source, survey_file)
    source.write(surveys.close_survey, survey.id)
    backup.back_up(source.path, tmp_path / "backup")
    backup.restore(tmp_path / "backup", tmp_path / "restored.db")
    stored = (tmp_path / "restored.db").read_bytes()
    assert not any(hash_of(token[4:]) in stored for token in tokens)
    with closing(connect(tmp_path / "restored.db")) as db:
        assert db.execute("SELECT count(*) FROM invited").fetchone() == (2,)
