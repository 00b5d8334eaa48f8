"""Noise, as a visitor tries it: its scales and chances are those of the product's mechanisms."""

from __future__ import annotations

import math
import re

import pytest
from conftest import show_at
from pages import Lesson
from plots import collisions, commands
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from survey.mechanisms import exponential, gaussian, hybrid, laplace, one_bit
from survey.mechanisms.gaussian_mechanism import continuous_sigma


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "noise")
    return lesson


def table(lesson, place):
    """Name of a row -> its numbers; what is not one is left out."""
    found = {}
    for row in lesson.find(place).find_elements(By.CSS_SELECTOR, "tbody tr"):
        name, *cells = [cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
        found[name] = [
            float(cell.replace(",", "").replace("−", "-").rstrip("%")) for cell in cells if cell != "–"
        ]
    return found


def test_one_number_shows_the_scales_of_the_product_and_a_hundred_draws(lesson):
    for name, value in (("range", "10"), ("epsilon", "0.5"), ("delta", "0.00001"), ("respondents", "400")):
        lesson.enter(name, value)
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
    shown = table(lesson, "[data-show=result] [data-value=table]")
    assert shown.keys() == expected.keys()
    for name, numbers in expected.items():
        assert shown[name] == pytest.approx([*numbers, numbers[-1] / 20], rel=1e-3)
    # Both of the product's are near these: on a lattice, and folded at the ends of the grid.
    assert gaussian_noise.sigma == pytest.approx(sigma, rel=0.004)
    assert math.sqrt(laplace(*grid, 0.5).variances.max()) < 20 * math.sqrt(2)

    saved = 100 * (1 - sigma / gaussian_noise.classical_sigma)
    assert f"a saving of {saved:.1f}%" in lesson.text("[data-value=saving]")
    assert "not proved" not in lesson.text("[data-value=saving]")
    lesson.enter("epsilon", "10")
    assert "would break the promise" in lesson.text("[data-value=saving]")
    assert "not proved" in lesson.text("[data-value=saving]")

    lesson.act("draw")
    assert len(lesson.browser.find_elements(By.CSS_SELECTOR, ".noise-draw.ink")) > 90
    beyond = [int(n) for n in re.findall(r"(\d+) of the", lesson.text("[data-value=drawn]"))]
    assert len(beyond) == 2
    assert beyond[0] < 20  # e^-10 each: a fifth of them never


def test_an_ordered_choice_shows_the_chances_of_the_product_and_what_the_classical_scale_loses(lesson):
    lesson.enter("choices", "4")
    lesson.enter("choice_epsilon", "2")
    channel = exponential(4, 2.0)
    kept = channel.probabilities[1, 1]
    shown = table(lesson, "[data-value=scales]")
    assert shown["Solved"][:3] == pytest.approx([channel.scale, 2, 100 * kept], abs=0.051)
    assert shown["Classical"][:2] == pytest.approx(
        [channel.textbook_scale, channel.textbook_epsilon], abs=5.1e-4
    )

    lesson.find("[data-show=choice-result] .plot-table summary").click()
    chances = table(lesson, "[data-show=choice-result] .plot-table")
    assert chances.keys() == {"1", "2", "3", "4"}
    for report, (score, solved, _) in chances.items():
        assert score == -abs(int(report) - 2)
        assert solved == pytest.approx(100 * channel.probabilities[1, int(report) - 1], abs=0.051)

    handle = lesson.find("[data-show=choice-result] .handle")
    lesson.browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.END)
    assert handle.get_attribute("aria-valuetext") == "4"
    assert table(lesson, "[data-value=scales]")["Solved"][2] == pytest.approx(
        100 * channel.probabilities[3, 3], abs=0.051
    )
    lesson.enter("choices", "3")  # the answer was beyond the last choice: it becomes the last
    assert handle.get_attribute("aria-valuetext") == "3"


def test_fifty_counts_ask_for_gaussian_noise_and_one_for_laplace_noise(lesson):
    words = lesson.text("[data-value=counts]")
    sigma = continuous_sigma(1.0, 1e-6)
    assert "L2 sensitivity 7.07" in words
    assert f"{50 * math.sqrt(2):.2f}, Gaussian noise {sigma * math.sqrt(50):.2f}" in words
    first = next(k for k in range(1, 100) if sigma * math.sqrt(k) < math.sqrt(2) * k)
    assert f"From {first} counts on" in words
    lesson.enter("counts_epsilon", "0.05")
    lesson.enter("counts_delta", "0.1")
    assert "even for one count" in lesson.text("[data-value=counts]")


def test_what_cannot_be_used_is_explained_at_its_field(lesson):
    before = lesson.text("[data-value=saving]")
    for name, typed, said in (
        ("epsilon", "0", "0 is outside"),
        ("respondents", "0", "0 is outside"),
        ("respondents", "2.5", "2.5 is not whole"),
        ("delta", "1", "1 is outside"),
        ("range", "wide", "“wide”"),
    ):
        field = lesson.find(f"#control-{name}")
        good = field.get_attribute("value")
        lesson.enter(name, typed)
        assert said in lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert lesson.text("[data-value=saving]") == before
        assert lesson.has("[data-show=result].stale")
        lesson.enter(name, good)
        assert not lesson.has(".stale")
    assert lesson.complaints() == []


def test_small_numbers_and_sure_ones_are_not_rounded_to_none_and_all(lesson):
    for name, value in (("range", "1"), ("epsilon", "10"), ("respondents", "1000000")):
        lesson.enter(name, value)
    shown = table(lesson, "[data-show=result] [data-value=table]")
    assert shown["Laplace"] == pytest.approx([0.1, math.sqrt(2) / 10, math.sqrt(2) / 10_000], rel=1e-3)
    lesson.enter("choices", "2")
    lesson.enter("choice_epsilon", "10")
    kept = table(lesson, "[data-value=scales]")["Solved"][2]
    assert kept == pytest.approx(100 * exponential(2, 10.0).probabilities[0, 0], abs=1e-4)
    assert kept < 100
    lesson.enter("counts", "1")
    assert lesson.text("[data-value=counts]").startswith("1 count: both sensitivities are 1.00.")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_words_of_a_picture_stand_on_each_other(lesson, site, browser, language):
    for width in (1280, 320):
        show_at(browser, "light", width)
        lesson.visit(site, "noise", language)
        assert "Below" not in lesson.text("[data-show=result] figcaption")  # nothing is drawn yet
        for epsilon, counts in (("1", "1"), ("10", "3"), ("0.05", "0.2")):
            lesson.enter("epsilon", epsilon)
            lesson.enter("counts_epsilon", counts)
            assert (width, epsilon, collisions(lesson)) == (width, epsilon, [])
        assert commands(lesson) == []
        assert "^" not in lesson.text("main")  # powers are raised
    lesson.act("draw")
    assert lesson.text("[data-show=result] figcaption").count(".") == 2
