"""Nothing that is typed is lost, and what the editor shows around it can be used: focus, windows, words."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from conftest import PASSWORD, open_tab
from editing import card, click, draft, field, large, offline, opening, option, save_as, unfold, until
from PIL import Image
from selenium.webdriver import ActionChains, Keys

from server.language.catalogue import LANGUAGES
from server.store import surveys
from server.store.staff import second_factor


@pytest.fixture
def open_editor(site, browser):
    """Open the editor of a draft of that name."""
    return opening(site, browser)


BUSY = "return document.querySelector('.busy').textContent"


def test_after_a_failure_nothing_stands_there_and_everything_comes_back(open_editor):
    staff = open_editor("live-offline")
    offline(staff.browser, True)
    staff.replace(field(staff, 1, "epsilon"), "2")
    until(staff, ".busy", "cannot be reached")
    assert not staff.browser.find_elements("css selector", ".meaning")
    offline(staff.browser, False)
    staff.browser.execute_script("dispatchEvent(new Event('online'))")
    until(staff, f"{card(staff, 1)} .meaning", "2.0000")
    until(staff, "#total", "5.0000")
    staff.until(lambda: not staff.browser.execute_script(BUSY), "it is still busy")


def test_who_is_signed_out_is_told_so_and_loses_nothing(site, open_editor):
    staff = open_editor("live-signed-out")
    cookies = staff.browser.get_cookies()
    staff.browser.delete_all_cookies()
    staff.replace(field(staff, 1, "epsilon"), "2.5")
    until(staff, ".busy", "You are signed out. Sign in from another window")
    until(staff, ".standing", "Not saved: you are signed out")
    for each in cookies:
        staff.browser.add_cookie(each)
    staff.browser.execute_script("dispatchEvent(new Event('focus'))")
    until(staff, ".standing", "^Saved$")
    assert site.survey("live-signed-out").draft["questions"][0]["epsilon"] == 2.5


def test_whoever_needs_a_second_factor_by_now_reads_so_and_what_they_typed_is_saved_then(site, open_editor):
    staff = open_editor("kept-factor")
    site.storage.write(second_factor.require, True)
    try:
        there = open_tab(staff.browser)
        staff.sign_in(site.address, "ada", PASSWORD)
        staff.browser.close()
        staff.browser.switch_to.window(there)
        staff.replace(field(staff, 1, "wording.en"), "Typed before the factor?")
        until(staff, ".standing", "Not saved: you have to set up a second factor first")
        assert staff.find("#way a").get_attribute("href").endswith("/account/factor")
        assert staff.find("#way a").get_attribute("target") == "_blank"
    finally:
        site.storage.write(second_factor.require, False)
    staff.browser.execute_script("dispatchEvent(new Event('focus'))")
    until(staff, ".standing", "^Saved$")
    assert not staff.has("#way")
    assert site.survey("kept-factor").draft["questions"][0]["wording"]["en"] == "Typed before the factor?"


def begun_anew(site, staff, slug):
    """Wait for the new draft that a press has made of what was typed, and read its first question."""
    staff.until(lambda: site.storage.read(surveys.by_slug, slug), "no new draft")
    staff.until(lambda: staff.has("#editor:not([hidden])"))
    assert staff.browser.execute_script("return Object.keys(localStorage)") == []
    return site.survey(slug).draft["questions"][0]["wording"]["en"]


def test_what_is_typed_into_a_draft_that_is_gone_becomes_a_new_one_by_a_press(site, open_editor):
    staff = open_editor("kept-gone")
    size = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    site.storage.write(surveys.delete_survey, site.survey("kept-gone").id)
    staff.replace(field(staff, 1, "wording.en"), "Typed for nobody?")
    until(staff, ".standing", "this draft is no longer here")
    until(staff, ".busy", "can no longer be edited")
    bar = "return document.querySelector('.save-bar').offsetHeight / innerHeight"
    assert staff.browser.execute_script(bar) < 0.1
    staff.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    click(staff, "#way .button")
    assert begun_anew(site, staff, "kept-gone") == "Typed for nobody?"


def test_the_list_of_surveys_offers_what_was_typed_into_a_draft_that_is_gone(site, open_editor):
    staff = open_editor("kept-list")
    site.storage.write(surveys.delete_survey, site.survey("kept-list").id)
    staff.replace(field(staff, 1, "wording.en"), "Typed for the list?")
    until(staff, ".standing", "this draft is no longer here")
    staff.browser.get(f"{site.address}/admin")
    assert "kept-list" in staff.text(".stranded")
    click(staff, ".stranded .button")
    assert begun_anew(site, staff, "kept-list") == "Typed for the list?"


def test_the_heading_is_the_title_as_it_is_typed(open_editor):
    staff = open_editor("kept-title")
    unfold(staff, "start")
    staff.replace("[id='title.en']", "Habits at work")
    assert staff.text("h1") == "Habits at work"
    click(staff, ".speaking label:has([value=ko])")
    staff.replace("[id='title.ko']", "")
    staff.find("[id='title.ko']").send_keys("일터의 습관")
    assert staff.text("h1") == "일터의 습관"
    assert staff.find("h1").get_attribute("lang") == "ko"


def test_the_address_of_a_draft_that_is_gone_offers_what_was_typed_into_it(site, open_editor):
    staff = open_editor("kept-here")
    site.storage.write(surveys.delete_survey, site.survey("kept-here").id)
    staff.replace(field(staff, 1, "wording.en"), "Typed for this address?")
    until(staff, ".standing", "this draft is no longer here")
    staff.browser.get(f"{site.address}/admin/surveys/another")
    assert "There is nothing at this address" in staff.text("h1")
    assert not staff.has(".stranded")
    staff.browser.get(f"{site.address}/admin/surveys/kept-here")
    click(staff, ".stranded .button")
    assert begun_anew(site, staff, "kept-here") == "Typed for this address?"


def test_the_return_key_saves_a_draft_that_could_be_opened(site, open_editor):
    staff = open_editor("by-return")
    staff.until(lambda: staff.has("#ready [href$='/open']"), "not complete")
    staff.browser.execute_script("document.body.dataset.same = 'page'")
    staff.replace(field(staff, 1, "id"), "by_return")
    staff.press(Keys.ENTER)
    until(staff, "#said", "Saved")
    assert staff.browser.execute_script("return document.body.dataset.same") == "page"
    assert site.survey("by-return").draft["questions"][0]["id"] == "by_return"


def test_what_is_typed_is_what_is_opened(site, open_editor):
    staff = open_editor("live-leaving")
    staff.replace(field(staff, 1, "epsilon"), "2.5")
    click(staff, ".save-bar [href$='/open']")
    until(staff, "h1", "Open this survey")
    assert "2.5000" in staff.text("table")
    assert site.survey("live-leaving").draft["questions"][0]["epsilon"] == 2.5


def test_questions_and_options_are_made_without_loading_a_page_and_saved(site, open_editor):
    staff = open_editor("at-once")
    staff.browser.execute_script("document.body.dataset.same = 'page'")
    click(staff, "#adding [data-kind=choice]")
    staff.press("How often?")
    staff.find(option(staff, 1, "en")).send_keys("Never", Keys.ENTER)
    staff.press("Sometimes", Keys.ENTER, "Often")
    click(staff, ".option:nth-of-type(2) [data-does=up]")
    staff.replace("#to_place", "1")
    click(staff, "[data-does=place]")
    until(staff, "#said", "Moved to place 1")
    click(staff, "[data-does=copy]")
    click(staff, ".doing [data-does=remove]")
    click(staff, "#undo .button")
    until(staff, ".standing", "^Saved$")
    first, second = site.survey("at-once").draft["questions"][:2]
    assert first | {"id": ""} == second | {"id": ""}  # a save in between names each
    assert first["wording"] == {"en": "How often?"}
    assert [each.get("en") for each in first["options"]] == ["Sometimes", "Never", "Often", None]
    assert staff.browser.execute_script("return document.body.dataset.same") == "page"


def test_a_scale_its_lines_and_does_not_apply_come_at_once(site, open_editor):
    staff = open_editor("scale-at-once")
    staff.browser.execute_script("window.same = 'page'")
    click(staff, "[data-does=scale]")
    until(staff, f"{card(staff, 5)} > .line", "5")
    until(staff, "#said", "Questions 5 to 7 were added")
    assert staff.browser.switch_to.active_element == staff.find(field(staff, 5, "matrix_wording.en"))
    click(staff, "[data-does=line]")
    until(staff, "#said", "Question 6 was added")
    unfold(staff, 2)
    click(staff, "[data-does=inapplicable]")
    last = staff.find(option(staff, 13, "en"))
    assert last.get_attribute("value") == "Does not apply to me"
    until(staff, ".standing", "^Saved$")
    assert staff.browser.execute_script("return window.same") == "page"
    after = site.survey("scale-at-once").draft
    assert [(each["matrix"], len(each["options"])) for each in after["questions"][4:]] == [("scale_1", 5)] * 4
    assert after["questions"][1]["options"][-1] == {"en": "Does not apply to me", "ko": "해당 없음"}


def test_a_question_is_added_to_the_part_that_is_open(site, open_editor):
    questions = draft("any")["questions"]
    parts = [
        {"id": f"part_{n}", "title": {"en": f"Part {n}"}, "questions": questions[n : n + 2]} for n in (0, 2)
    ]
    table = draft("part-at-once", candor=2, sections=parts)
    del table["questions"]
    staff = open_editor("part-at-once", table)
    staff.browser.execute_script("window.same = 'page'")
    click(staff, "#cards > .of-part > .line")
    click(staff, ".add-here [data-kind=choice]")
    until(staff, "#said", "Question 3 was added")
    until(staff, ".standing", "^Saved$")
    assert staff.browser.execute_script("return window.same") == "page"
    after = site.survey("part-at-once").draft
    assert [len(each["questions"]) for each in after["sections"]] == [3, 2]
    assert after["sections"][0]["questions"][2]["kind"] == "choice"


def test_a_picture_comes_and_goes_without_a_page_being_loaded(site, open_editor, tmp_path):
    staff = open_editor("picture-at-once")
    staff.browser.execute_script("window.same = 'page'")
    file = tmp_path / "red.png"
    Image.new("RGB", (120, 80), "red").save(file)
    click(staff, f"{card(staff, 1)} .question-picture > summary")
    staff.browser.find_element("css selector", f"{card(staff, 1)} input[type=file]").send_keys(str(file))
    staff.find(f"{card(staff, 1)} figure img[width='120']")
    until(staff, ".standing", "^Saved$")
    assert site.survey("picture-at-once").draft["questions"][0]["picture"]["width"] == 120
    click(staff, f"{card(staff, 1)} .question-picture [data-does=unpicture]")
    staff.until(
        lambda: not staff.browser.find_element("css selector", f"{card(staff, 1)} figure img").is_displayed()
    )
    until(staff, ".standing", "^Saved$")
    assert "picture" not in site.survey("picture-at-once").draft["questions"][0]
    assert staff.browser.execute_script("return window.same") == "page"


def test_what_cannot_be_stored_or_followed_is_said_at_its_field(open_editor):
    staff = open_editor("said-at-field")
    staff.replace("#to_place", "abc")
    click(staff, "[data-does=place]")
    until(staff, ".to-place .error", "Type a whole number from 1 to 4")
    wording = staff.find(field(staff, 1, "wording.en"))
    typed = "arguments[0].value = 'a\\0b'; arguments[0].dispatchEvent(new Event('input', { bubbles: true }))"
    staff.browser.execute_script(typed, wording)
    until(staff, field(staff, 1, "wording.en-error"), "must be a text without the character U[+]0000")
    assert staff.has(f"#faults [data-unit='{card(staff, 1)[1:]}.wording.en']")
    staff.replace(field(staff, 1, "wording.en"), "Without it?")
    until(staff, ".standing", "^Saved$")
    staff.until(
        lambda: not staff.has(f"{field(staff, 1, 'wording.en-error')}, #faults .faults"), "still a fault"
    )


SEEN = """
return [...document.querySelectorAll("a[href$='/open'], a[href$='/try']")]
  .filter((link) => link.checkVisibility()).map(({ href }) => href.split("/").at(-1)).sort();
