"""Nothing that is typed is lost, and what the editor shows around it can be used: focus, windows, words."""

from __future__ import annotations

import pytest
from editing import large, opening, unfold, until
from selenium.webdriver import Keys


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


def offline(browser, cut):
    """Cut the network, or join it again."""
    conditions = {"offline": cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)


def test_after_a_failure_nothing_stands_there_and_everything_comes_back(open_editor):
    staff = open_editor("live-offline")
    offline(staff.browser, True)
    staff.replace("#questions-0-epsilon", "2")
    until(staff, ".busy", "cannot be reached")
    assert not staff.browser.find_elements("css selector", ".meaning")
    offline(staff.browser, False)
    staff.browser.execute_script("dispatchEvent(new Event('online'))")
    until(staff, "#question-1 .meaning", "2.0000")
    until(staff, "#total", "5.0000")
    assert staff.browser.execute_script("return document.querySelector('.busy').textContent") == ""


def test_who_is_signed_out_is_told_so_and_loses_nothing(site, open_editor):
    staff = open_editor("live-signed-out")
    cookies = staff.browser.get_cookies()
    staff.browser.delete_all_cookies()
    staff.replace("#questions-0-epsilon", "2.5")
    until(staff, ".busy", "You are signed out. Sign in from another window")
    staff.find("#save").click()
    until(staff, "h1", "You are signed out")
    for each in cookies:
        staff.browser.add_cookie(each)
    staff.find("main form button").click()
    until(staff, "main [role=alert]", "Not saved yet")
    until(staff, "#question-1 .meaning", "2.5000")
    staff.find("#save").click()
    until(staff, "main [role=status]", "Saved")
    assert site.survey("live-signed-out").draft["questions"][0]["epsilon"] == 2.5
    assert "saved" not in staff.browser.current_url


def test_a_token_that_is_no_longer_ours_is_not_called_a_reason_to_save_for_figures(open_editor):
    staff = open_editor("live-token")
    staff.browser.execute_script("document.querySelector('#editor [name=csrf_token]').value = 'old'")
    staff.replace("#questions-0-epsilon", "2.5")
    until(staff, ".busy", "signed in again")


def test_what_is_typed_is_what_is_opened_and_leaving_it_is_asked_about(site, open_editor):
    staff = open_editor("live-leaving")
    asked = "const event = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(event)"
    assert not staff.browser.execute_script(asked)
    staff.replace("#questions-0-epsilon", "2.5")
    assert staff.browser.execute_script(asked)
    staff.find(".save-bar [value=open]").click()
    until(staff, "h1", "Open this survey")
    assert "2.5000" in staff.text("table")
    assert site.survey("live-leaving").draft["questions"][0]["epsilon"] == 2.5


def test_texts_that_no_figure_depends_on_ask_for_none(open_editor):
    staff = open_editor("live-texts")
    count = "return performance.getEntriesByType('resource')"
    count += ".filter(({ name }) => name.endsWith('/preview')).length"
    before = staff.browser.execute_script(count)
    staff.fill("questions-0-id", "another")
    assert staff.browser.execute_script(count) == before
    unfold(staff, "plan")
    staff.fill("limit", "9")
    until(staff, "#total", "(limit 9)")


def test_the_focus_and_what_is_open_stay_when_an_answer_comes(open_editor):
    staff = open_editor("live-focus")
    staff.browser.execute_script(
        "for (const view of document.querySelectorAll('.seen')) view.open = true;"
        "const [odds] = document.querySelectorAll('#question-1 .seen-question details.odds');"
        "for (const each of odds.querySelectorAll('details')) each.open = true;"
        "odds.querySelector('summary').focus();"
        "const field = document.getElementById('questions-0-epsilon');"
        "field.value = '2.5'; field.dispatchEvent(new Event('input', { bubbles: true }));"
    )
    until(staff, "#question-1 .meaning", "2.5000")
    until(staff, "#question-1 .seen-question", "2.5")
    state = "return [document.activeElement.matches('.seen-question summary'),"
    state += (
        " [...document.querySelectorAll('#question-1 .seen-question details')].every((each) => each.open)]"
    )
    assert staff.browser.execute_script(state) == [True, True]


def test_no_id_is_there_twice_and_nothing_points_nowhere(open_editor):
    staff = open_editor("live-large", large("live-large"))
    ids = staff.browser.execute_script("return [...document.querySelectorAll('[id]')].map(({ id }) => id)")
    assert len(ids) == len(set(ids))
    named = staff.browser.execute_script(
        "return [...document.querySelectorAll('#editor *')].flatMap((each) => ['describedby', 'labelledby']"
        ".flatMap((name) => (each.getAttribute(`aria-${name}`) ?? '').split(' '))).filter(Boolean)"
    )
    assert named
    assert set(named) <= set(ids)


def test_an_empty_epsilon_has_words_at_its_slider(open_editor):
    staff = open_editor("live-empty")
    staff.find("#questions-0-epsilon").send_keys(Keys.END, Keys.BACKSPACE * 3)
    until(staff, "#question-1 [data-live]", "Still missing: *Epsilon")
    slider = staff.find("#question-1 .slider")
    assert slider.get_attribute("aria-valuetext") == "set by the plan"
    assert "questions-0-epsilon-hint" in slider.get_attribute("aria-describedby")


def test_a_low_window_is_not_covered(open_editor):
    staff = open_editor("live-low")
    for height, position in ((900, "sticky"), (256, "static")):
        size = {"width": 320, "height": height, "deviceScaleFactor": 1, "mobile": False}
        staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        shown = "return getComputedStyle(document.querySelector('.save-bar')).position"
        assert staff.browser.execute_script(shown) == position
    staff.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
