"""The lesson about suspicion, as a visitor tries it: the product computes the same beliefs and stakes."""

from __future__ import annotations

import math
import re
from itertools import product

import pytest
from conftest import show_at
from pages import Lesson
from plots import collisions, commands, laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from theory.suspicion import posterior

from survey.mechanisms import spinner_coin
from survey.privacy import bounds

ROUNDED = 0.1001
"""The page says tenths, "at most" rounded up and "at least" rounded down."""


LABELS = "return [...document.querySelectorAll('.plot .plot-label')].map((label) => label.textContent)"
SET = """
for (const [name, value] of Object.entries(arguments[0])) {
  const field = document.getElementById(`control-${name}`);
  field.value = value;
  field.dispatchEvent(new Event("input"));
}"""
"""Type into fields, all at once."""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "suspicion")
    laid_out(lesson)
    return lesson


def numbers(words):
    """The numbers in a piece of text."""
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", words)]


def believed(lesson):
    """Before, epsilon, at least and at most, in percent."""
    before, epsilon, low, high = numbers(lesson.text("[data-value=believed]"))
    return before, epsilon, low, high


def stakes(lesson, row):
    """What a fair bet puts on yes and on no, and the odds."""
    yes, first, second, no = numbers(lesson.text(f"[data-row={row}] .stake-sides"))
    return yes, no, first / second if second else math.inf


def test_a_belief_moves_as_far_as_the_bounds_and_the_stakes_with_it(lesson):
    assert believed(lesson) == (50, 1.0986, 25, 75)  # as the answer to the guess says

    lesson.paste("prior", "30")
    before, _, low, high = believed(lesson)
    least, most = bounds(0.3, math.log(3))
    assert before == 30
    assert 100 * most <= high + 1e-2  # 1.0986 was typed for ln 3
    assert high == pytest.approx(100 * most, abs=ROUNDED)
    assert low == pytest.approx(100 * least, abs=ROUNDED)

    lesson.paste("epsilon", "1")
    channel = spinner_coin(1.0)
    after_no, after_yes = posterior(channel, [0.7, 0.3])[:, 1]
    for row, belief in (("before", 0.3), ("yes", after_yes), ("no", after_no)):
        yes, no, odds = stakes(lesson, row)
        assert (yes, no) == pytest.approx((100 * belief, 100 * (1 - belief)), abs=ROUNDED)
        assert odds == pytest.approx(belief / (1 - belief), rel=0.01)
    assert lesson.complaints() == []


def test_what_the_words_say_of_even_odds_is_so(lesson):
    said = lesson.text(".so-what")
    assert re.search(r"ln 3, a recorded Yes turns 50% into 75%,", said)
    assert round(100 * bounds(0.5, math.log(3))[1], 9) == 75
    assert "ε = 6 it turns 50% into more than 99%," in said
    assert bounds(0.5, 6.0)[1] > 0.99


def test_the_bet_and_the_bounds_are_written_with_the_same_figures(lesson):
    """A recorded Yes moves a belief to the upper bound, and a recorded No to the lower one."""
    for epsilon in ["0.05", "1", "6"]:
        for prior in ["10", "50"]:
            lesson.paste("epsilon", epsilon)
            lesson.paste("prior", prior)
            *_, low, high = believed(lesson)
            assert stakes(lesson, "yes")[0] == high
            assert stakes(lesson, "no")[0] == low
            assert sum(stakes(lesson, "yes")[:2]) == pytest.approx(100)


def test_the_picture_has_the_chosen_curves_and_a_point_to_move(lesson, browser):
    lesson.click("[name=compared][value='ln 3']")
    lesson.click("[name=compared][value='4']")
    lesson.click(".plot-table summary")
    head = [cell.text for cell in lesson.find(".plot-table").find_elements(By.CSS_SELECTOR, "thead th")]
    assert head[1:] == ["ε = 0.5", "ε = 1.0986", "ε = ln 3", "ε = 2"]
    prior, *cells = lesson.cells(".plot-table")[5]
    assert (prior, cells[2]) == ("50", "25 to 75")
    for cell, epsilon in zip(cells, (0.5, math.log(3), math.log(3), 2.0), strict=True):
        expected = [100 * belief for belief in bounds(0.5, epsilon)]
        assert numbers(cell) == pytest.approx(expected, abs=ROUNDED)

    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_LEFT)
    assert browser.find_element(By.ID, "control-prior").get_attribute("value") == "49"
    assert handle.get_attribute("aria-valuetext").startswith("49% before")
    assert believed(lesson)[0] == 49

    ActionChains(browser).drag_and_drop_by_offset(handle, -500, 0).perform()
    assert handle.get_attribute("aria-valuenow") == "0"
    assert "certain" in lesson.text("[data-value=believed]")  # who is certain learns nothing
    assert stakes(lesson, "yes")[:2] == (0, 100)
    lesson.press(Keys.END)
    assert "certain" in lesson.text("[data-value=believed]")
    assert stakes(lesson, "no")[:2] == (100, 0)