"""


def test_open_and_try_stand_there_once_for_an_incomplete_draft(open_editor):
    staff = open_editor("once-each", consent={})
    staff.until(lambda: staff.has(".missing"), "nothing is listed as missing")
    for width, height in ((1280, 900), (390, 844)):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        staff.until(lambda width=width: staff.browser.execute_script("return innerWidth") == width)
        assert staff.browser.execute_script(SEEN) == ["open", "try"]


def test_a_fault_is_listed_and_its_link_opens_the_question_at_the_field(open_editor):
    staff = open_editor("listed")
    unfold(staff, 3)
    staff.replace(field(staff, 3, "id"), "Not A Name")
    until(staff, "#faults", "Question 3, Short name: .*Not A Name")
    until(staff, field(staff, 3, "id-error"), "^(?!Question 3).*Not A Name")
    unfold(staff, "plan")
    assert staff.has(f"{card(staff, 3)} .mark-wrong")
    click(staff, f"#faults [data-unit='{card(staff, 3)[1:]}.id']")
    staff.until(lambda: staff.browser.switch_to.active_element == staff.find(field(staff, 3, "id")))
    staff.replace(field(staff, 3, "id"), "a_name")
    staff.until(lambda: not staff.has(f"{card(staff, 3)} .mark-wrong"))


def test_words_that_promise_too_much_are_marked_as_soon_as_they_are_saved(open_editor):
    staff = open_editor("kept-promise")
    unfold(staff, "start")
    assert staff.has("#promises[hidden]")
    staff.replace("[id='information.en']", "Your answers are anonymous.")
    until(staff, "#promises", "right up to [0-9]+ times in 100")
    assert "Information (English): “anonymous”" in staff.text("#promises")
    unfold(staff, "plan")
    click(staff, "#promises [data-unit='information.en']")
    focus = "return document.activeElement.id"
    staff.until(lambda: staff.browser.execute_script(focus) == "information.en")
    staff.replace("[id='information.en']", "Nobody can be sure what you answered.")
    staff.until(lambda: staff.has("#promises[hidden]"))


def test_what_somebody_else_has_changed_in_the_same_question_comes_beside_what_is_typed(site, open_editor):
    staff = open_editor("two-people")
    uid = card(staff, 1)[1:]
    save_as(site, "eve", "two-people", {f"{uid}.epsilon": 3.0})
    staff.replace(field(staff, 1, "wording.en"), "Mine?")
    until(staff, "#joined", "eve has saved this draft too.*Question 1: Mine")
    assert staff.find(field(staff, 1, "epsilon")).get_attribute("value") == "3"
    assert staff.browser.switch_to.active_element == staff.find(field(staff, 1, "wording.en"))
    question = site.survey("two-people").draft["questions"][0]
    assert (question["wording"]["en"], question["epsilon"]) == ("Mine?", 3.0)


def test_a_token_that_is_no_longer_ours_is_renewed(open_editor):
    """Whoever has signed in again in another window goes on here."""
    staff = open_editor("live-token")
    old = "for (const each of document.querySelectorAll('[name=csrf_token]')) each.value = 'old'"
    staff.browser.execute_script(old)
    unfold(staff, 2)
    until(staff, f"{card(staff, 2)} .meaning", "ε = 1")
    assert not staff.has("[name=csrf_token][value=old]")
    staff.replace(field(staff, 2, "id"), "renewed")
    until(staff, ".standing", "^Saved$")


ASKED = """
const log = window.log = [];
const { fetch } = window;
window.fetch = async (address, how) => {
  const isFigures = address.endsWith("/preview");
  log.push(isFigures ? "figures" : "save");
  how.signal.addEventListener("abort", () => log.push("given up"));
  const answer = await fetch(address, how);
  log.push(isFigures ? "figures there" : "saved");
  return answer;
};
const [field, value] = arguments;
field.value = value;
field.dispatchEvent(new Event("input", { bubbles: true }));
document.getElementById("save").click();
"""
"""A keystroke and, in the same moment, "Save"; what the page asks the server for is noted."""

FIGURES = (
    "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/preview')).length"
)


@pytest.mark.parametrize(("key", "typed"), [("wording.en", "Tired?"), ("epsilon", "2.5")])
def test_a_save_shares_the_server_with_no_request_for_figures(site, open_editor, key, typed):
    def asked():
        return " ".join(staff.browser.execute_script("return log"))

    slug = site.fresh("alone")
    staff = open_editor(slug)
    staff.until(lambda: staff.browser.execute_script(FIGURES) == 2)  # what a page that opens asks for
    staff.browser.execute_script(ASKED, staff.find(field(staff, 1, key)), typed)
    until(staff, ".standing", "^Saved$")
    staff.until(lambda: "saved figures" in asked())
    before, _, after = asked().partition("save ")
    # Figures that a number needs at once are given up, unless they are there before the save has begun.
    assert before.strip() in (("figures given up", "figures figures there") if key == "epsilon" else ("",))
    assert after.startswith("saved figures")
    assert str(typed) in str(site.survey(slug).draft["questions"][0])
    until(staff, "#total", "5.5000" if key == "epsilon" else "4.0000")


def test_the_focus_and_what_is_open_stay_when_an_answer_comes(open_editor):
    staff = open_editor("live-focus")
    staff.browser.execute_script(
        "for (const view of document.querySelectorAll('.seen')) view.open = true;"
        f"const [odds] = document.querySelectorAll('{card(staff, 1)} .seen-question details.odds');"
        "for (const each of odds.querySelectorAll('details')) each.open = true;"
        "odds.querySelector('summary').focus();"
        f'const field = document.querySelector("{field(staff, 1, "epsilon")}");'
        "field.value = '2.5'; field.dispatchEvent(new Event('input', { bubbles: true }));"
    )
    until(staff, f"{card(staff, 1)} .meaning", "2.5000")
    until(staff, f"{card(staff, 1)} .seen-question", "2.5")
    state = "return [document.activeElement.matches('.seen-question summary'),"
    state += " [...document.querySelectorAll('.seen-question details')].every((each) => each.open)]"
    assert staff.browser.execute_script(state) == [True, True]


IDS = """
return [[...document.querySelectorAll("[id]")].map(({ id }) => id),
  [...document.querySelectorAll("#editor *")].flatMap((each) => ["describedby", "labelledby"]
    .flatMap((name) => (each.getAttribute(`aria-${name}`) ?? "").split(" "))).filter(Boolean)];
