"""The lessons, as a visitor tries them: what they show is what the product computes."""

from __future__ import annotations

import math
import re

import pytest
from conftest import let_move, show_at
from pages import Lesson, Page
from plots import CAPTIONS, laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from server.language.catalogue import LANGUAGES, section
from server.lessons.pages import LESSONS


@pytest.fixture
def lesson(browser):
    return Lesson(browser)


COUNTED = """
const figures = [...document.querySelectorAll(".plot-figure")].filter((each) => each.checkVisibility());
return figures.map((each) => each.innerText).filter((words) => words.includes("made-up answer"));
"""
"""The figures of a thousand that can be seen, told by their caption."""


@pytest.mark.parametrize(
    ("slug", "shown"),
    [
        ("two-coins", "[data-value=tossed]"),
        ("spinner-and-coin", "[data-value=spun]"),
        ("spinner-only", "[data-value=counts]"),
    ],
)
def test_what_was_counted_for_one_answer_is_not_shown_beside_another(site, browser, lesson, slug, shown):
    """Another answer empties the figure, and the figure says for which answer it was counted."""
    lesson.visit(site, slug)
    unfold(lesson)
    for answer, words in (("1", "Yes"), ("0", "No")):
        lesson.click(f"label:has([name=answer][value='{answer}'])")
        assert browser.find_element(By.CSS_SELECTOR, shown).text == ""
        assert browser.execute_script(COUNTED) == []
        lesson.act("many")
        assert lesson.text(shown)
        caption, *_ = [*browser.execute_script(COUNTED), lesson.text(shown)]
        assert f"made-up answer {words}" in caption


def unfold(lesson):
    """Open whatever is folded on the page, and wait until all of it is drawn."""
    lesson.browser.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    laid_out(lesson)


SPIN = """
document.querySelector("[data-action=once]").click();
window.turning = document.getAnimations();
for (const each of turning) each.pause();
return turning.length;
"""
"""Spin once, and stop everything in its first moment, so that however slow the machine is it still turns."""

SPUN = """
const [done] = arguments;
for (const each of turning) each.finish();
Promise.all(turning.map((each) => each.finished)).then(() => requestAnimationFrame(() => setTimeout(done)));
"""
"""Bring everything that was stopped to its end, and wait until what follows from it has been drawn."""


@pytest.mark.parametrize(
    ("slug", "shown"), [("two-coins", "[data-value=tossed]"), ("spinner-and-coin", "[data-value=spun]")]
)
def test_a_spin_that_is_under_way_says_nothing_after_something_else_was_asked_for(
    site, browser, lesson, slug, shown
):
    let_move(browser)
    lesson.visit(site, slug)
    unfold(lesson)
    assert browser.execute_script(SPIN) > 1
    assert browser.find_element(By.CSS_SELECTOR, shown).text == ""  # it turns
    lesson.act("many")
    counts = lesson.text(shown)
    browser.execute_async_script(SPUN)
    assert lesson.text(shown) == counts
    assert browser.execute_script(SPIN) > 1
    lesson.click("label:has([name=answer][value='0'])")
    assert browser.find_element(By.CSS_SELECTOR, shown).text == ""
    browser.execute_async_script(SPUN)
    assert browser.find_element(By.CSS_SELECTOR, shown).text == ""


def test_while_a_field_is_wrong_nothing_new_can_be_asked_for_and_no_point_runs_ahead(site, browser, lesson):
    for slug, name, action in (
        ("spinner-and-coin", "epsilon", "many"),
        ("spinner-only", "epsilon", "once"),
        ("noise", "epsilon", "draw"),
        ("composition", "again_epsilon", "ask"),
    ):
        lesson.visit(site, slug)
        button = lesson.find(f"[data-action={action}]")
        lesson.enter(name, "99")
        assert not button.is_enabled(), slug
        lesson.paste(name, "1")
        assert button.is_enabled(), slug

    lesson.visit(site, "suspicion")
    laid_out(lesson)
    handle = browser.find_element(By.CSS_SELECTOR, ".handle")
    place, field = handle.get_attribute("transform"), browser.find_element(By.ID, "control-prior")
    before = field.get_attribute("value")
    lesson.enter("epsilon", "99")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert handle.get_attribute("aria-disabled") == "true"
    assert (handle.get_attribute("transform"), field.get_attribute("value")) == (place, before)
    lesson.enter("epsilon", "1")
    browser.execute_script("arguments[0].focus()", handle)
    lesson.press(Keys.ARROW_RIGHT)
    assert handle.get_attribute("aria-disabled") == "false"
    assert float(field.get_attribute("value")) == pytest.approx(float(before) + 1)


