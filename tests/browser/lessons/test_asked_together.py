"""One wheel for two answers, as a visitor tries it: what is shown is what the product computes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pages import Lesson, figure
from plots import laid_out
from selenium.webdriver.common.by import By

from survey.linked import Linked
from survey.mechanisms import spinner_coin
from survey.privacy import guess


@pytest.fixture
def lesson(site, browser):
    lesson = Lesson(browser)
    lesson.visit(site, "asked-together")
    laid_out(lesson)
    return lesson


def bright(channel):
    return channel.probabilities[0, 0] - channel.probabilities[0, 1]


def test_the_table_has_the_shares_people_and_guesses_of_the_product(browser, lesson):
    browser.execute_script("document.querySelector('[data-show=totals]').closest('details').open = true")
    rows = [[figure(cell.rstrip("%")) for cell in row] for row in lesson.cells("[data-show=totals]", "td")]
    for questions, row in zip((2, 3, 4), rows, strict=True):
        linked = Linked.spun((2,) * questions, questions)
        apart, joint = spinner_coin(1.0), linked.wheels[0]

        def scattered(channel):
            told = np.array((0.8, 0.2)) @ channel.probabilities
            return told[0] * told[1] / bright(channel) ** 2

        assert row[:2] == pytest.approx([100 * bright(apart), 100 * bright(joint)], abs=0.06)
        assert row[2] == pytest.approx(scattered(apart) / scattered(linked.marginal(0)), abs=0.06)
        assert row[3] == pytest.approx((bright(joint) / bright(apart) ** 2) ** 2, abs=0.06)
        assert row[4:] == [guess([apart] * questions).times_right, guess([joint]).times_right]


def test_the_crowds_show_how_many_guesses_are_right_at_every_epsilon(browser, lesson):
    for epsilon in (2.0, 0.5, 5.0):
        lesson.paste("epsilon", str(epsilon))
        for way, channels in (
            ("joint", [Linked.spun((2, 2), epsilon).wheels[0]]),
            ("apart", [spinner_coin(epsilon / 2)] * 2),
        ):
            times = guess(channels).times_right
            inside = f"[data-design={way}]"
            assert f"right {times} times in 100" in lesson.text(f"{inside} .guessed p")
            assert len(browser.find_elements(By.CSS_SELECTOR, f"{inside} .point")) == 100
            assert len(browser.find_elements(By.CSS_SELECTOR, f"{inside} .point.bright")) == times


def test_one_spin_decides_for_both_answers_and_two_wheels_for_one_each(lesson):
    said = {"joint": set(), "apart": set()}
    for _ in range(12):
        lesson.act("once")
        for way, sentences in said.items():
            lesson.until(lambda way=way: lesson.text(f"[data-value=spun-{way}]"))
            sentences.add(lesson.text(f"[data-value=spun-{way}]").partition(" Sent")[0])
    assert {each.split(":")[0] for each in said["joint"]} == {"Bright", "Dark"}
    assert {each.split(":")[0] for each in said["apart"]} <= {"Both bright", "One dark", "Both dark"}
    assert len(said["apart"]) > 1


def test_two_thousand_people_show_the_difference_far_better_on_one_wheel(browser, lesson):
    lesson.act("many")
    lesson.until(lambda: lesson.text("[data-value=found]"))
    joint, _, truth = (
        int(each) for each in re.findall(r"(−?\d+)(?= (?:points|on)|\.$)", lesson.text("[data-value=found]"))
    )
    assert truth == 30
    assert abs(joint - truth) < 4 * 9
    browser.execute_script("document.querySelector('.plot-table').open = true")
    for joint, apart, *_ in lesson.cells(".plot-table", "td"):
        joint, apart = figure(joint[2:]), figure(apart[2:])
        assert 2.5 < apart / joint < 3.5  # the root of about 8.4
