"""Whoever leaves the editor, however and whenever, finds there again what they typed."""

from __future__ import annotations

import json
from threading import Event
from time import sleep

import pytest
from editing import card, click, field, offline, opening, save_as, unfold, until
from pages import PATIENCE
from selenium.webdriver import Keys


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name, with an empty memory in the browser."""

    def open_it(slug):
        staff = opening(site, browser)(slug)
        browser.execute_script("localStorage.clear()")
        return staff

    return open_it


def typed(staff):
    """Return the selector of the field of the first question's wording."""
    return field(staff, 1, "wording.en")


def value(staff):
    return staff.find(typed(staff)).get_attribute("value")


def wording(site, slug):
    """Give what is stored of the first question's wording."""
    return site.survey(slug).draft["questions"][0]["wording"]["en"]


def kept(staff):
    """Count what this browser has kept of drafts."""
    return staff.browser.execute_script("return Object.keys(localStorage).length")


def again(staff, site, slug, language="en"):
    """Load the editor, and wait until its script has run."""
    staff.browser.get(f"{site.address}/admin/surveys/{slug}?language={language}")
    in_english(staff)


def in_english(staff):
    """Wait until the script has run, and look at the English texts."""
    staff.until(lambda: staff.has("#editor:not([hidden])"))
    click(staff, ".speaking label:has([value=en])")


def leave_in_a_tunnel(staff):
    """Leave the page where nothing gets out: the tool does not hold up what is sent behind a page."""
    staff.browser.execute_script("window.fetch = () => Promise.reject(new TypeError('no connection'))")
    staff.browser.get("about:blank")
    offline(staff.browser, False)


def entitle(staff, words):
    """Type the title, in another panel than the question's, and wait until it is saved."""
    unfold(staff, "start")
    staff.replace("[id='title.en']", words)
    until(staff, ".standing", "^Saved$")
    unfold(staff, 1)


def test_what_was_typed_without_a_connection_is_there_again_and_saved(site, open_editor):
    staff = open_editor("in-a-tunnel")
    asked = "const event = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(event)"
    offline(staff.browser, True)
    staff.replace(typed(staff), "Typed in a tunnel?")
    until(staff, ".standing", "Not saved: no connection")
    assert not staff.browser.execute_script(asked), "it is kept: there is nothing to ask"
    leave_in_a_tunnel(staff)
    again(staff, site, "in-a-tunnel")
    assert value(staff) == "Typed in a tunnel?"
    until(staff, "#undo", "Taken up again from before you left")
    until(staff, ".standing", "^Saved$")
    assert wording(site, "in-a-tunnel") == "Typed in a tunnel?"
    assert kept(staff) == 0
    click(staff, "#undo .button")
    assert value(staff) == "What?"
    until(staff, ".standing", "^Saved$")
    assert wording(site, "in-a-tunnel") == "What?"


def test_a_page_loaded_again_right_after_a_keystroke_shows_it_and_asks_nothing(site, open_editor):
    slug = site.fresh("again-at-once")
    staff = open_editor(slug)
    words = "What?"
    for n in range(6):
        staff.find(typed(staff)).send_keys(Keys.END, f" {n}")
        words += f" {n}"
        if n % 2:
            staff.browser.refresh()
            in_english(staff)
        else:  # the switch of the header
            again(staff, site, slug, "ko" if n % 4 else "en")
        assert value(staff) == words
        assert not staff.has(".held, #conflict, #joined")
    again(staff, site, slug)
    until(staff, ".standing", "^Saved$")
    staff.until(lambda: wording(site, slug) == words)
    staff.until(lambda: kept(staff) == 0)
    assert not staff.has(".held, #conflict, #joined")


def test_a_page_that_was_made_before_the_last_save_shows_what_was_saved_too(site, wire, open_editor):
    """The server makes the page, then it stores what the page before still sends, and only then answers."""
    slug = site.fresh("made-before")
    staff = open_editor(slug)
    again(staff, wire, slug)
    saved = Event()

    def late(request, answer):
        if request.target.endswith("/draft"):
            saved.set()
        elif request.target.endswith(slug) and saved.wait(PATIENCE):
            sleep(0.3)  # for the page before to read its answer
        return answer

    wire.rewrites = late
    staff.replace(typed(staff), "Typed and left at once?")
    staff.browser.get(f"{wire.address}/admin/surveys/{slug}")
    assert wording(site, slug) == value(staff) == "Typed and left at once?"
    staff.until(lambda: kept(staff) == 0)
    assert not staff.has(".held, #conflict, #joined")


SLOW = """
const { fetch } = window;
window.fetch = async (...all) => { await fetch(...all); return new Promise(() => {}); };
"""
"""The server stores what is sent, and its answer comes too late."""


