"""What is kept too long is told, and nothing goes that a legal hold keeps, whoever asks for it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from html import unescape

import pytest

from server.cli.checks import database as checks
from server.operations import metrics
from server.store import surveys
from server.store.lifecycle import legal_hold, life, retention
from server.store.lifecycle.legal_hold import LegalHold, NothingToHold, OnHold, OnHoldAlready
from server.store.lifecycle.life import Schedule
from server.store.staff import audit
from server.store.staff.audit import LineFilter

LIFE = "/admin/surveys/exams/life"
DELETE = "/admin/surveys/exams/delete"
HOLD = LegalHold("ada", 1_777_885_200, "a court asks for it")
DAY = 24 * 3600


@pytest.fixture
def survey(storage, survey_file):
    draft = storage.write(surveys.create_draft, survey_file(kept_until="2026-05-31"))
    return storage.write(surveys.open_survey, draft.id)


@pytest.fixture
def held(storage, survey):
    storage.write(legal_hold.put, survey.id, HOLD)
    return survey


@pytest.fixture
def deeds(storage):
    """Give what the audit log says of holds and deletions, the earliest first."""

    def deeds():
        lines = reversed(storage.read(audit.lines, LineFilter()))
        wanted = ("hold_set", "hold_lifted", "reports_removed", "survey_deleted")
        return [(line.who, line.what, line.survey, line.about) for line in lines if line.what in wanted]

    return deeds


def words(answer):
    return " ".join(unescape(answer.text).split())


# The rule is the store's, and the database's.


@pytest.mark.engines
def test_a_survey_on_hold_is_not_deleted_before_the_hold_is_lifted(storage, held):
    with pytest.raises(OnHold, match="hold that ada set on 2026-05-04 09:00 UTC: a court asks for it"):
        storage.write(surveys.delete_survey, held.id)
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        storage.write(lambda db: db.reports.drop(held.id))
    assert storage.read(surveys.get, held.id) == held
    storage.write(legal_hold.lift, held.id)
    storage.write(surveys.delete_survey, held.id)
    assert storage.read(surveys.by_slug, "exams") is None


@pytest.mark.engines
def test_reports_whose_day_has_come_wait_for_the_hold_and_go_once_it_is_lifted(
    storage, held, staff_app, clock
):
    scheduler, now = staff_app.extensions["candor"].scheduler, int(clock().timestamp())
    storage.write(surveys.close_survey, held.id)
    storage.finish()
    storage.write(life.schedule, held.id, Schedule(remove_at=now + DAY), now)
    clock.forward(2 * DAY)
    scheduler.turn()
    assert not storage.read(life.of, held.id).removed
    with pytest.raises(Exception, match="a legal hold keeps the reports"):
        storage.write(lambda db: db.reports.remove(held.id))
    storage.write(legal_hold.lift, held.id)
    scheduler.turn()
    assert storage.read(life.of, held.id).removed


@pytest.mark.engines
def test_drafts_and_what_is_gone_have_no_hold_and_nothing_has_two(storage, survey, survey_file):
    draft = storage.write(surveys.create_draft, survey_file("second"))
    for number in (draft.id, 999):
        with pytest.raises(NothingToHold):
            storage.write(legal_hold.put, number, HOLD)
    storage.write(legal_hold.put, survey.id, HOLD)
    with pytest.raises(OnHoldAlready):
        storage.write(legal_hold.put, survey.id, LegalHold("eve", 1, "another reason"))
    storage.write(legal_hold.lift, survey.id)
    with pytest.raises(NothingToHold):
        storage.write(legal_hold.lift, survey.id)
    storage.write(surveys.close_survey, survey.id)
    storage.write(legal_hold.put, survey.id, HOLD)
    assert storage.read(legal_hold.of, survey.id) == HOLD


@pytest.mark.engines
@pytest.mark.parametrize("attempt", range(5))
def test_of_a_hold_and_a_deletion_at_once_the_first_wins_and_the_other_is_told(storage, survey, attempt):
    barrier = threading.Barrier(2)

    def at_once(deed, *arguments):
        barrier.wait()
        try:
            storage.write(deed, survey.id, *arguments)
        except (OnHold, NothingToHold) as refusal:
            return type(refusal)
        return None

    with ThreadPoolExecutor(2) as pool:
        put = pool.submit(at_once, legal_hold.put, HOLD)
        deleted = pool.submit(at_once, surveys.delete_survey)
    there = storage.read(surveys.by_slug, "exams") is not None
    assert (put.result(), deleted.result()) == ((None, OnHold) if there else (NothingToHold, None))
    assert storage.read(legal_hold.of, survey.id) == (HOLD if there else None)


# By every way that leads there.


def test_an_admin_sets_a_hold_for_a_reason_and_lifts_it(admin, storage, survey, deeds):
    assert (
        admin.post(LIFE.replace("life", "hold"), page=LIFE, reason=" a court\r\nasks\0for it ").status_code
        == 302
    )
    assert storage.read(legal_hold.of, survey.id) == HOLD
    for page in (LIFE, DELETE, "/admin/surveys/exams"):
        shown = words(admin.get(page))
        assert "ada set it on 2026-05-04 09:00 UTC" in shown
        assert "a court asks for it" in shown
    assert "legal hold</span>" in admin.get("/admin").text
    assert "a court asks for it" in words(admin.get("/results/exams/ethics"))
    again = admin.post(LIFE.replace("life", "hold"), page=LIFE, reason="another")
    assert (again.status_code, "The legal hold has changed." in again.text) == (409, True)
    assert admin.post(LIFE.replace("life", "hold/lift"), page=LIFE).status_code == 302
    assert admin.post(LIFE.replace("life", "hold/lift"), page=LIFE).status_code == 409
    assert deeds() == [
        ("ada", "hold_set", "exams", "a court asks for it"),
        ("ada", "hold_lifted", "exams", None),
    ]


@pytest.mark.parametrize(("reason", "length"), [("", 0), (" \0\r\n", 0), ("x" * 1001, 1001)])
def test_a_hold_needs_a_reason(admin, storage, survey, reason, length):
    answer = admin.post(LIFE.replace("life", "hold"), page=LIFE, reason=reason)
    assert answer.status_code == 422
    assert f"The reason must have 1 to 1000 characters, got {length}." in answer.text
    assert storage.read(legal_hold.of, survey.id) is None


def test_the_page_says_what_keeps_a_survey_in_place_of_asking_and_a_sent_form_deletes_nothing(
    admin, storage, survey, deeds
):
    token = admin.token(DELETE)
    storage.write(legal_hold.put, survey.id, HOLD)
    assert 'name="slug"' not in admin.get(DELETE).text
    answer = admin.client.post(DELETE, data={"csrf_token": token, "slug": "exams"})
    assert answer.status_code == 409
    assert "Deleting waits until an admin lifts it." in answer.text
    assert storage.read(surveys.by_slug, "exams") == survey
    assert deeds() == []


def test_a_program_is_told_who_keeps_it_since_when_and_why(program, storage, held, deeds):
    writer = program("ada", writes=True)
    tag = {"If-Match": writer.get("/surveys/exams/definition").headers["ETag"]}
    refused = writer.ask("DELETE", "/surveys/exams", tag)
    assert (refused.status_code, refused.json["type"]) == (409, "/api/v1/#problem-held")
    assert refused.json["detail"] == (
        "ada set a legal hold on exams on 2026-05-04 09:00 UTC: a court asks for it. "
        "Deleting waits until an admin lifts it."
    )
    hold = {"set_by": "ada", "since": "2026-05-04T09:00:00Z", "why": "a court asks for it"}
    assert writer.get("/surveys/exams").json["life"]["hold"] == hold
    assert writer.get("/surveys").json["surveys"][0]["life"]["kept_until"] == "2026-05-31"
    storage.write(legal_hold.lift, held.id)
    assert writer.get("/surveys/exams").json["life"]["hold"] is None
    assert writer.ask("DELETE", "/surveys/exams", tag).status_code == 204
    assert deeds() == [("ada", "survey_deleted", "exams", None)]


def test_closing_does_not_warn_of_a_removal_that_waits(browse, storage, held, clock):
    now = int(clock().timestamp())
    storage.write(life.schedule, held.id, Schedule(remove_at=now + DAY), now)
    clock.forward(2 * DAY)
    admin = browse("admin")
    assert "removed at once" not in admin.get("/admin/surveys/exams/close").text
    storage.write(legal_hold.lift, held.id)
    assert "removed at once" in admin.get("/admin/surveys/exams/close").text


# What is kept too long is told.


def test_from_the_day_after_the_list_the_page_doctor_and_metrics_say_that_deletion_is_due(
    browse, storage, survey, staff_app, clock
):
    def told():
        admin = browse("admin")
        due = storage.read(retention.due, clock().date())
        with staff_app.app_context():
            gauges = {metric.name: metric.samples[0].value for metric in metrics.Collector().collect()}
        return [
            'id="due"' in admin.get("/admin").text,
            'id="due"' in admin.get(LIFE).text,
            checks.retained(due).state == "warning" and "exams" in checks.retained(due).finding,
            gauges["candor_deletion_due"] == 1,
        ]

    said = "Respondents read that their data are kept until 2026-05-31. Nothing is deleted"
    assert said in browse("admin").get(LIFE).text
    clock.now = clock.now.replace(month=5, day=31)
    assert told() == [False] * 4
    clock.forward(DAY)
    assert told() == [True] * 4
    storage.write(legal_hold.put, survey.id, HOLD)
    assert told() == [False] * 4


def test_nothing_is_due_once_the_reports_are_gone(storage, survey, clock):
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    assert storage.read(retention.due, date(2026, 6, 1)) == [storage.read(surveys.get, survey.id)]
    storage.write(life.schedule, survey.id, Schedule(remove_at=1), 0)
    storage.write(lambda db: db.reports.remove(survey.id))
    assert storage.read(retention.due, date(2026, 6, 1)) == []


def test_every_page_that_names_the_day_of_removal_says_that_it_waits(admin, storage, held, clock):
    now = int(clock().timestamp())
    storage.write(surveys.close_survey, held.id)
    storage.write(life.schedule, held.id, Schedule(remove_at=now + DAY), now)
    storage.finish()
    for page in (LIFE, "/admin/surveys/exams", "/results/exams", "/results/exams/ethics"):
        assert "and wait as long as the legal hold is set" in admin.get(page).text
    assert "Nothing is deleted while the legal hold below is set." in admin.get(LIFE).text
