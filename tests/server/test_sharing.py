"""What an open survey is handed on with: link, QR code, text and poster."""

import subprocess
import sys
from html import unescape
from io import BytesIO
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from server.store import surveys
from server.store.lifecycle import life
from server.surveys.share import PIXELS, QUIET, code_of

ADDRESS = "http://localhost/s/exams"
HOSTILE = ["</textarea><script>alert(1)</script>", "=1+1", "\u202egnitirw", "{title}", "제목", "x" * 200]


@pytest.fixture
def shared(admin, storage, survey_file):
    """Open a survey with this title in these languages; give the page to share it."""

    def shared(title="Exams", languages=("en",), epsilon=1.0):
        def texts(text):
            return dict.fromkeys(languages, text)

        question = {
            "id": "copied",
            "mechanism": "spinner_coin",
            "epsilon": epsilon,
            "wording": texts("Did you?"),
        }
        table = survey_file(
            languages=list(languages),
            title=texts(title),
            information=texts("Who asks."),
            consent=texts("Yes."),
            questions=[question],
        )
        storage.write(surveys.open_survey, storage.write(surveys.create_draft, table).id)
        return unescape(admin.get("/admin/surveys/exams/share").text)

    return shared


def modules(png):
    """Read a picture as rows of 0 for black and 1 for white."""
    image = Image.open(BytesIO(png))
    assert image.mode == "1"
    return np.asarray(image).astype(int).tolist()


def test_the_page_has_the_link_the_text_the_code_and_the_poster(shared):
    page = shared()
    assert f'id="address" class="address" value="{ADDRESS}"' in page
    assert "We only learn about all people together. You choose whether you take part" in page
    assert page.count(ADDRESS) >= 3
    for link in ("share/code.svg", "share/code.png", "share/poster?in=en"):
        assert f'href="/admin/surveys/exams/{link}"' in page


@pytest.mark.parametrize(("epsilon", "promises"), [(2.1, True), (2.3, False)])
def test_only_a_survey_that_may_promise_something_does_so(shared, admin, epsilon, promises):
    # e^2.1 to one is 89.1 in 100, and e^2.3 is 90.9.
    sentence = "nobody who receives it can be sure which"
    assert (sentence in shared(epsilon=epsilon)) == promises
    assert (sentence in admin.get("/admin/surveys/exams/share/poster?in=en").text.lower()) == promises


def test_a_survey_for_invited_people_leads_to_its_invitations(admin, storage, survey_file):
    table = survey_file(candor=3, invitations=True)
    storage.write(surveys.open_survey, storage.write(surveys.create_draft, table).id)
    page = admin.get("/admin/surveys/exams/share").text
    assert "Everybody with the link can answer." not in page
    assert 'href="/admin/surveys/exams/invitations"' in page
    assert "share/poster" not in page  # it would lead to a closed door


def test_of_a_paused_survey_it_says_that_nobody_can_answer_now(shared, admin, storage):
    assert "The survey is paused." not in shared()
    storage.write(life.pause, storage.read(surveys.by_slug, "exams").id)
    page = admin.get("/admin/surveys/exams/share").text
    assert "Until it goes on, whoever opens the link cannot answer." in page
    assert 'href="/admin/surveys/exams/life"' in page


def test_the_text_comes_in_every_language_of_the_survey_that_candor_speaks(shared):
    page = shared(languages=("ko", "en", "de"))
    assert 'id="text-en"' in page
    assert 'id="text-ko"' in page
    assert "아래 링크를 열어 주세요." in page
    assert 'id="text-de"' not in page


def test_a_survey_in_other_languages_is_announced_in_english(shared):
    page = shared(languages=("de",))
    assert "Please take part in our survey." in page


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_is_a_text_and_nothing_else(shared, admin, title):
    shared(title)
    for address in ("share", "share/poster"):
        page = admin.get(f"/admin/surveys/exams/{address}").text
        assert "<script>alert" not in page
        assert title in unescape(page)


def test_the_code_is_black_on_white_with_its_quiet_zone(shared, admin):
    shared()
    answer = admin.get("/admin/surveys/exams/share/code.png")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="exams.png"'
    rows = modules(answer.data)
    scale = next(y for y, row in enumerate(rows) if 0 in row) // QUIET
    assert len(rows) == len(rows[0]) >= PIXELS
    quiet = QUIET * scale
    edge = [*rows[:quiet], *rows[-quiet:], *(row[:quiet] + row[-quiet:] for row in rows)]
    assert {bit for row in edge for bit in row} == {1}
    # The corner has a finder: seven modules of black, white, three of black, white and black again.
    finder = rows[quiet][quiet : quiet + 7 * scale], rows[quiet + 3 * scale][quiet : quiet + 7 * scale]
    assert finder == ([0] * 7 * scale, [each for bit in (0, 1, 0, 0, 0, 1, 0) for each in [bit] * scale])


def test_both_pictures_show_the_same_code_of_the_address(shared, admin):
    shared()
    assert admin.get("/admin/surveys/exams/share/code.png").data == code_of(ADDRESS, "png")
    svg = admin.get("/admin/surveys/exams/share/code.svg")
    assert svg.content_type == "image/svg+xml"
    drawing = ET.fromstring(svg.data)
    _, _, width, height = map(int, drawing.attrib["viewBox"].split())
    rows = modules(admin.get("/admin/surveys/exams/share/code.png").data)
    assert width == height == len(rows) // (len(rows) // width)
    assert code_of(ADDRESS, "svg") != code_of(f"{ADDRESS}-2", "svg")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_poster_speaks_the_language_that_it_is_asked_for(shared, admin, language):
    shared(languages=("ko", "en"))
    page = admin.get(f"/admin/surveys/exams/share/poster?in={language}").text
    assert f'<html lang="{language}"' in page
    assert {"en": "Scan the code", "ko": "QR 코드를 찍어"}[language] in page
    assert ADDRESS in page
    assert "<nav" not in page


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_only_an_open_survey_can_be_shared(admin, storage, survey_file, state):
    found = storage.write(surveys.create_draft, survey_file())
    if state == "closed":
        storage.write(surveys.open_survey, found.id)
        storage.write(surveys.close_survey, found.id)
    for address, status in {"share": 409, "share/poster": 409, "share/code.svg": 404}.items():
        assert admin.get(f"/admin/surveys/exams/{address}").status_code == status


@pytest.mark.parametrize("kind", ["gif", "svgz", "PNG", "png%00", "..%2fpng"])
def test_there_is_no_other_picture(shared, admin, kind):
    shared()
    assert admin.get(f"/admin/surveys/exams/share/code.{kind}").status_code == 404


def test_a_survey_that_was_just_opened_leads_there(shared, admin):
    shared()
    page = admin.get("/admin/surveys/exams?opened=1").text
    assert 'href="/admin/surveys/exams/share"' in page


def test_nothing_is_imported_for_it_before_it_is_asked_for(staff_app):
    code = "import sys, server.rooms; sys.exit('segno' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
