"""A survey of which each person is asked some sections: drawn once, before any answer, and seen by nobody."""

from __future__ import annotations

from collections import Counter
from urllib.parse import parse_qsl

import pytest
from conftest import another_window, check_for_everybody, definition, open_tab
from pages import Respondent

COLUMNS = {"old": None, "late": 0, "never": 0, "nights": 1, "rent": 2}
"""Column -> the place of its section among those that are drawn."""

SETS = [[0, 1], [0, 2], [1, 2]]
NOT_ASKED = "2"


def texts(words):
    return {"en": words, "ko": f"{words} (한국어)"}


def section(name, *questions, **more):
    asked = [{"id": each, "mechanism": "coin", "wording": texts(f"Is it {each}?")} for each in questions]
    return {"id": name, "title": texts(f"About {name}"), "questions": asked, **more}


SECTIONS = [
    section("you", "old", always=True),
    section("pay", "late", "never", introduction=texts("Think of last year.")),
    section("hours", "nights"),
    section("house", "rent"),
]


@pytest.fixture
def survey(site):
    """A survey of the test's own, open, of four sections: one is always asked, and two of the other three."""
    slug = site.fresh("work")
    around = {key: value for key, value in definition(slug, ()).items() if key != "questions"}
    site.open(around | {"candor": 2, "asked": 2, "sections": SECTIONS})
    return slug


def script(browser, first, others):
    """Let chance give this word first, and the other one from then on."""
    source = f"""
        const words = [{first}];
        Crypto.prototype.getRandomValues = (array) => array.map(() => words.shift() ?? {others});
    """
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})


def asked_of(drawn):
    return [name for name, place in COLUMNS.items() if place is None or place in drawn]


def test_the_drawn_sections_are_asked_and_stay_the_same_whatever_happens(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    drawn = respondent.session()["set"]
    assert drawn in SETS
    asked = asked_of(drawn)
    assert "Everybody gets 1 part. Chance picks 2 of 3 others." in respondent.text()
    for _ in range(5):
        respondent.browser.refresh()
        respondent.wait_for("welcome")
    assert respondent.session()["set"] == drawn
    respondent.consent()
    first = "Part 1 of 3" if 0 in drawn else "Question 1 of 3"  # a part with two questions is drawn, or none
    assert respondent.text("[data-part=progress]") == first
    assert "About you" in respondent.text()
    respondent.answer(1)
    respondent.browser.refresh()
    respondent.wait_for("question")
    respondent.click("#languages [lang=ko]")
    respondent.click("#languages [lang=en]")
    for name in asked[1:]:
        assert f"Is it {name}?" in respondent.text("[data-part=wording]")
        assert ("Think of last year." in respondent.text()) is (name == "late")
        check_for_everybody(respondent)
        respondent.answer(0)
    respondent.wait_for("review")
    wording = [term.text for term in respondent.browser.find_elements("css selector", ".recorded-values dt")]
    assert wording == [f"Is it {name}?" for name in asked]
    check_for_everybody(respondent)
    assert "You were asked 3 of 4 parts. For the rest, “not asked” is sent." in respondent.text()
    wire.breaks = "answer"
    respondent.send("sending")
    respondent.find("[data-action=stop]")
    wire.breaks = ""
    respondent.wait_for("sent")
    assert "For the rest, “not asked” is sent." in respondent.text()
    assert respondent.session() == {"set": drawn}
    assert len({post.body for post in wire.posts}) == 1
    sent = dict(parse_qsl(wire.posts[0].body))
    assert [name for name in COLUMNS if sent[name] != NOT_ASKED] == asked
    assert len(site.rows(survey)) == 1
    assert respondent.complaints() == []


def test_which_sections_were_drawn_shows_in_the_columns_and_nowhere_else(site, wire, respondent, survey):
    """With the words scripted: the requests of two sets are as many, in one order, and as long."""
    seen = []
    for person, (word, drawn) in enumerate(((0, SETS[0]), (2**31, SETS[1]))):
        another_window(respondent.browser)
        respondent.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        script(respondent.browser, word, person)  # 0 and 1 give the same reports, but not the same receipt
        start = len(wire.requests)
        respondent.visit(f"{wire.address}/s/{survey}")
        assert respondent.session()["set"] == drawn
        loaded = len(wire.requests)
        respondent.answer_all([1] * len(asked_of(drawn)))
        respondent.send()
        (post,) = wire.requests[loaded:]  # all else was loaded before the draw could matter
        seen.append(([(r.method, r.target, r.head) for r in wire.requests[start:loaded]], post))
    (before, post), (other_before, other) = seen
    assert (Counter(before) - Counter(other_before), Counter(other_before) - Counter(before)) == ({}, {})
    assert (post.target, post.head, len(post.body)) == (other.target, other.head, len(other.body))
    fields, others = parse_qsl(post.body), parse_qsl(other.body)
    assert [name for name, _ in fields] == ["fingerprint", "receipt", *COLUMNS]
    differing = [name for (name, value), (_, another) in zip(fields, others, strict=True) if value != another]
    assert differing == ["receipt", "nights", "rent"]


def test_a_copy_of_a_tab_is_asked_the_same(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    drawn = respondent.session()["set"]
    for _ in range(4):
        open_tab(respondent.browser)
        copy = Respondent(respondent.browser)
        copy.wait_for("welcome")
        assert copy.session()["set"] == drawn