def test_what_is_typed_while_a_save_is_under_way_goes_on_from_it(site, wire, open_editor):
    slug = site.fresh("mid-flight")
    staff = open_editor(slug)
    again(staff, wire, slug)
    staff.browser.execute_script(SLOW)
    staff.replace(typed(staff), "First")
    staff.until(lambda: wording(site, slug) == "First")
    staff.find(typed(staff)).send_keys(" and second")
    again(staff, wire, slug)
    assert value(staff) == "First and second"
    staff.until(lambda: wording(site, slug) == "First and second")
    until(staff, ".standing", "^Saved$")
    assert not staff.has(".held, #conflict, #joined")
    assert kept(staff) == 0
    saves = [json.loads(post.body)["changes"] for post in wire.posts if post.target.endswith("/draft")]
    sent = [change["now"] for changes in saves for change in changes]
    assert sent == ["First", "First and second"], "what is stored is not sent again over what came after it"


def test_where_somebody_else_has_saved_it_is_offered_and_outlives_what_is_typed_before_one_chooses(
    site, open_editor
):
    staff = open_editor("kept-apart")
    entitle(staff, "first")
    offline(staff.browser, True)
    staff.replace(typed(staff), "Typed in a tunnel?")
    until(staff, ".standing", "Not saved: no connection")
    leave_in_a_tunnel(staff)
    save_as(site, "eve", "kept-apart", {"budget.waves": 3})
    again(staff, site, "kept-apart")
    until(staff, ".held", "This browser kept text.*the draft has been saved since")
    assert value(staff) == "What?"
    entitle(staff, "second")
    again(staff, site, "kept-apart")
    until(staff, ".held", "This browser kept text")
    click(staff, ".held .button")
    assert value(staff) == "Typed in a tunnel?"
    staff.until(lambda: kept(staff) == 0)
    table = site.survey("kept-apart").draft
    assert table["questions"][0]["wording"]["en"] == "Typed in a tunnel?"
    assert (table["title"]["en"], table["budget"]["waves"]) == ("second", 3)


def test_what_has_arrived_behind_the_page_is_let_go_whatever_came_after_it(site, open_editor):
    staff = open_editor("arrived")
    staff.browser.execute_script(SLOW)
    staff.replace(typed(staff), "Sent, and no answer waited for")
    staff.until(lambda: "Sent" in wording(site, "arrived"))
    staff.browser.get("about:blank")
    save_as(site, "eve", "arrived", {"budget.waves": 3})
    again(staff, site, "arrived")
    staff.until(lambda: kept(staff) == 0)
    assert not staff.has(".held")
    assert value(staff) == "Sent, and no answer waited for"


def test_what_one_has_chosen_is_not_offered_again(site, open_editor):
    staff = open_editor("chosen")
    uid = card(staff, 1)[1:]
    save_as(site, "eve", "chosen", {f"{uid}.wording.en": "From eve?"})
    staff.replace(typed(staff), "Mine?")
    until(staff, "#conflict", "eve saved this draft")
    click(staff, "#conflict label:has([value=theirs])")
    click(staff, "#conflict .button")
    until(staff, ".standing", "^Saved$")
    assert value(staff) == "From eve?"
    again(staff, site, "chosen")
    assert kept(staff) == 0
    assert not staff.has(".held, #undo")


@pytest.fixture
def two_tabs(site, browser, open_editor):
    """Open two tabs of one person on one draft; give the function that turns to one of them."""
    slug = site.fresh("two-tabs")
    staff = open_editor(slug)
    tabs = [browser.current_window_handle]
    browser.switch_to.new_window("tab")
    tabs.append(browser.current_window_handle)
    again(staff, site, slug)
    yield slug, staff, lambda n: browser.switch_to.window(tabs[n])
    browser.switch_to.window(tabs[1])
    browser.close()
    browser.switch_to.window(tabs[0])


def test_a_tab_in_which_nothing_waits_follows_another(site, two_tabs):
    slug, staff, turn_to = two_tabs
    turn_to(0)
    staff.replace(typed(staff), "From the first tab?")
    until(staff, ".standing", "^Saved$")
    turn_to(1)
    staff.until(lambda: value(staff) == "From the first tab?")
    staff.replace(typed(staff), "From the second?")
    until(staff, ".standing", "^Saved$")
    turn_to(0)
    staff.until(lambda: value(staff) == "From the second?")
    assert not staff.has("#joined, #conflict, .held")
    assert wording(site, slug) == "From the second?"


def test_what_two_tabs_of_one_person_have_both_changed_is_told_and_comes_back_by_a_press(site, two_tabs):
    slug, staff, turn_to = two_tabs
    offline(staff.browser, True)
    staff.replace(typed(staff), "From the second, without a connection?")
    until(staff, ".standing", "Not saved: no connection")
    turn_to(0)
    staff.replace(typed(staff), "From the first?")
    until(staff, ".standing", "^Saved$")
    turn_to(1)
    offline(staff.browser, False)
    staff.browser.execute_script("dispatchEvent(new Event('online'))")
    until(staff, "#joined", "You have saved this draft in another window too.*Question 1, Wording")
    assert wording(site, slug) == "From the second, without a connection?"
    click(staff, "#joined .button")
    assert value(staff) == "From the first?"
    staff.until(lambda: wording(site, slug) == "From the first?")
    assert not staff.has("#joined, #conflict")
