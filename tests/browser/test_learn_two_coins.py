"""Two coins, as a visitor tosses them: what the page says is what the mechanism `coin` does."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from pages import Lesson
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By
from test_learn import chances, near

from survey.estimate import estimate_proportions
from survey.mechanisms import coin, spinner_coin
from survey.plan.variance import design_effect


@pytest.fixture
def lesson(browser, site):
    lesson = Lesson(browser)
    lesson.visit(site, "two-coins")
    return lesson


def test_one_toss_and_a_thousand(lesson):
    assert np.array(lesson.rows(".data")) == pytest.approx(np.array(chances(coin())), abs=5e-4)
    assert f"ε = {coin().epsilon:.4f}" in lesson.text(".data caption")
    assert f"{math.log(3):.4f}" in lesson.text()  # in the derivation, by hand

    lesson.act("once")
    said = lesson.find("[data-value=tossed]:not(:empty)").text
    assert re.search(r"Recorded: (Yes|No)\.", said)
    assert "Recorded: Yes" in said or "heads" in said  # after tails a made-up Yes stands

    for answer in (1, 0):
        lesson.find(f"label:has([name=answer][value='{answer}'])").click()
        lesson.act("many")
        said = lesson.text("[data-value=tossed]")
        found = re.findall(r": (\d+)\. Expected (\d+), mostly from (\d+) to (\d+)", said)
        assert sum(int(count) for count, *_ in found) == 1000
        for (count, *expected), report in zip(found, (1, 0), strict=True):
            chance = coin().probabilities[answer, report].item()
            around = 2 * math.sqrt(1000 * chance * (1 - chance))
            mean = 1000 * chance
            assert [int(n) for n in expected] == [mean, round(mean - around), round(mean + around)]
            assert near(int(count), chance)
    assert lesson.complaints() == []


def test_the_share_becomes_records_and_comes_back(lesson, browser):
    lesson.enter("share", "10")
    share, noisy, back = (float(n) for n in re.findall(r"([\d.]+)%", lesson.text("[data-value=share]")))
    assert noisy / 100 == pytest.approx(0.9 * coin().probabilities[0, 1] + 0.1 * coin().probabilities[1, 1])
    counts = [1000 - 10 * int(noisy), 10 * int(noisy)]
    for same in (coin(), spinner_coin(math.log(3))):
        assert back / 100 == pytest.approx(estimate_proportions(same, counts).proportions[1], abs=1e-8)
    assert back == share == 10
    # The whole price, at this share 3.06 and not the factor 2 of the noisy share.
    times = float(re.search(r"scatters ([\d.]+) times", lesson.text("[data-value=share]"))[1])
    assert times == pytest.approx(math.sqrt(design_effect(coin(), 0.1)), abs=0.00501)
    lesson.enter("share", "0")
    assert "scatters" not in lesson.text("[data-value=share]")
    lesson.enter("share", "10")

    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.PAGE_UP)
    assert handle.get_attribute("aria-valuetext") == "20%"
    assert browser.find_element(By.ID, "control-share").get_attribute("value") == "20"
    assert "35%" in lesson.text("[data-value=share]")


def test_a_share_that_cannot_be_is_explained_at_the_field(lesson, browser):
    before = lesson.text("[data-value=share]")
    field = browser.find_element(By.ID, "control-share")
    for typed, said in ((Keys.END + "0", "300 is outside"), ("some", "“some”"), (Keys.DELETE, "empty")):
        if typed.startswith(Keys.END):
            field.send_keys(typed)
        else:
            lesson.enter("share", typed)
        assert field.get_attribute("aria-invalid") == "true"
        error = lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert said in error
        assert "from 0 to 100" in error
        assert lesson.text("[data-value=share]") == before
        assert lesson.has("[data-show=line].stale")
