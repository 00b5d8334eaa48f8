"""The audit log is a chain: the first line that was touched is named, and a cut by a head that was kept."""

import csv
import io
import json
import random
import sqlite3
import ssl
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import astuple, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer

import cluster
import psycopg
import pytest
from click.testing import CliRunner

from server.cli import main
from server.language.catalogue import section
from server.operations import heads
from server.operations.heads import HeadSender
from server.store import submissions, surveys
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.sqlite.audit_text import put_into_text
from server.store.sqlite.connection import connect
from server.store.staff import audit, audit_chain
from server.store.staff.audit import BEGINNING, Line
from server.store.storage import storage_at
from server.store.submissions import Submission
from server.store.upkeep import backup, backup_file

LINES, CHANGES = 60, 100


def candor(*arguments):
    ended = CliRunner().invoke(main, [str(getattr(each, "text", each)) for each in arguments])
    return ended.exit_code, ended.stdout, ended.stderr


def made(count=LINES):
    """Lines as the database writes them."""
    lines, previous = [], BEGINNING
    for number in range(1, count + 1):
        nonce = random.Random(number).randbytes(16).hex()
        lines.append(
            Line(number, f"2026-05-04T09:{number:02}:00Z", "ada", "signed_in", None, None, nonce, previous)
        )
        previous = lines[-1].hash
    return lines


def removed(draw, lines):
    first = draw.randrange(LINES - 2)
    del lines[first : first + draw.randint(1, LINES - 2 - first)]
    return first + 1


def removed_and_numbered_anew(draw, lines):
    first = removed(draw, lines)
    lines[:] = [replace(line, id=number) for number, line in enumerate(lines, 1)]
    return first


def changed(draw, lines):
    place = draw.randrange(LINES - 2)
    field = draw.choice(["moment", "who", "what", "survey", "about", "nonce", "previous"])
    lines[place] = replace(lines[place], **{field: "0" * 64 if field == "previous" and place else "f" * 64})
    return place + 1


def moved(draw, lines):
    one, other = sorted(draw.sample(range(LINES - 1), 2))
    lines[one], lines[other] = (replace(lines[other], id=one + 1), replace(lines[one], id=other + 1))
    return one + 1


def put_in(draw, lines):
    place = draw.randrange(1, LINES - 2)
    lines.insert(place, replace(lines[place], who="eve", previous=lines[place - 1].hash))
    lines[place + 1 :] = [replace(line, id=line.id + 1) for line in lines[place + 1 :]]
    return place + 1, place + 2


BARE = ("CREATE TABLE bare AS SELECT * FROM audit", "DROP TABLE audit", "ALTER TABLE bare RENAME TO audit")
"""Statements with which whoever holds a database puts a table without any rules in the place of the log."""


@pytest.fixture
def bare(engine, tmp_path):
    """A database of its own, whose log takes everything; where it is, and its storage."""
    place = cluster.new_database() if engine == "postgresql" else tmp_path / "bare.db"
    with closing(storage_at(place)) as storage:
        storage.create()
        if engine == "postgresql":
            with psycopg.connect(place.text, autocommit=True) as db:
                for statement in ("SET search_path TO candor", *BARE):
                    db.execute(statement)
        else:
            execute(place, *BARE)
        yield place, storage