def test_a_table_is_called_by_what_it_shows_and_not_by_what_can_be_done_with_the_drawing(
    site, browser, lesson
):
    for slug in ("two-coins", "spinner-and-coin"):
        lesson.visit(site, slug)
        unfold(lesson)
        lesson.act("many")
        captions = browser.execute_script(CAPTIONS)
        assert len(captions) == 2
        for caption in captions:
            assert not re.search(r"Move|arrow|line across|mark beside", caption), caption


def test_the_caption_of_a_table_that_is_too_wide_stays_in_view_and_tab_reaches_what_grows(
    site, browser, lesson
):
    show_at(browser, "light", 320)
    lesson.visit(site, "simulation")
    unfold(lesson)
    lesson.find("[data-show=all] .scroll")
    moved, left, right, width = browser.execute_script("""
      const box = document.querySelector("[data-show=all] .scroll");
      box.scrollLeft = 9999;
      const [words, room] = [box.querySelector("caption span"), box].map((e) => e.getBoundingClientRect());
      return [box.scrollLeft, words.left - room.left, words.right - room.left, room.width];""")
    assert moved > 100
    assert -1 <= left < right <= width + 1
    show_at(browser, "light", 1280)
    lesson.find("[data-show=all] .scroll[tabindex='-1']")
    browser.execute_script("document.querySelector('[data-show=all] tbody td').textContent = '9'.repeat(300)")
    lesson.find("[data-show=all] .scroll[tabindex='0']")


DRAWN = """
return [...document.querySelectorAll(".plot > g:first-child, .trios, table.data")]
  .map((each) => each.outerHTML.replaceAll(' dx="0"', ""));
"""
STANDING = "return document.querySelector('.plot .tick, .trios .tick')"


def test_what_is_drawn_again_is_what_would_be_drawn_anew_and_what_stands_is_kept(site, browser, lesson):
    for slug, settings, kept in (
        ("composition", {"again_epsilon": "1.3", "questions": "61", "epsilon": "0.75"}, "&epsilon=0.75"),
        ("simulation", {"epsilon": "2.5", "share-0": "71"}, "&box=71+"),
    ):
        lesson.visit(site, slug)
        unfold(lesson)
        lesson.find("table.data tbody")
        before, number = browser.execute_script(DRAWN), browser.execute_script(STANDING)
        for name, value in settings.items():
            lesson.enter(name, value)
        drawn = browser.execute_script(DRAWN)
        assert drawn != before
        assert number == browser.execute_script(STANDING)
        lesson.until(lambda kept=kept: kept in browser.current_url)
        browser.refresh()
        unfold(lesson)
        lesson.until(lambda drawn=drawn: browser.execute_script(DRAWN) == drawn)


@pytest.mark.parametrize(
    ("slug", "name", "typed"), [("suspicion", "prior", "37"), ("simulation", "respondents", "321")]
)
def test_another_language_keeps_what_is_set(site, browser, lesson, slug, name, typed):
    lesson.visit(site, slug)
    lesson.paste(name, typed)
    lesson.find(".languages a[lang=ko]").click()
    lesson.until(lambda: browser.execute_script("return document.documentElement.lang") == "ko")
    assert f"{name}={typed}" in browser.current_url
    assert lesson.find(f"#control-{name}").get_attribute("value") == typed


PRESSED = """
const found = [...document.querySelectorAll("[type=range], .button, .letters")];
return found.filter((each) => each.checkVisibility()).map((each) => each.outerHTML);
"""
"""What paper shows of what is pressed; a term that says what it means is a word of its sentence."""


