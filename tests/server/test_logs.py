"""The log as lines of JSON: what happened and where in the code, and nothing of who asked for what."""

import json
import logging
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from gunicorn.config import Config as Gunicorn

from server.cli.serving.json_logger import JSONLogger
from server.runtime.logs import Lines
from server.store import surveys
from server.store.engine import Unavailable

RECEIPT = "ab" * 16
PRIVATE = ("203.0.113.9", "Mozilla/5.0 (private)", "https://from.example/page", RECEIPT, "exams")


def line(message, *args, error=None, name="server.store.lifecycle.finisher"):
    """Write a record as a line, and read it."""
    exc_info = None
    if error is not None:
        try:
            raise error
        except type(error):
            exc_info = sys.exc_info()
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, exc_info)
    written = Lines(Unavailable).format(record)
    assert "\n" not in written
    return json.loads(written)


def test_a_line_says_when_what_and_how_bad_it_is():
    found = line("Worker (pid:%s) exited with code %s.", 7, 1)
    assert set(found) == {"time", "level", "logger", "event"}
    assert (found["level"], found["event"]) == ("error", "Worker (pid:7) exited with code 1.")
    assert found["time"].endswith("+00:00")


def test_our_own_errors_say_why_and_others_only_where():
    ours = line("gone", error=Unavailable("the disk is full"))
    assert (ours["error"], ours["why"]) == ("Unavailable", "the disk is full")
    other = line("gone", error=ValueError(f"reports of {RECEIPT}"))
    assert (other["error"], RECEIPT in json.dumps(other)) == ("ValueError", False)
    assert other["where"][-1].startswith("tests/server/test_logs.py:")
    assert line("later: %s", Unavailable("full"))["event"] == "later: full"


def test_what_a_message_was_given_is_left_out_unless_it_is_a_number():
    assert (
        line("Error handling request %s", f"/s/exams?receipt={RECEIPT}")["event"]
        == "Error handling request %s"
    )


@pytest.fixture
def lines(door):
    """What an application writes: a list of lines."""
    written = []
    handler = logging.Handler()
    handler.setFormatter(Lines(Unavailable))
    handler.emit = lambda record: written.append(handler.format(record))
    door.app.logger.addHandler(handler)
    yield written
    door.app.logger.removeHandler(handler)


def test_an_unexpected_error_names_the_rule_of_the_route_and_nothing_private(door, lines, monkeypatch):
    def fail(*arguments):
        raise ValueError(f"cannot store {arguments}")

    monkeypatch.setattr("server.store.surveys.by_slug", fail)
    headers = {"User-Agent": PRIVATE[1], "Referer": PRIVATE[2], "X-Forwarded-For": PRIVATE[0]}
    answer = door.client.get(
        f"/s/exams?receipt={RECEIPT}", headers=headers, environ_base={"REMOTE_ADDR": PRIVATE[0]}
    )
    assert answer.status_code == 500
    (written,) = lines
    found = json.loads(written)
    assert (found["event"], found["route"], found["error"]) == ("unexpected error", "/s/<slug>", "ValueError")
    assert not [each for each in PRIVATE if each in written]


def test_gunicorn_writes_lines_too(capsys):
    configured = Gunicorn()
    configured.set("loglevel", "error")
    logger = JSONLogger(configured)
    try:
        logger.error("Error handling request %s", f"/s/exams/{RECEIPT}")
        found = json.loads(capsys.readouterr().err)
    finally:
        logger.error_log.handlers.clear()
    assert found["event"] == "Error handling request %s"


def test_all_that_a_server_says_is_a_line(door, survey_file, tmp_path):
    """From its start to its end; of respondents, and of who asks for the list that was counted, nothing."""
    draft = door.storage.write(surveys.create_draft, survey_file("closed"))
    closed = door.storage.write(surveys.open_survey, draft.id)
    reports = {bytes(16): b"\0\1"}
    door.storage.write(lambda db: db.reports.put(closed.id, closed.publication, reports))
    door.storage.write(surveys.close_survey, closed.id)
    door.storage.finish()
    door.storage.close()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CANDOR_")}
    environment |= {
        "CANDOR_LOG_FORMAT": "json",
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "p" * 12,
    }
    command = [Path(sys.executable).with_name("candor"), "serve", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            said = [server.stdout.readline() for _ in range(2)]
            door_at = json.loads(said[1])["event"].split(" at ")[1].split(". Press")[0]
            for path in ("/s/exams", "/s/closed/counted", "/s/closed/counted/leaves-"):
                with urllib.request.urlopen(f"{door_at}{path}") as answer:
                    assert answer.status == 200
        finally:
            server.send_signal(signal.SIGTERM)
            rest, _ = server.communicate(timeout=60)
    events = [json.loads(each)["event"] for each in [*said, *rest.splitlines()]]
    assert events[0] == "The first admin is ada."
    assert events[1].startswith("Candor serves candor.db at http://127.0.0.1:")
    assert events[2:] == []