def put(db, lines):
    """Let the log be these lines."""
    db.execute("DELETE FROM audit")
    for line in lines:
        db.execute("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [*astuple(line)])


@pytest.mark.engines
def test_the_first_of_the_stored_lines_that_was_touched_is_named_a_hundred_times(bare):
    place, storage = bare
    storage.write(put, made())
    assert audit_chain.first_fault(storage.read(audit_chain.chain)) is None
    for number in range(CHANGES):
        draw, lines = random.Random(number), made()
        change = (removed, removed_and_numbered_anew, changed, moved, put_in)[number % 5]
        named = change(draw, lines)
        storage.write(put, lines)
        told = audit_chain.first_fault(storage.read(audit_chain.chain))
        said = "removed" if change is removed else "changed or moved"
        assert told in [
            f"line {line} was {said}" for line in (named if isinstance(named, tuple) else (named,))
        ]
    assert f"audit log: {told}\n" in candor("verify", "--database", place)[2]


def test_a_fault_of_the_first_line_is_told_from_one_of_the_second():
    one, two, three = made(3)
    other = replace(one, previous="f" * 64)
    for lines, number in (
        ([other], 1),
        ([other, replace(two, previous=other.hash), three], 1),
        ([one, replace(two, previous="f" * 64), three], 2),
    ):
        assert audit_chain.first_fault(lines) == f"line {number} was changed or moved"


def test_what_only_a_head_shows(storage):
    lines = made()
    head, short = lines[-1].hash, lines[:-7]
    assert list(audit_chain.faults(short, [])) == []
    (told,) = audit_chain.faults(short, [lines[3].hash, head])
    assert told == f"no line has the kept head {head}: a line up to it was cut off, changed or moved"
    last = [*lines[:-1], replace(lines[-1], who="eve")]
    assert len(list(audit_chain.faults(last, [head]))) == 1
    assert audit_chain.first_fault([*lines[:-2], replace(lines[-2], who="eve"), lines[-1]]) == (
        "line 59 or the last one was changed or moved"
    )
    assert list(audit_chain.faults([], [BEGINNING])) == []


TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'"


def execute(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def test_verify_names_the_line_and_a_head_that_was_kept(storage, database, tmp_path):
    for number in range(5):
        storage.write(audit.note, f"n{number}", "signed_in")
    head = storage.read(audit_chain.head)
    code, said, _ = candor("verify", "--database", storage.path, "--head", head)
    assert (code, "audit log: each line follows from the one before, in 5 lines" in said) == (0, True)
    triggers = dict(storage.read(lambda db: db.execute(TRIGGERS).fetchall()))
    execute(storage.path, *(f"DROP TRIGGER {name}" for name in triggers))
    execute(storage.path, "DELETE FROM audit WHERE id = 5", *triggers.values())
    assert candor("verify", "--database", storage.path)[0] == 0
    (tmp_path / "heads.txt").write_text(f"2026-05-04T09:00Z {head}\n")
    code, _, told = candor("verify", "--database", storage.path, "--heads", tmp_path / "heads.txt")
    assert (code, told) == (
        1,
        f"audit log: no line has the kept head {head}: a line up to it was cut off, changed or moved\n",
    )
    execute(storage.path, "DROP TRIGGER audit_never_changes", "UPDATE audit SET who = 'eve' WHERE id = 2")
    assert "audit log: line 2 was changed or moved\n" in candor("verify", "--database", storage.path)[2]
    for bytes_of_a_name in ("x'6e31'", "CAST(x'ff' AS TEXT)"):
        execute(storage.path, f"UPDATE audit SET who = {bytes_of_a_name} WHERE id = 2")
        assert "audit log: line 2 was changed or moved\n" in candor("verify", "--database", storage.path)[2]
    assert candor("verify", "--database", storage.path, "--head", "abc")[0] == 2


@pytest.mark.engines
def test_lines_that_several_servers_write_at_once_follow_each_other(storage, database):
    with closing(storage_at(database)) as other:
        for each in (storage, other):
            object.__setattr__(each, "busy_seconds", 60.0)

        def write(number):
            (storage, other)[number % 2].write(audit.note, f"n{number}", "signed_in")

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(write, range(80)))
    lines = storage.read(audit_chain.chain)
    assert [line.id for line in lines] == [*range(1, 81)]
    assert len({line.nonce for line in lines}) == 80
    assert audit_chain.first_fault(lines) is None
    assert storage.read(audit_chain.head) == lines[-1].hash


@pytest.mark.engines
def test_the_chain_cannot_part(storage):
    storage.write(audit.note, "ada", "signed_in")
    insert = "INSERT INTO audit (id, who, what, nonce, previous) VALUES (2, 'eve', 'signed_in', ?, ?)"
    with pytest.raises(Exception, match=r"(?i)unique"):
        storage.write(lambda db: db.execute(insert, [32 * "0", BEGINNING]) and None)


# Where the head stands.


@pytest.mark.engines
def test_an_admin_sees_the_head_and_can_compute_it_from_the_download(browse, storage):
    ada = browse("admin")
    ada.post("/admin/new", slug="health")
    storage.write(audit.note, "김영희", "draft_begun", "health")
    head = storage.read(audit_chain.head)
    page = ada.get("/admin/audit").text
    assert f'<code class="fingerprint">{head}</code>' in page
    assert section("en", "audit")["head.limit"] in page
    _, *rows = csv.reader(io.StringIO(ada.get("/admin/audit.csv").text.removeprefix("\ufeff"), newline=""))
    number, *texts = rows[0]
    fields = [int(number), *(text or None for text in texts[:-1])]
    written = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    assert sha256(written.encode()).hexdigest() == texts[-1] == head
    assert rows[0][-2] == rows[1][-1]


@pytest.mark.engines
def test_the_head_at_which_the_log_named_a_list_stays_known(storage):
    assert storage.read(audit_chain.head_at_list, "f" * 64) is None
    storage.write(audit.note, audit.AFTER_CLOSING, "list_made", "exams", "f" * 64)
    head = storage.read(audit_chain.head)
    storage.write(audit.note, "ada", "signed_in")
    assert storage.read(audit_chain.head_at_list, "f" * 64) == head


@pytest.mark.engines
def test_a_backup_has_the_head_and_a_restore_writes_a_line(storage, database, tmp_path):
    storage.write(audit.note, "ada", "signed_in")
    head = storage.read(audit_chain.head)
    code, said, _ = candor("backup", tmp_path / "backup.zip", "--database", database)
    assert (code, f"The head of its audit log is {head}." in said) == (0, True)
    assert backup_file.describe(tmp_path / "backup.zip").audit_head == head
    for anew in (False, True):
        target = tmp_path / f"{anew}.db"
        backup.restore(tmp_path / "backup.zip", target, anew=anew)
        with closing(storage_at(target)) as restored:
            lines = restored.read(audit_chain.chain)
        assert [(line.who, line.what) for line in lines] == [
            ("ada", "signed_in"), ("command line", "backup_restored")
        ]  # fmt: skip
        assert lines[1].previous == head
        assert audit_chain.first_fault(lines) is None


CUT = "no line has the kept head {head}: a line up to it was cut off, changed or moved"


def touched_backup(storage, folder, change):
    """A backup with a log that somebody touched before it was packed again; and the head that it names."""
    for number in range(4):
        storage.write(audit.note, f"n{number}", "signed_in")
    backup.back_up(storage.path, folder / "backup.zip")
    description = backup_file.extract(folder / "backup.zip", folder / "inside.db")
    with closing(sqlite3.connect(folder / "inside.db")) as db:
        triggers = dict(db.execute(TRIGGERS).fetchall())
    undone = [f"DROP TRIGGER {name}" for name in triggers]
    execute(folder / "inside.db", *undone, change, *triggers.values())
    inside = (folder / "inside.db").read_bytes()
    described = replace(description, bytes=len(inside), sha256=sha256(inside).hexdigest())
    backup_file.write(folder / "touched.zip", folder / "inside.db", described)
    return folder / "touched.zip", description.audit_head


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE audit SET who = 'eve' WHERE id = 2", "line 2 was changed or moved"),
        ("UPDATE audit SET who = CAST(x'ff00' AS TEXT) WHERE id = 2", "line 2 was changed or moved"),
        ("DELETE FROM audit WHERE id = 4", CUT),
    ],
)
def test_a_backup_of_which_the_log_was_touched_is_restored_only_anew(storage, tmp_path, change, fault):
    packed, head = touched_backup(storage, tmp_path, change)
    fault, target = fault.format(head=head), tmp_path / "new.db"
    code, _, told = candor("restore", packed, "--database", target)
    assert (code, target.exists()) == (1, False)
    assert f"its audit log is not the one that was written: {fault}: candor restore --anew" in told
    code, _, warned = candor("restore", packed, "--anew", "--database", target)
    assert (code, f"Warning: its audit log is not the one that was written: {fault}." in warned) == (0, True)
    with closing(storage_at(target)) as restored:
        *_, last = restored.read(audit_chain.chain)
        assert (last.what, last.about.split(";")[0]) == ("backup_restored", fault)
    assert "audit log: " in candor("verify", "--database", target, "--head", head)[2]


