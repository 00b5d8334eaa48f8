"""Reports that are made for a purpose, as a visitor tries them: what is shown is what is computed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pages import Lesson, figure
from plots import laid_out
from selenium.webdriver.common.by import By

from survey.design.wants import WANTS, contrasts
from survey.mechanisms import designed, wheel

OPTIONS, EPSILON, PEOPLE = 8, 1.0, 3000
CHANNELS = {want: designed(OPTIONS, EPSILON, {want: 1.0}) for want in WANTS} | {
    "all": designed(OPTIONS, EPSILON),
    "wheel": wheel(OPTIONS, EPSILON),
}
SHARES = np.array((0.2, 0.12, 0.16, 0.18, 0.12, 0.1, 0.05, 0.07))
BAND = 2.690
"""The normal quantile of a band over seven cuts, 1 - 0.05/14."""


@pytest.fixture
def lesson(site, browser):
    lesson = Lesson(browser)
    lesson.visit(site, "made-to-order")
    laid_out(lesson)
    return lesson


def counts(channel, figures):
    """What each report counts for in each figure: least squares, weighted for equal shares."""
    chances = channel.probabilities
    means = chances.mean(axis=0)
    return figures @ np.linalg.solve((chances / means) @ chances.T, chances / means)


def variance(channel, figures, shares):
    reported = shares @ channel.probabilities
    counted = counts(channel, figures)
    return reported @ (counted**2).T - (counted @ reported) ** 2


def times(purpose, want):
    """How many times the people of the channel that is made for it."""
    equal = np.full(OPTIONS, 1 / OPTIONS)
    needed = [variance(CHANNELS[each], contrasts(want, OPTIONS), equal).sum() for each in (purpose, want)]
    return needed[0] / needed[1]


def test_the_table_says_how_many_people_each_channel_needs(browser, lesson):
    browser.execute_script("document.querySelector('[data-show=purposes]').closest('details').open = true")
    rows = lesson.rows("[data-show=purposes] table")
    expected = [[times(purpose, want) for want in WANTS] for purpose in CHANNELS]
    for row, wanted in zip(rows, expected, strict=True):
        assert row == pytest.approx(wanted, abs=0.012)
    most = max(times("all", want) for want in WANTS)
    assert f"at most {np.ceil(100 * (most - 1)):.0f}% more people" in lesson.text("[data-show=purposes] + p")


def test_the_bands_reach_as_far_as_the_products_variance_says(browser, lesson):
    browser.execute_script("document.querySelector('.plot-table').open = true")
    up_to = np.tril(np.ones((OPTIONS, OPTIONS)))[:-1]
    reach = {
        purpose: 100 * BAND * np.sqrt(variance(channel, up_to, SHARES) / PEOPLE)
        for purpose, channel in CHANNELS.items()
    }
    for purpose in CHANNELS:
        lesson.click(f"label:has([name=made][value={purpose}])")
        rows = lesson.cells(".plot-table", "td")
        for row, *wanted in zip(rows, reach[purpose], reach["wheel"], strict=True):
            shown = [figure(cell[2:]) for cell in row[1:3]]
            assert shown == pytest.approx(wanted, abs=0.06), purpose
        said = [figure(each) for each in re.findall(r"[\d.]+(?= times)", lesson.text("[data-value=needs]"))]
        assert said == pytest.approx([times(purpose, want) for want in WANTS], abs=0.06), purpose


def test_a_report_names_days_and_is_drawn_by_its_chance(browser, lesson):
    for _ in range(6):
        lesson.act("once")
        lesson.until(lambda: "The answer" in lesson.text("[data-value=drawn]"))
        drawn, answer = re.search(r"“([\d, ]+)”. The answer (\d)", lesson.text("[data-value=drawn]")).groups()
        days = {int(each) for each in drawn.split(", ")}
        foot = browser.find_elements(By.CSS_SELECTOR, ".reports-made .day")[-OPTIONS:]
        assert days == {day for day, each in enumerate(foot) if "named" in each.get_attribute("class")}
        bar = browser.find_elements(By.CSS_SELECTOR, ".reports-made .bar")[-1]
        assert ("bright" in bar.get_attribute("class")) is (int(answer) in days)
        assert ("not among" in lesson.text("[data-value=drawn]")) is (int(answer) not in days)


def test_three_thousand_people_draw_the_curve(browser, lesson):
    lesson.act("many")
    lesson.until(lambda: "With 3,000 people" in lesson.text("[data-value=drawn]"))
    browser.execute_script("document.querySelector('.plot-table').open = true")
    for row in lesson.cells(".plot-table", "td"):
        true, reach, _, estimate = (figure(cell.strip("± %")) for cell in row)
        assert abs(estimate - true) < 1.6 * reach
