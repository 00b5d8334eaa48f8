"""Composition and trust, as a visitor tries them: the figures are those of the product's accountants."""

from __future__ import annotations

import math
import re

import pytest
from conftest import show_at
from pages import Lesson
from plots import collisions, commands
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from survey.mechanisms import spinner_coin
from survey.plan.variance import share_variances
from survey.privacy import bounds, compose, shuffled

QUICK = """
const done = arguments[0];
const field = document.querySelector("#control-models_epsilon");
const times = [];
for (const value of ["0.2", "0.5", "1.5", "3"]) {
  const start = performance.now();
  field.value = value;
  field.dispatchEvent(new Event("input"));
  times.push(performance.now() - start);
}
done(Math.max(...times));
"""


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "composition")
    return lesson


def paste(lesson, name, words):
    """Put all of it into a field at once: typed one by one, the first digits of 2.5 are a good number."""
    lesson.browser.execute_script(
        "const [field, words] = arguments; field.value = words; field.dispatchEvent(new Event('input'));",
        lesson.find(f"#control-{name}"),
        words,
    )


def test_twenty_questions_compose_to_what_the_product_says(lesson):
    words = lesson.text("[data-value=sum]")
    assert "the sum is 2.00" in words
    assert f"exact figure is {compose([spinner_coin(0.1)] * 20, 1e-6):.2f}" in words
    assert "exact figure is 1.79" in words
    lesson.enter("epsilon", "1")
    words = lesson.text("[data-value=sum]")
    assert f"exact figure is {compose([spinner_coin(1.0)] * 20, 1e-6):.2f}" in words
    assert "gains next to nothing" in words
    assert f"{100 * (math.e / (1 + math.e)) ** 20:.4f}%" in words


def test_what_composing_gains_is_said_also_at_the_ends(lesson):
    lesson.enter("questions", "1")
    assert "1 question: the sum is 0.10." in lesson.text("[data-value=sum]")
    assert "nothing to compose" in lesson.text("[data-value=sum]")
    paste(lesson, "delta", "0.1")
    assert compose([spinner_coin(0.1)], 0.1) == pytest.approx(0, abs=1e-6)
    words = lesson.text("[data-value=sum]")
    assert "exact figure is 0.00" in words
    assert "delta alone" in words
    assert "%" not in words


