"""The page on which an admin sets dates and a quota, pauses a survey and puts it away."""

import io
import zipfile
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from draft_editor import replaced

from server.forms.life import LifeForm
from server.store import surveys
from server.store.lifecycle import life
from server.store.staff import audit
from server.store.staff.audit import LineFilter
from server.store.submissions import Submission

PAGE = "/admin/surveys/exams/life"
FIELDS = {"zone": "Asia/Seoul", "opens": "", "closes": "", "quota": "", "remove": "", "action": "save"}

HOSTILE = ["<script>alert(1)</script>", "=1+1", "\u202e0001", "a\0b", "9" * 300, "x" * 60_000]


@pytest.fixture
def draft(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


@pytest.fixture
def survey(storage, draft):
    return storage.write(surveys.open_survey, draft.id)


@pytest.fixture
def save(admin):
    """Send the form of the page; give the answer's status and its words."""

    def save(**typed):
        page = admin.get(PAGE).text
        shown = page.split('name="fingerprint" value="')[1].split('"')[0] if "fingerprint" in page else ""
        answer = admin.post(PAGE, **({"fingerprint": shown} | FIELDS | typed))
        return answer.status_code, unescape(answer.text)

    return save


def noted(storage, survey):
    return storage.read(life.of, survey.id)


def test_dates_are_those_of_the_place_that_is_named(draft, storage, save, admin):
    assert save(closes="2026-12-01T18:00")[0] == 302
    assert noted(storage, draft).closes_at == 1796115600
    assert "2026-12-01 18:00 Asia/Seoul" in admin.get(PAGE).text
    assert 'value="2026-12-01T18:00"' in admin.get(PAGE).text


def test_a_draft_opens_as_the_page_showed_it(draft, storage, save, clock, admin):
    assert save(opens="2026-05-05T18:00")[0] == 302
    clock.forward(24 * 3600)
    assert admin.get("/s/exams").status_code == 200
    assert storage.read(surveys.get, draft.id).state == "open"
    lines = storage.read(audit.lines, LineFilter(who=audit.BY_DATE))
    assert [line.what for line in lines] == ["survey_opened"]


def test_a_draft_that_changed_since_the_page_was_shown_is_not_set_to_open(draft, save):
    status, text = save(opens="2026-05-05T18:00", fingerprint="ab" * 32)
    assert (status, "The draft has changed since this page was shown" in text) == (422, True)


def test_a_draft_that_changes_afterwards_stays_and_the_page_says_so(
    draft, storage, save, clock, admin, survey_file
):
    assert save(opens="2026-05-05T18:00")[0] == 302
    replaced(storage, draft.slug, survey_file(title={"en": "Another"}))
    for address in (PAGE, "/admin/surveys/exams"):
        assert "it will not open on 2026-05-05 18:00 Asia/Seoul" in admin.get(address).text
    clock.forward(24 * 3600)
    admin.sign_in()
    for address in (PAGE, "/admin/surveys/exams"):
        assert "The survey did not open on 2026-05-05 18:00 Asia/Seoul" in admin.get(address).text
    assert storage.read(surveys.get, draft.id).state == "draft"


def test_an_unfinished_draft_has_no_date_to_open(storage, save, survey_file):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "exams", "languages": ["en"]})
    status, text = save(opens="2026-05-05T18:00")
    assert (status, "The draft still lacks something" in text) == (422, True)


