"""Options are pasted as a list: beside what they translate, and none is lost in silence."""

from __future__ import annotations

import pytest
from editing import click, opening, option, until
from selenium.webdriver import Keys

PASTE = """
const clipboardData = new DataTransfer();
clipboardData.setData("text/plain", arguments[0]);
const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
document.activeElement.dispatchEvent(event);
"""


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


def paste(staff, field, *lines):
    click(staff, field)
    staff.browser.execute_script(PASTE, "\n".join(lines))


def options(site, slug, index=4):
    return [
        (each.get("en"), each.get("ko")) for each in site.survey(slug).draft["questions"][index]["options"]
    ]


def test_a_list_and_its_translation_are_pasted(site, open_editor):
    slug = site.fresh("paste-twice")
    staff = open_editor(slug)
    click(staff, "#adding [data-kind=choice]")
    paste(staff, option(staff, 1, "en"), "Never", " Once ", "", "Often")
    click(staff, ".speaking label:has([value=ko])")
    paste(staff, option(staff, 1, "ko"), "없다", "한 번", "자주")
    until(staff, ".standing", "^Saved$")
    assert options(site, slug) == [("Never", "없다"), ("Once", "한 번"), ("Often", "자주")]
    click(staff, option(staff, 2, "ko"))
    staff.find(option(staff, 2, "ko")).send_keys(Keys.CONTROL, "a")
    staff.browser.execute_script(PASTE, "한두 번\n서너 번")
    staff.until(lambda: len(options(site, slug)) == 4)
    assert [korean for _, korean in options(site, slug)] == ["없다", "한두 번", "서너 번", "자주"]


def test_what_finds_no_room_is_said_and_not_dropped_in_silence(site, open_editor):
    slug = site.fresh("paste-many")
    staff = open_editor(slug)
    click(staff, "#adding [data-kind=boxes]")
    paste(staff, option(staff, 1, "en"), *(f"Box {n}" for n in range(1, 24)))
    until(staff, ".no-room", "The last 3 lines did not fit.*at most 20 options")
    until(staff, ".standing", "^Saved$")
    assert [english for english, _ in options(site, slug)] == [f"Box {n}" for n in range(1, 21)]
    click(staff, ".option [data-does=remove]")
    assert not staff.has(".no-room")
