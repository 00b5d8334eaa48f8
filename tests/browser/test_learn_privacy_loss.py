"""The lesson about privacy loss, as a visitor tries it: tails and deltas as Python computes them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import show_at
from pages import Lesson
from plots import collisions, commands
from scipy.special import ndtr
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from survey.channel import Channel
from survey.mechanisms import laplace, spinner_coin
from survey.mechanisms.gaussian_mechanism import continuous_sigma
from survey.privacy import LossDistribution, loss_distribution


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "privacy-loss")
    return lesson


def choose(lesson, kind):
    """Take a mechanism."""
    lesson.find(f"label:has([name=kind][value={kind}])").click()


def figures(lesson):
    """The probability of a loss above epsilon, delta, and the first divided by the second."""
    return [float(lesson.text(f"[data-value={name}]")) for name in ("tail", "delta", "ratio")]


def expected(loss, epsilon):
    """The same from a distribution of the loss, in Python."""
    tail, delta = loss.exceeds(epsilon), loss.delta(epsilon)
    return [tail, delta, tail / delta]


def test_each_mechanism_has_its_tail_and_its_delta(lesson):
    try_randomized_response(lesson)
    try_laplace_noise(lesson)
    try_gaussian_noise(lesson)
    assert lesson.complaints() == []


def try_randomized_response(lesson):
    """Two losses: that of the product's channel."""
    lesson.enter("parameter", "3")
    lesson.enter("epsilon", "2")
    loss = loss_distribution(spinner_coin(3.0), 1, 0)
    assert figures(lesson) == pytest.approx(expected(loss, 2.0), rel=1e-3)

    lesson.enter("epsilon", "3.5")  # beyond the bound: no report is there
    assert (lesson.text("[data-value=tail]"), lesson.text("[data-value=delta]")) == ("0", "0")
    assert "No report has a loss above" in lesson.text("[data-show=result]")


def try_laplace_noise(lesson):
    """A bounded loss: close to that of the product's mechanism on its finest grid."""
    choose(lesson, "laplace")
    lesson.enter("parameter", "0.5")
    lesson.enter("epsilon", "1.25")
    grid = Channel(laplace(0, 1000, 1, 2.0).weights[[0, -1]])
    assert figures(lesson) == pytest.approx(expected(loss_distribution(grid, 0, 1), 1.25), rel=2e-3)
    assert "between −2 and 2" in lesson.text("[data-show=result]")


def try_gaussian_noise(lesson):
    """A loss without bound, whose delta is far below its tail."""
    choose(lesson, "gaussian")
    sigma = continuous_sigma(1.0, 1e-3)
    lesson.enter("parameter", str(sigma))
    lesson.enter("epsilon", "1")
    tail, delta, ratio = figures(lesson)
    assert delta == pytest.approx(1e-3, rel=1e-3)
    assert tail == pytest.approx(ndtr(0.5 / sigma - sigma), rel=1e-3)
    assert ratio == pytest.approx(tail / delta, rel=1e-2)

    edges = 0.5 / sigma**2 + np.linspace(-9, 9, 20001) / sigma
    fine = LossDistribution((edges[1:] + edges[:-1]) / 2, np.diff(ndtr(edges * sigma - 0.5 / sigma)))
    assert delta == pytest.approx(fine.delta(1.0), rel=1e-3)


def test_delta_for_every_epsilon_is_a_curve_with_a_point_and_a_table(lesson, browser):
    lesson.enter("parameter", "2")
    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    loss = loss_distribution(spinner_coin(2.0), 1, 0)
    assert handle.get_attribute("aria-valuetext").startswith("ε = 1.05: ")
    assert figures(lesson) == pytest.approx(expected(loss, 1.05), rel=1e-3)
    ActionChains(browser).drag_and_drop_by_offset(handle, -300, 0).perform()
    assert figures(lesson) == pytest.approx(expected(loss, 0.05), rel=1e-3)

    table = browser.find_elements(By.CSS_SELECTOR, ".plot-table")[-1]
    table.find_element(By.TAG_NAME, "summary").click()
    rows = [[float(cell.text) for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
            for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]  # fmt: skip
    assert len(rows) == 12
    for epsilon, tail, delta in rows:
        assert (tail, delta) == pytest.approx((loss.exceeds(epsilon), loss.delta(epsilon)), rel=1e-3)


def test_what_no_mechanism_has_is_refused_at_its_field(lesson, browser):
    for kind, name, typed, good in (
        ("response", "parameter", "0", "2"),
        ("laplace", "parameter", "-1", "1"),
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
    assert math.isfinite(figures(lesson)[2])


def test_a_loss_that_counts_nearly_in_full_is_not_said_to_be_once_as_much(lesson):
    lesson.enter("parameter", "6")
    lesson.enter("epsilon", "0.05")
    assert "counts almost in full" in lesson.text("[data-show=result]")
    assert "99.74%" in lesson.text("[data-show=result]")
    lesson.enter("epsilon", "5.9999999")  # hardly at all, and not 0%
    assert "1 × 10⁻⁵%" in lesson.text("[data-show=result]")


@pytest.mark.parametrize("width", [1280, 320])
def test_no_words_of_a_picture_stand_on_each_other(lesson, site, browser, width):
    show_at(browser, "light", width)
    lesson.visit(site, "privacy-loss")
    for kind, settings in (
        ("response", (("2", "1"), ("2", "1.9"), ("2", "2.1"), ("0.1", "0.05"))),
        ("laplace", (("0.5", "1"), ("10", "0.05"), ("0.5", "1.95"))),
        ("gaussian", (("2", "1"), ("5", "0.05"), ("0.3", "6"))),
    ):
        choose(lesson, kind)
        for parameter, epsilon in settings:
            lesson.enter("parameter", parameter)
            lesson.enter("epsilon", epsilon)
            assert (kind, parameter, epsilon, collisions(lesson)) == (kind, parameter, epsilon, [])
    assert commands(lesson) == []
    assert "^" not in lesson.text("main")  # powers are raised


def test_bars_and_areas_add_up_to_the_tail(lesson):
    choose(lesson, "laplace")
    figure = lesson.browser.find_elements(By.CSS_SELECTOR, ".plot-figure")[2]
    below, atom = [
        float(label.text)
        for label in figure.find_elements(By.CSS_SELECTOR, ".plot-label")
        if label.text != "δ"
    ]
    assert below + atom == pytest.approx(figures(lesson)[0], abs=1e-3)
    assert atom == 0.5
