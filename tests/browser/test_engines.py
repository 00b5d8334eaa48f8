"""The engines of Safari, which iPhones have, and of Firefox: demos and the rest, a lesson, pictures."""

from __future__ import annotations

import pytest
from conftest import definition
from formulas import SIZE, accent_gap
from other_browsers import firefox, webkit
from pages import Lesson, Respondent
from pictures import MOUNT, SURVEYS, TURN, faults, options, survey
from test_kinds import LINKED, QUESTIONS, answer, questions
from test_survey_pictures import PICTURES, section

from server.store import invitations, pictures, surveys
from survey.read_definition import from_dict

ASKED = "return [...document.querySelectorAll('section.question')].map((each) => each.dataset.question)"
INVITED = "workplace"
"""The demo that is walked through by somebody who was invited."""

WORDING = {"en": "What?", "ko": "무엇?"}
SCALE = {"kind": "choice", "mechanism": "wheel", "options": options(3), "epsilon": 1.0, "matrix": "scale"}
NO_DEMO_HAS = [
    {"id": "spun", "mechanism": "spinner", "epsilon": 1.0, "help": {"en": "It *is* so.", "ko": "*그렇다*."}},
    {"id": "around", "kind": "choice", "mechanism": "cyclic", "options": options(13), "epsilon": 1.0},
    {"id": "line_1", "matrix_wording": WORDING} | SCALE,
    {"id": "line_2"} | SCALE,
]
"""Besides those that `test_kinds` has, and a picture; lines on one scale stand on one screen."""

PRESS_AND_PAUSE = """
document.querySelector("[data-action=once]").click();
const turning = document.getAnimations();
for (const each of turning) each.pause();
return turning.length;
"""
"""Spin once, and stop everything in its first moment, so that however slow the machine is it still turns."""


@pytest.fixture(scope="session", params=[webkit, firefox])
def browser(request, tmp_path_factory):
    """Open the browser, without a window that anybody sees."""
    with request.param(tmp_path_factory.mktemp("profile")) as browser:
        browser.set_script_timeout(60)
        yield browser


@pytest.mark.parametrize("slug", sorted({*SURVEYS} - {"pictures", INVITED}))
def test_a_walk_through_each_demo(site, browser, slug):
    fresh = site.fresh(slug)
    site.open(survey(slug) | {"slug": fresh})
    respondent = Respondent(browser)
    respondent.mouse = True
    respondent.visit(f"{site.address}/s/{fresh}")
    respondent.consent()
    asked = browser.execute_script(ASKED)
    for name in asked:
        among = f"[data-question={name}] "
        if respondent.has(f"{among}input.number"):
            respondent.enter(0, among)
        else:
            respondent.choose(1, among)
    respondent.send()
    assert list(respondent.sent()) == asked
    assert len(site.rows(fresh)) == 1


def test_a_walk_through_all_that_no_demo_has_with_each_result_seen_first(site, browser):
    slug = site.fresh("rest")
    asked = [
        *section("red")["questions"],
        *questions("ordered", "laplace", "gaussian", "hybrid"),
        *(each | {"wording": WORDING} for each in NO_DEMO_HAS),
    ]
    table = definition(slug, ()) | {"candor": 3, "sections": [{"id": "apart", "questions": asked}, LINKED]}
    del table["questions"]

    def work(db):
        draft = surveys.import_definition(db, from_dict(table, slug))
        pictures.add(db, draft.id, PICTURES["red"])
        surveys.open_survey(db, draft.id)

    site.storage.write(work)
    respondent = Respondent(browser)
    respondent.mouse = True
    respondent.visit(f"{site.address}/s/{slug}")
    browser.execute_script("window.matchMedia = () => ({ matches: true })")  # less motion
    respondent.find("[data-action=begin]:enabled")
    respondent.consent()
    names = [each["id"] for each in asked + LINKED["questions"]]
    for name in names:
        among = f"[data-question={name}] "
        respondent.find(f"{among}input")
        if name in QUESTIONS:
            answer(respondent, name, among)
        else:
            respondent.choose(1, among)
        if name == "red":
            assert browser.execute_script(
                "return document.querySelector('section.question img').naturalWidth"
            )
        if name not in ("line_1", "item_1"):
            respondent.find(".wheel-figure")
            respondent.act("lock")
    respondent.wait_for("review")
    respondent.send()
    assert list(respondent.sent()) == names
    assert len(site.rows(slug)) == 1


def test_somebody_who_is_invited_answers_in_korean(site, browser):
    slug = site.fresh("guests")
    site.open(survey(INVITED) | {"slug": slug, "invitations": "listed"})
    drawn = invitations.draw(1)
    hashes = [invitations.hash_of(each) for each in drawn]
    (token,) = site.storage.write(invitations.make, site.survey(slug).id, hashes).tokens(drawn)
    respondent = Respondent(browser)
    respondent.mouse = True
    respondent.visit(f"{site.address}/s/{slug}#i={token}")
    assert browser.current_url == f"{site.address}/s/{slug}"
    respondent.click("#languages [lang=ko]")
    assert "초대는 한 번만 쓸 수 있고" in respondent.text()
    respondent.consent()
    asked = browser.execute_script(ASKED)
    for name in asked:
        respondent.choose(0, f"[data-question={name}] ")
    respondent.send()
    assert list(respondent.sent()) == asked
    assert len(site.rows(slug)) == 1


def test_a_wheel_turns_in_a_lesson(site, browser):
    lesson = Lesson(browser)
    lesson.visit(site, "spinner-and-coin")
    assert browser.execute_script(PRESS_AND_PAUSE) > 1
    assert not lesson.has("[data-value=spun]:not(:empty)")
    browser.execute_script("for (const each of document.getAnimations()) each.finish()")
    assert "Recorded: " in lesson.text("[data-value=spun]:not(:empty)")


def test_words_in_a_picture_are_inside_it_and_apart(site, browser):
    fresh = site.fresh("pictures")
    site.open(survey("pictures") | {"slug": fresh})
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{fresh}")
    browser.execute_async_script(MOUNT)
    for width in (320, 1280):
        # No window can be as narrow as a phone here.
        browser.execute_script("document.body.style.width = `${arguments[0]}px`", width)
        for language in ("en", "ko"):
            browser.execute_script("pictures.choose(arguments[0])", language)
            assert faults(browser)[:20] == [], f"at {width} px, in {language}"
    browser.execute_script(TURN, 1700)
    assert faults(browser)[:20] == [], "in the middle of a turn"


@pytest.mark.parametrize("slug", ["two-coins", "noise"])
def test_one_sees_between_a_letter_and_its_hat_or_bar(site, browser, slug):
    browser.get(f"{site.address}/learn/{slug}")
    assert 0.05 * SIZE < accent_gap(browser) < 0.16 * SIZE
