"""Every chart at an address of its own: a picture that needs nothing else, and says what the page says."""

import re
import secrets
from xml.etree import ElementTree

import pytest

from server.results import question_chart
from server.results.charts import text_width
from server.results.charts.drawing import EDGE, WIDTHS
from server.results.charts.text_width import printable, width, wrap
from server.runtime.bounded_cache import BoundedCache
from server.store import submissions as store
from server.store import surveys
from server.store.submissions import Submission
from survey.read_definition import from_dict

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def texts(english, korean):
    return {"en": english, "ko": korean}


TABLE = {
    "candor": 1,
    "slug": "work",
    "languages": ["en", "ko"],
    "title": texts("Work", "일"),
    "information": texts("Who asks.", "누가 묻는지."),
    "consent": texts("Yes.", "예."),
    "results": {"step": 10},
    "questions": [
        {
            "id": "paid",
            "mechanism": "coin",
            "wording": texts('Were you paid "in cash" <or> less & less?', "현금으로 받았습니까?"),
        },
        {
            "id": "harm",
            "kind": "boxes",
            "mechanism": "per_box",
            "epsilon": 2.0,
            "scope": "box",
            "wording": texts("What happened to you?", "어떤 일을 겪었습니까?"),
            "options": [texts("Theft", "도난"), texts("Threats of some kind, in writing or not", "위협")],
        },
        {
            "id": "hours",
            "kind": "number",
            "mechanism": "laplace",
            "epsilon": 8.0,
            "low": 0,
            "high": 40,
            "step": 10,
            "unit": texts("hours", "시간"),
            "wording": texts("How long do you work?", "얼마나 일합니까?"),
        },
    ],
}

REPORTS = [
    *[{"paid": 1, "harm_1": 0, "harm_2": 1, "hours": 1}] * 120,
    *[{"paid": 0, "harm_1": 0, "harm_2": 0, "hours": 0}] * 80,
]
CHARTS = ("paid", "harm", "harm_2", "hours")


@pytest.fixture
def survey(storage):
    """A survey that was answered and closed."""
    found = storage.write(surveys.import_definition, from_dict(TABLE, "the test"))
    found = storage.write(surveys.open_survey, found.id)
    fingerprint = found.publication.fingerprint
    batch = [Submission(found.id, fingerprint, secrets.token_hex(16), each) for each in REPORTS]
    assert set(storage.write(store.record, batch, "2026-05-04")) == {"stored"}
    storage.write(surveys.close_survey, found.id)
    storage.finish()
    return found


@pytest.fixture
def get(survey, browse):
    """Fetch a chart as a researcher."""
    researcher = browse("researcher")
    return lambda name, query="": researcher.get(f"/results/work/charts/{name}.svg{query}")


def parsed(answer):
    assert answer.status_code == 200
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    return ElementTree.fromstring(answer.data)


def said(picture):
    return [each.text for each in picture.iter(f"{SVG}text")]


def every(get, *queries):
    """Yield every chart, parsed, as each query asks for it."""
    for name in CHARTS:
        for query in queries:
            yield parsed(get(name, query))


def test_a_chart_is_xml_that_needs_nothing_but_itself(get):
    allowed = {"svg", "title", "desc", "rect", "g", "line", "path", "circle", "text"}
    refused = {"class", "style", "id", "href", "filter", "mask"}
    for picture in every(get, "", "?width=page", "?language=ko", "?amounts=people"):
        assert picture.tag == f"{SVG}svg"
        for each in picture.iter():
            assert each.tag.removeprefix(SVG) in allowed
            assert not refused & {key.split("}")[-1] for key in each.attrib}
            assert not any("url(" in value for value in each.attrib.values())
    assert re.findall(r"https?://[^\"]+", get("hours").text) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("wide", WIDTHS)
def test_everything_stands_within_the_picture(get, wide):
    for picture in every(get, f"?width={wide}", f"?width={wide}&language=ko"):
        across, high = float(picture.get("width")), float(picture.get("height"))
        assert across == WIDTHS[wide]
        assert picture.get("viewBox") == f"0 0 {picture.get('width')} {picture.get('height')}"
        for each in picture.iter(f"{SVG}text"):
            taken, x = width(each.text) * float(each.get("font-size")), float(each.get("x"))
            left = x - {"start": 0, "middle": taken / 2, "end": taken}[each.get("text-anchor", "start")]
            assert 0 <= left <= left + taken <= across, each.text
            assert 0 < float(each.get("y")) < high
            assert float(each.get("font-size")) >= 9, "7 points: the least that a journal prints"
        for each in picture.iter(f"{SVG}circle"):
            assert EDGE <= float(each.get("cx")) <= across - EDGE


def test_a_chart_tells_in_words_what_it_shows(get):
    picture = parsed(get("paid"))
    assert picture[0].tag == f"{SVG}title"
    assert picture[0].text == 'Were you paid "in cash" <or> less & less?'
    assert picture[1].tag == f"{SVG}desc"
    assert "An estimated 70% would answer" in picture[1].text
    assert "Yes: 70% (56% to 84%)" in picture[1].text
    assert picture.get("role") == "img"


