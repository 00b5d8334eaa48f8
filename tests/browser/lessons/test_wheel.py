"""The lessons about the wheel, with a coin and without, as a visitor tries them."""

from __future__ import annotations

import math
import re

import pytest
from pages import PACED, Lesson
from plots import laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from survey.estimate import estimate_proportions
from survey.mechanisms import spinner, spinner_coin

SPINS = 1000


@pytest.fixture
def lesson(browser):
    return Lesson(browser)


def chances(channel):
    """The table as the lessons show it: yes before no, then the ratio of each column."""
    (no_no, yes_no), (no_yes, yes_yes) = channel.probabilities
    ratio = math.exp(channel.epsilon)
    return [[yes_yes, no_yes], [yes_no, no_no], [ratio, ratio]]


def deviation(chance):
    return math.sqrt(SPINS * chance * (1 - chance))


def near(count, chance):
    """Whether a count is within six standard deviations of what is expected: chance fails it once in 10^9."""
    return abs(count - SPINS * chance) <= 6 * deviation(chance)


def counted(lesson):
    """The rows of the figure of a thousand spins: count, expected, two standard errors."""
    if not lesson.has(".plot-figure:first-of-type .plot-table[open]"):
        lesson.click(".plot-figure:not([hidden]) .plot-table summary")
    return lesson.rows(".plot-figure:not([hidden]) .plot-table .data")


def test_the_wheel_grows_dark_as_epsilon_falls_and_its_bright_share_follows(site, browser, lesson):
    lesson.visit(site, "spinner-and-coin")
    for epsilon in ("4", "2", "0.5", "0.05"):
        lesson.paste("epsilon", epsilon)
        p = 100 * (1 - 2 * spinner_coin(float(epsilon)).probabilities[0, 1])
        shown, bright, dark = shares(lesson)
        assert (shown, bright, dark) == (
            float(epsilon),
            pytest.approx(p, abs=0.051),
            pytest.approx(100 - p, abs=0.051),
        )
        assert float(lesson.text(".key .bright b").rstrip("%")) == pytest.approx(p, abs=0.51)

    # The point on the curve is a slider: one step to the right is one step of epsilon.
    laid_out(lesson)
    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    lesson.paste("epsilon", "2")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    assert handle.get_attribute("aria-valuetext") == "2.05"
    assert browser.find_element(By.ID, "control-epsilon").get_attribute("value") == "2.05"
    assert shares(lesson)[1] == pytest.approx(100 * math.tanh(2.05 / 2), abs=0.051)
    ActionChains(browser).drag_and_drop_by_offset(handle, 180, 0).perform()
    assert handle.get_attribute("aria-valuenow") == "6"
    assert shares(lesson)[1] == pytest.approx(100 * math.tanh(3), abs=0.051)
    assert lesson.complaints() == []


def shares(lesson):
    """Epsilon, the bright share and the dark one in %, as the sentence above the wheel says."""
    epsilon, bright, dark = map(float, re.findall(r"\d+(?:\.\d+)?", lesson.text("[data-value=p]")))
    return epsilon, bright, dark


def test_one_spin_and_a_thousand_beside_what_is_expected(site, lesson):
    lesson.visit(site, "spinner-and-coin")
    lesson.paste("epsilon", "2")
    channel = spinner_coin(2.0)
    lesson.act("once")
    assert re.search(r"Recorded: (Yes|No)\.", lesson.find("[data-value=spun]:not(:empty)").text)

    lesson.click("label:has([name=answer][value='0'])")
    lesson.act("many")
    chance = channel.probabilities[0, 1]
    said = [
        int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", lesson.text("[data-value=spun]"))
    ]
    assert said[1:] == [SPINS, round(SPINS * chance), round(2 * deviation(chance))]
    (yes, mean, twice), (no, *_) = counted(lesson)
    assert (yes, yes + no) == (said[0], SPINS)
    assert (mean, twice) == pytest.approx((SPINS * chance, 2 * deviation(chance)), abs=0.051)
    assert near(yes, chance)
    lesson.click("details:has([data-show=chances]) > summary")
    for shown, expected in zip(lesson.rows("[data-show=chances] .data"), chances(channel), strict=True):
        assert shown == pytest.approx(expected, abs=5.1e-4)
    assert lesson.complaints() == []


