"""The lesson on many counts: distances as NumPy gives them, noise as the product calibrates it."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from pages import Lesson
from plots import laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from server.language.catalogue import LANGUAGES, section
from survey.mechanisms import gaussian
from survey.mechanisms.gaussian_mechanism import continuous_sigma

SPIRAL = """
const [path, line] = [".way-walked", ".way-straight"].map((each) => document.querySelector(`.way ${each}`));
return [path.getTotalLength(), line.getTotalLength()];
"""
"""How long the way on foot is that is drawn, and the straight line."""

MAP = """
const [path, line] = [".way-walked", ".way-straight"].map((each) => document.querySelector(`.map ${each}`));
const corner = document.querySelector(".map-diamond").getBBox().width / 2;
const radius = Number(document.querySelector(".map-circle").getAttribute("r"));
return [path.getTotalLength(), line.getTotalLength(), corner, radius];
"""
"""The same on the map, and how far its diamond and its circle reach."""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "counts")
    laid_out(lesson)
    return lesson


def scrubbed(lesson, place):
    """One of the numbers in the sentence, with the focus on it."""
    number = lesson.browser.find_elements(By.CSS_SELECTOR, ".counts-promise .scrub")[place]
    lesson.browser.execute_script("arguments[0].focus()", number)
    return number


def test_fifty_counts_ask_for_gaussian_noise_and_one_for_laplace_noise(lesson):
    words = lesson.text("[data-value=counts]")
    sigma = continuous_sigma(1.0, 1e-6)
    assert f"{50 * math.sqrt(2):.2f}, Gaussian noise {sigma * math.sqrt(50):.2f}" in words
    first = next(k for k in range(1, 100) if sigma * math.sqrt(k) < math.sqrt(2) * k)
    assert first == 9
    assert f"From {first} counts on" in words
    lesson.paste("counts", "1")
    words = lesson.text("[data-value=counts]")
    assert words.startswith("1 count: ")
    found = [float(n) for n in re.findall(r"(?:of|noise) (\d+\.\d+)", words)]
    assert found == pytest.approx([math.sqrt(2), sigma], rel=1e-3)
    assert lesson.complaints() == []


def test_the_way_that_is_drawn_is_as_long_on_foot_and_straight_as_numpy_says(lesson):
    for counts in [1, 2, 50, 100]:
        lesson.paste("counts", str(counts))
        change = np.ones(counts)
        norms = [np.linalg.norm(change, 1), np.linalg.norm(change, 2)]
        assert lesson.browser.execute_script(SPIRAL) == pytest.approx(norms, rel=2e-3)
        assert f"straight: √{counts} = {norms[1]:.2f}" in lesson.text(".way-figure")
        assert f"on foot: {counts} step" in lesson.text(".way-figure")


def test_epsilon_and_delta_move_in_the_sentence(lesson, browser):
    delta = scrubbed(lesson, 1)
    lesson.press(Keys.END)
    assert delta.text == "10⁻¹"
    scrubbed(lesson, 0)
    lesson.press(Keys.HOME)
    assert "even for one count" in lesson.text("[data-value=counts]")
    lesson.press(*[Keys.ARROW_RIGHT] * 9)
    lesson.unfold("[data-show=result] .plot-table")
    sigma = continuous_sigma(0.5, 0.1)
    for counts, l1, l2, laplace, noise in lesson_rows(lesson):
        assert (l1, l2) == pytest.approx((counts, math.sqrt(counts)), abs=5.1e-3)
        assert laplace == pytest.approx(math.sqrt(2) * counts / 0.5, rel=1e-3)
        assert noise == pytest.approx(sigma * math.sqrt(counts), rel=1e-3)
    lesson.until(lambda: all(set_ in browser.current_url for set_ in ("epsilon=0.5", "delta_power=-1")))
    browser.refresh()
    lesson.find("#control-counts")
    assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".counts-promise .scrub")] == [
        "0.50",
        "10⁻¹",
    ]


def lesson_rows(lesson):
    """The rows of the table of noise, with the number of counts before them."""
    rows = lesson.cells("[data-show=result] .plot-table")
    found = [[float(cell.replace(",", "")) for cell in row] for row in rows]
    assert [row[0] for row in found] == [1, 2, 5, 10, 20, 50, 100]
    return found


def test_the_axis_has_the_unit_of_the_sentence_and_of_the_table(lesson):
    lesson.paste("counts", "100")
    scrubbed(lesson, 0)
    lesson.press(Keys.HOME, Keys.ARROW_RIGHT)  # ε = 0.1
    assert "standard deviation of 1,414" in lesson.text("[data-value=counts]")
    assert "1,500" in lesson.find("[data-show=result] .plot").get_attribute("textContent")  # a tick


def test_the_point_on_the_curve_moves_the_number_of_counts(lesson, browser):
    handle = browser.find_element(By.CSS_SELECTOR, "[data-show=result] .handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    assert lesson.find("#control-counts").get_attribute("value") == "51"
    assert "√51 = 7.14" in lesson.text(".way-figure")


def test_the_map_goes_through_the_neighbour(lesson):
    lesson.unfold("details:has([data-show=map])")
    for move, change in (("one", (1, 0)), ("both", (1, 1)), ("replaced", (-1, 1))):
        lesson.click(f"label:has([name=move][value={move}])")
        norms = [np.linalg.norm(change, order) for order in (1, 2)]
        assert lesson.browser.execute_script(MAP) == pytest.approx([*norms, *norms], rel=1e-3)
        said = lesson.text("[data-show=map] [role=status]")
        assert f"On foot {norms[0]:.0f}, straight {norms[1]:.2f}." in said
        assert "at most Δ₁ = 2 and Δ₂ = 1.41" in said


def test_the_exact_sigma_stands_beside_the_classical_one(lesson):
    scrubbed(lesson, 0)
    lesson.press(*[Keys.ARROW_LEFT] * 10)  # 0.5
    lesson.paste("counts", "4")
    lesson.unfold("details:has([data-show=sigmas])")
    (exact,), (classical,) = lesson.rows("[data-show=sigmas]")
    assert exact == pytest.approx(2 * continuous_sigma(0.5, 1e-6), rel=1e-3)
    # The product's, for one number with a range of 1.
    assert classical == pytest.approx(2 * gaussian(0, 1, 1, 0.5, 1e-6).classical_sigma, rel=1e-3)
    assert classical == pytest.approx(2 * math.sqrt(2 * math.log(1.25e6)) / 0.5, rel=1e-3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guess_is_about_a_figure_that_is_so(language):
    words = section(language, "learn_counts")
    one, fifty, hundred = (np.linalg.norm(np.ones(counts), 2) for counts in (1, 50, 100))
    assert f"{fifty / one:.0f}" in words["guess.ask"]
    assert f"{hundred / one:.0f}" in words["guess.two"]


def test_what_cannot_be_used_is_explained_at_its_field(lesson):
    before = lesson.text("[data-value=counts]")
    for typed, said in (("0", "0 is outside"), ("many", "“many”")):
        lesson.paste("counts", typed)
        field = lesson.find("#control-counts")
        assert said in lesson.text(f"#{field.get_attribute('aria-describedby')}")
        assert lesson.text("[data-value=counts]") == before
        assert lesson.has("[data-show=result].stale")
    lesson.paste("counts", "3")
    assert not lesson.has(".stale")