def test_a_last_line_of_bytes_keeps_nobody_from_signing_in_or_backing_up(storage, tmp_path):
    storage.write(audit.note, "ada", "signed_in")
    execute(storage.path, "DROP TRIGGER audit_never_changes", "UPDATE audit SET who = CAST(x'ff' AS TEXT)")
    storage.write(audit.note, "ada", "signed_out")
    _, _, warned = candor("backup", tmp_path / "backup.zip", "--database", storage.path)
    assert "its audit log is not the one that was written: line 1 was changed or moved." in warned


def test_bytes_of_a_log_that_is_carried_anew_become_text_and_other_lines_stay(storage):
    for what in ("signed_in", "signed_out", "signed_in"):
        storage.write(audit.note, "ada", what)
    triggers = dict(storage.read(lambda db: db.execute(TRIGGERS).fetchall()))
    change = "UPDATE audit SET who = CAST(x'41ff00' AS TEXT), about = x'e9' WHERE id = 2"
    execute(storage.path, *(f"DROP TRIGGER {name}" for name in triggers), change, *triggers.values())
    before = storage.read(audit_chain.chain)
    with closing(connect(storage.path)) as db:
        put_into_text(db)
    after = storage.read(audit_chain.chain)
    assert after == [before[0], replace(before[1], who="A\ufffd\ufffd", about="\ufffd"), before[2]]


