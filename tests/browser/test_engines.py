"""The engines of Safari, which iPhones have, and of Firefox: each demo, an invitation, a lesson, pictures."""

from __future__ import annotations

import pytest
from formulas import SIZE, accent_gap
from other_browsers import firefox, webkit
from pages import Lesson, Respondent
from pictures import MOUNT, SURVEYS, TURN, faults, survey

from server.store import invitations

ASKED = "return [...document.querySelectorAll('section.question')].map((each) => each.dataset.question)"
INVITED = "workplace"
"""The demo that is walked through by somebody who was invited."""

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
