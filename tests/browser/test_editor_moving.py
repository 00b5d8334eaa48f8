"""A question that is moved stays under the pointer, and its mark goes with it."""

from __future__ import annotations

import pytest
from editing import click, draft, offline, opening, unfold, until
from selenium.webdriver import Keys

TOP = "return Math.round(document.activeElement.getBoundingClientRect().top)"
MARKED = "return [...document.querySelectorAll('#cards > :has(.mark-wrong)')].map(({ id }) => id)"


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


def test_the_button_that_moves_a_question_stays_in_its_place(site, open_editor):
    slug = site.fresh("moving")
    staff = open_editor(slug, questions=draft(slug)["questions"] * 3)
    unfold(staff, "question-9")
    button = staff.find(".doing [value^=up-]")
    staff.browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
    button.send_keys(Keys.ENTER)
    top = staff.browser.execute_script(TOP)
    for _ in range(3):
        staff.press(Keys.ENTER)
        assert abs(staff.browser.execute_script(TOP) - top) <= 1
    until(staff, "#said", "Moved to place 5")
    assert staff.browser.switch_to.active_element.get_attribute("value") == "up-4"
    staff.replace("[name=to_place]", "1")
    staff.press(Keys.ENTER)
    until(staff, "#said", "Moved to place 1")
    height = staff.browser.execute_script("return innerHeight")
    assert 0 <= staff.browser.execute_script(TOP) < height


def test_a_mark_goes_with_its_question_before_anything_is_saved(site, open_editor):
    slug = site.fresh("marked")
    questions = draft(slug)["questions"]
    questions[3]["wording"] = {}
    staff = open_editor(slug, questions=questions)
    assert staff.browser.execute_script(MARKED) == ["question-4"]
    offline(staff.browser, True)
    unfold(staff, "question-4")
    click(staff, ".doing [value^=up-]")
    assert staff.browser.execute_script(MARKED) == ["question-3"]
    unfold(staff, "question-1")
    click(staff, ".doing [value^=remove-]")
    assert staff.browser.execute_script(MARKED) == ["question-2"]
    offline(staff.browser, False)
