"""Linking the questions of a part in the editor: its control, the view beside it, and the outline."""

from __future__ import annotations

import pytest
from editing import click, opening, until

ASKED = [
    {"id": name, "wording": {"en": f"Did you {name}?", "ko": f"{name}?"}, "epsilon": 1.0}
    | {"mechanism": "spinner_coin"}
    for name in ("copy", "help", "buy")
]
EPSILON = ".panel [name$='.epsilon']"


@pytest.fixture
def edit(site, browser):
    return opening(site, browser)


def test_one_box_links_a_part_and_the_view_beside_it_shows_the_one_wheel(site, edit):
    sections = [{"id": "linked_copy", "questions": ASKED[:2]}, {"id": "rest", "questions": ASKED[2:]}]
    slug = site.fresh("editing")
    staff = edit(slug, candor=2, sections=sections, questions=None)
    parts = staff.browser.find_elements("css selector", ".outline .of-part")
    assert [part.get_property("textContent") for part in parts] == [
        "Part 1: Questions 1, 2",
        "Part 2: Question 3",
    ]
    click(staff, "#cards > .of-part > .line")
    assert not staff.browser.find_element("css selector", EPSILON).is_displayed()
    click(staff, ".panel [name$='.linked']")
    staff.replace(EPSILON, "2")
    until(staff, ".seen-question", "One spin for two answers.*Did you help")
    until(staff, "[data-live=meaning]", "One wheel for 4 combinations")
    click(staff, ".panel [name$='.by_hand']")
    until(staff, "#cards > .of-part > .line", "ε = 1.61")
    assert not staff.browser.find_element("css selector", EPSILON).is_displayed()
    staff.until(lambda: site.survey(slug).document["sections"][0].get("by_hand") == "coin", "it is not saved")
    assert site.survey(slug).checked.publication.definition.sections[0].linked.coins
