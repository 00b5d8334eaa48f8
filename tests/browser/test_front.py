"""The front page, as a visitor tries it: the wheel once, and two hundred people."""

from __future__ import annotations

import math
import re

import pytest
from conftest import show_at
from pages import Page

from survey.mechanisms import coin

PEOPLE, MANY = 200, 20_000
CHANCES = coin().probabilities.tolist()
"""Of two coins, which is the wheel that is half bright: the chance of each report under each answer."""

DOTS = """
const dots = [...document.querySelectorAll(".crowd .dot .outer")];
return [dots.filter((dot) => dot.classList.contains("yes")).length, dots.length];
"""
MARK = """
const [range, mark] = [".crowd-range", ".crowd-mark"].map((each) => document.querySelector(each));
const [low, width] = ["x", "width"].map((each) => Number(range.getAttribute(each)));
return [Number(mark.getAttribute("d").match(/M([\\d.]+)/)[1]), low, low + width];
"""
INSIDE = """
return [...arguments].map((selector) => document.querySelector(selector).getBoundingClientRect())
  .every(({ top, bottom }) => top >= 0 && bottom <= innerHeight);
"""
"""Whether all of it is on the screen."""

WATCHED = """
new MutationObserver(() => {
  const said = document.querySelector("[data-value=recorded]");
  if (said) window.began ??= performance.now();
  if (said?.textContent) window.shown ??= performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Remember when the wheel stood on the page, and when it was said what came out."""


@pytest.fixture
def front(browser, site):
    def visit(language="en"):
        page = Page(browser)
        browser.get(f"{site.address}/?language={language}")
        page.find("[data-answer='1']")
        return page

    return visit


def numbers(text):
    return [int(found.replace(",", "")) for found in re.findall(r"-?\d[\d,]*", text.replace("−", "-"))]


def typical(people):
    """The standard error of an estimate among so many people whose answers do not change."""
    chance = CHANCES[1][1]
    return math.sqrt(people * chance * (1 - chance)) / (2 * chance - 1)


def test_the_wheel_shows_what_is_recorded_and_that_either_answer_could_give_it(browser, wire):
    page = Page(browser)
    browser.get(f"{wire.address}/?language=en")
    page.find("[data-answer='1']")
    before = len(wire.requests)
    for answer in (0, 1):
        seen = set()
        for _ in range(60):  # that all are the same has a chance of 3 in 100 million
            page.click(f"[data-answer='{answer}']")
            page.until(lambda: "Would be sent" in page.text("[data-value=recorded]"))
            report = page.text("[data-value=recorded]").removeprefix("Would be sent: ")
            seen.add(report)
            other = {"Yes": "No", "No": "Yes"}[report]
            different, same = (round(100 * chance) for chance in CHANCES[1])
            said = page.text("[data-value=could]")
            assert f"100 people whose answer is {report}, about {same} send {report}" in said
            assert f"100 whose answer is {other}, about {different} do too" in said
            if len(seen) == 2:
                break
        assert seen == {"Yes", "No"}, "sixty spins gave one value only"
    assert [request.target for request in wire.requests[before:]] == [], "nothing is sent"
    assert browser.execute_script("return [sessionStorage.length, localStorage.length]") == [0, 0]


@pytest.mark.parametrize(("motion", "most"), [("no-preference", 1500), ("reduce", 300)])
def test_the_wheel_shows_what_it_does_before_anybody_presses(browser, site, motion, most):
    wanted = [{"name": "prefers-reduced-motion", "value": motion}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCHED})
    page = Page(browser)
    browser.get(f"{site.address}/?language=en")
    page.until(lambda: "Would be sent" in page.text("[data-value=recorded]"))
    assert browser.execute_script("return window.shown - window.began") < most
    assert re.search(r"Of 100 people with that answer, about (75|25) send", page.text("[data-value=could]"))
    assert not browser.find_elements("css selector", "[aria-pressed=true]"), "nobody has answered"


def test_the_total_of_two_hundred_follows_from_their_records_and_comes_close(browser, front):
    page = front()
    estimates = []
    for _ in range(8):
        truth, all_of_them = browser.execute_script(DOTS)
        assert all_of_them == PEOPLE
        assert numbers(page.text(".crowd-heads")) == [truth, PEOPLE - truth]
        assert numbers(page.text(".crowd-said"))[:2] == [truth, PEOPLE]
        page.click("[data-action=spin-all]")
        page.until(lambda: page.text("[data-value=close]"))
        recorded, _ = browser.execute_script(DOTS)
        assert numbers(page.text(".crowd-heads")) == [recorded, PEOPLE - recorded]
        estimate = 2 * recorded - PEOPLE // 2
        told = [50, recorded, recorded - 50, estimate, truth, abs(estimate - truth)]
        assert numbers(page.text(".crowd-said")) == told
        assert abs(estimate - truth) < 6 * typical(PEOPLE)  # chance fails it once in 10^9
        at, low, high = browser.execute_script(MARK)
        reach = 2 * typical(PEOPLE)
        drawn = [max(0, min(PEOPLE, each)) / 10 for each in (estimate, estimate - reach, estimate + reach)]
        assert [at, low, high] == pytest.approx(drawn, abs=0.01)  # no further than the dots
        estimates.append(estimate - truth)
        page.click("[data-action=spin-all]")
        page.until(lambda: not page.browser.execute_script("return document.querySelector('.crowd-range')"))
    assert len(set(estimates)) > 1, "each is a draw of its own"  # all alike once in 10^9


def test_it_says_how_close_rounded_outward(front):
    page = front()
    page.find("[data-action=spin-all]").click()
    said = page.until(lambda: page.text("[data-value=close]"))
    reach = math.ceil(2 * typical(PEOPLE))
    assert f"{reach} people, or {100 * reach / PEOPLE} percentage points" in said  # the same, in either unit
    assert f"{math.ceil(2000 * typical(MANY) / MANY) / 10} points" in said


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everybody_can_use_it(front, look, language):
    """On the narrowest phone, too: each look has one."""
    page = front(language)
    look(page)
    page.find("[data-answer='0']").click()
    page.find("[data-action=next]").click()
    page.until(lambda: page.text("[data-value=close]"))
    look(page)
    assert page.complaints() == []


@pytest.mark.parametrize("language", ["en", "ko"])
def test_one_screen_says_what_this_is_and_the_result_stays_in_sight(browser, front, language):
    page = front(language)
    page.until(lambda: page.text("[data-value=recorded]"))
    promised = ("h1", ".lede", ".promise-made .toolbar", "#asked", ".answers", "[data-value=recorded]")
    sizes = [(1280, 900), (390, 844)]
    for width, height in sizes:
        show_at(browser, "light", width, height)
        page.until(lambda: browser.execute_script(INSIDE, *promised), f"not on one screen of {width}")
    for width, height in sizes:
        show_at(browser, "light", width, height)
        browser.execute_script("scrollTo(0, 0)")
        page.click("[data-answer='1']")
        page.find("[data-action=next]")
        page.until(lambda: browser.execute_script(INSIDE, ".answers", ".device", ".said"))
        height_of_page = browser.execute_script("return document.documentElement.scrollHeight")
        assert height_of_page < (3.6 if width > 1000 else 4.6) * height