def test_print_says_what_the_figures_were_drawn_for(site, browser, lesson):
    show_at(browser, "light", 720)
    try:
        for slug, names in (
            ("spinner-and-coin", ["epsilon"]),
            ("simulation", ["epsilon", "respondents"]),
            ("noise", ["epsilon", "distance"]),
        ):
            lesson.visit(site, slug)
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            for name in names:
                field = browser.find_element(By.ID, f"control-{name}")
                assert field.is_displayed(), name
                assert browser.find_element(By.CSS_SELECTOR, f"label[for=control-{name}]").is_displayed()
            assert browser.execute_script(PRESSED) == []
            assert lesson.overflow() <= 0, slug
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


FILLED = """
const high = (node) => node?.getBoundingClientRect().height ?? 0;
return [...document.querySelectorAll(".thumbnail")]
  .map((frame) => high(frame.querySelector("svg")) / high(frame));
"""
"""How much of its frame each drawing fills."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_take_at_most_three_screens_of_a_phone_with_minutes_and_drawings(
    site, browser, language
):
    show_at(browser, "light", 390)
    browser.get(f"{site.address}/learn?language={language}")
    Page(browser).until(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".thumbnail svg")) > len(LESSONS))
    assert browser.execute_script("return document.documentElement.scrollHeight") <= 3 * 844
    minutes = [
        int(re.search(r"\d+", each.text)[0]) for each in browser.find_elements(By.CLASS_NAME, "minutes")
    ]
    assert len(minutes) == len(LESSONS)
    assert set(minutes) <= {2, 3, 4}
    filled = browser.execute_script(FILLED)
    assert len(filled) == len(LESSONS) + 1  # and the survey to try
    assert min(filled) > 0.5


def test_paper_has_a_sheet_of_cards_and_the_screen_has_none(site, browser, lesson):
    lesson.visit(site, "two-coins")
    sheet = browser.find_element(By.CLASS_NAME, "cut-out")
    assert not sheet.is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert sheet.is_displayed()
        assert sheet.text.count("Toss the coin where nobody sees it.") == 8
        off = [round(200 * math.sqrt(3 / 16 / cards)) for cards in (30, 100)]
        assert f"about {off[0]} points with 30 cards, and by {off[1]} with 100" in sheet.text
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_link_to_a_picture_keeps_what_is_set_and_the_language(site, browser, lesson):
    lesson.visit(site, "spinner-and-coin", "ko")
    lesson.enter("epsilon", "2.5")
    lesson.find(".copy-link button").click()
    field = lesson.find(".copy-link input:not([hidden])")
    link = field.get_attribute("value")
    assert link.startswith(f"{site.address}/learn/spinner-and-coin?language=ko#")
    words = section("ko", "learn")
    lesson.until(
        lambda: lesson.text(".copy-link [role=status]") in (words["copy.copied"], words["copy.selected"])
    )
    browser.get(f"{site.address}/robots.txt")
    browser.get(link)
    lesson.until(lambda: lesson.find("#control-epsilon").get_attribute("value") == "2.5")
    assert browser.execute_script("return document.documentElement.lang") == "ko"


def test_a_link_says_what_of_it_cannot_be_used_and_keeps_the_rest(site, browser, lesson):
    lesson.visit(site, "suspicion", "en#epsilon=99&prior=70&compared=7,2&wave=1")
    said = lesson.find("[data-value=unread]").text
    for words in ("“99”, which is not a number from 0.05 to 6", "“7”", "called “wave”"):
        assert words in said
    assert "70" not in said
    values = [lesson.find(f"#control-{name}").get_attribute("value") for name in ("epsilon", "prior")]
    assert values == ["1.0986", "70"]


FAINT = """
const opacity = (node) => Number(getComputedStyle(node).opacity);
const seen = (node) => (node instanceof Element ? opacity(node) * seen(node.parentNode) : 1);
const words = [...document.querySelectorAll(".stale text, .stale b, .stale td")];
return [words.length, words.filter((node) => seen(node) < 1).length];
"""
"""How many words of a picture are kept, and how many of them are faint."""


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
    words, faint = browser.execute_script(FAINT)
    assert (words > 5, faint) == (True, 0)  # what is kept keeps its contrast
    lesson.enter("epsilon", "0.5")
    assert field.get_attribute("aria-invalid") == "false"
    assert not lesson.has(".stale")
    assert f"{100 * math.tanh(0.25):.1f}%" in lesson.text("[data-value=p]")


def test_the_contents_can_be_used_by_everybody(site, browser, look):
    browser.get(f"{site.address}/learn")
    look(Page(browser))