def test_an_address_carries_the_curves_that_are_compared(lesson, browser):
    lesson.click("[name=compared][value='ln 3']")
    lesson.click("[name=compared][value='0.5']")
    lesson.until(lambda: "compared=ln+3%2C2%2C4" in browser.current_url)
    browser.refresh()
    lesson.find("[name=compared]")
    boxes = browser.find_elements(By.CSS_SELECTOR, "[name=compared]:checked")
    assert [box.get_attribute("value") for box in boxes] == ["ln 3", "2", "4"]
    assert lesson.complaints() == []


def test_the_numbers_of_the_sentence_can_be_moved_where_they_stand(lesson, browser):
    belief, epsilon = browser.find_elements(By.CSS_SELECTOR, "[data-value=believed] [role=slider]")
    ActionChains(browser).drag_and_drop_by_offset(belief, 60, 0).perform()
    moved = believed(lesson)[0]
    assert moved > 50
    assert float(browser.find_element(By.ID, "control-prior").get_attribute("value")) == moved
    browser.execute_script("arguments[0].focus()", epsilon)
    lesson.press(Keys.END)
    assert believed(lesson)[1] == 6
    assert believed(lesson)[3] == pytest.approx(100 * bounds(moved / 100, 6.0)[1], abs=ROUNDED)


def test_nobody_becomes_certain_by_rounding(lesson):
    lesson.paste("prior", "99")
    lesson.paste("epsilon", "6")
    after = bounds(0.99, 6.0)[1]
    assert stakes(lesson, "yes")[:2] == pytest.approx((100 * after, 100 * (1 - after)), abs=5.1e-5)
    assert 100 * after <= believed(lesson)[3] < 100
    lesson.paste("prior", "0.0001")
    before, _, low, high = believed(lesson)
    assert (before, low) == (0.0001, pytest.approx(100 * bounds(1e-6, 6.0)[0], rel=0.05))
    assert low <= 100 * bounds(1e-6, 6.0)[0]
    assert high == pytest.approx(100 * bounds(1e-6, 6.0)[1], rel=0.05)
    assert stakes(lesson, "before")[:2] == (0.0001, 99.9999)
    lesson.paste("prior", "1e-298")
    assert "at under 0.000000000001%" in lesson.text("[data-value=believed]")
    assert "1 : over 1,000,000,000,000" in lesson.text("[data-row=before]")
    assert lesson.complaints() == []


def test_every_curve_can_be_told_from_the_others(lesson, site, browser):
    for width, language in ((1280, "en"), (320, "ko")):
        show_at(browser, "light", width)
        lesson.visit(site, "suspicion", language)
        laid_out(lesson)
        browser.execute_script(
            "document.querySelectorAll('[name=compared]:not(:checked)').forEach((box) => box.click())"
        )
        for prior, epsilon in product(("0", "50", "99"), ("1.0986", "0.05", "6")):
            browser.execute_script(SET, {"prior": prior, "epsilon": epsilon})
            assert collisions(lesson) == [], (prior, epsilon)
            labels = browser.execute_script(LABELS)
            assert set(labels) >= {"0.5", "1", "ln 3", "2", "4"}
            assert labels.count("2") == 1 or prior == "0"
        looks = [curve.get_attribute("class") for curve in browser.find_elements(By.CSS_SELECTOR, ".curve")]
        compared = [
            look
            for look in looks
            if look not in ("curve soft dash-0", "curve soft dash-2", "curve ink dash-0")
        ]
        assert len(compared) == 12
        assert len(set(compared)) == 6  # an upper and a lower curve each
        assert commands(lesson) == []
        assert "^" not in lesson.text("main")  # powers are raised


def test_a_prior_or_an_epsilon_that_there_is_not_is_refused_at_its_field(lesson, browser):
    before = believed(lesson)
    for name, typed, good in (("prior", "101", "50"), ("prior", "-3", "50"), ("epsilon", "0", "1.0986")):
        browser.execute_script(SET, {name: typed})
        field = browser.find_element(By.ID, f"control-{name}")
        assert field.get_attribute("aria-invalid") == "true"
        assert f"{typed} is outside" in lesson.text(f"#{field.get_attribute('aria-describedby')}")
        assert believed(lesson) == before
        assert lesson.has("[data-show=result].stale")
        lesson.paste(name, good)
        assert not lesson.has(".stale")
