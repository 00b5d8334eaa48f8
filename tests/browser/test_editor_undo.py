"""What is removed in the editor comes back by a press, all of it, whatever has happened meanwhile."""

from __future__ import annotations

import pytest
from conftest import PASSWORD
from editing import click, field, opening, option, unfold, until
from pages import Staff
from selenium.webdriver import Keys

from server.store.staff import accounts

NAMES = ["copied", "reason", "taken", "drinks"]
FOCUSED = """
const cards = [...document.querySelectorAll("#cards > .slip")];
return cards.indexOf(document.activeElement.closest(".slip")) + 1;
"""
"""The number of the question in whose card the focus is."""


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


def remove(staff, number):
    unfold(staff, number)
    click(staff, ".doing [data-does=remove]")


def ids(site, slug):
    return [each["id"] for each in site.survey(slug).draft["questions"]]


def saved(staff, site, slug, *names):
    staff.until(lambda: ids(site, slug) == list(names), f"not {names} but {ids(site, slug)}")


def test_all_that_was_removed_comes_back_the_last_first(site, open_editor):
    slug = site.fresh("undo-all")
    staff = open_editor(slug)
    remove(staff, 2)
    until(staff, "#undo", "Question 2 was removed")
    remove(staff, 1)
    remove(staff, 2)
    saved(staff, site, slug, "taken")
    for said, focused in (
        ("Question 2", 2),
        ("Question 1", 1),
        ("Question 2", 2),
    ):
        until(staff, "#undo", f"{said} was removed")
        click(staff, "#undo .button")
        assert staff.browser.execute_script(FOCUSED) == focused
    assert not staff.has("#undo")
    saved(staff, site, slug, *NAMES)


def test_what_was_removed_comes_back_after_somebody_else_has_saved(site, open_editor, open_browser):
    slug = site.fresh("undo-joined")
    staff = open_editor(slug)
    remove(staff, 3)
    saved(staff, site, slug, "copied", "reason", "drinks")
    if site.storage.read(accounts.by_name, "eve") is None:
        site.storage.write(accounts.create, "eve", PASSWORD, "admin")
    eve = Staff(open_browser("--window-size=1280,900"))
    eve.sign_in(site.address, "eve", PASSWORD)
    eve.browser.get(f"{site.address}/admin/surveys/{slug}")
    eve.replace(field(eve, 1, "wording.en"), "Eve was here?")
    until(eve, ".standing", "^Saved$")
    unfold(staff, 2)
    staff.replace(field(staff, 2, "wording.en"), "Why so?")
    until(staff, "#joined", "eve has saved this draft too")
    click(staff, "#undo .button")
    saved(staff, site, slug, *NAMES)
    wordings = [each["wording"]["en"] for each in site.survey(slug).draft["questions"]]
    assert wordings[:2] == ["Eve was here?", "Why so?"]


def test_an_option_comes_back_where_it_was_and_is_shown(site, open_editor):
    slug = site.fresh("undo-option")
    staff = open_editor(slug)
    unfold(staff, 2)
    click(staff, ".option:nth-of-type(3) [data-does=remove]")
    unfold(staff, 4)
    click(staff, "#undo .button")
    assert staff.find(option(staff, 3)).get_attribute("value") == "Option 3"
    assert staff.browser.switch_to.active_element == staff.find(option(staff, 3))


def test_whoever_does_not_want_it_back_goes_on_where_it_was(open_editor, site):
    staff = open_editor(site.fresh("undo-closed"))
    remove(staff, 3)
    staff.press(Keys.TAB, Keys.ENTER)
    assert not staff.has("#undo")
    assert staff.browser.execute_script(FOCUSED) == 3
    unfold(staff, 2)
    click(staff, ".option:nth-of-type(3) [data-does=remove]")
    staff.press(Keys.TAB, Keys.ENTER)
    assert staff.browser.execute_script(FOCUSED) == 2
