"""Choices, as a visitor tries them: with the chances of the product's exponential mechanism."""

from __future__ import annotations

import math
import re

import pytest
from pages import Lesson
from plots import laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from survey.mechanisms import exponential, wheel

NAMES = ("never", "rarely", "weekly", "often", "daily")
ABOVE, BELOW = "[data-show=result] figure:first-of-type", "[data-show=result] figure:last-of-type"
SCALES = "details.why:has([data-show=scales-result])"


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "choices")
    laid_out(lesson)
    return lesson


def table(lesson, place):
    """Name of a row -> its numbers; none where there is a dash."""
    return {
        name: [float(cell.rstrip("%")) if cell != "–" else None for cell in cells]
        for name, *cells in lesson.cells(place)
    }


def move(lesson, which, *keys):
    """Move one of the two answers, 0 for a and 1 for a′."""
    handle = lesson.find(ABOVE).find_elements(By.CSS_SELECTOR, ".handle")[which]
    lesson.browser.execute_script("arguments[0].focus()", handle)
    lesson.press(*keys)
    return handle.get_attribute("aria-valuetext")


def test_every_option_comes_out_as_often_as_the_product_draws_it(lesson):
    lesson.unfold(f"{BELOW} .plot-table")
    for epsilon in ("1", "3"):
        lesson.paste("epsilon", epsilon)
        chances = exponential(5, float(epsilon)).probabilities
        shown = table(lesson, f"{BELOW} .plot-table")
        assert tuple(shown) == NAMES
        for option, (mine, twice, other, ratio) in enumerate(shown.values()):
            assert mine == pytest.approx(100 * chances[1, option], abs=0.051)
            deviation = math.sqrt(100 * chances[1, option] * (1 - chances[1, option]))
            assert twice == pytest.approx(2 * deviation, abs=0.051)
            assert other == pytest.approx(100 * chances[4, option], abs=0.051)
            assert ratio == pytest.approx(chances[1, option] / chances[4, option], abs=5.1e-4)


def test_the_bound_is_reached_by_the_two_ends_and_with_the_textbook_scale_by_none(lesson):
    assert move(lesson, 0, Keys.HOME) == "never"
    assert move(lesson, 1, Keys.END) == "daily"
    lesson.unfold(f"{BELOW} .plot-table")
    shown = table(lesson, f"{BELOW} .plot-table")
    assert shown["never"][3] == pytest.approx(math.exp(2), abs=5.1e-4)
    assert shown["daily"][3] == pytest.approx(math.exp(-2), abs=5.1e-4)
    assert "above eε = 7.39." in lesson.text("[data-value=bound]")  # e^2 = 7.3891, rounded up

    lesson.click("label:has([name=scale][value=textbook])")
    wasted = exponential(5, 2.0).textbook_epsilon
    assert table(lesson, f"{BELOW} .plot-table")["never"][3] == pytest.approx(math.exp(wasted), abs=5.1e-4)
    assert wasted == pytest.approx(1, abs=1e-6)
    assert "above eε = 7.39." in lesson.text("[data-value=bound]")


def test_the_best_comes_out_most_often_and_others_do_too(lesson):
    lesson.act("draw")
    words = lesson.text("[data-value=drawn]")
    best, others = (int(n) for n in re.findall(r"draws, (\d+) were “rarely” and (\d+)", words)[0])
    assert best + others == 100
    chance = exponential(5, 2.0).probabilities[1, 1]
    assert abs(best - 100 * chance) <= 6 * math.sqrt(100 * chance * (1 - chance))
    dots = "return [...document.querySelectorAll(arguments[0])].map((each) => each.getBBox())"
    drawn = lesson.browser.execute_script(dots, f"{ABOVE} .point.accent")
    bands = lesson.browser.execute_script(dots, f"{ABOVE} .whisker")
    assert len(drawn) == len(bands) == 5
    middles = [dot["y"] + dot["height"] / 2 for dot in drawn]
    inside = sum(band["y"] <= y <= band["y"] + band["height"] for y, band in zip(middles, bands, strict=True))
    assert f"Of the five counts, {inside} are within two standard errors." in words
    move(lesson, 0, Keys.END)  # drawn for another answer: gone
    assert lesson.browser.find_element(By.CSS_SELECTOR, "[data-value=drawn]").text == ""
    assert not lesson.has(f"{ABOVE} .point.accent")

    lesson.act("once")
    name, away = re.match(r"“(\w+)” came out, (.*)\.", lesson.text("[data-value=drawn]")).groups()
    steps = 4 - NAMES.index(name)
    assert away == {0: "the best", 1: "one step from the best"}.get(steps, f"{steps} steps from the best")
    assert len(lesson.browser.find_elements(By.CSS_SELECTOR, f"{ABOVE} .point.accent")) == 1


def test_the_axes_stand_still_and_the_address_keeps_the_answers(lesson, browser):
    script = """return [...document.querySelectorAll("[data-show=result] .plot :is(.tick, .axis, .grid)")]
      .map((each) => each.outerHTML).join("")"""
    before = browser.execute_script(script)
    for epsilon in ("0.2", "3"):
        lesson.paste("epsilon", epsilon)
        assert move(lesson, 0, Keys.ARROW_RIGHT) in ("weekly", "often")
        assert browser.execute_script(script) == before
    lesson.until(lambda: "answer=4" in browser.current_url)
    browser.refresh()
    lesson.find("section.trial input")
    assert "best option, “often”" in lesson.text("[data-value=bound]")


def test_a_table_shows_what_both_scales_and_the_wheel_lose_and_keep(lesson):
    lesson.unfold(SCALES)
    lesson.paste("options", "4")
    lesson.paste("options_epsilon", "2")
    channel = exponential(4, 2.0)
    shown = table(lesson, "[data-value=scales]")
    assert shown["Tight"][:3] == pytest.approx(
        [channel.scale, 2, 100 * channel.probabilities[1, 1]], abs=0.051
    )
    keeps = 100 * wheel(4, 2.0).probabilities[1, 1]
    assert shown["The wheel instead"][1:3] == pytest.approx([2, keeps], abs=0.051)
    assert keeps > shown["Tight"][2]  # it adds nothing either, but keeps the best less often
    scale, loss = shown["Textbook"][:2]
    assert scale == pytest.approx(channel.textbook_scale, abs=5.1e-5)
    assert 0 <= loss - channel.textbook_epsilon + 1e-8 < 1e-3  # a loss is rounded up
    lesson.paste("options", "2")
    lesson.paste("options_epsilon", "10")
    kept = table(lesson, "[data-value=scales]")["Tight"][2]
    assert kept == pytest.approx(100 * exponential(2, 10.0).probabilities[0, 0], abs=1e-4)
    assert kept < 100  # a sure one is not rounded to all
    assert lesson.complaints() == []
