"""The audit log: what staff did, written with the deed, for admins to read; it cannot be changed."""

import csv
import io
import re

import pytest
from draft_editor import Editor

from server.language.catalogue import LANGUAGES, section
from server.store import surveys
from server.store.staff import accounts, audit
from server.store.staff.audit import DEEDS, LineFilter

PASSWORD = "a long enough password"
BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def log(storage):
    """Give the lines, the earliest first, without number and moment: who, what, survey, about."""

    def log():
        return [(line.who, line.what, line.survey, line.about) for line in reversed(all_lines(storage))]

    return log


def all_lines(storage):
    return storage.read(audit.lines, LineFilter())


@BOTH
def test_every_deed_of_staff_leaves_a_line(browse, log, survey_file, storage):
    ada = browse("admin")
    ada.post("/admin/new", slug="health")
    ada.post("/admin/surveys/health/delete", slug="health")
    storage.write(surveys.create_draft, survey_file("exams"))
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', ada.get("/admin/surveys/exams/open").text)[1]
    ada.post("/admin/surveys/exams/open", fingerprint=fingerprint)
    ada.post("/admin/surveys/exams/close")
    storage.finish()
    for file in ("reports.csv", "all.zip", "reports.sqlite", "estimates.csv"):
        assert ada.get(f"/results/exams/{file}").status_code == 200
    ada.post("/admin/people", name="cleo", role="researcher")
    ben, cleo = (storage.read(accounts.by_name, name).id for name in ("ben", "cleo"))
    ada.post(f"/admin/people/{ben}/password", page="/admin/people")
    ada.post(f"/admin/people/{cleo}/remove")
    ada.post("/account/tokens", name="nightly", access="read", scope="all", present=PASSWORD)
    # No number is used twice: one that a transaction took which began anew is left out.
    made = re.search(r"/account/tokens/\d+/revoke", ada.get("/account/tokens").text)[0]
    ada.post(made, page="/account/tokens")
    ada.post("/account", present=PASSWORD, password="another long password")
    ada.post("/logout", page="/account")
    browse().sign_in("ben")  # refused: his password is another one now
    assert log() == [
        ("ada", "signed_in", None, None),
        ("ada", "draft_begun", "health", None),
        ("ada", "survey_deleted", "health", None),
        ("ada", "survey_opened", "exams", None),
        ("ada", "survey_closed", "exams", None),
        *[("ada", "rows_downloaded", "exams", None)] * 3,
        ("ada", "account_added", None, "cleo"),
        ("ada", "password_issued", None, "ben"),
        ("ada", "account_removed", None, "cleo"),
        ("ada", "token_made", None, "nightly"),
        ("ada", "token_revoked", None, "nightly"),
        ("ada", "password_changed", None, None),
        ("ada", "signed_out", None, None),
    ]


@BOTH
def test_of_wrong_passwords_the_log_says_only_how_many_came_before_the_right_one(browse, log, clock):
    for name, wrong in (("ada", 6), ("ben", 3), ("nobody", 6)):
        for _ in range(wrong):
            clock.forward(60)
            assert browse(address="198.51.100.7").sign_in(name, "a guess that is wrong").status_code == 403
    assert log() == []  # a stranger fills no log by guessing
    for name in ("ada", "ben"):
        clock.forward(60)
        assert browse(address="198.51.100.7").sign_in(name).status_code == 302
        assert browse().sign_in(name).status_code == 302  # elsewhere nobody has guessed
    assert log() == [
        ("ada", "password_after_wrong_ones", None, "6"),
        *[("ada", "signed_in", None, None)] * 2,
        *[("ben", "signed_in", None, None)] * 2,
    ]


def test_a_program_reads_rows_every_minute_and_leaves_one_line_a_day(program, storage, survey_file, log):
    survey = storage.write(surveys.create_draft, survey_file("exams"))
    storage.write(surveys.open_survey, survey.id)
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    robot = program("ada")
    for page in (1, 2, 1):
        assert robot.get(f"/surveys/exams/reports?page={page}").status_code == 200
    # The database's own clock may pass midnight in between, or be years from the test's.
    assert set(log()) == {("ada", "rows_downloaded", "exams", None)}


def test_whoever_writes_on_a_draft_leaves_one_line_a_day(browse, storage, survey_file, log):
    storage.write(surveys.create_draft, survey_file("exams"))
    editor = Editor(browse("admin"), "exams")
    for title in ("Exams", "Exams and honesty"):
        editor.fill(title={"en": title})
    assert storage.read(surveys.by_slug, "exams").draft["title"]["en"] == "Exams and honesty"
    assert log() == [("ada", "signed_in", None, None), ("ada", "draft_edited", "exams", None)]


def test_what_is_logged_once_a_day_is_so_for_each_whom_it_is_about(storage, log):
    lines = [
        ("uni", "exams"),
        ("uni", "exams"),
        ("other", "exams"),
        (None, "exams"),
        (None, None),
        (None, None),
    ]
    for about, survey in lines:
        storage.write(audit.note_once_a_day, "ada", "provider_refused", survey, "2026-01-01", about)
    assert log() == [("ada", "provider_refused", survey, about) for about, survey in dict.fromkeys(lines)]


