"""Adding up, as a visitor tries it: the figures are those of the product's accountants."""

from __future__ import annotations

import math
import re

import pytest
from conftest import show_at
from pages import Lesson
from plots import laid_out
from scipy.optimize import brentq
from scipy.stats import norm
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from survey.mechanisms import spinner_coin
from survey.privacy import bounds, compose

EDGES = """
return [...document.querySelectorAll("[data-show=again-result] .plot-space")].map((space) => {
  const boxes = [...space.querySelectorAll(".axis, .point")].map((node) => node.getBoundingClientRect());
  const [axis, ...dots] = boxes;
  return dots.every((dot) => dot.top > space.getBoundingClientRect().top && dot.bottom < axis.bottom + 6);
})[0];
"""
SHADED = """
return [...document.querySelectorAll("[data-show=again-result] .plot")].flatMap((drawing) => {
  const shading = drawing.querySelector(".band");
  return [...drawing.querySelectorAll(".plot-label")].filter((label) => {
    const { x, y, width, height } = label.getBBox();
    return [0.1, 0.5, 0.9].some((across) => [0.3, 0.7].some((down) =>
      shading.isPointInFill(new DOMPoint(x + across * width, y + down * height))));
  }).map((label) => label.textContent);
});
"""
"""Words that stand in the shading of the walk."""

TICKS = "return [...document.querySelectorAll(arguments[0] + ' .tick')].map((tick) => tick.textContent)"


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "composition")
    laid_out(lesson)
    return lesson


@pytest.fixture
def sums(lesson):
    """What is folded: the sum, the exact figure and the formula."""
    lesson.unfold("details.why:has([data-show=controls])")
    laid_out(lesson)
    return lesson


def at_most(epsilon):
    """Two digits after the point, rounded up: a bound may not promise more than it keeps."""
    return f"{math.ceil(100 * epsilon - 1e-5) / 100:.2f}"


def test_twenty_questions_compose_to_what_the_product_says(sums):
    words = sums.text("[data-value=sum]")
    assert "the sum is 2.00" in words
    assert f"exact figure is {at_most(compose([spinner_coin(0.1)] * 20, 1e-6))}," in words
    assert "exact figure is 1.79" in words
    sums.unfold("[data-show=result] .plot-table")
    rows = dict(zip((1, 2, 5, 10, 20, 50, 100), sums.rows("[data-show=result] .plot-table"), strict=True))
    for m, (plain, exact, formula) in rows.items():
        found = compose([spinner_coin(0.1)] * m, 1e-6)
        assert plain == pytest.approx(0.1 * m)
        assert 0 <= exact - found + 1e-8 < 1e-3
        assert formula > exact
    sums.paste("epsilon", "1")
    words = sums.text("[data-value=sum]")
    assert f"exact figure is {at_most(compose([spinner_coin(1.0)] * 20, 1e-6))}," in words
    assert "gains next to nothing" in words
    assert f"{100 * (math.e / (1 + math.e)) ** 20:.2f}%" in words


def test_what_composing_gains_is_said_also_at_the_ends(sums):
    sums.paste("questions", "1")
    assert "1 report: the sum is 0.10." in sums.text("[data-value=sum]")
    assert "nothing to compose" in sums.text("[data-value=sum]")
    sums.paste("delta", "0.1")
    assert compose([spinner_coin(0.1)], 0.1) == pytest.approx(0, abs=1e-6)
    words = sums.text("[data-value=sum]")
    assert "exact figure is 0.00" in words
    assert "delta alone" in words
    assert "%" not in words


def lost(mu, epsilon):
    """Delta of Gaussian noise, whose losses are normal."""
    return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)


def test_numbers_with_a_delta_of_their_own_add_it_up_too(sums):
    sums.find("label:has([name=kind][value=gaussian])").click()
    each = 1e-6 / 200
    mu = brentq(lambda mu: lost(mu, 0.1) - each, 1e-3, 1)
    exact = brentq(lambda epsilon: lost(mu * math.sqrt(20), epsilon) - 1e-6, 1e-3, 10)
    words = sums.text("[data-value=sum]")
    assert "of 5 × 10⁻⁹: the sums are ε 2.00 and δ 1 × 10⁻⁷" in words
    assert f"the exact figure is {at_most(exact)}," in words
    formula = math.sqrt(40 * math.log(1 / (1e-6 - 20 * each))) * 0.1 + 2 * math.expm1(0.1)
    assert f"the classical formula gives {at_most(formula)}." in words


def test_the_picture_stands_still_however_long_the_words_are(sums, browser):
    show_at(browser, "light", 1280)
    laid_out(sums)
    place = "return document.querySelector('[data-show=result] .plot').getBoundingClientRect().y + scrollY"
    places = set()
    for epsilon in ("0.1", "4", "0.01"):
        sums.paste("epsilon", epsilon)
        places.add(browser.execute_script(place))
    assert len(places) == 1


