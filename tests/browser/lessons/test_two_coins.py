"""Two coins, as a visitor tosses them: what the page says is what the mechanism `coin` does."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from conftest import let_move, show_at
from pages import PACED, Lesson, nearest
from plots import laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from test_wheel import chances, near
from theory.spread import design_effect

from survey.estimate import estimate_proportions
from survey.mechanisms import coin, spinner_coin


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "two-coins")
    laid_out(lesson)
    return lesson


STEPS = ("Toss the coins", "Sort", "Take away the coins’ share", "Double", "Uncover")
DOTS = """
const dots = [...document.querySelectorAll(".crowd .dot")].filter((dot) => dot.style.opacity === "");
const yes = dots.filter((dot) => dot.querySelector(".outer.yes"));
const across = yes.map((dot) => Number(dot.style.transform.match(/translate\\(([\\d.]+)px/)[1]));
return [yes.length, dots.length - yes.length, Math.ceil(Math.max(0, ...across))];
"""
"""Light and dark dots that can be seen, and the columns that the light ones fill once they are sorted."""
MARK = """
const [range, mark] = [".crowd-range", ".crowd-mark"].map((each) => document.querySelector(each));
const [low, width] = ["x", "width"].map((each) => Number(range.getAttribute(each)));
return [Number(mark.getAttribute("d").match(/M([\\d.]+)/)[1]), low, low + width];
"""
"""The estimate and the ends of its band, in columns of ten dots."""


def minus(words):
    """The same with the minus that Python reads."""
    return words.replace("−", "-")


def heads(lesson):
    """The counts above the two blocks."""
    return [int(n.replace(",", "")) for n in re.findall(r"-?[\d,]+", minus(lesson.text(".crowd-heads")))]


def said(lesson):
    """The numbers of the sentence under the crowd."""
    return [int(n.replace(",", "")) for n in re.findall(r"-?\d[\d,]*", minus(lesson.text(".crowd-said")))]


@pytest.mark.parametrize("people", [200, 20_000])
def test_a_play_is_a_real_draw_whose_estimate_follows_from_what_the_page_shows(lesson, people):
    lesson.click(f"label:has([name=people][value='{people}'])")
    lesson.paste("truth", "30")
    per = people // 200
    truth = 3 * people // 10
    assert heads(lesson) == [truth, people - truth]
    assert lesson.browser.execute_script(DOTS)[:2] == [60, 140]
    assert (f"stands for {per} people" if per > 1 else "is one person") in lesson.text("[data-value=scale]")

    press = lesson.find("[data-action=step]")
    shown = {}
    for step in STEPS:
        assert press.text == step
        press.click()
        shown[step] = (heads(lesson), lesson.browser.execute_script(DOTS), said(lesson))
    assert press.text == "New people"

    (yes, no), dots, sentence = shown["Sort"]
    assert yes + no == people
    assert sentence == [yes, no]
    assert dots == [nearest(yes / per), 200 - nearest(yes / per), math.ceil(nearest(yes / per) / 10)]
    near_yes = people * (0.3 * coin().probabilities[1, 1] + 0.7 * coin().probabilities[0, 1])
    deviation = math.sqrt(people * 3 / 16)
    assert abs(yes - near_yes) <= 6 * deviation  # chance fails it once in 10^9

    (left, of_no), dots, sentence = shown["Take away the coins’ share"]
    assert [left, of_no] == [yes - people // 4, no - people // 4]
    assert sentence == [people // 2, people // 4, people // 4, left, of_no]
    assert dots[:2] == [nearest(yes / per) - 50, 150 - nearest(yes / per)]

    (estimate, others), dots, sentence = shown["Double"]
    assert (estimate, others) == (2 * yes - people // 2, people - estimate)
    assert estimate == pytest.approx(people * estimate_proportions(coin(), [no, yes]).proportions[1])
    assert sentence == [left, estimate, math.ceil(4 * deviation)]
    assert abs(dots[0] - max(0, estimate) / per) <= 0.5
    middle, low, high = lesson.browser.execute_script(MARK)
    drawn = [max(0, min(people, estimate + away)) for away in (0, -4 * deviation, 4 * deviation)]
    assert [middle, low, high] == pytest.approx(
        [each / per / 10 for each in drawn]
    )  # no further than the dots

    counts, dots, sentence = shown["Uncover"]
    assert counts == [truth, people - truth]
    assert dots == [60, 140, 6]
    assert sentence == [truth, estimate, abs(estimate - truth), float(f"{2 * deviation:.1e}")]
    assert abs(estimate - truth) <= 6 * 2 * deviation
    press.click()
    assert press.text == STEPS[0]
    assert not lesson.has(".crowd-range")
    assert lesson.complaints() == []


def test_all_steps_play_by_themselves_and_another_share_begins_anew(lesson):
    lesson.act("play")
    lesson.until(lambda: "In truth 60 people" in lesson.text(".crowd-said"))
    first = said(lesson)[1]
    plays = {first}
    for _ in range(5):
        lesson.act("play")
        lesson.until(lambda: lesson.text("[data-action=step]") == "New people")
        plays.add(said(lesson)[1])
    assert len(plays) > 1  # all alike once in 10^6
    lesson.paste("truth", "0")
    assert lesson.text("[data-action=step]") == STEPS[0]
    assert heads(lesson) == [0, 200]
    for _ in STEPS[:4]:
        lesson.act("step")
    estimate = heads(lesson)[0]
    assert ("beyond what can be" in lesson.text(".crowd-said")) == (estimate < 0)
    assert lesson.browser.execute_script(DOTS)[0] == max(0, estimate)
    lesson.paste("truth", "120")
    for action in ("step", "play"):
        assert not lesson.find(f"[data-action={action}]").is_enabled()


MOVING = """
const [done] = arguments;
const press = document.querySelector("[data-action=step]");
const light = () => document.querySelectorAll(".crowd .outer.yes").length;
press.click();
const before = light();
press.click();
const after = light();
const read = (selector) => document.querySelector(selector).textContent;
const said = read(".crowd-said");
requestAnimationFrame(() => requestAnimationFrame(() => {
  const moving = [...document.querySelectorAll(".crowd .dot")].map((dot) => dot.style.transform);
  const end = () => {
    const there = [...document.querySelectorAll(".crowd .dot")].map((dot) => dot.style.transform);
    const moved = moving.some((each, dot) => each !== there[dot]);
    done([before, after, press.textContent, said, read(".crowd-heads"), moved]);
  };
  let frames = 0; // each counts fifty milliseconds at least: after thirty all has come to its end
  const wait = () => requestAnimationFrame((frames += 1) < 30 ? wait : end);
  wait();
}));
"""


def test_who_does_not_wait_is_taken_to_the_next_step_at_once(lesson):
    let_move(lesson.browser)
    lesson.browser.execute_script(PACED)
    before, after, label, sentence, counts, moved = lesson.browser.execute_async_script(MOVING)
    assert before == 60  # nobody has turned yet
    assert (
        f"Recorded Yes: {after}No" in counts
    )  # everybody has, as the second press brought the first to its end
    assert label == "Take away the coins’ share"
    assert "reports say Yes" in sentence
    assert moved


def test_on_a_phone_the_crowd_and_what_moves_it_are_on_the_screen_together(lesson, browser):
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.execute_script("document.querySelector('section.trial').scrollIntoView()")
        inside = """return arguments[0].map((each) => {
          const { top, bottom } = document.querySelector(each).getBoundingClientRect();
          return top >= -1 && bottom <= innerHeight + 1;
        })"""
        together = [".crowd-heads", ".crowd-dots", ".crowd-said", "[name=truth]", "[data-action=step]"]
        assert browser.execute_script(inside, together) == [True] * 5
    finally:
        show_at(browser, "light", 1280)


def test_one_toss_and_a_thousand(lesson):
    lesson.unfold(".why:has([data-show=coin-controls])")
    lesson.unfold(".why:has(math)")
    assert np.array(lesson.rows(".data")) == pytest.approx(np.array(chances(coin())), abs=5e-4)
    assert f"ε = {coin().epsilon:.4f}" in lesson.text(".data caption")
    assert f"{math.log(3):.4f}" in lesson.text()  # in the derivation, by hand

    lesson.act("once")
    said = lesson.find("[data-value=tossed]:not(:empty)").text
    assert re.search(r"Recorded: (Yes|No)\.", said)
    assert "Recorded: Yes" in said or "second coin picked" in said  # after tails a made-up Yes stands

    for answer in (1, 0):
        lesson.click(f"label:has([name=answer][value='{answer}'])")
        lesson.act("many")
        said = lesson.text("[data-value=tossed]")
        found = re.findall(r": (\d+)\. Expected (\d+), mostly from (\d+) to (\d+)", said)
        assert sum(int(count) for count, *_ in found) == 1000
        for (count, *expected), report in zip(found, (1, 0), strict=True):
            chance = coin().probabilities[answer, report].item()
            around = 2 * math.sqrt(1000 * chance * (1 - chance))
            mean = 1000 * chance
            assert [int(n) for n in expected] == [mean, math.floor(mean - around), math.ceil(mean + around)]
            assert near(int(count), chance)
    assert lesson.complaints() == []


def test_the_share_becomes_records_and_comes_back(lesson, browser):
    lesson.unfold(".why:has([data-show=line])")
    laid_out(lesson)
    lesson.paste("share", "10")
    said = re.match(r"If (\S+)% .*, (\S+)% are .* back ([\d.]+)%\.", lesson.text("[data-value=share]"))
    share, noisy, back = (float(n) for n in said.groups())
    assert noisy / 100 == pytest.approx(0.9 * coin().probabilities[0, 1] + 0.1 * coin().probabilities[1, 1])
    counts = [1000 - 10 * int(noisy), 10 * int(noisy)]
    for same in (coin(), spinner_coin(math.log(3))):
        assert back / 100 == pytest.approx(estimate_proportions(same, counts).proportions[1], abs=1e-8)
    assert back == share == 10
    # The whole price, at this share 3.06 and not the factor 2 of the noisy share.
    times = float(re.search(r"scatters ([\d.]+) times", lesson.text("[data-value=share]"))[1])
    assert times == pytest.approx(math.sqrt(design_effect(coin(), 0.1)), abs=0.00501)
    lesson.paste("share", "0")
    assert "scatters" not in lesson.text("[data-value=share]")
    lesson.paste("share", "10")

    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.PAGE_UP)
    assert handle.get_attribute("aria-valuetext") == "20"
    assert browser.find_element(By.ID, "control-share").get_attribute("value") == "20"
    assert "35% are recorded" in lesson.text("[data-value=share]")


def test_a_share_that_cannot_be_is_explained_at_the_field(lesson, browser):
    lesson.unfold(".why:has([data-show=line])")
    before = lesson.text("[data-value=share]")
    field = browser.find_element(By.ID, "control-share")
    for typed, said in (("300", "300 is outside"), ("some", "“some”"), ("", "empty")):
        lesson.paste("share", typed)
        assert field.get_attribute("aria-invalid") == "true"
        error = lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert said in error
        assert "from 0 to 100" in error
        assert lesson.text("[data-value=share]") == before
        assert lesson.has("[data-show=line].stale")