WRONG = {
    "in the past": ({"closes": "2026-05-04T17:00"}, "after 2026-05-04 18:00 Asia/Seoul"),
    "an end before the beginning": (
        {"opens": "2026-05-06T18:00", "closes": "2026-05-06T17:59"},
        "after 2026-05-06 18:00 Asia/Seoul",
    ),
    "reports that go before the end": (
        {"closes": "2026-05-08T18:00", "remove": "2026-05-08T18:00"},
        "after 2026-05-08 18:00 Asia/Seoul",
    ),
    "reports that go within a day": ({"remove": "2026-05-05T17:00"}, "after 2026-05-05 18:00 Asia/Seoul"),
    "an hour that the clocks skip": (
        {"zone": "Europe/Berlin", "closes": "2027-03-28T02:30"},
        "The clocks in Europe/Berlin skip this time",
    ),
    "centuries from now": ({"closes": "9999-12-31T23:59"}, "up to 2036-05-04 18:00 Asia/Seoul"),
    "no day": ({"closes": "2026-02-30T10:00"}, "“2026-02-30T10:00”"),
    "no zone": ({"zone": "Mars/Olympus"}, "such as Asia/Seoul, got “Mars/Olympus”"),
    "a way out of the zones' folder": ({"zone": "../../etc/passwd"}, "“../../etc/passwd”"),
    "nobody": ({"quota": "0"}, "from 1 to 10,000,000, got “0”"),
    "half a person": ({"quota": "1.5"}, "“1.5”"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_explained_at_its_field_and_nothing_is_stored(draft, storage, save, what):
    typed, said = WRONG[what]
    status, text = save(**typed)
    assert status == 422
    assert said in text
    assert 'aria-invalid="true"' in text
    assert noted(storage, draft) == life.Life()


OUT_OF_ORDER = {
    "opening after the end": ({"opens": "2026-05-25T18:00"}, "after 2026-05-25 18:00 Asia/Seoul"),
    "an end after the removal": ({"closes": "2026-06-25T18:00"}, "after 2026-06-25 18:00 Asia/Seoul"),
    "opening after the removal": (
        {"opens": "2026-06-25T18:00", "closes": ""},
        "after 2026-06-25 18:00 Asia/Seoul",
    ),
}


@pytest.mark.parametrize("what", OUT_OF_ORDER)
def test_a_date_cannot_be_moved_past_one_that_stays(draft, storage, save, what):
    kept = {"opens": "2026-05-10T18:00", "closes": "2026-05-20T18:00", "remove": "2026-06-20T18:00"}
    assert save(**kept)[0] == 302
    before = noted(storage, draft)
    moved, said = OUT_OF_ORDER[what]
    status, text = save(**kept | moved)
    assert (status, said in text) == (422, True)
    assert noted(storage, draft) == before


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
def test_dates_that_were_set_before_somebody_opened_and_closed_by_hand_are_named(draft, storage, save):
    assert save(opens="2026-05-10T18:00", closes="2026-05-20T18:00")[0] == 302
    storage.write(surveys.open_survey, draft.id)
    status, text = save(closes="2026-05-08T18:00")
    assert (status, "after 2026-05-10 18:00 Asia/Seoul" in text) == (422, True)
    storage.write(surveys.close_survey, draft.id)
    status, text = save(remove="2026-05-18T18:00")
    assert (status, "after 2026-05-20 18:00 Asia/Seoul" in text) == (422, True)
    assert save(remove="2026-05-21T18:00")[0] == 302


def test_reports_go_while_respondents_were_told_that_they_are_kept_and_later_only_where_that_is_over(
    draft, storage, save, clock, admin
):
    status, text = save(remove="2031-01-01T00:01")
    said = "data is kept until 2030-12-31, so this must be 2031-01-01 00:00 Asia/Seoul or earlier"
    assert (status, said in text) == (422, True)
    assert save(remove="2031-01-01T00:00")[0] == 302
    assert save()[0] == 302
    storage.write(surveys.open_survey, draft.id)
    clock.now = datetime(2030, 12, 31, 16, tzinfo=UTC)
    admin.sign_in()
    assert save(remove="2031-01-02T02:00")[0] == 302


@pytest.mark.parametrize("field", ["zone", "opens", "closes", "quota", "remove"])
def test_hostile_texts_are_refused_in_every_field(draft, storage, admin, field):
    for value in HOSTILE:
        answer = admin.post(PAGE, **FIELDS | {field: value})
        assert answer.status_code == 422, value
        assert "<script>alert" not in answer.text, value
        assert noted(storage, draft) == life.Life(), value


def test_a_quota_of_an_open_survey_is_not_set_or_lowered(draft, storage, save):
    assert save(quota="50")[0] == 302
    storage.write(surveys.open_survey, draft.id)
    assert "must be 50 or more" in save(quota="49")[1]
    assert save(quota="60")[0] == 302
    assert noted(storage, draft).end_changed == 1777885200
    assert save(quota="")[0] == 302
    assert "cannot get a quota" in save(quota="70")[1]


def test_pause_and_archive_are_buttons_and_every_deed_is_in_the_log(survey, storage, admin):
    for action in ("pause", "resume", "archive", "restore"):
        assert admin.post(PAGE, action=action).status_code == 302
    deeds = [line.what for line in reversed(storage.read(audit.lines, LineFilter(who="ada", survey="exams")))]
    assert deeds == ["survey_paused", "survey_resumed", "survey_archived", "survey_restored"]


def test_the_list_marks_what_is_paused(survey, admin):
    assert "paused" not in admin.get("/admin").text
    admin.post(PAGE, action="pause")
    assert "paused" in admin.get("/admin").text


def test_only_an_open_survey_is_paused(draft, storage, admin):
    assert admin.post(PAGE, action="pause").status_code == 409
    assert not noted(storage, draft).paused


def test_the_archive_is_left_out_of_the_lists_unless_it_is_asked_for(survey, admin):
    admin.post(PAGE, action="archive")
    for address in ("/admin", "/results"):
        assert "/exams" not in admin.get(address).text
        assert "Show the archive (1 survey)" in admin.get(address).text
        assert "/exams" in admin.get(f"{address}?archived=1").text
    assert admin.get("/s/exams").status_code == 200


def test_a_draft_whose_closing_date_has_passed_is_not_opened_by_hand(draft, storage, save, clock, admin):
    assert save(closes="2026-05-05T18:00")[0] == 302
    page = admin.get("/admin/surveys/exams/open").text
    clock.forward(24 * 3600)
    admin.sign_in()
    shown = page.split('name="fingerprint" value="')[1].split('"')[0]
    answer = admin.post("/admin/surveys/exams/open", page=PAGE, fingerprint=shown)
    assert (answer.status_code, "would close at once" in answer.text) == (409, True)


@pytest.fixture
def ended(draft, storage, save, clock, admin, staff_app):
    """A survey that closed by its date with three reports, which were removed on their day."""
    assert save(closes="2026-05-05T18:00", remove="2026-05-06T18:00")[0] == 302
    survey = storage.write(surveys.open_survey, draft.id)
    sent = [
        Submission(survey.id, survey.publication.fingerprint, f"{n:032x}", {"copied": 1, "data": 0})
        for n in range(3)
    ]
    services = staff_app.extensions["candor"]
    assert {services.committer.submit(each, "2026-05-04") for each in sent} == {"stored"}
    for _ in range(2):
        clock.forward(24 * 3600)
        services.scheduler.turn()
        services.scheduler.finish()
        services.finisher.settle()
    admin.sign_in()
    return survey


def test_results_say_how_the_survey_ended_and_that_the_reports_are_gone(ended, admin):
    for address in ("/results/exams", "/results/exams/ethics", "/admin/surveys/exams"):
        text = admin.get(address).text
        assert (
            "The survey closed by itself on 2026-05-05 18:00 Asia/Seoul. Closing was fixed beforehand."
            in text
        )
        assert "They were removed, as was set for 2026-05-06 18:00 Asia/Seoul." in text
    assert "reports-csv" not in admin.get("/results/exams").text.split("<details>")[0]
    for name in ("reports.csv", "reports.sqlite", "cross?row=copied&column=data"):
        answer = admin.get(f"/results/exams/{name}")
        assert (name, answer.status_code) == (name, 410)
        assert "were removed" in answer.text
    whole = zipfile.ZipFile(io.BytesIO(admin.get("/results/exams/all.zip").data))
    names = {Path(name).name for name in whole.namelist()}
    assert "estimates.csv" in names
    assert not {name for name in names if name.startswith("reports")}
    told = next(whole.read(name).decode() for name in whole.namelist() if name.endswith("methods.md"))
    assert "were removed on the day" in told
    assert "The survey closed by itself on 2026-05-05 18:00 Asia/Seoul. Closing was fixed beforehand." in told
    assert admin.get("/results/exams/estimates.csv").status_code == 200


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
def test_dates_of_a_survey_that_is_deleted_meanwhile_lead_nowhere(survey, storage, save, monkeypatch):
    plan = LifeForm.plan

    def too_late(form):
        storage.write(surveys.delete_survey, survey.id)
        return plan(form)

    monkeypatch.setattr(LifeForm, "plan", too_late)
    assert save(closes="2026-12-01T18:00")[0] == 404


CLOSE = "/admin/surveys/exams/close"


def test_whoever_closes_reads_until_when_the_reports_can_be_had(survey, save, admin):
    assert "The single reports can be downloaded then." in admin.get(CLOSE).text
    assert save(remove="2026-05-06T18:00")[0] == 302
    assert "can be downloaded then, until 2026-05-06 18:00 Asia/Seoul." in admin.get(CLOSE).text
    assert admin.post(CLOSE).status_code == 302


def test_past_the_day_of_their_removal_reports_go_only_after_whoever_closes_has_read_so(
    survey, storage, save, clock, admin
):
    assert save(remove="2026-05-06T18:00")[0] == 302
    clock.forward(72 * 3600)
    admin.sign_in()
    told = admin.post(CLOSE)  # from a page that stood open since before that day
    assert (told.status_code, storage.read(surveys.get, survey.id).state) == (409, "open")
    assert "The single reports are removed at once." in told.text
    assert "The day that was set for this, 2026-05-06 18:00 Asia/Seoul, has come." in told.text
    assert f'href="{PAGE}"' in told.text  # where the date can be changed first
    assert admin.post(CLOSE, removes="1").status_code == 302
    assert storage.read(surveys.get, survey.id).state == "closed"


def test_the_removal_is_in_the_log(ended, storage):
    lines = storage.read(audit.lines, LineFilter(what="reports_removed"))
    assert [(line.who, line.survey) for line in lines] == [(audit.BY_DATE, "exams")]


def test_programs_read_the_same(ended, program):
    found = program().get("/surveys/exams").json["life"]
    assert found == {
        "zone": "Asia/Seoul",
        "opens_at": None,
        "closes_at": "2026-05-05T09:00:00Z",
        "quota": None,
        "fixed": True,
        "end_changed": None,
        "closed_by": "date",
        "paused": False,
        "archived": False,
        "remove_at": "2026-05-06T09:00:00Z",
        "removed": True,
        "kept_until": "2030-12-31",
        "hold": None,
    }
    assert program().get("/surveys").json["surveys"][0]["life"] == found
    assert program().get("/surveys/exams/reports").status_code == 410