def test_it_has_the_figures_of_the_page_and_says_where_they_are_from(get, survey):
    found = said(parsed(get("paid")))
    assert {"70%", "56% to 84%", "Yes"} <= set(found)
    assert "Estimated share of Yes, with its 95% interval" in " ".join(found)
    assert "n = 200 · ε = 1.0986 · Method: exact" in found
    assert f"work {survey.publication.fingerprint[:12]}" in found


def test_the_marks_stand_where_those_of_the_page_do(get, browse):
    page = browse("researcher").get("/results/work").text.split('id="paid"')[1]
    place = float(page.split('class="chart-dot" cx="')[1].split("%")[0])
    circle = next(parsed(get("paid")).iter(f"{SVG}circle"))
    assert float(circle.get("cx")) == pytest.approx(EDGE + place / 100 * (320 - 2 * EDGE), abs=0.01)


def test_it_follows_what_the_page_was_asked_for(get):
    assert "59% to 81%" in said(parsed(get("paid", "?confidence_level=0.9&method=wald")))
    assert {"140", "112 to 167"} <= set(said(parsed(get("paid", "?amounts=people"))))
    assert "Estimated numbers of people, with their 95% intervals" in " ".join(
        said(parsed(get("paid", "?amounts=people")))
    )
    korean = parsed(get("paid", "?language=ko"))
    assert korean.get(LANGUAGE) == "ko"
    assert "현금으로 받았습니까?" in said(korean)
    assert "56%~84%" in said(korean)


def test_one_box_has_a_chart_too_on_the_axis_of_all(get):
    one, all_ = parsed(get("harm_2")), parsed(get("harm"))
    assert one[0].text == "What happened to you? – Threats of some kind, in writing or not"
    circles = [[each.get("cx") for each in picture.iter(f"{SVG}circle")] for picture in (one, all_)]
    assert circles[0] == circles[1][1:]


def test_a_number_shows_its_unit_and_nothing_without_an_interval(get):
    picture = parsed(get("hours"))
    assert len(list(picture.iter(f"{SVG}rect"))) == 1  # the paper
    assert "intervals (hours)" in said(picture)[2] or "(hours)" in " ".join(said(picture))


def test_there_is_no_chart_of_what_was_not_asked(get):
    for name in ("nothing", "harm_3", "PAID", "paid.svg"):
        assert get(name).status_code == 404


def test_there_is_none_before_there_are_results(storage, browse):
    found = storage.write(surveys.import_definition, from_dict(TABLE | {"slug": "new"}, "the test"))
    assert browse("researcher").get("/results/new/charts/paid.svg").status_code == 404
    storage.write(surveys.open_survey, found.id)
    assert browse("researcher").get("/results/new/charts/paid.svg").status_code == 404


def test_a_setting_that_is_none_is_refused_with_what_is_allowed(get):
    for query in ("width=tall", "amounts=x", "confidence_level=2", "method=none"):
        answer = get("paid", f"?{query}")
        assert answer.status_code == 400
        assert f"{query.split('=')[0]} must be one of " in answer.text


def test_only_staff_see_charts(survey, browse):
    assert browse(None).get("/results/work/charts/paid.svg").status_code == 302


def test_a_chart_is_drawn_once_for_the_same_counts_and_settings(get, monkeypatch):
    drawn = []
    monkeypatch.setattr(question_chart, "CHARTS", BoundedCache(8))
    monkeypatch.setattr(question_chart, "draw_question", lambda *asked: drawn.append(asked) or "<svg/>")
    for query in ("", "", "?width=page", "?language=ko", "?language=ko", "?amounts=people", "?method=wald"):
        assert get("paid", query).text == "<svg/>"
    assert len(drawn) == 5


def test_two_questions_together_have_a_chart_too(browse, survey):
    researcher = browse("researcher")
    page = researcher.get("/results/work/cross?row=paid&column=harm_2&confidence_level=0.9").text
    address = re.search(r'href="([^"]+cross\.svg[^"]+)"', page)[1].replace("&amp;", "&")
    assert "confidence_level=0.9" in address
    picture = parsed(researcher.get(address))
    assert picture[0].text.endswith("× What happened to you? – Threats of some kind, in writing or not")
    assert {"Yes", "No"} & set(said(picture))
    assert "90%" in " ".join(said(picture))


def test_the_page_names_both_files_of_every_chart(browse, survey):
    page = browse("researcher").get("/results/work?confidence_level=0.9&amounts=people&x=1").text
    for question in ("paid", "harm", "hours"):
        address = f"/results/work/charts/{question}.svg?confidence_level=0.9&amp;amounts=people"
        assert f'<a href="{address}" download="work-{question}.svg">' in page
        assert f'hidden data-chart="{address}" data-name="work-{question}.png"' in page


def test_words_are_broken_where_they_are_too_long_for_a_line():
    assert wrap("", 10) == [""]
    assert wrap("one two", 100) == ["one two"]
    assert "".join(wrap("x" * 50, 8)) == "x" * 50
    for room in (1, 5, 9):
        assert all(width(line) <= room for line in wrap("네 가지 질문 and some English wording", room))
    assert printable("a\x00b\ufffe") == "a b "


def test_a_long_word_is_looked_at_a_few_times_and_not_once_for_each_length(monkeypatch):
    looked = []
    monkeypatch.setattr(text_width, "class_of", lambda letter: looked.append(letter) or "full")
    assert len(wrap("漢" * 1000, 20)) == 50
    assert len(looked) < 5000
