"""`/metrics`: whether the server is well, for whoever has the token, and nothing that tells of an arrival."""

from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server import create_app
from server.config import Config
from server.operations import metrics
from server.store import surveys
from server.store.engine import Unavailable
from server.store.upkeep import backup_series

TOKEN = "t" * 32
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def measured(door, clock, database):
    """An application with metrics, on the database of an open survey."""
    app = create_app(Config(database=database, metrics_token=TOKEN), clock)
    yield app.test_client()
    app.extensions["candor"].storage.close()


def told(client):
    """Every metric as it is told: name and labels -> value."""
    answer = client.get("/metrics", headers=HEADERS)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}


def test_without_a_token_in_the_settings_there_are_none(door):
    assert door.client.get("/metrics", headers=HEADERS).status_code == 404


@pytest.mark.parametrize("given", [None, "", "Bearer", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \u00e9"])
def test_whoever_has_another_token_learns_nothing(measured, given):
    answer = measured.get("/metrics", headers={} if given is None else {"Authorization": given})
    assert (answer.status_code, answer.text) == (401, "the token of the metrics is needed\n")


@pytest.mark.engines
def test_these_are_all_there_are(measured, engine):
    """Whoever adds one has to ask whether it changes when somebody takes part."""
    names = {name for name, *_ in told(measured)}
    expected = {
        "candor_info",
        "candor_database_up",
        "candor_database_read_seconds",
        "candor_surveys",
        "candor_submissions_before_today",
        "candor_deletion_due",
    }
    assert names == expected | ({"candor_disk_free_ratio"} if engine == "sqlite" else set())


@pytest.mark.engines
def test_nothing_changes_when_people_answer_until_the_day_is_over(measured, door, clock, monkeypatch):
    monkeypatch.setattr(metrics, "free", lambda path: 0.5)
    monkeypatch.setattr(metrics, "time", SimpleNamespace(perf_counter=lambda: 0.0))
    before = measured.get("/metrics", headers=HEADERS)
    for _ in range(60):  # more than a bucket holds, so that the file grows
        assert door.send(door.body())[1] == "stored"
    door.get()
    door.services.committer.settle()
    after = measured.get("/metrics", headers=HEADERS)
    assert after.data == before.data
    assert dict(after.headers) == dict(before.headers)
    clock.forward(24 * 60 * 60)
    assert told(measured)["candor_submissions_before_today",] == 60
    for _ in range(door.step - 1):
        assert door.send(door.body())[1] == "stored"
    clock.forward(24 * 60 * 60)
    assert told(measured)["candor_submissions_before_today",] == 60


def test_surveys_are_counted_by_their_state(measured, door, survey_file):
    for slug in ("one", "two"):
        door.storage.write(surveys.create_draft, survey_file(slug))
    door.storage.write(surveys.close_survey, door.survey.id)
    counts = {state: told(measured)["candor_surveys", state] for state in ("draft", "open", "closed")}
    assert counts == {"draft": 2, "open": 0, "closed": 1}


def test_no_survey_is_named(measured):
    assert "exams" not in measured.get("/metrics", headers=HEADERS).text
    found = told(measured)
    assert [found["candor_surveys", state] for state in ("draft", "open", "closed")] == [0, 1, 0]


def test_a_database_that_is_away_is_told(measured, door):
    door.storage.path.rename(door.storage.path.with_name("away.db"))
    found = told(measured)
    assert found["candor_database_up",] == 0
    assert ("candor_submissions_before_today",) not in found


@pytest.mark.parametrize(("took", "step"), [(0.001, 0.1), (0.09, 0.1), (0.2, 1.0), (5, 10.0), (60, 10.0)])
def test_how_long_a_reading_took_is_told_in_steps(took, step):
    storage = SimpleNamespace(check=lambda: None)
    assert metrics.read(storage, iter([0.0, took]).__next__) == (step, True)


def test_a_reading_that_fails_took_the_longest():
    def away():
        raise Unavailable("gone")

    assert metrics.read(SimpleNamespace(check=away), iter([0.0]).__next__) == (10.0, False)


def test_a_backup_that_failed_or_is_overdue_is_told_once_there_was_one(measured, door, clock):
    assert ("candor_backup_failed",) not in told(measured)
    for failure, value in (("the disk is full", 1), (None, 0)):
        door.storage.write(backup_series.note, clock(), failure, 24)
        assert told(measured)[("candor_backup_failed",)] == value
    clock.forward(37 * 3600)
    assert told(measured)[("candor_backup_failed",)] == 1
