"""A survey opens on no route once its data should be gone, or once its own closing date has come."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import surveys
from server.store.lifecycle import life
from server.store.lifecycle.life import Life, Schedule

OPEN = "/admin/surveys/exams/open"
YESTERDAY = "2026-05-03"


@pytest.fixture
def overdue(storage, survey_file):
    """A draft, complete but for its data, which is kept until yesterday only."""
    return storage.write(surveys.create_draft, survey_file(kept_until=YESTERDAY))


@pytest.fixture
def state(storage):
    return lambda: storage.read(surveys.by_slug, "exams").state


def opened_by_command(storage):
    return CliRunner().invoke(main, ["survey", "open", "exams", "--database", str(storage.path)])


def fingerprint(page):
    return re.search(r'name="fingerprint" value="(\w+)"', page.text)[1]


def test_the_editor_names_the_first_day_that_is_allowed(overdue, admin, state):
    page = admin.get(OPEN)
    assert "must be 2026-05-04 or a later day" in page.text
    assert "not “2026-05-03”" in page.text
    assert admin.post(OPEN, fingerprint="ab" * 32).status_code == 409
    assert state() == "draft"


def test_programs_read_it_at_its_field(overdue, program, state):
    refused = program("ada", writes=True).ask("POST", "/surveys/exams/open", json={"fingerprint": "ab" * 32})
    assert (refused.status_code, state()) == (422, "draft")
    assert refused.json["faults"][0]["field"] == "kept_until"


def test_the_command_line_reads_todays_date(overdue, storage, state):
    refused = opened_by_command(storage)
    assert (refused.exit_code, state()) == (1, "draft")
    assert "kept_until must be 20" in refused.output
    assert "got '2026-05-03'" in refused.output


def test_a_date_that_was_set_opens_nothing_that_is_overdue_when_it_comes(
    storage, survey_file, admin, staff_app, clock, state
):
    made = storage.write(surveys.create_draft, survey_file(kept_until="2026-05-04"))
    confirmed = fingerprint(admin.get(OPEN))
    opens = int((clock() + timedelta(days=1)).timestamp())
    storage.write(life.schedule, made.id, Schedule(opens_at=opens, opens_as=confirmed), clock().timestamp())
    clock.forward(86_401)
    staff_app.extensions["candor"].scheduler.look()
    assert state() == "draft"
    assert storage.read(life.of, made.id).stays_draft


def test_the_data_is_kept_until_the_survey_closes_or_longer(storage, survey_file, admin):
    made = storage.write(surveys.create_draft, survey_file(kept_until="2027-01-31"))
    closes = 1_801_440_000  # 1 February 2027
    storage.write(life.schedule, made.id, Schedule(closes_at=closes), closes - 86_400)
    assert "must be 2027-01-31 or a later day" not in admin.get(OPEN).text
    storage.write(life.schedule, made.id, Schedule(closes_at=closes + 86_400), closes - 86_400)
    assert "must be 2027-02-01 or a later day" in admin.get(OPEN).text


@pytest.mark.parametrize(
    ("seconds", "zone", "day"),
    [
        (0, "UTC", "2026-05-05"),
        (1, "UTC", "2026-05-06"),
        (0, "Asia/Seoul", "2026-05-06"),
        (-10 * 86_400, "UTC", "2026-05-04"),
    ],
)
def test_the_first_day_is_that_of_the_last_moment_before_the_end_or_today(seconds, zone, day):
    midnight, today = datetime(2026, 5, 6, tzinfo=UTC), datetime(2026, 5, 4, 9, tzinfo=UTC)
    planned = Life(closes_at=int(midnight.timestamp()) + seconds, zone=zone)
    assert planned.earliest_kept_until(today.timestamp()).isoformat() == day


def test_the_command_line_opens_nothing_whose_closing_date_has_passed(storage, survey_file, state):
    made = storage.write(surveys.create_draft, survey_file())
    storage.write(life.schedule, made.id, Schedule(closes_at=1_770_000_000), 1_769_000_000)
    refused = opened_by_command(storage)
    assert (refused.exit_code, state()) == (1, "draft")
    assert "the closing date must be after" in refused.output