def test_a_restore_into_a_database_without_tables_writes_a_line(storage, postgresql, tmp_path):
    new = cluster.new_database()
    storage.write(audit.note, "ada", "signed_in")
    backup.back_up(storage.path, tmp_path / "backup.zip")
    backup.restore(tmp_path / "backup.zip", new)
    with closing(storage_at(new)) as restored:
        lines = restored.read(audit_chain.chain)
        restored.write(audit.note, "ada", "signed_in")
        assert audit_chain.first_fault(restored.read(audit_chain.chain)) is None
    assert [line.what for line in lines] == ["signed_in", "backup_restored"]


def test_a_log_that_holds_bytes_is_restored_anew_as_text(storage, postgresql, tmp_path):
    change = "UPDATE audit SET who = CAST(x'41ff00' AS TEXT), about = x'e9' WHERE id = 2"
    packed, _ = touched_backup(storage, tmp_path, change)
    assert backup.restore(packed, postgresql, anew=True).log_faults[0] == "line 2 was changed or moved"
    with closing(storage_at(postgresql)) as restored:
        lines = restored.read(audit_chain.chain)
    assert (lines[1].who, lines[1].about) == ("A\ufffd\ufffd", "\ufffd")
    assert lines[-1].about == "line 2 was changed or moved"


@pytest.mark.engines
def test_closing_by_quota_leaves_no_line(app, survey_file):
    services = app.extensions["candor"]
    storage = services.storage
    draft = storage.write(surveys.create_draft, survey_file())
    storage.write(life.schedule, draft.id, Schedule(quota=10), 0)
    survey = storage.write(surveys.open_survey, draft.id)
    before, codes = storage.read(audit_chain.head), {"copied": 0, "data": 1}
    batch = [Submission(survey.id, survey.publication.fingerprint, f"{n:032x}", codes) for n in range(10)]
    storage.write(submissions.record, batch, "2026-05-04")
    services.scheduler.turn()
    storage.finish()
    assert storage.read(surveys.by_slug, "exams").state == "closed"
    assert storage.read(audit_chain.head) == before


# Heads that are sent elsewhere.


class Hours:
    """A clock of which the minutes mean nothing."""

    def __init__(self):
        self.now = datetime(2026, 5, 4, 9, 17, tzinfo=UTC)

    def __call__(self):
        return self.now


@pytest.mark.engines
def test_a_head_goes_into_a_file_once_an_hour_also_when_nothing_has_changed(storage, database, tmp_path):
    clock, file = Hours(), tmp_path / "heads.txt"
    with closing(storage_at(database)) as other:
        senders = [HeadSender(each, file, clock) for each in (storage, other, storage)]
        storage.write(audit.note, "ada", "signed_in")
        head = storage.read(audit_chain.head)
        for _ in range(3):
            assert [sender.turn() for sender in senders] == [True] * 3
            clock.now += timedelta(hours=1)
    assert file.read_text() == "".join(f"2026-05-04T{hour:02}:00Z {head}\n" for hour in (9, 10, 11))
    assert file.stat().st_mode & 0o777 == 0o600
    assert audit_chain.heads_in(file.read_text()) == [head] * 3


def test_a_head_that_could_not_be_sent_is_sent_again(storage, tmp_path, caplog):
    clock, sender = Hours(), HeadSender(storage, tmp_path / "gone" / "heads.txt", Hours())
    assert not sender.turn()
    assert "the head of the audit log could not be sent" in caplog.text
    (tmp_path / "gone").mkdir()
    assert sender.turn()
    assert (tmp_path / "gone" / "heads.txt").read_text() == f"{clock():%Y-%m-%dT%H}:00Z {BEGINNING}\n"


def test_an_address_gets_the_head_and_must_take_it(storage):
    taken, answers = [], [204, 500, 302]

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.path, json.loads(body)))
            self.send_response(answers.pop(0))
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/heads?of=us"
            heads.send(address, "2026-05-04T09:00Z", BEGINNING)
            for _ in range(2):
                assert not HeadSender(storage, address, Hours()).turn()
        finally:
            server.shutdown()
            thread.join()
    assert taken[0] == ("/heads?of=us", {"hour": "2026-05-04T09:00Z", "audit_head": BEGINNING})
    assert len(taken) == 3


def test_an_address_whose_certificate_nobody_vouches_for_gets_nothing(storage, tmp_path, caplog):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 1"
    made += f" -addext subjectAltName=DNS:localhost -keyout {key} -out {certificate}"
    subprocess.run(made.split(), check=True, capture_output=True)
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(certificate, key)
    with HTTPServer(("localhost", 0), BaseHTTPRequestHandler) as server:
        server.socket = trust.wrap_socket(server.socket, server_side=True)
        server.handle_error = lambda *_: None
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert not HeadSender(storage, f"https://localhost:{server.server_port}/", Hours()).turn()
        thread.join()
    assert "certificate verify failed" in caplog.text
