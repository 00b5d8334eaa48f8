"""A survey's limit and its waves, from the editor to the published page."""

import re
from html import unescape

import pytest
import tomli_w

from server.editor.preview import composed
from server.store import surveys

TEXTS = {f"{name}-en": name for name in ("title", "information", "consent")}
QUESTION = {
    "questions-0-id": "tired",
    "questions-0-wording-en": "Have you come to work tired?",
    "questions-0-mechanism": "spinner_coin",
    "questions-0-epsilon": "1.5",
}


def test_limit_and_waves_are_kept_shown_again_and_exported(editor, draft):
    assert editor.save(limit="5", waves="3").status_code == 302
    assert draft()["budget"] == {"limit": 5.0, "waves": 3}
    page = editor.page("?open=plan")
    assert 'name="limit" value="5"' in page
    assert 'name="waves" value="3"' in page
    exported = editor.get(f"{editor.address}/survey.toml").text
    assert "[budget]\nlimit = 5.0\nwaves = 3\n" in exported


def test_a_draft_that_says_nothing_of_them_has_one_wave_and_no_limit(editor, draft):
    editor.save()
    assert "budget" not in draft()
    assert 'name="limit" value=""' in editor.page()
    assert 'name="waves" value="1"' in editor.page()


def test_a_file_with_a_budget_is_imported_as_it_was(admin, survey_file, draft):
    budget = {"limit": 4.5, "waves": 2}
    admin.post("/admin/import", text=tomli_w.dumps(survey_file(budget=budget)))
    assert draft("exams")["budget"] == budget


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("limit", "0", "above 0 and at most 1000000000, or the field must be empty. You entered “0”"),
        ("limit", "much", "You entered “much”"),
        ("limit", "nan", "You entered “nan”"),
        ("waves", "0", "from 1 to 1000. You entered “0”"),
        ("waves", "1.5", "You entered “1.5”"),
    ],
)
def test_what_cannot_be_is_said_at_the_field(editor, draft, field, value, words):
    before = draft()
    answer = editor.save(**{field: value})
    assert answer.status_code == 422
    assert re.search(rf'id="{field}-error">[^<]*{re.escape(words)}', answer.text)
    assert draft() == before


def test_a_survey_above_its_limit_does_not_open_and_the_editor_leads_to_the_field(editor, storage):
    editor.save(limit="2.9", waves="2", **TEXTS, **QUESTION)
    page = editor.page()
    entry = re.search(r'<a href="([^"]*)"[^>]*>The total epsilon is above the limit of 2.9</a>', page)
    assert entry[1].endswith("open=plan#limit")
    assert 'data-advice="limit"' in page
    assert "2 waves: <strong>ε = 3.0000</strong> (limit 2.9)" in page
    before = unescape(editor.get(f"{editor.address}/open").text)
    assert "#limit" in before
    assert 'name="fingerprint"' not in before
    assert editor.post(f"{editor.address}/open", fingerprint="0" * 64).status_code == 409
    assert storage.read(surveys.by_slug, "health").state == "draft"


GAUSSIAN = {
    "questions-0-id": "drinks",
    "questions-0-wording-en": "How many glasses?",
    "questions-0-kind": "number",
    "questions-0-mechanism": "gaussian",
    "questions-0-epsilon": "0.1",
    "questions-0-delta": "1e-6",
    "questions-0-low": "0",
    "questions-0-high": "10",
    "questions-0-step": "1",
}


def test_a_limit_that_only_doubles_exceed_is_kept(editor, storage):
    editor.save(limit="0.3", waves="3", **TEXTS, **GAUSSIAN)
    page = editor.page()
    assert 'data-advice="limit"' not in page
    assert "ε = 0.3000, δ = 3e-6</strong> (limit 0.3)" in page
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert storage.read(surveys.by_slug, "health").state == "open"


def test_the_total_beside_a_limit_is_one_that_can_be_set_as_the_limit(editor):
    coin = QUESTION | {"questions-0-mechanism": "coin"}
    editor.save(limit="1.0986", **TEXTS, **coin)
    assert "ε = 1.0987</strong> (limit 1.0986)" in editor.page()
    assert 'data-advice="limit"' in editor.page()
    editor.save(limit="1.0987", **TEXTS, **coin)
    assert 'data-advice="limit"' not in editor.page()
    assert 'name="fingerprint"' in editor.get(f"{editor.address}/open").text


def test_above_the_limit_nothing_is_said_to_be_missing(editor):
    editor.save(limit="1", **TEXTS, **QUESTION)
    assert "missing" not in editor.page().partition('<form method="post"')[0]
    before = editor.get(f"{editor.address}/open").text
    assert "The survey cannot be opened yet" in before
    assert "missing" not in before


def test_before_opening_the_total_is_shown_with_limit_and_waves_and_a_large_one_is_warned_of(editor):
    editor.save(waves="3", **TEXTS, **QUESTION)
    page = editor.get(f"{editor.address}/open").text
    assert "ε = 4.5000" in page
    assert 'data-advice="little"' in page
    editor.save(limit="4.5", waves="3", **TEXTS, **QUESTION)
    assert 'data-advice="limit"' not in editor.get(f"{editor.address}/open").text


def test_the_published_page_shows_what_all_of_it_composes_to_where_that_is_less(editor, storage):
    editor.save(limit="20", waves="100", **(TEXTS | QUESTION | {"questions-0-epsilon": "0.1"}))
    found = storage.read(surveys.by_slug, "health")
    publication = storage.write(surveys.open_survey, found.id).publication
    page = editor.page()
    assert "100 waves: <strong>ε = 10.0000</strong> (limit 20)" in page
    smaller = composed(publication)
    assert smaller.epsilon < 6
    assert f"the loss is also at most ε\u00a0=\u00a0{smaller.epsilon:.4f} with δ\u00a0=\u00a01e-6" in page
