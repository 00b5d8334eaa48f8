"""The lesson about privacy loss, as a visitor tries it: tails and deltas as Python computes them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from conftest import show_at
from pages import Lesson, figure
from plots import laid_out
from scipy.special import ndtr
from scipy.stats import laplace as laplace_noise
from scipy.stats import norm
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from server.language.catalogue import LANGUAGES, section
from survey.channel import Channel
from survey.mechanisms import laplace, spinner_coin
from survey.mechanisms.gaussian_mechanism import continuous_sigma
from survey.privacy import LossDistribution, loss_distribution

NAMED = "[data-show=result] .plot-label"

NAMES = {"response": "bound", "laplace": "scale", "gaussian": "sigma"}
"""Mechanism -> its control."""

SLIDER = """
return document.querySelector("input[type=range][name=epsilon]").getBoundingClientRect().y
  - document.querySelector(".three").getBoundingClientRect().y;
"""
"""How far below the top of the table the slider is."""

AREA = """
const place = document.querySelector("[data-show=result] .plot");
const corners = (path) => path.getAttribute("d")
  .match(/-?[\\d.]+ -?[\\d.]+/g).map((each) => each.split(" ").map(Number));
const sized = (points) => Math.abs(points.reduce((sum, [x, y], at) => {
  const [a, b] = points[(at + 1) % points.length];
  return sum + (x * b - a * y) / 2;
}, 0));
const ticks = [...place.querySelector(".grid").getAttribute("d").matchAll(/M([\\d.]+) ([\\d.]+)H([\\d.]+)/g)];
const [low, , high] = ticks.map(([, , y]) => Number(y));
const unit = (low - high) * (ticks[0][3] - ticks[0][1]);
const inked = (selector) => [...place.querySelectorAll(selector)]
  .map((path) => sized([...corners(path), [ticks[0][1], low].map(Number)]) / unit);
