"""A survey is not opened in a language in which Candor would speak English, but can be tried before."""

from html import unescape

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import surveys

SAID = "languages[0] must be one of en, ko, which Candor speaks, before the survey is opened, got 'fr'"


@pytest.fixture
def french(survey_file):
    """The tables of a survey, complete and in French alone."""

    def translated(value):
        if isinstance(value, dict):
            return {"fr" if key == "en" else key: translated(inner) for key, inner in value.items()}
        return [translated(inner) for inner in value] if isinstance(value, list) else value

    return translated(survey_file()) | {"languages": ["fr"]}


@pytest.fixture
def state(storage):
    return lambda: storage.read(surveys.by_slug, "exams").state


def test_the_editor_keeps_the_draft_and_leads_to_its_languages(french, admin, storage, state):
    storage.write(surveys.create_draft, french)
    page = unescape(admin.get("/admin/surveys/exams/open").text)
    assert "must be one of en, ko, which Candor speaks, before the survey is opened, not “fr”" in page
    assert "#languages" in page
    assert admin.post("/admin/surveys/exams/open", fingerprint="ab" * 32).status_code == 409
    assert state() == "draft"


def test_a_trial_of_it_marks_the_words_that_are_english(french, admin, storage):
    storage.write(surveys.create_draft, french | {"kept_until": "2030-12-31"})
    page = admin.get("/admin/surveys/exams/try").text
    assert '<html lang="fr" dir="ltr">' in page
    assert '<div><dt lang="en">Data kept until</dt><dd lang="en">December 31, 2030</dd></div>' in page
    assert 'lang="en">How it works</a>' in page


def test_programs_read_it_when_they_check_and_when_they_open(french, storage, program, state):
    writer = program("ada", writes=True)
    checked = writer.ask("POST", "/check", json=french).json
    assert (checked["usable"], [fault["field"] for fault in checked["lacks"]]) == (True, ["languages[0]"])
    storage.write(surveys.create_draft, french)
    refused = writer.ask("POST", "/surveys/exams/open", json={"fingerprint": checked["fingerprint"]})
    assert (refused.status_code, state()) == (422, "draft")
    assert [fault["sentence"] for fault in refused.json["faults"]] == [f"{SAID}."]


def test_the_command_line_warns_and_does_not_open(french, storage, state, tmp_path):
    made = storage.write(surveys.create_draft, french)
    file, run = tmp_path / "exams.toml", CliRunner().invoke
    run(main, ["survey", "export", "exams", "--database", str(storage.path), "--output", str(file)])
    checked = run(main, ["survey", "check", str(file)])
    assert checked.exit_code == 0
    assert f"warning: {SAID}" in checked.output
    refused = run(main, ["survey", "open", made.slug, "--database", str(storage.path)])
    assert (refused.exit_code, state()) == (1, "draft")
    assert SAID in refused.output
