"""A survey that protects little opens only for a reason, which the audit log and the ethics page keep."""

import re
from datetime import timedelta
from html import unescape

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import surveys
from server.store.lifecycle import opening_reasons
from server.store.staff import audit

WEAK = {
    "questions": [{"id": "copied", "mechanism": "spinner_coin", "epsilon": 4.0, "wording": {"en": "Copied?"}}]
}
REASON = "A pilot among ourselves"
OPEN = "/admin/surveys/exams/open"


@pytest.fixture
def weak(storage, survey_file):
    """A complete draft of which a guess is right 99 times in 100."""
    return storage.write(surveys.create_draft, survey_file(**WEAK))


def fingerprint(page):
    return re.search(r'name="fingerprint" value="(\w+)"', page.text)[1]


@pytest.fixture
def state(storage):
    return lambda: storage.read(surveys.by_slug, "exams").state


def test_the_editor_asks_for_it_and_both_pages_keep_it(weak, admin, storage, state):
    page = admin.get(OPEN)
    assert "This survey protects you little." in page.text
    assert 'name="reason"' in page.text
    shown = fingerprint(page)
    refused = admin.post(OPEN, fingerprint=shown, reason=" ")
    assert (refused.status_code, state()) == (422, "draft")
    assert "Write a reason of 1 to 1000 characters. Yours has 1." in refused.text
    long = admin.post(OPEN, fingerprint=shown, reason="x" * 1001)
    assert (long.status_code, state()) == (422, "draft")
    assert admin.post(OPEN, fingerprint=shown, reason=REASON).status_code == 302
    assert state() == "open"
    log = [(line.what, line.about) for line in storage.read(audit.lines, audit.LineFilter(survey="exams"))]
    assert ("reason_given", REASON) in log
    assert REASON in unescape(admin.get("/results/exams/ethics").text)


@pytest.mark.parametrize(
    ("reason", "lacks"), [("x", False), ("x" * 1000, False), ("x" * 1001, True), (" \n", True)]
)
def test_it_has_1_to_1000_characters(weak, reason, lacks):
    assert bool(list(opening_reasons.lacking(weak.checked.publication, reason))) == lacks


def test_no_other_survey_needs_one(storage, survey_file, admin, state):
    storage.write(surveys.create_draft, survey_file())
    page = admin.get(OPEN)
    assert 'name="reason"' not in page.text
    assert admin.post(OPEN, fingerprint=fingerprint(page), reason="x" * 1001).status_code == 302
    assert storage.read(opening_reasons.of, "exams") is None, "no reason is kept where none is needed"


def test_a_date_needs_it_when_it_is_set_and_not_when_it_comes(weak, admin, staff_app, storage, clock, state):
    address = "/admin/surveys/exams/life"
    opens = (clock() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    typed = {"opens": opens, "zone": "UTC", "fingerprint": fingerprint(admin.get(address)), "action": "save"}
    refused = admin.post(address, **typed)
    assert refused.status_code == 422
    assert "Write a reason" in refused.text
    assert admin.post(address, **typed, reason=REASON).status_code == 302
    assert admin.post(address, **typed).status_code == 302, "the reason for this draft is known"
    assert storage.read(opening_reasons.of, "exams") == REASON
    clock.forward(3601)
    staff_app.extensions["candor"].scheduler.look()
    assert state() == "open"


def test_programs_send_it_as_a_field(weak, program, state):
    writer = program("ada", writes=True)
    draft = writer.get("/surveys/exams/definition").json
    checked = writer.ask("POST", "/check", json=draft).json["fingerprint"]
    refused = writer.ask("POST", "/surveys/exams/open", json={"fingerprint": checked})
    assert (refused.status_code, state()) == (422, "draft")
    assert refused.json["faults"][0]["field"] == "reason"
    assert "a guess is right 99 times in 100" in refused.json["detail"]
    body = {"fingerprint": checked, "reason": REASON}
    assert writer.ask("POST", "/surveys/exams/open", json=body).json["state"] == "open"


def test_the_command_line_asks_for_it_too(weak, storage, state):
    def run(*more):
        return CliRunner().invoke(main, ["survey", "open", "exams", "--database", str(storage.path), *more])

    refused = run()
    assert (refused.exit_code, state()) == (1, "draft")
    assert "reason is missing; it must be a text of 1 to 1000 characters" in refused.output
    assert run("--reason", REASON).exit_code == 0
    assert (state(), storage.read(opening_reasons.of, "exams")) == ("open", REASON)


def test_a_reason_belongs_to_one_survey_of_a_name(weak, admin, storage, survey_file):
    admin.post(OPEN, fingerprint=fingerprint(admin.get(OPEN)), reason=REASON)
    admin.post("/admin/surveys/exams/delete", slug="exams")
    storage.write(surveys.create_draft, survey_file())
    assert storage.read(opening_reasons.of, "exams") is None


@pytest.mark.parametrize("slug", ["nothing", "exams"])
def test_a_draft_that_cannot_be_opened_is_told_why(storage, survey_file, slug):
    storage.write(surveys.create_draft, survey_file(contact={}))
    told = CliRunner().invoke(main, ["survey", "open", slug, "--database", str(storage.path)])
    assert told.exit_code == 1
    assert ("contact.en" if slug == "exams" else "SLUG must be the name of a draft") in told.output