def test_the_axes_stand_still_and_the_point_moves(sums, browser):
    show_at(browser, "light", 1280)
    laid_out(sums)
    before = browser.execute_script(TICKS, "[data-show=result]")
    result = sums.find("[data-show=result]")
    exact, plain = (
        float(result.find_element(By.CSS_SELECTOR, f".point.{look}").get_attribute("cy"))
        for look in ("accent", "ink")
    )
    assert exact - plain > 2  # 17.9 and 20 times one epsilon, of 110
    handle = sums.find("[data-show=result] .handle")
    browser.execute_script("arguments[0].focus()", handle)
    sums.press(Keys.END)
    assert handle.get_attribute("aria-valuetext") == "100"
    sums.paste("epsilon", "4")
    sums.paste("delta", "0.01")
    assert browser.execute_script(TICKS, "[data-show=result]") == before
    sums.press(Keys.HOME)
    assert "1 report:" in sums.text("[data-value=sum]")
    assert sums.complaints() == []


def test_no_words_stand_in_the_shading(lesson, browser):
    for width in (1280, 390):
        show_at(browser, "light", width)
        laid_out(lesson)
        assert len(browser.find_elements(By.CSS_SELECTOR, "[data-show=again-result] .plot-label")) == 2
        for epsilon in ("0.1", "0.5", "1", "2"):
            lesson.paste("again_epsilon", epsilon)
            for answer in ("0", "1"):
                lesson.click(f"label:has([name=answer][value='{answer}'])")
                assert browser.execute_script(SHADED) == [], (width, epsilon, answer)


def test_what_was_asked_is_read_out(lesson):
    for action, said in (("ask", "Reports: 1,"), ("all", "Reports: 20,")):
        lesson.act(action)
        lesson.until(lambda said=said: said in lesson.text("[data-value=again][role=status]"))


def test_a_walk_stays_inside_its_picture_however_large_its_steps(lesson, browser):
    before = browser.execute_script(TICKS, "[data-show=again-result]")
    assert before[5:12] == ["0.1", "1", "10", "50", "90", "99", "99.9"]
    for epsilon in ("0.1", "2"):
        lesson.paste("again_epsilon", epsilon)
        lesson.act("all")
        assert "Reports: 20," in lesson.text("[data-value=again]")
        assert browser.execute_script(EDGES)
        assert browser.execute_script(TICKS, "[data-show=again-result]") == before


def test_nobody_is_said_to_be_certain(lesson):
    lesson.paste("again_epsilon", "1.0986")
    lesson.act("ask")
    assert "allows is 75%." in lesson.text("[data-value=again]")
    assert "by this one report is right 75 times in 100" in lesson.text("[data-value=again]")
    lesson.paste("again_epsilon", "1.1")
    lesson.act("ask")
    assert "allows is 75.1%." in lesson.text("[data-value=again]")  # 75.026, and at most is rounded up
    lesson.paste("again_epsilon", "2")
    lesson.act("all")
    assert "allows is over 99.9999%." in lesson.text("[data-value=again]")


def test_every_new_draw_gives_more_away_and_the_kept_one_does_not(lesson):
    lesson.paste("again_epsilon", "1")
    lesson.act("ask")
    first = re.search(r"chance of a Yes at ([\d.]+)%", lesson.text("[data-value=again]"))[1]
    assert float(first) in [pytest.approx(100 * bound, abs=0.051) for bound in bounds(0.5, 1.0)]
    lesson.act("reload")
    assert re.search(r"Recorded: (Yes|No)\.", lesson.text("[data-value=kept]"))
    assert f"chance of a Yes at {first}%" in lesson.text("[data-value=again]")

    lesson.paste("again_epsilon", "0.2")
    lesson.act("all")
    words = lesson.text("[data-value=again]")
    count, yes = (int(n) for n in re.match(r"Reports: (\d+), of which Yes: (\d+)", words).groups())
    assert count == 20
    belief = 1 / (1 + math.exp(0.2 * (count - 2 * yes)))
    assert float(re.search(r"chance of a Yes at ([\d.]+)%", words)[1]) == pytest.approx(
        100 * belief, abs=0.051
    )
    lesson.act("ask")
    assert "20 reports" in lesson.text("[data-value=kept]")
    lesson.act("begin")
    assert "50 to 50" in lesson.text("[data-value=again]")
    assert len(lesson.browser.find_elements(By.CSS_SELECTOR, ".ghost")) == 1  # the walk that was
    lesson.paste("again_epsilon", "0.3")
    assert not lesson.has(".ghost")  # it had other steps


def test_what_cannot_be_used_is_explained_at_its_field(sums):
    for name, typed, said, shown in (
        ("questions", "2.5", "2.5 is not whole", "sum"),
        ("epsilon", "-1", "-1 is outside", "sum"),
        ("again_epsilon", "five", "“five”", "again"),
    ):
        before = sums.text(f"[data-value={shown}]")
        field = sums.find(f"#control-{name}")
        good = field.get_attribute("value")
        sums.paste(name, typed)
        assert said in sums.find(f"#{field.get_attribute('aria-describedby')}").text
        assert sums.text(f"[data-value={shown}]") == before
        assert sums.has(".stale")
        sums.paste(name, good)
        assert not sums.has(".stale")
    assert sums.complaints() == []