def test_no_line_without_the_deed(browse, log):
    ada = browse("admin")
    assert ada.post("/admin/new", slug="health").status_code == 302
    assert ada.post("/admin/new", slug="health").status_code == 409
    assert ada.post("/admin/people", name="Ben", role="admin").status_code == 409
    assert ada.post("/admin/people/1/remove").status_code == 409
    assert ada.post("/admin/surveys/health/close", page="/account").status_code == 409
    assert [what for _, what, *_ in log()] == ["signed_in", "draft_begun"]


CHANGES = {
    "a line changed": "UPDATE audit SET who = 'ben'",
    "a line removed": "DELETE FROM audit",
}


@BOTH
@pytest.mark.parametrize("sql", CHANGES.values(), ids=CHANGES)
def test_nobody_can_change_what_was_written_down(browse, storage, log, sql):
    browse("admin")
    with pytest.raises(Exception, match="a line of the audit log"):
        storage.write(lambda db: db.execute(sql) and None)
    assert log() == [("ada", "signed_in", None, None)]


def test_a_line_takes_the_place_of_no_other(browse, storage, log):
    browse("admin")
    again = "INSERT OR REPLACE INTO audit (id, who, what) VALUES (1, 'ben', 'signed_in')"
    with pytest.raises(Exception, match="replaces no other"):
        storage.write(lambda db: db.execute(again) and None)
    assert log() == [("ada", "signed_in", None, None)]


@BOTH
def test_a_line_says_when_to_the_second_in_utc(browse, storage):
    browse("admin")
    (line,) = all_lines(storage)
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", line.moment)


def test_lines_outlive_whom_they_are_about(browse, storage):
    ada = browse("admin")
    browse("researcher")
    ada.post("/admin/people/2/remove")
    assert '<th scope="row">ben</th>' in ada.get("/admin/audit").text


def test_an_unknown_deed_is_a_defect(storage):
    with pytest.raises(ValueError, match="what must be one of"):
        storage.write(audit.note, "ada", "slept")
    assert all_lines(storage) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_deed_has_its_words(language):
    said = {key.removeprefix("deed.") for key in section(language, "audit") if key.startswith("deed.")}
    assert said == set(DEEDS)


def shown(page):
    return re.findall(r'<th scope="row">([^<]+)</th>\s*<td>([^<]+)<', page.text)


def test_an_admin_reads_the_lines_that_are_asked_for(browse):
    ada = browse("admin")
    browse("researcher")
    ada.post("/admin/new", slug="health")
    assert shown(ada.get("/admin/audit")) == [
        ("ada", "Started a draft"),
        ("ben", "Signed in"),
        ("ada", "Signed in"),
    ]
    assert shown(ada.get("/admin/audit?who=BEN")) == [("ben", "Signed in")]
    assert shown(ada.get("/admin/audit?what=draft_begun")) == [("ada", "Started a draft")]
    assert shown(ada.get("/admin/audit?survey=health")) == [("ada", "Started a draft")]
    assert shown(ada.get("/admin/audit?survey=other")) == []
    assert "There are no entries to show." in ada.get("/admin/audit?survey=other").text


def test_many_lines_are_read_page_by_page(browse, storage):
    ada = browse("admin")
    storage.write(lambda db: [audit.note(db, f"n{n}", "signed_in") for n in range(120)] and None)
    first = ada.get("/admin/audit")
    older = re.search(r'href="(/admin/audit\?before=\d+)"', first.text)[1]
    names = [who for page in (first, ada.get(older)) for who, _ in shown(page)]
    assert names == [*(f"n{n}" for n in reversed(range(120))), "ada"]


HOSTILE = ["=1+1", "<script>", "\0", "‮ben", "9" * 30, "x" * 5000, "' OR 1=1"]


@BOTH
def test_what_nobody_is_called_finds_nothing(browse):
    ada = browse("admin")
    for text in HOSTILE:
        for name in ("who", "what", "survey"):
            page = ada.client.get(
                "/admin/audit", query_string={name: text}, headers={"Accept-Language": "en"}
            )
            assert (page.status_code, shown(page)) == (200, []), text
            assert "<script>" not in page.text, text
        before = ada.client.get("/admin/audit", query_string={"before": text})
        assert (before.status_code, len(shown(before))) == (200, 1), text


def test_the_downloaded_log_runs_in_no_spreadsheet(browse, storage):
    ada = browse("admin")
    storage.write(accounts.create, "@SUM", PASSWORD, "admin")
    storage.write(audit.note, "@SUM", "token_made", about='=HYPERLINK("x")')
    answer = ada.get("/admin/audit.csv?what=token_made")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="candor-audit.csv"'
    header, line = csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"), newline=""))
    assert header[:6] == ["number", "moment_utc", "who", "what", "survey", "about"]
    assert line[2:6] == ["'@SUM", "token_made", "", '\'=HYPERLINK("x")']
