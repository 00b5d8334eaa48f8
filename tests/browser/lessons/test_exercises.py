"""The exercises of a lesson: a button changes their numbers, and the address keeps these."""

from __future__ import annotations

import pytest
from pages import Lesson
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

SET = "[data-value=set]"
ASKED = "[data-exercise=one] > p"


@pytest.fixture
def lesson(browser):
    return Lesson(browser)


def asked(lesson):
    return [each.text for each in lesson.browser.find_elements(By.CSS_SELECTOR, "[data-exercise] > p")]


def test_the_keyboard_unfolds_the_exercises_and_changes_their_numbers_which_the_address_keeps(
    site, browser, lesson
):
    lesson.visit(site, "suspicion")
    lesson.paste("prior", "37")
    lesson.until(lambda: browser.current_url.endswith("#prior=37"))
    browser.execute_script("document.querySelector('.exercises > summary').focus()")
    lesson.press(Keys.ENTER)
    first = asked(lesson)
    assert "a 20% chance" in first[0]
    assert lesson.text(SET).startswith("Set 1 of 100.")
    solution = lesson.find("[data-exercise=one] summary")
    solution.click()
    assert "20/80 =" in lesson.text("[data-exercise=one] details")
    browser.execute_script("document.querySelector('.exercises > summary').focus()")
    lesson.press(Keys.TAB)
    assert browser.switch_to.active_element.text == "Other numbers"
    lesson.press(Keys.ENTER)
    assert lesson.text(SET).startswith("Set 2 of 100.")
    second = asked(lesson)
    assert all(before != after for before, after in zip(first, second, strict=True))
    assert solution.find_element(By.XPATH, "..").get_attribute("open") is None  # it would be read too soon
    lesson.until(lambda: browser.current_url.endswith("#prior=37&numbers=2"))

    browser.refresh()
    lesson.until(lambda: asked(lesson) == second)
    assert browser.find_element(By.ID, "control-prior").get_attribute("value") == "37"
    lesson.until(lambda: browser.execute_script("return scrollY") > 0)
    browser.execute_script("scrollTo(0, 0)")
    lesson.find(".languages a[lang=ko]").click()
    lesson.until(lambda: "50%" in lesson.text(ASKED) and "가능성" in lesson.text(ASKED))
    assert browser.current_url.endswith("#prior=37&numbers=2")


def test_a_simulation_keeps_its_run_and_the_numbers_in_one_address(site, browser, lesson):
    browser.get(f"{site.address}/learn/simulation#numbers=99")
    lesson.until(lambda: lesson.text(SET).startswith("Set 99 of 100."))
    assert not browser.find_element(By.CSS_SELECTOR, "[data-value=unread]").is_displayed()
    lesson.act("numbers")
    lesson.paste("respondents", "321")
    lesson.until(lambda: "respondents=321" in browser.current_url)
    assert "numbers=100&epsilon=" in browser.current_url
    lesson.act("numbers")  # after the last set comes the first
    lesson.until(lambda: "numbers=1&epsilon=" in browser.current_url)
    assert "respondents=321" in browser.current_url
    assert lesson.text(SET).startswith("Set 1 of 100.")


def test_an_address_that_asks_for_no_set_gets_the_first_and_is_told(site, browser, lesson):
    for place, wanted in enumerate(("0", "101", "2.5", "many", "")):
        # Of the same page at another address: after the # alone, it would not be loaded again.
        browser.get(f"{site.address}/learn/suspicion?language=en&{place}#numbers={wanted}")
        lesson.until(lambda wanted=wanted: f"“{wanted}”" in lesson.text(SET))
        assert "from 1 to 100" in lesson.text(SET)
        assert "a 20% chance" in lesson.text(ASKED)


def test_paper_shows_the_set_and_no_button(site, browser, lesson):
    browser.get(f"{site.address}/learn/counts?language=en#numbers=7")
    lesson.until(lambda: lesson.text(SET).startswith("Set 7"))
    try:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert not browser.find_element(By.CSS_SELECTOR, "[data-action=numbers]").is_displayed()
        assert lesson.text(SET).startswith("Set 7")
        assert "16 published counts" in lesson.text(ASKED)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
