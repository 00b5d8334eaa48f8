"""A question that is moved stays under the pointer, and its mark goes with it."""

from __future__ import annotations

import pytest
from editing import card, click, draft, offline, opening, unfold, until

MOVED = """
const button = document.querySelector(arguments[0]);
const top = () => button.getBoundingClientRect().top;
button.scrollIntoView({ block: "center", behavior: "instant" });
button.focus();
const tops = [top()];
for (let press = 0; press < arguments[1]; press += 1) {
  button.click();
  tops.push(top());
}
return tops;
"""
"""Presses a button several times, before any answer comes; gives where in the window it stands each time."""

MARKED = "return [...document.querySelectorAll('#cards > :has(.mark-wrong)')].map(({ id }) => id)"


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


def test_the_button_that_moves_a_question_stays_in_its_place(site, open_editor):
    slug = site.fresh("moving")
    questions = draft(slug)["questions"]
    many = [each | {"id": f"{each['id']}_{n}"} for n in range(3) for each in questions]
    staff = open_editor(slug, questions=many)
    unfold(staff, 9)
    tops = staff.browser.execute_script(MOVED, ".doing [data-does=up]", 4)
    assert max(tops) - min(tops) <= 1
    until(staff, "#said", "Moved to place 5")
    assert staff.browser.switch_to.active_element.get_attribute("data-does") == "up"
    assert staff.has(f"{card(staff, 5)} > .panel")
    staff.replace("#to_place", "1")
    (_, top) = staff.browser.execute_script(MOVED, ".doing [data-does=place]", 1)
    until(staff, "#said", "Moved to place 1")
    assert 0 <= top < staff.browser.execute_script("return innerHeight")


def test_a_mark_goes_with_its_question_before_anything_is_saved(site, open_editor):
    slug = site.fresh("marked")
    questions = draft(slug)["questions"]
    questions[3]["wording"] = {}
    staff = open_editor(slug, questions=questions)
    marked = staff.until(lambda: staff.browser.execute_script(MARKED))
    assert [f"#{uid}" for uid in marked] == [card(staff, 4)]
    offline(staff.browser, True)
    unfold(staff, 4)
    click(staff, ".doing [data-does=up]")
    assert staff.browser.execute_script(MARKED) == marked
    assert card(staff, 3) == f"#{marked[0]}"
    unfold(staff, 1)
    click(staff, ".doing [data-does=remove]")
    assert staff.browser.execute_script(MARKED) == marked
    offline(staff.browser, False)