"""
"""All that have a name, and the names that others point to: as they are in one moment."""


def test_no_id_is_there_twice_and_nothing_points_nowhere(open_editor):
    staff = open_editor("ids-large", large("ids-large"))
    ids, named = staff.browser.execute_script(IDS)
    assert [name for name, often in Counter(ids).items() if often > 1] == []
    assert named
    assert set(named) - set(ids) == set()


def test_an_empty_epsilon_has_words_at_its_slider(open_editor):
    staff = open_editor("live-empty")
    staff.find(field(staff, 1, "epsilon")).send_keys(Keys.END, Keys.BACKSPACE * 3)
    words = until(staff, f"{card(staff, 1)} [data-live=meaning]", "Epsilon is set by the plan")
    assert "Still missing" not in words
    slider = staff.find(f"{card(staff, 1)} .slider")
    assert slider.get_attribute("aria-valuetext") == "set by the plan"
    assert "epsilon-hint" in slider.get_attribute("aria-describedby")


def test_a_low_window_is_not_covered(open_editor):
    staff = open_editor("live-low")
    for height, position in ((900, "sticky"), (256, "static")):
        size = {"width": 320, "height": height, "deviceScaleFactor": 1, "mobile": False}
        staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        shown = "return getComputedStyle(document.querySelector('.save-bar')).position"
        staff.until(
            lambda shown=shown, position=position: staff.browser.execute_script(shown) == position,
            f"not {position}",
        )
    staff.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


FOLDED = """
return [document.documentElement.scrollHeight / innerHeight, document.querySelectorAll("*").length,
  document.querySelector(".save-bar").offsetHeight / innerHeight,
  document.documentElement.scrollWidth - innerWidth];
