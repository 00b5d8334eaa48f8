"""The lessons, as a visitor tries them: what they show is what the product computes."""

from __future__ import annotations

import math
import re

import pytest
from conftest import check_for_everybody, show_at
from pages import Page
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from server.learn import LESSONS
from survey.mechanisms import spinner, spinner_coin


class Lesson(Page):
    """A lesson with something to try."""

    def visit(self, site, slug, language="en"):
        """Open it, and wait until its script has drawn."""
        self.browser.get(f"{site.address}/learn/{slug}?language={language}")
        self.find("section.trial input, section.trial button")

    def enter(self, name, typed):
        """Write into the field of a control, in the place of what it holds."""
        field = self.find(f"#control-{name}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(typed)

    def act(self, action):
        """Press a button."""
        self.find(f"[data-action={action}]").click()

    def rows(self, selector):
        """Give the numbers of a table's rows."""
        rows = self.find(selector).find_elements(By.CSS_SELECTOR, "tbody tr")
        return [
            [float(cell.text.replace(",", "")) for cell in row.find_elements(By.TAG_NAME, "td")]
            for row in rows
        ]


@pytest.fixture
def lesson(browser):
    return Lesson(browser)


def chances(channel):
    """The table as the lessons show it: yes before no, then the ratio of each column."""
    (no_no, yes_no), (no_yes, yes_yes) = channel.probabilities
    ratio = math.exp(channel.epsilon)
    return [[yes_yes, no_yes], [yes_no, no_no], [ratio, ratio]]


def near(count, chance, spins=1000):
    """Whether a count is within six standard deviations of what is expected: chance fails it once in 10^9."""
    return abs(count - spins * chance) <= 6 * math.sqrt(spins * chance * (1 - chance))


def test_spinner_and_coin_shows_the_wheel_the_chances_and_a_thousand_spins(site, browser, lesson):
    lesson.visit(site, "spinner-and-coin")
    lesson.enter("epsilon", "2")
    channel = spinner_coin(2.0)
    p = 1 - 2 * channel.probabilities[0, 1]
    assert f"p = {p:.4f}" in lesson.text("[data-value=p]")
    assert lesson.text(".key .bright b") == f"{100 * p:.0f}%"
    for shown, expected in zip(lesson.rows(".data"), chances(channel), strict=True):
        assert shown == pytest.approx(expected, abs=5.1e-4)

    lesson.act("once")
    assert re.search(r"Recorded: (Yes|No)\.", lesson.find("[data-value=spun]:not(:empty)").text)

    lesson.find("label:has([name=answer][value='0'])").click()
    lesson.act("many")
    yes, no = (int(n) for n in re.findall(r": (\d+), expected", lesson.text("[data-value=spun]")))
    assert yes + no == 1000
    assert near(yes, channel.probabilities[0, 1])

    # The point on the curve is a slider: one step to the right is one step of epsilon.
    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    assert handle.get_attribute("aria-valuetext") == "2.05"
    assert browser.find_element(By.ID, "control-epsilon").get_attribute("value") == "2.05"
    assert f"p = {math.tanh(2.05 / 2):.4f}" in lesson.text("[data-value=p]")
    ActionChains(browser).drag_and_drop_by_offset(handle, 400, 0).perform()
    assert handle.get_attribute("aria-valuenow") == "6"
    assert f"p = {math.tanh(3):.4f}" in lesson.text("[data-value=p]")
    assert lesson.complaints() == []


def test_what_cannot_be_used_is_explained_at_the_field_and_nothing_is_computed_from_it(site, browser, lesson):
    lesson.visit(site, "spinner-and-coin")
    before = lesson.text("[data-value=p]")
    field = browser.find_element(By.ID, "control-epsilon")
    for typed, said in (
        ("7", "7 is outside"),
        ("0", "0 is outside"),
        ("much", "“much”"),
        (Keys.DELETE, "empty"),
    ):
        lesson.enter("epsilon", typed)
        assert field.get_attribute("aria-invalid") == "true"
        error = lesson.find(f"#{field.get_attribute('aria-describedby')}").text
        assert said in error
        assert "from 0.05 to 6" in error
        assert lesson.text("[data-value=p]") == before
        assert lesson.has("[data-show=result].stale")
        assert "last values" in lesson.text(".kept-note")
    lesson.enter("epsilon", "0.5")
    assert field.get_attribute("aria-invalid") == "false"
    assert not lesson.has(".stale")
    assert f"p = {math.tanh(0.25):.4f}" in lesson.text("[data-value=p]")


def test_spinner_only_shows_two_devices_with_the_same_table(site, lesson):
    lesson.visit(site, "spinner-only")
    lesson.enter("epsilon", "1.5")
    expected = chances(spinner(1.5))
    for design in ("spinner_coin", "spinner"):
        for shown, row in zip(lesson.rows(f"[data-design={design}]"), expected, strict=True):
            assert shown == pytest.approx(row, abs=5.1e-4)
    coin, alone = (float(n) for n in re.findall(r"0\.\d{4}", lesson.text("[data-value=map]")))
    assert coin == pytest.approx(math.tanh(0.75), abs=5.1e-5)
    assert alone == pytest.approx(expected[0][0], abs=5.1e-5)

    lesson.act("many")
    *counts, mean = lesson.rows("[data-value=counts]")
    assert mean == pytest.approx([1000 * expected[0][0], 1000 * expected[0][1]], abs=0.051)
    for yes, no in counts:
        assert yes + no == 1000
        assert near(yes, expected[0][0])
    lesson.act("once")
    for design in ("spinner_coin", "spinner"):
        assert "Recorded:" in lesson.find(f"[data-value=spun-{design}]:not(:empty)").text
    assert lesson.complaints() == []


def test_the_contents_can_be_used_by_everybody(site, browser, look):
    browser.get(f"{site.address}/learn")
    look(Page(browser))


@pytest.mark.parametrize("slug", LESSONS)
def test_every_lesson_can_be_used_by_everybody(site, browser, lesson, slug):
    for scheme, language in (("light", "en"), ("dark", "ko")):
        show_at(browser, scheme, 1280)
        lesson.visit(site, slug, language)
        check_for_everybody(lesson)
        show_at(browser, scheme, 320)  # without loading it again: what is drawn follows the window
        check_for_everybody(lesson)
    assert lesson.complaints() == []