def test_the_picture_follows_the_number_of_questions(lesson, browser):
    show_at(browser, "light", 1280)
    result = lesson.find("[data-show=result]")
    exact, plain = (
        float(result.find_element(By.CSS_SELECTOR, f".point.{look}").get_attribute("cy"))
        for look in ("accent", "ink")
    )
    assert exact - plain > 15  # two dots of 10 pixels: 1.79 and 2.00

    handle = lesson.find("[data-show=result] .handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.END)
    assert handle.get_attribute("aria-valuetext") == "100"
    lesson.press(Keys.HOME)
    assert "1 question:" in lesson.text("[data-value=sum]")
    ends = "return [...document.querySelectorAll('[data-show=result] .tick')].map((tick) => tick.textContent)"
    assert "5" in browser.execute_script(ends)
    # While it is dragged the picture stays: what is reached at its end is its end, and no more.
    ActionChains(browser).drag_and_drop_by_offset(handle, 500, 0).perform()
    assert handle.get_attribute("aria-valuetext") == "5"
    assert lesson.find("#control-questions").get_attribute("value") == "5"
    ActionChains(browser).drag_and_drop_by_offset(handle, 320, 0).perform()
    assert handle.get_attribute("aria-valuetext") == "10"  # it had made room for more
    assert lesson.complaints() == []


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_words_of_a_picture_stand_on_each_other(lesson, site, browser, language):
    for width in (1280, 320):
        show_at(browser, "light", width)
        lesson.visit(site, "composition", language)
        for questions, epsilon, local in (("20", "0.1", "1"), ("100", "0.1", "4"), ("3", "2", "0.1")):
            for name, value in (("questions", questions), ("epsilon", epsilon), ("models_epsilon", local)):
                paste(lesson, name, value)
            assert (width, questions, collisions(lesson)) == (width, questions, [])
        assert commands(lesson) == []
        assert "^" not in lesson.text("main")  # powers are raised


def test_nobody_is_said_to_be_certain(lesson):
    lesson.act("ask")
    assert "allows is 75%." in lesson.text("[data-value=again]")
    assert "by this one report is right in 75% of all" in lesson.text("[data-value=again]")
    lesson.enter("again_epsilon", "1.1")
    lesson.act("ask")
    assert "allows is 75.1%." in lesson.text("[data-value=again]")  # 75.026, and at most is rounded up
    lesson.enter("again_epsilon", "4")
    for _ in range(4):
        lesson.act("ten")
    words = lesson.text("[data-value=again]")
    assert "allows is over 99.9999%." in words
    assert "right in over 99.9999% of all" in words


def test_every_new_draw_gives_more_away_and_the_kept_one_does_not(lesson):
    lesson.enter("again_epsilon", "1")
    lesson.act("ask")
    first = re.search(r"now ([\d.]+)% sure", lesson.text("[data-value=again]"))[1]
    assert float(first) in [pytest.approx(100 * bound, abs=0.051) for bound in bounds(0.5, 1.0)]
    lesson.act("reload")
    assert re.search(r"Recorded: (Yes|No)\.", lesson.text("[data-value=kept]"))
    assert f"now {first}% sure" in lesson.text("[data-value=again]")

    lesson.act("ten")
    words = lesson.text("[data-value=again]")
    count, yes = (int(n) for n in re.match(r"Reports: (\d+), of which Yes: (\d+)", words).groups())
    assert count == 11
    belief = 1 / (1 + math.exp(count - 2 * yes))
    assert float(re.search(r"now ([\d.]+)% sure", words)[1]) == pytest.approx(100 * belief, abs=0.051)
    for _ in range(4):
        lesson.act("ten")
    assert "Reports: 40," in lesson.text("[data-value=again]")
    assert "40 reports" in lesson.text("[data-value=kept]")
    lesson.act("begin")
    assert "50 to 50" in lesson.text("[data-value=again]")


def test_three_models_cost_what_the_product_computes(lesson):
    lesson.enter("people", "1000")
    lesson.enter("models_epsilon", "0.5")
    rows = lesson.find("[data-value=models]").find_elements(By.CSS_SELECTOR, "tbody tr")
    local, mixed, central, _ = (
        [float(cell.text.rstrip("%")) for cell in row.find_elements(By.TAG_NAME, "td") if cell.text != "–"]
        for row in rows
    )
    error = math.sqrt(share_variances(spinner_coin(0.5), [0.5, 0.5])[1] / 1000)
    assert local[0] == 0.5
    assert local[2] == pytest.approx(100 * error, abs=0.0051)
    # The figure is rounded: what the product finds for it must be as near to the epsilon that was asked for.
    assert shuffled(spinner_coin(mixed[0]), 1000, 1e-6).epsilon == pytest.approx(0.5, rel=0.01)
    assert central == pytest.approx(
        [100 * math.sqrt(2) / 500, 100 * math.sqrt(0.25 / 1000 + 2 / 500**2)], abs=0.0051
    )
    assert local[2] > mixed[2] > central[1]

    figures = [
        float(row.find_elements(By.TAG_NAME, "td")[1].text)
        for row in lesson.find("[data-show=shuffled]").find_elements(By.CSS_SELECTOR, "tbody tr")
    ]
    given = ((10_000, 1.0), (10_000, math.log(3)), (200, 1.0))
    assert figures == pytest.approx(
        [shuffled(spinner_coin(e), n, 1e-6).epsilon for n, e in given], abs=5.1e-5
    )
    assert figures == pytest.approx([0.0357, 0.0399, 0.318], rel=0.01)


def test_the_picture_follows_the_slider(lesson):
    assert (
        lesson.browser.execute_async_script(QUICK) < 1000
    )  # some 100 ms; the first of them is not compiled yet


def test_what_cannot_be_used_is_explained_at_its_field(lesson):
    for name, typed, said, shown in (
        ("questions", "2.5", "2.5 is not whole", "sum"),
        ("epsilon", "-1", "-1 is outside", "sum"),
        ("people", "0", "0 is outside", "gap"),
        ("people", "1234.5", "1234.5 is not whole", "gap"),
        ("models_epsilon", "five", "“five”", "gap"),
    ):
        before = lesson.text(f"[data-value={shown}]")
        field = lesson.find(f"#control-{name}")
        good = field.get_attribute("value")
        paste(lesson, name, typed)
        assert said in lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert lesson.text(f"[data-value={shown}]") == before
        assert lesson.has(".stale")
        paste(lesson, name, good)
        assert not lesson.has(".stale")
    assert lesson.complaints() == []