"""
"""Screens, elements, the share of the window under the bar, and what stands beyond its side."""

LOW = """
return [...document.querySelectorAll("#cards button, #adding button, #adding summary")]
  .filter((each) => each.offsetHeight < (each.matches(".kind") ? 44 : 24)).map((each) => each.textContent);
"""
"""Buttons that a finger misses."""


def test_thirty_questions_in_five_parts_with_a_warning_are_under_three_screens(site, open_editor):
    words = "Have you come to work tired in the past four weeks?"
    questions = [
        {"id": f"q{n}", "mechanism": "coin", "wording": {"en": words, "ko": "피곤했습니까?"}}
        for n in range(30)
    ]
    parts = [
        {"id": f"part_{n}", "title": {"en": f"Part {n}", "ko": f"{n}부"}, "questions": questions[n : n + 6]}
        for n in range(0, 30, 6)
    ]
    table = draft("parts-of-thirty", candor=2, sections=parts, budget={"limit": 4.0})
    del table["questions"]
    staff = open_editor("parts-of-thirty", table)
    for window, language in product([(1280, 900), (390, 844)], LANGUAGES):
        size = {"width": window[0], "height": window[1], "deviceScaleFactor": 1, "mobile": window[0] < 500}
        staff.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        staff.browser.get(f"{site.address}/admin/surveys/parts-of-thirty?language={language}")
        until(staff, "#faults", "4")
        click(staff, ".line[aria-expanded=true]")
        assert len(staff.browser.find_elements("css selector", "#cards > .of-part")) == 5
        screens, elements, bar, beside = staff.browser.execute_script(FOLDED)
        print(f"{window} {language}: {screens:.2f} screens, {elements} elements")
        assert screens < 3
        assert elements < 1500
        assert bar < 0.1
        assert beside <= 0
        assert staff.browser.execute_script(LOW) == []


def test_questions_are_dragged(site, open_editor):
    questions = [
        {"id": f"q{n}", "mechanism": "coin", "wording": {"en": f"What of {n}?", "ko": f"{n}?"}}
        for n in range(1, 6)
    ]
    staff = open_editor("dragged", questions=questions)
    click(staff, ".line[aria-expanded=true]")
    lines = staff.browser.find_elements("css selector", "#cards .line")
    drag = ActionChains(staff.browser).move_to_element(lines[3]).click_and_hold()
    drag.move_to_element(lines[0]).move_by_offset(0, -12).release().perform()
    until(staff, "#said", "Moved to place 1")
    assert not staff.has(".panel"), "a drag is no click"
    until(staff, ".standing", "^Saved$")
    assert [each["id"] for each in site.survey("dragged").draft["questions"][:3]] == ["q4", "q1", "q2"]
