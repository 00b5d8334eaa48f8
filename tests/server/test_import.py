"""A survey file that an admin imports: what is wrong with it is told, and the text stays to be mended."""

from html import unescape

import pytest

from server.web import offload
from survey.definition import parse


@pytest.fixture
def imported(admin):
    """Import a text; give the status and the page."""

    def imported(text):
        answer = admin.post("/admin/import", text=text)
        return answer.status_code, unescape(answer.text)

    return imported


def test_a_key_that_a_parser_would_take_minutes_for_is_told_and_the_text_shown_again(imported):
    text = "a." * 2000 + "a = 1"
    status, page = imported(f"candor = 1\n{text}")
    assert status == 422
    assert "line 2 must be a line with keys of at most 8 names, got 'a.a.a" in page
    assert text in page


def test_a_file_is_parsed_away_from_the_event_loop(imported, monkeypatch):
    away = []
    monkeypatch.setattr(offload, "compute", lambda function, *args: away.append(function) or function(*args))
    imported("candor = 1")
    assert away == [parse]


def test_thousands_of_faults_are_told_thirty_at_a_time(imported):
    status, page = imported("\n".join(f"key{n} = 1" for n in range(2000)))
    assert status == 422
    assert page.count('<li lang="en">') == 30
    assert "more problems. They will be listed" in page
    assert len(page) < 100_000
