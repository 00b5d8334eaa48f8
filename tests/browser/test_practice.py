"""The practice survey, from its introduction to what comes next."""

import json
import sqlite3
from contextlib import closing

import pytest
from conftest import GOOD_PRACTICE, check_for_everybody, serving, show_at

SAID = {
    "en": (
        "Nothing you send here is stored.",
        "thrown away at once",
        "See how it works",
        "To the front page",
    ),
    "ko": ("아무것도 저장되지 않습니다.", "곧바로 버렸습니다", "원리 알아보기", "첫 화면으로"),
}


RINGED = """
const crowd = document.querySelector("#practice-crowd");
crowd.scrollIntoView();
const outer = crowd.querySelector(".dot:has(.ring) .outer");
const heads = [...crowd.querySelectorAll(".crowd-heads p")];
const [yes, no] = heads.map((head) => Number(head.textContent.match(/\\d+/)));
const shown = (look) => crowd.querySelectorAll(`.dot .outer.${look}`).length;
const there = shown("yes") === yes && shown("no") === no;
return there && [["yes", "no"].find((look) => outer.classList.contains(look)), yes + no];
"""
"""How the ringed dot of the crowd looks, and of how many people the words speak, once all dots show it."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of its own with one open survey: whatever changes in its database, a visit has changed."""
    with serving(tmp_path_factory.mktemp("practice")) as site:
        site.publish("exams", ("spinner_coin", 1.0))
        yield site


def answer(respondent):
    """Answer each of its questions, and see each result before the next."""
    for answers in ((1,), (0,), (3,), (0, 2)):
        for answer in answers:
            respondent.choose(answer)
        respondent.use()
    respondent.enter(7)
    respondent.use()
    respondent.wait_for("review")


def stored(site):
    """Give all that the database holds."""
    with closing(sqlite3.connect(site.storage.path)) as database:
        return set(database.iterdump())


@pytest.mark.parametrize("language", SAID)
def test_it_can_be_gone_through_and_nothing_is_stored(site, respondent, wire, language):
    notice, thanks, learn, front = SAID[language]
    show_at(respondent.browser, "light", 390)
    before = stored(site)
    respondent.visit(f"{wire.address}/try?language={language}")
    assert notice in respondent.text(".practice")
    check_for_everybody(respondent, GOOD_PRACTICE)
    respondent.consent()
    answer(respondent)
    assert wire.posts == [], "nothing is sent before each result was seen"
    respondent.send()
    (boxes,) = (codes for codes in respondent.sent().values() if len(codes) > 1)
    assert sorted(boxes)[1:] == [2, 2, 2], "one box is drawn"
    assert thanks in respondent.text("main .lede")
    ringed = respondent.until(lambda: respondent.browser.execute_script(RINGED))
    assert ringed == [["no", "yes"][respondent.sent()["copied"][0]], 200]
    assert notice in respondent.text(".practice")
    check_for_everybody(respondent, GOOD_PRACTICE)
    links = respondent.browser.find_elements("css selector", "#practice-ways a")
    assert {each.text: each.get_attribute("href") for each in links if each.text} == {
        learn: f"{wire.address}/learn?language={language}",
        front: f"{wire.address}/?language={language}",
    }
    assert [post.target for post in wire.posts] == ["/try"]
    assert stored(site) ^ before == set()
    assert respondent.complaints() == []
    assert json.loads(respondent.kept()) == [[], [], ""]


def test_it_changes_its_language_as_a_whole_and_can_be_tried_again(site, respondent):
    english, korean = (SAID[language][0] for language in ("en", "ko"))
    respondent.visit(f"{site.address}/try?language=ko")
    assert korean in respondent.text(".practice")
    respondent.click("#languages [lang=en]")
    assert english in respondent.text(".practice")
    assert korean not in respondent.text("body")
    respondent.consent()
    answer(respondent)
    respondent.send()
    assert respondent.until(lambda: "as often as you like" in respondent.text("main"))
    assert SAID["en"][2] in respondent.text("#practice-ways")
    respondent.browser.refresh()
    respondent.wait_for("welcome")
    assert not respondent.find("#main").find_elements("css selector", "#practice-ways:not([hidden])")