def test_the_counts_grow_over_a_second_and_the_axes_stand_still(site, browser, lesson):
    moving = {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", moving)
    lesson.visit(site, "spinner-and-coin")
    browser.execute_script(PACED)
    frames = browser.execute_async_script("""
      const [done] = arguments;
      const figure = document.querySelector(".plot-figure[hidden]");
      const seen = [];
      const look = () => {
        const bar = figure.querySelector(".bar.bright"); // gone for a moment while it is drawn again
        const ticks = [...figure.querySelectorAll(".tick")].map((each) => each.textContent).join(" ");
        const band = figure.querySelector(".band")?.getAttribute("d");
        if (bar) seen.push([Number(bar.getAttribute("height")), ticks, band]);
        if (document.querySelector("[data-value=spun]").textContent) done(seen);
        else requestAnimationFrame(look);
      };
      document.querySelector("[data-action=many]").click();
      look();""")
    heights = [height for height, *_ in frames]
    assert heights == sorted(heights)
    assert len(set(heights)) > 2
    assert len({ticks for _, ticks, _ in frames}) == 1
    assert len({band for *_, band in frames[1:]}) == 1


def test_the_example_on_the_page_is_what_the_product_estimates(site, browser, lesson):
    lesson.visit(site, "spinner-and-coin")
    for summary in browser.find_elements(By.CSS_SELECTOR, "details.why > summary"):
        summary.click()
    estimate = estimate_proportions(spinner_coin(math.log(4)), [492, 508])
    share, error = estimate.proportions[1], estimate.standard_errors[1]
    said = lesson.text("details.why:nth-of-type(2)")
    assert f"≈{share:.4f}" in re.sub(r"\s", "", said)
    assert f"about {SPINS * share:.0f} of the 1,000 people" in said
    plain = math.sqrt(0.508 * 0.492 / SPINS)
    assert f"{100 * error:.1f} percentage points. Without the wheel it would be {100 * plain:.1f}" in said
    assert f"1/p = {1 / 0.6:.2f}" in said


def test_two_wheels_are_one_channel(site, lesson):
    lesson.visit(site, "spinner-only")
    lesson.paste("epsilon", "1.5")
    expected = chances(spinner(1.5))
    for row, same in zip(expected, chances(spinner_coin(1.5)), strict=True):
        assert row == pytest.approx(same, abs=1e-9)
    _, coin, alone = map(float, re.findall(r"\d+(?:\.\d+)?", lesson.text("[data-value=map]")))
    assert coin == pytest.approx(100 * math.tanh(0.75), abs=0.051)
    assert alone == pytest.approx(100 * expected[0][0], abs=0.051)
    pieces = [
        [float(number) for number in re.findall(r"\d+\.\d", lesson.text(f"[data-row={row}] .split-pieces"))]
        for row in ("spinner_coin", "spinner")
    ]
    assert pieces[0][0] + pieces[0][1] == pytest.approx(
        pieces[1][0], abs=0.11
    )  # bright, and what the coin repeats
    assert pieces[0][2] == pieces[1][1]

    lesson.act("many")
    for count, mean, twice in counted(lesson):
        assert near(count, expected[0][0])
        assert (mean, twice) == pytest.approx(
            (SPINS * expected[0][0], 2 * deviation(expected[0][0])), abs=0.051
        )
    lesson.act("once")
    for design in ("spinner_coin", "spinner"):
        assert "Recorded:" in lesson.find(f"[data-value=spun-{design}]:not(:empty)").text
    lesson.click("details:has([data-show=chances]) > summary")
    for shown, row in zip(lesson.rows("[data-show=chances] .data"), expected, strict=True):
        assert shown == pytest.approx(row, abs=5.1e-4)
    assert lesson.complaints() == []


def test_near_an_end_a_share_has_the_same_digits_wherever_it_stands(site, lesson):
    lesson.visit(site, "spinner-only")
    lesson.paste("epsilon", "6")
    for design, share in (("spinner_coin", "99.51"), ("spinner", "99.75")):
        assert lesson.text(f"[data-design={design}] .key .bright b") == f"{share}%"
        assert share in lesson.text("[data-value=map]")
        assert lesson.text(f"[data-row={design}] .split-pieces b") == share
    lesson.visit(site, "spinner-and-coin")
    lesson.paste("epsilon", "6")
    assert lesson.text(".key .bright b") == "99.51%"
    assert "99.51% of the wheel is bright and 0.49% is dark" in lesson.text("[data-value=p]")
    lesson.visit(site, "simulation")
    lesson.act("open")
    assert lesson.text("[data-value=bright]") == "ε = 6 makes the wheel bright on 99.51%."