return [...inked("path.area"), ...inked("path.curve.accent"), ...inked("path.curve.ink").sort()];
"""
"""The filled area, the dashed rectangle and what is under the two other lines, in units of both axes."""

BETWEEN = """
const [plot] = arguments;
const boxes = (selector) => [...plot.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
const words = [...plot.querySelectorAll("text")].find((each) => each.textContent === "|L| < ε₀");
const { left, right } = words.getBoundingClientRect();
const [a, other] = boxes(".curve.soft");
return [a.right < left, right < other.left];
"""
"""Whether the words for a smaller loss stand between the lines at the two answers."""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "privacy-loss")
    laid_out(lesson)
    return lesson


def choose(lesson, kind):
    """Take a mechanism."""
    lesson.click(f"label:has([name=kind][value={kind}])")


def setup(lesson, kind, parameter, epsilon):
    """Take a mechanism and what is set of it."""
    choose(lesson, kind)
    lesson.paste(NAMES[kind], str(parameter))
    lesson.paste("epsilon", str(epsilon))


def figures(lesson):
    """The probability of a loss above epsilon and delta of the mechanism that is drawn."""
    (row,) = lesson.cells("[data-value=table]", ".drawn td")
    return [float(cell) for cell in row]


def expected(loss, epsilon):
    """The same from a distribution of the loss, in Python."""
    return [loss.exceeds(epsilon), loss.delta(epsilon)]


def fine(sigma):
    """The loss of Gaussian noise on a fine grid, as the product holds distributions of the loss."""
    edges = 0.5 / sigma**2 + np.linspace(-9, 9, 20001) / sigma
    return LossDistribution((edges[1:] + edges[:-1]) / 2, np.diff(ndtr(edges * sigma - 0.5 / sigma)))


def on_grid(scale):
    """The loss of the product's Laplace noise on its finest grid."""
    return loss_distribution(Channel(laplace(0, 1000, 1, 1 / scale).weights[[0, -1]]), 0, 1)


def test_the_area_that_is_drawn_is_delta_and_the_rectangle_the_tail(lesson):
    for kind, parameter, epsilon, loss in [
        ("response", 3, 2, loss_distribution(spinner_coin(3.0), 1, 0)),
        ("laplace", 0.5, 1.25, on_grid(0.5)),
        ("gaussian", 1, 1, fine(1)),
        ("gaussian", 2, 0.5, fine(2)),
    ]:
        setup(lesson, kind, parameter, epsilon)
        assert figures(lesson) == pytest.approx(expected(loss, epsilon), rel=2e-3)
        area, rectangle, *_ = lesson.browser.execute_script(AREA)
        assert [rectangle, area] == pytest.approx(expected(loss, epsilon), abs=2e-3)
        ratio = re.search(r"is ([\d.]+) times δ", lesson.text("[data-show=result] [role=status]"))
        assert float(ratio[1]) == pytest.approx(loss.exceeds(epsilon) / loss.delta(epsilon), rel=1e-2)
        assert lesson.complaints() == []


def test_one_picture_has_the_three_at_one_epsilon_and_their_numbers_beside_it(lesson):
    lesson.paste("epsilon", "0.8")
    rows = dict(zip(NAMES, lesson.rows("[data-value=table]"), strict=True))
    losses = {
        "response": loss_distribution(spinner_coin(2.0), 1, 0),
        "laplace": on_grid(0.7),
        "gaussian": fine(1),
    }
    for kind, loss in losses.items():
        assert rows[kind] == pytest.approx(expected(loss, 0.8), rel=2e-3)
    deltas = {kind: loss.delta(0.8) for kind, loss in losses.items()}
    for kind in NAMES:
        choose(lesson, kind)
        filled, _, *lines = lesson.browser.execute_script(AREA)
        assert filled == pytest.approx(deltas[kind], abs=2e-3)
        others = sorted(delta for each, delta in deltas.items() if each != kind)
        assert lines == pytest.approx(others, abs=2e-3)
        words = [each.text for each in lesson.browser.find_elements(By.CSS_SELECTOR, NAMED)]
        for each, name in (("response", "Response"), ("laplace", "Laplace"), ("gaussian", "Gaussian")):
            (label,) = [text for text in words if name in text]
            assert (f"δ = {deltas[each]:.4f}" in label) == (each != kind)
        assert f"δ = {deltas[kind]:.4f}" in words

    lesson.unfold("[data-show=result] .plot-table")
    for row in lesson.cells("[data-show=result] .plot-table"):
        above, counts, *tails = map(figure, row)  # rounded
        assert counts == pytest.approx(1 - math.exp(0.8 - above), abs=6e-3)
        for tail, loss in zip(tails, losses.values(), strict=True):
            assert loss.exceeds(above + 0.01) - 2e-3 <= tail <= loss.exceeds(above - 0.01) + 2e-3


def test_the_numbers_are_on_one_screen_with_the_picture(lesson, browser):
    for size in [(1280, 900), (390, 844)]:
        show_at(browser, "light", *size)
        laid_out(lesson)
        browser.execute_script("document.querySelector('section.trial').scrollIntoView()")
        plot, table, slider = browser.execute_script(
            "return ['.plot', '[data-value=table]', '#control-epsilon'].map((each) =>"
            " document.querySelector(`section.trial ${each}`).getBoundingClientRect().toJSON())"
        )
        assert max(table["bottom"], slider["bottom"], plot["bottom"]) <= size[1]
        if size[0] > 1000:
            assert table["right"] < plot["left"]
        else:
            assert table["bottom"] < plot["top"]


def test_beyond_its_bound_there_is_nothing_to_count(lesson):
    setup(lesson, "response", 3, 3.5)
    assert figures(lesson) == [0, 0]
    assert "No report has a loss above" in lesson.text("[data-show=result]")
    assert not lesson.has("[data-show=result] path.area")


def test_a_small_delta_is_that_for_which_the_product_takes_this_noise(lesson):
    sigma = continuous_sigma(1.0, 1e-3)
    setup(lesson, "gaussian", sigma, 1)
    assert figures(lesson) == pytest.approx([ndtr(0.5 / sigma - sigma), 1e-3], rel=1e-3)


def test_the_loss_of_every_report_is_a_ramp_a_line_or_two_steps(lesson, browser):
    lesson.unfold("details:has([data-show=reports])")
    laid_out(lesson)
    plots = browser.find_elements(By.CSS_SELECTOR, "[data-show=reports] .plot-figure")
    shown = []
    for plot in plots:
        table = plot.find_element(By.CSS_SELECTOR, ".plot-table")
        table.find_element(By.TAG_NAME, "summary").click()
        rows = lesson.cells(table)
        shown.append({name.replace("−", "-"): float(loss.replace("−", "-")) for name, loss in rows})
    response, ramp, line = shown
    assert response == {"Yes": 2, "No": -2}
    for noise, losses in ((laplace_noise(scale=0.7), ramp), (norm(scale=1), line)):
        places = np.array([float(place) for place in losses])
        assert list(losses.values()) == pytest.approx(
            noise.logpdf(places) - noise.logpdf(places - 1), abs=1e-3
        )
    assert [ramp[place] for place in ("-1.00", "0.00", "0.50", "1.00", "2.00")] == pytest.approx(
        [1 / 0.7, 1 / 0.7, 0, -1 / 0.7, -1 / 0.7], abs=1e-3
    )
    assert browser.execute_script(BETWEEN, plots[1]) == [True, True]
    assert "no bound" in plots[2].text


RESIZED = """
return [...document.querySelectorAll("[data-show=losses] .bar")].map((bar) =>
  Math.abs(parseFloat(getComputedStyle(bar).width) - bar.getAttribute("width")));
"""
"""How far the width of each bar is from what it was drawn with."""


def test_the_bars_of_the_loss_are_probabilities_and_no_sheet_gives_one_another_size(lesson):
    setup(lesson, "gaussian", 0.8, 1.2)
    lesson.unfold("details:has([data-show=losses])")
    laid_out(lesson)
    assert "Gaussian noise, σ = 0.8: the probability" in lesson.text("[data-show=losses] figcaption")
    lesson.unfold("[data-show=losses] .plot-table")
    found = {}
    for name, probability in lesson.cells("[data-show=losses] .plot-table"):
        found[float(name.split(" to ")[0].replace("−", "-"))] = float(probability)
    loss = norm(0.5 / 0.64, 1 / 0.8)
    for low, probability in found.items():
        assert probability == pytest.approx(loss.cdf(low + 0.5) - loss.cdf(low), abs=1e-4)
    assert sum(found.values()) == pytest.approx(1, abs=1e-3)
    away = lesson.browser.execute_script(RESIZED)
    assert len(away) > 10
    assert max(away) < 0.01


def test_the_slip_is_refuted_by_figures(lesson):
    setup(lesson, "gaussian", 1, 1)
    lesson.unfold("details:has([data-show=slip])")
    (mine,), (other,), (ratio,), (slip,), (right,) = lesson.rows("[data-show=slip]")
    # The loss is above 1 for reports below -1/2.
    assert (mine, other) == pytest.approx((ndtr(-0.5), ndtr(-1.5)), rel=1e-3)
    delta = ndtr(-0.5) - math.e * ndtr(-1.5)
    assert slip == pytest.approx(math.e + delta, rel=1e-3)
    assert ratio == pytest.approx(mine / other, rel=1e-3)
    assert ratio > slip
    assert right == pytest.approx(ratio, rel=1e-3)
    setup(lesson, "response", 1, 2)
    assert "No report has a loss above" in lesson.text("[data-show=slip]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guess_is_about_figures_that_are_so(language):
    words = section(language, "learn_privacy_loss")
    tail, delta = expected(fine(1), 1.0)
    assert delta < tail
    assert f"{delta:.2f}" in words["guess.answer"]
    assert f"{tail:.2f}" in words["guess.answer"]


def test_delta_for_every_epsilon_is_a_curve_with_a_point_and_a_table(lesson, browser):
    setup(lesson, "response", 2, 1)
    lesson.unfold("details:has([data-show=deltas])")
    laid_out(lesson)
    handle = browser.find_element(By.CSS_SELECTOR, "[data-show=deltas] .handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    loss = loss_distribution(spinner_coin(2.0), 1, 0)
    assert handle.get_attribute("aria-valuetext").startswith("ε\u00a0=\u00a01.05: ")
    assert figures(lesson) == pytest.approx(expected(loss, 1.05), rel=1e-3)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
    ActionChains(browser).drag_and_drop_by_offset(handle, -200, 0).perform()
    assert figures(lesson) == pytest.approx(expected(loss, 0.05), rel=1e-3)

    assert "Randomized response, ε₀ = 2: δ" in lesson.text("[data-show=deltas] figcaption")
    lesson.unfold("[data-show=deltas] .plot-table")
    rows = [[float(cell) for cell in row] for row in lesson.cells("[data-show=deltas] .plot-table")]
    assert len(rows) == 12
    for epsilon, tail, delta in rows:
        assert (tail, delta) == pytest.approx((loss.exceeds(epsilon), loss.delta(epsilon)), rel=1e-3)


def test_the_edge_of_the_rectangle_can_be_dragged(lesson, browser):
    edge = browser.find_element(By.CSS_SELECTOR, "[data-show=result] .handle")
    browser.execute_script("arguments[0].focus()", edge)
    lesson.press(Keys.ARROW_LEFT)  # from 0.3085 to 0.30
    tail, delta = figures(lesson)
    assert tail == pytest.approx(0.3, abs=1e-3)
    epsilon = float(lesson.find("#control-epsilon").get_attribute("value"))
    assert [tail, delta] == pytest.approx(expected(fine(1), epsilon), rel=2e-3)
    assert edge.get_attribute("aria-valuetext").startswith(f"ε\u00a0=\u00a0{epsilon}: ")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", edge)
    ActionChains(browser).drag_and_drop_by_offset(edge, -40, 0).perform()
    assert figures(lesson)[0] < tail - 0.04
    setup(lesson, "laplace", 0.5, 1)
    browser.execute_script("arguments[0].focus()", edge)
    lesson.press(Keys.HOME)  # half of all reports have the greatest loss: the edge cannot go further
    assert figures(lesson)[0] == pytest.approx(0.5, abs=1e-3)
    choose(lesson, "response")  # two losses: the edge stands still
    assert not lesson.has("[data-show=result] .handle")


def test_a_number_in_a_sentence_moves_epsilon_everywhere(lesson, browser):
    lesson.unfold("details:has([data-show=reports])")
    number = browser.find_element(By.CSS_SELECTOR, "[data-show=reports] .scrub")
    browser.execute_script("arguments[0].focus()", number)
    lesson.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert number.text == "1.10"
    assert lesson.find("#control-epsilon").get_attribute("value") == "1.1"
    choose(lesson, "laplace")  # epsilon is that of all mechanisms
    assert lesson.find("#control-epsilon").get_attribute("value") == "1.1"
    assert figures(lesson) == pytest.approx(expected(on_grid(0.7), 1.1), rel=2e-3)


def test_an_address_carries_mechanism_parameter_and_epsilon(lesson, browser, site):
    browser.get(f"{site.address}/robots.txt")
    browser.get(f"{site.address}/learn/privacy-loss#kind=gaussian&sigma=2&epsilon=0.5&kind=gaussian")
    assert figures(lesson) == pytest.approx(expected(fine(2), 0.5), rel=2e-3)
    browser.get(f"{site.address}/robots.txt")
    browser.get(f"{site.address}/learn/privacy-loss#kind=response&bound=3&epsilon=2")
    lesson.until(lambda: "ε₀ = 3" in lesson.text("[data-value=table] tr.drawn"))
    assert figures(lesson) == pytest.approx(expected(loss_distribution(spinner_coin(3.0), 1, 0), 2), rel=1e-3)


def test_what_no_mechanism_has_is_refused_at_its_field(lesson, browser):
    for kind, name, typed, good in (
        ("response", "bound", "0", "2"),
        ("laplace", "scale", "-1", "1"),
        ("gaussian", "epsilon", "-2", "1"),
        ("response", "epsilon", "0", "1"),
    ):
        choose(lesson, kind)
        before = figures(lesson)
        lesson.paste(name, typed)
        field = browser.find_element(By.ID, f"control-{name}")
        assert field.get_attribute("aria-invalid") == "true"
        assert f"{typed} is outside" in lesson.text(f"#{field.get_attribute('aria-describedby')}")
        assert figures(lesson) == before
        assert lesson.has("[data-show=result].stale")
        lesson.paste(name, good)
        assert not lesson.has(".stale")


def test_a_loss_that_counts_nearly_in_full_is_not_said_to_be_once_as_much(lesson):
    setup(lesson, "response", 5, 0.05)
    assert "counts almost in full" not in lesson.text("[data-show=result]")  # 0.993
    assert "adds 0.9929 of" in lesson.text("[data-show=result] [role=status]")
    setup(lesson, "response", 5, 4.9999999)  # hardly at all, and not 0
    assert "adds 1 × 10⁻⁷ of" in lesson.text("[data-show=result] [role=status]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sliders_stand_still_however_long_the_figures_are(site, browser, language):
    lesson = Lesson(browser)
    lesson.visit(site, "privacy-loss", language)
    for width in (1280, 390):
        show_at(browser, "light", width)
        laid_out(lesson)
        places = set()
        for sigma, epsilon in (("1", "1"), ("5", "1"), ("0.55", "0.05"), ("1", "6")):
            lesson.paste("sigma", sigma)
            lesson.paste("epsilon", epsilon)
            places.add(round(browser.execute_script(SLIDER)))
        assert len(places) == 1, width


APART = """
const [one, other] = [...document.querySelectorAll(".three .drawn td")].map((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getBoundingClientRect();
});
return other.left - one.right;
"""
"""Pixels between the two figures of a row."""


def test_figures_have_the_same_digits_in_a_column_and_the_smallest_of_a_row_do_not_touch(lesson, browser):
    lesson.paste("epsilon", "0.05")
    cells = [cell for row in lesson.cells(".three", "td") for cell in row]
    assert {len(cell) for cell in cells} == {6}
    assert "0.7490" in cells

    setup(lesson, "gaussian", 5, 6)
    assert "10⁻¹⁹⁶" in lesson.text(".three .drawn td")
    assert browser.execute_script(APART) > 5
