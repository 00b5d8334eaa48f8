"""Noise for numbers, as a visitor tries it: its bounds and scales are those of the product's mechanisms."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from pages import Lesson
from plots import laid_out
from scipy.stats import laplace as continuous
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from survey.mechanisms import gaussian, hybrid, laplace, one_bit
from survey.mechanisms.gaussian_mechanism import continuous_sigma

OWN = "details.why:has([data-show=own-result])"
ABOVE, BELOW = "[data-show=result] figure:first-of-type", "[data-show=result] figure:last-of-type"


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "noise")
    laid_out(lesson)
    return lesson


def table(lesson, place):
    """Name of a row -> its numbers; what is not one is left out."""
    found = {}
    for name, *cells in lesson.cells(place):
        found[name] = [
            float(cell.replace(",", "").replace("−", "-").rstrip("%")) for cell in cells if cell != "–"
        ]
    return found


def test_two_totals_are_as_likely_within_the_bound_whatever_is_published(lesson):
    lesson.paste("distance", "6")
    lesson.paste("epsilon", "0.5")
    assert "b = Δ/ε = 6/0.5 = 12.00" in lesson.text("[data-value=published]")
    lesson.unfold(f"{BELOW} .plot-table")
    rows = table(lesson, f"{BELOW} .plot-table")
    for published, (mine, other, ratio) in rows.items():
        z = float(published)
        assert mine == pytest.approx(continuous.pdf(z, 106, 12), abs=5.1e-5)
        assert other == pytest.approx(continuous.pdf(z, 100, 12), abs=5.1e-5)
        expected = continuous.pdf(z, 106, 12) / continuous.pdf(z, 100, 12)
        assert ratio == pytest.approx(expected, abs=5.1e-4)
        assert ratio == pytest.approx(math.exp(0.5 if z >= 106 else -0.5), abs=5.1e-4) or 100 < z < 106
    assert rows["100"][2] < rows["102"][2] < rows["104"][2] < rows["106"][2]  # the ramp

    # Outward: e^0.5 = 1.6487 is at most 1.65, wherever it is written.
    assert "more than eε = 1.65 times" in lesson.text("[data-value=published]")
    assert {"at most 1.65", "at least 1/1.65"} <= set(labels(lesson, BELOW))


def labels(lesson, place):
    """The words in a picture."""
    return [each.text for each in lesson.find(place).find_elements(By.CSS_SELECTOR, ".plot-label")]


def test_the_reader_moves_the_two_totals_apart_and_reads_the_ratio_at_any_number(lesson):
    total, published = (lesson.find(f"{place} .handle") for place in (ABOVE, BELOW))
    lesson.browser.execute_script("arguments[0].focus()", total)
    lesson.press(Keys.END)
    assert lesson.find("#control-distance").get_attribute("value") == "8"
    assert "b = Δ/ε = 8/1 = 8.00" in lesson.text("[data-value=published]")
    lesson.browser.execute_script("arguments[0].focus()", published)
    lesson.press(Keys.HOME)
    assert "86.0 is 2.72 times as likely without you" in lesson.text("[data-value=published]")
    lesson.press(Keys.END)
    assert "118.0 is 2.72 times as likely with you" in lesson.text("[data-value=published]")
    for _ in range(14):
        lesson.press(Keys.PAGE_DOWN)  # a glass each
    assert "104.0 is as likely with you as without you" in lesson.text("[data-value=published]")

    # The address carries all of it.
    lesson.until(lambda: "published=104" in lesson.browser.current_url)
    lesson.browser.refresh()
    assert "104.0 is as likely with you as without you" in lesson.text("[data-value=published]")
    assert lesson.find("#control-distance").get_attribute("value") == "8"


AXES = """
const parts = document.querySelectorAll("[data-show=result] .plot :is(.tick, .axis, .grid)");
return [...parts].map((each) => each.outerHTML).join("");
"""
GHOSTS = "return document.querySelectorAll('[data-show=result] .ghost').length"


def pause(lesson):
    """Wait until what comes next is a change of its own: what is shown now stays behind as a ghost."""
    begun = lesson.browser.execute_script("return performance.now()")
    lesson.until(lambda: lesson.browser.execute_script("return performance.now()") > begun + 1000)


def test_the_axes_stand_still_and_what_was_before_stays_as_a_ghost(lesson):
    assert lesson.browser.execute_script(GHOSTS) == 0
    lesson.paste("epsilon", "0.5")
    before = lesson.browser.execute_script(AXES)
    assert len(before) > 1000
    pause(lesson)
    for name, value in (("epsilon", "0.2"), ("distance", "8"), ("epsilon", "1.5"), ("distance", "3")):
        lesson.paste(name, value)
        assert lesson.browser.execute_script(AXES) == before
    assert lesson.browser.execute_script(GHOSTS) == 3  # two densities and a ratio


OUTSIDE = """
const [ghost] = document.querySelectorAll("[data-show=own-result] .ghost");
const grid = document.querySelector("[data-show=own-result] .grid").getBBox();
const { y, height } = ghost.getBBox();
return [height > 0, y - (grid.y - grid.height)]; // the highest line of the grid is at least half way up
"""


def test_a_ghost_that_was_higher_stays_inside_the_picture(lesson):
    lesson.unfold(OWN)
    laid_out(lesson)
    lesson.paste("own_epsilon", "2")
    pause(lesson)
    lesson.paste("own_epsilon", "0.05")  # the noise was a fortieth as wide, and forty times as high
    drawn, room = lesson.browser.execute_script(OUTSIDE)
    assert drawn
    assert room >= 0


def test_words_stand_at_their_curves_also_where_both_gaussians_are_nearly_the_same(lesson):
    lesson.unfold(OWN)
    laid_out(lesson)
    lesson.paste("own_epsilon", "10")
    axis = "return document.querySelector('[data-show=own-result] .curve.soft.dash-0').getBBox().y"
    heights = {
        word.text: float(word.get_attribute("y"))
        for word in lesson.browser.find_elements(By.CSS_SELECTOR, "[data-show=own-result] .plot-label")
    }
    assert {"Laplace", "Gaussian, exact", "Gaussian, classical"} == set(heights)
    assert max(heights.values()) <= lesson.browser.execute_script(axis)


DOTS = """
const dots = document.querySelectorAll(`${arguments[0]} .noise-draw`);
return [...dots].map((each) => [each.cx.baseVal.value, each.cy.baseVal.value]);
"""


def test_a_hundred_draws_lie_under_the_curve_from_which_they_come(lesson):
    lesson.act("once")
    assert len(lesson.browser.execute_script(DOTS, ABOVE)) <= 1
    lesson.act("draw")
    dots = np.array(lesson.browser.execute_script(DOTS, ABOVE))
    # In the mean (e^-4.5 + e^-3.5)/2 of them are beyond the ends of the axis: hardly ever more than 20.
    outside = sum(int(each.strip("← →")) for each in labels(lesson, ABOVE) if set(each) & set("←→"))
    assert len(dots) + outside == 100
    assert outside <= 20
    left, right = lesson.browser.execute_script(
        "const {x, width} = document.querySelector(arguments[0]).getBBox(); return [x, x + width]",
        f"{ABOVE} .axis",
    )
    middle = left + (104 - 86) / 32 * (right - left)
    assert abs((dots[:, 0] < middle).sum() - len(dots) / 2) <= 3.1 * math.sqrt(len(dots))  # six deviations
    assert re.match(r"The noise has scale .* as likely with(out)? you", lesson.text("[data-value=published]"))


def test_one_number_of_ones_own_shows_the_scales_of_the_product_and_a_hundred_draws(lesson):
    lesson.unfold(OWN)
    laid_out(lesson)
    for name, value in (
        ("range", "10"),
        ("own_epsilon", "0.5"),
        ("delta", "0.00001"),
        ("respondents", "400"),
    ):
        lesson.paste(name, value)
    grid = (0, 10, 1)
    gaussian_noise = gaussian(*grid, 0.5, 1e-5)
    sigma = 10 * continuous_sigma(0.5, 1e-5)
    expected = {
        "Laplace": [20, 20 * math.sqrt(2)],
        "Gaussian, exact": [sigma, sigma],
        "Gaussian, classical": [gaussian_noise.classical_sigma] * 2,
        "One bit": [math.sqrt(one_bit(*grid, 0.5).variances.max())],
        "Hybrid": [math.sqrt(hybrid(*grid, 0.5).variances.max())],
    }
    shown = table(lesson, "[data-show=own-result] [data-value=table]")
    assert shown.keys() == expected.keys()
    for name, numbers in expected.items():
        assert shown[name] == pytest.approx([*numbers, numbers[-1] / 20], rel=1e-3)
    # Both of the product's are near these: on a lattice, and folded at the ends of the grid.
    assert gaussian_noise.sigma == pytest.approx(sigma, rel=0.004)
    assert math.sqrt(laplace(*grid, 0.5).variances.max()) < 20 * math.sqrt(2)

    saved = 100 * (1 - sigma / gaussian_noise.classical_sigma)
    assert f"a saving of {saved:.1f}%" in lesson.text("[data-value=saving]")
    assert "not proved" not in lesson.text("[data-value=saving]")
    lesson.paste("own_epsilon", "10")
    assert "would break the promise" in lesson.text("[data-value=saving]")
    assert "not proved" in lesson.text("[data-value=saving]")

    lesson.act("own-draw")
    assert len(lesson.browser.execute_script(DOTS, "[data-show=own-result]")) > 180
    beyond = [int(n) for n in re.findall(r"(\d+) of the", lesson.text("[data-value=own-drawn]"))]
    assert len(beyond) == 2
    assert beyond[0] < 20  # e^-10 each: a fifth of them never


def test_what_cannot_be_used_is_explained_at_its_field(lesson):
    lesson.unfold(OWN)
    before = lesson.text("[data-value=saving]")
    for name, typed, said in (
        ("own_epsilon", "0", "0 is outside"),
        ("respondents", "0", "0 is outside"),
        ("respondents", "2.5", "2.5 is not whole"),
        ("delta", "1", "1 is outside"),
        ("range", "wide", "“wide”"),
    ):
        field = lesson.find(f"#control-{name}")
        good = field.get_attribute("value")
        lesson.paste(name, typed)
        assert said in lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert lesson.text("[data-value=saving]") == before
        assert lesson.has("[data-show=own-result].stale")
        lesson.paste(name, good)
        assert not lesson.has(".stale")
    assert lesson.complaints() == []


def test_small_numbers_are_not_rounded_to_none(lesson):
    lesson.unfold(OWN)
    for name, value in (("range", "1"), ("own_epsilon", "10"), ("respondents", "1000000")):
        lesson.paste(name, value)
    shown = table(lesson, "[data-show=own-result] [data-value=table]")
    assert shown["Laplace"] == pytest.approx([0.1, math.sqrt(2) / 10, math.sqrt(2) / 10_000], rel=1e-3)


def test_the_draws_of_ones_own_number_are_described_once_there_are_some(lesson):
    lesson.unfold(OWN)
    assert "Below" not in lesson.text("[data-show=own-result] figcaption")
    lesson.act("own-draw")
    assert lesson.text("[data-show=own-result] figcaption").count(".") == 2
