"""The demo and the server, run as somebody runs them: as processes of their own."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.cli import demo, main, serve
from server.config import Config
from server.store import submissions, surveys
from server.store.results import visible_results
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts
from server.store.submissions import Submission
from server.store.upkeep import settings

RESPONDENTS = 100
CANDOR = [Path(sys.executable).with_name("candor")]


def ignore_interrupts():
    """What a shell does before it starts a job in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def running(folder, *arguments, until, **environment):
    """Run the command in the background until it has printed a line; yield it and what it printed so far."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CANDOR_")}
    process = subprocess.Popen(
        [*CANDOR, *map(str, arguments)],
        cwd=folder,
        env=kept | environment | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=ignore_interrupts,
    )
    try:
        said = ""
        for line in process.stdout:
            said += line
            if until in line:
                break
        else:
            pytest.fail(f"ended with {process.wait()}: {said}")
        yield process, said
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        finally:
            process.kill()
            process.stdout.close()


def stopped(process, number):
    process.send_signal(number)
    told, _ = process.communicate(timeout=60)
    return process.returncode, told


def status(address):
    with urllib.request.urlopen(address) as answer:
        return answer.status


def total(storage, survey):
    days = storage.read(submissions.days, survey.id)
    return sum(day.started for day in days), sum(day.sent for day in days)


def door(said):
    return re.search(r"http://127\.0\.0\.1:\d+", said)[0]


def test_the_demo_fills_its_surveys_stops_in_order_and_when_served_again_adds_what_is_missing(tmp_path, port):
    demo = ("demo", "--port", port, "--respondents", RESPONDENTS)
    with running(tmp_path, *demo, until="Ctrl-C") as (process, said):
        assert all(status(address) == 200 for address in re.findall(r"http://\S+", said))
        passwords = re.findall(r"password (\S+)", said)
        code, told = stopped(process, signal.SIGINT)
    assert (code, "Stopped." in told, len(set(passwords))) == (0, True, 2)
    with pytest.raises(OSError, match="refused"):
        status(door(said))

    storage = SQLiteStorage(tmp_path / "demo.db")
    found = {survey.slug: survey for survey in storage.read(surveys.all_surveys)}
    assert {slug: survey.state for slug, survey in found.items()} == {
        "exam-honesty": "open",
        "workplace": "open",
        "undeclared-work": "closed",
        "student-life": "open",
    }
    assert storage.read(lambda db: db.reports.finished(found["undeclared-work"].id))
    totals = {slug: total(storage, survey) for slug, survey in found.items()}
    # Each respondent opened the page once; this test opened one page too.
    assert totals == {
        "exam-honesty": (101, 100),
        "workplace": (101, 100),
        "undeclared-work": (100, 100),
        "student-life": (201, 200),
    }
    # A question of an open survey is shown after a step of 50 who were asked it: here two of three parts are.
    assert storage.read(visible_results.results, found["exam-honesty"]).respondents == 0
    assert storage.read(visible_results.results, found["undeclared-work"]).respondents == 100
    # As if it had been made with more and interrupted; the number that is asked for now does not count.
    storage.write(lambda db: db.execute("UPDATE settings SET value = 112 WHERE name = 'demo'"))
    storage.close()

    with running(tmp_path, *demo, until="Ctrl-C") as (process, again):
        assert set(re.findall(r"password (\S+)", again)).isdisjoint(passwords)
        assert status(f"{door(again)}/s/workplace") == 200
        code, _ = stopped(process, signal.SIGTERM)
    assert code == 0
    assert total(storage, found["workplace"]) == (114, 112)
    assert total(storage, found["student-life"]) == (225, 224)
    assert total(storage, found["undeclared-work"]) == (100, 100)
    storage.close()
    with pytest.raises(OSError, match="refused"):
        status(door(again))


def test_a_demo_that_was_interrupted_lacks_what_is_missing_and_closes_what_should_be_closed(tmp_path):
    storage = SQLiteStorage(tmp_path / "demo.db")
    storage.create()
    storage.write(settings.mark_as_demo, 12)
    storage.write(demo.open_examples)
    survey = storage.read(surveys.by_slug, "workplace")
    sections = survey.publication.definition.sections[:2]
    first = {each.id for section in sections for each in section.questions}
    columns = survey.publication.columns.items()
    zeros = {name: 0 if name in first else column.not_asked_code for name, column in columns}
    batch = [Submission(survey.id, survey.publication.fingerprint, f"{n:032x}", zeros) for n in range(5)]
    storage.write(submissions.record, batch, "2026-05-04")
    lacking = {"exam-honesty": 12, "workplace": 7, "undeclared-work": 12, "student-life": 24}
    assert storage.read(demo.still_to_come) == lacking
    for _ in range(2):
        storage.write(demo.close, "undeclared-work")
        assert storage.read(surveys.by_slug, "undeclared-work").state == "closed"
    lacking.pop("undeclared-work")
    assert storage.read(demo.still_to_come) == lacking
    storage.close()


@pytest.mark.parametrize("more", [(), ("--fresh",)])
def test_the_demo_leaves_a_database_alone_that_is_not_its_own(tmp_path, more):
    storage = SQLiteStorage(tmp_path / "demo.db")
    storage.create()
    storage.write(accounts.create, "admin", "a long enough password", "admin")
    storage.close()
    (tmp_path / "other.db").write_text("no database at all\n" * 99)
    with closing(sqlite3.connect(tmp_path / "notes.db")) as notes:
        notes.execute("CREATE TABLE notes (text)")
    for name in ("demo.db", "other.db", "notes.db"):
        before = (tmp_path / name).read_bytes()
        database = str(tmp_path / name)
        ended = CliRunner().invoke(main, ["demo", "--port", "0", "--database", database, *more])
        assert ended.exit_code == 1
        assert f"{name} was not made by the demo: name another file" in ended.stderr
        assert (tmp_path / name).read_bytes() == before


def test_no_file_of_the_working_directory_is_run(tmp_path):
    for name in ("server", "survey", "click", "numpy", "gunicorn", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the working directory was run')")
    with running(tmp_path, "demo", "--port", 0, "--respondents", 0, until="Ctrl-C") as (process, said):
        assert status(f"{door(said)}/s/workplace") == 200
        code, told = stopped(process, signal.SIGINT)
    assert (code, "was run" in said + told) == (0, False)


def test_serve_makes_the_first_admin_and_serves_under_gevent(tmp_path):
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "a long enough password"}
    with running(tmp_path, "serve", "--bind", "127.0.0.1:0", until="serves", **admin) as (process, said):
        assert "The first admin is ada." in said
        assert status(door(said)) == 200
        code, told = stopped(process, signal.SIGTERM)
    assert code == 0
    assert "Traceback" not in told


def test_serve_that_has_only_just_started_ends_on_an_interrupt(tmp_path, port):
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "a long enough password"}
    serve = ("serve", "--bind", f"127.0.0.1:{port}")
    with running(tmp_path, *serve, until="serves", **admin) as (process, said):
        _, told = stopped(process, signal.SIGINT)
    assert "Traceback" not in told
    with pytest.raises(OSError, match="refused"):
        status(door(said))


def test_serve_without_an_account_and_without_anybody_to_ask_says_what_to_do(tmp_path):
    ended = subprocess.run(
        [*CANDOR, "serve"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "set CANDOR_ADMIN_NAME and CANDOR_ADMIN_PASSWORD" in ended.stderr


def test_whoever_types_a_first_password_that_is_too_short_is_asked_again(tmp_path, monkeypatch, capsys):
    typed = iter(["ada", "short", "ada", "a long enough password"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda text, **settings: next(typed))
    serve.prepare(Config(database=tmp_path / "candor.db"))
    told = capsys.readouterr()
    assert "password must have 12 to 1000 characters, got 5. Please try again." in told.err
    assert "The first admin is ada." in told.out


def test_a_first_password_in_the_environment_that_is_too_short_is_told_with_its_variable(tmp_path):
    admin = {"admin_name": "ada", "admin_password": "short"}
    with pytest.raises(
        click.ClickException, match="CANDOR_ADMIN_PASSWORD cannot be used: password must have"
    ):
        serve.prepare(Config(database=tmp_path / "candor.db", **admin))


def test_a_port_in_use_is_told_at_once(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        database = str(tmp_path / "demo.db")
        ended = CliRunner().invoke(main, ["demo", "--port", str(port), "--database", database])
    assert ended.exit_code == 1
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in ended.stderr
    assert not (tmp_path / "demo.db").exists()


def test_under_gevent_a_waiting_database_does_not_hold_up_the_loop(tmp_path):
    program = """
from gevent import monkey; monkey.patch_all()
import gevent, sqlite3, sys
from server.store.engine import Unavailable
from server.store.sqlite.storage import SQLiteStorage
from pathlib import Path
storage = SQLiteStorage(Path(sys.argv[1]), busy_seconds=0.3)
storage.create()
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN EXCLUSIVE")
turns = 0
def spin():
    global turns
    while not waiting.ready():
        turns += 1
        gevent.sleep(0)
waiting = gevent.spawn(lambda: storage.write(lambda db: None))
spinning = gevent.spawn(spin)
try:
    waiting.get()
except Unavailable:
    spinning.join()
    print("turns", turns)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.db")], capture_output=True, text=True, check=True
    )
    # Were it in the loop, nothing else would have had a turn.
    assert int(ended.stdout.split()[1]) > 10
