"""The lesson about privacy loss, as a visitor tries it: tails and deltas as Python computes them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from pages import Lesson
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

NAMES = {"response": "bound", "laplace": "scale", "gaussian": "sigma"}
"""Mechanism -> its control."""

AREA = """
const place = document.querySelector("[data-show=result] .plot");
const corners = (selector) => place.querySelector(selector).getAttribute("d")
  .match(/-?[\\d.]+ -?[\\d.]+/g).map((each) => each.split(" ").map(Number));
const sized = (points) => Math.abs(points.reduce((sum, [x, y], at) => {
  const [a, b] = points[(at + 1) % points.length];
  return sum + (x * b - a * y) / 2;
}, 0));
const ticks = [...place.querySelector(".grid").getAttribute("d").matchAll(/M([\\d.]+) ([\\d.]+)H([\\d.]+)/g)];
const [low, , high] = ticks.map(([, , y]) => Number(y));
const unit = (low - high) * (ticks[0][3] - ticks[0][1]);
return ["path.area", "path.curve.accent"].map((each) => sized(corners(each)) / unit);
"""
"""The filled area and the dashed rectangle, in units of both axes."""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "privacy-loss")
    return lesson


def choose(lesson, kind):
    """Take a mechanism."""
    lesson.find(f"label:has([name=kind][value={kind}])").click()


def setup(lesson, kind, parameter, epsilon):
    """Take a mechanism and what is set of it."""
    choose(lesson, kind)
    lesson.enter(NAMES[kind], str(parameter))
    lesson.enter("epsilon", str(epsilon))


def figures(lesson):
    """The probability of a loss above epsilon and delta of the mechanism that is drawn."""
    row = lesson.find("[data-value=table] tr.drawn")
    return [float(cell.text) for cell in row.find_elements(By.TAG_NAME, "td")]


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


@pytest.mark.parametrize(
    ("kind", "parameter", "epsilon", "loss"),
    [
        ("response", 3, 2, loss_distribution(spinner_coin(3.0), 1, 0)),
        ("laplace", 0.5, 1.25, on_grid(0.5)),
        ("gaussian", 1, 1, fine(1)),
        ("gaussian", 2, 0.5, fine(2)),
    ],
)
def test_the_area_that_is_drawn_is_delta_and_the_rectangle_the_tail(lesson, kind, parameter, epsilon, loss):
    setup(lesson, kind, parameter, epsilon)
    assert figures(lesson) == pytest.approx(expected(loss, epsilon), rel=2e-3)
    area, rectangle = lesson.browser.execute_script(AREA)
    assert [rectangle, area] == pytest.approx(expected(loss, epsilon), abs=2e-3)
    ratio = re.search(r"is ([\d.]+) times δ", lesson.text("[data-show=result] [role=status]"))
    assert float(ratio[1]) == pytest.approx(loss.exceeds(epsilon) / loss.delta(epsilon), rel=1e-2)
    assert lesson.complaints() == []


def test_the_three_stand_side_by_side_at_one_epsilon(lesson):
    lesson.enter("epsilon", "0.8")
    rows = dict(zip(NAMES, lesson.rows("[data-value=table]"), strict=True))
    for kind, loss in (
        ("response", loss_distribution(spinner_coin(2.0), 1, 0)),
        ("laplace", on_grid(0.5)),
        ("gaussian", fine(1)),
    ):
        assert rows[kind] == pytest.approx(expected(loss, 0.8), rel=2e-3)


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
    plots = browser.find_elements(By.CSS_SELECTOR, "[data-show=reports] .plot-figure")
    shown = []
    for plot in plots:
        table = plot.find_element(By.CSS_SELECTOR, ".plot-table")
        table.find_element(By.TAG_NAME, "summary").click()
        rows = [[cell.text.replace("−", "-") for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
                for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]  # fmt: skip
        shown.append({name: float(loss) for name, loss in rows})
    response, ramp, line = shown
    assert response == {"Yes": 2, "No": -2}
    for noise, losses in ((laplace_noise(scale=0.5), ramp), (norm(scale=1), line)):
        places = np.array([float(place) for place in losses])
        assert list(losses.values()) == pytest.approx(
            noise.logpdf(places) - noise.logpdf(places - 1), abs=1e-3
        )
    assert [ramp[place] for place in ("-1.00", "0.00", "0.50", "1.00", "2.00")] == [2, 2, 0, -2, -2]
    assert "|L| < ε₀" in plots[1].text
    assert "no bound" in plots[2].text


def test_the_bars_of_the_loss_are_probabilities(lesson):
    setup(lesson, "gaussian", 0.8, 1.2)
    lesson.unfold("details:has([data-show=losses])")
    lesson.unfold("[data-show=losses] .plot-table")
    found = {}
    for row in lesson.find("[data-show=losses] .plot-table").find_elements(By.CSS_SELECTOR, "tbody tr"):
        name, probability = (cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td"))
        found[float(name.split(" to ")[0].replace("−", "-"))] = float(probability)
    loss = norm(0.5 / 0.64, 1 / 0.8)
    for low, probability in found.items():
        assert probability == pytest.approx(loss.cdf(low + 0.5) - loss.cdf(low), abs=1e-4)
    assert sum(found.values()) == pytest.approx(1, abs=1e-3)


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
    assert f"{tail:.2f}" in words["guess.ask"]
    assert [f"{each:.2f}" in words[f"guess.{key}"] for key, each in (("one", tail), ("two", delta))] == [
        True
    ] * 2
    assert f"{1 - tail:.2f}" == words["guess.three"]
    assert f"{delta:.2f}" in words["guess.answer"]


def test_delta_for_every_epsilon_is_a_curve_with_a_point_and_a_table(lesson, browser):
    setup(lesson, "response", 2, 1)
    lesson.unfold("details:has([data-show=deltas])")
    handle = browser.find_element(By.CSS_SELECTOR, "[data-show=deltas] .handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    loss = loss_distribution(spinner_coin(2.0), 1, 0)
    assert handle.get_attribute("aria-valuetext").startswith("ε = 1.05: ")
    assert figures(lesson) == pytest.approx(expected(loss, 1.05), rel=1e-3)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
    ActionChains(browser).drag_and_drop_by_offset(handle, -200, 0).perform()
    assert figures(lesson) == pytest.approx(expected(loss, 0.05), rel=1e-3)

    lesson.unfold("[data-show=deltas] .plot-table")
    rows = [[float(cell.text) for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
            for row in browser.find_elements(By.CSS_SELECTOR, "[data-show=deltas] tbody tr")]  # fmt: skip
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
    assert edge.get_attribute("aria-valuetext").startswith(f"ε = {epsilon}: ")
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
    assert figures(lesson) == pytest.approx(expected(on_grid(0.5), 1.1), rel=2e-3)


def test_an_address_carries_mechanism_parameter_and_epsilon(lesson, browser, site):
    browser.get("about:blank")
    browser.get(f"{site.address}/learn/privacy-loss#kind=gaussian&sigma=2&epsilon=0.5&kind=gaussian")
    assert figures(lesson) == pytest.approx(expected(fine(2), 0.5), rel=2e-3)
    browser.get("about:blank")
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
        lesson.enter(name, typed)
        field = browser.find_element(By.ID, f"control-{name}")
        assert field.get_attribute("aria-invalid") == "true"
        assert f"{typed} is outside" in lesson.text(f"#{field.get_attribute('aria-describedby')}")
        assert figures(lesson) == before
        assert lesson.has("[data-show=result].stale")
        lesson.enter(name, good)
        assert not lesson.has(".stale")


def test_a_loss_that_counts_nearly_in_full_is_not_said_to_be_once_as_much(lesson):
    setup(lesson, "response", 5, 0.05)
    assert "counts almost in full" not in lesson.text("[data-show=result]")  # 99.3%
    setup(lesson, "laplace", 0.2, 4.9999999)
    assert "%" in lesson.text("[data-show=result] [role=status]")
    setup(lesson, "response", 5, 4.9999999)  # hardly at all, and not 0%
    assert "1 × 10⁻⁵%" in lesson.text("[data-show=result]")
