"""What letters and terms mean: under the pointer, after a tap, by the keyboard, and in the list."""

from __future__ import annotations

import pytest
from conftest import RULES, VIOLATIONS, accessibility_checker, check_for_everybody, show_at
from pages import PATIENCE, Page
from plots import laid_out
from selenium.webdriver import Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait
from whole_lesson import USED

from server.language.catalogue import section

MEANING = ".meaning:popover-open"
INSIDE = """
const { left, top, right, bottom } = document.querySelector(".meaning").getBoundingClientRect();
const { clientWidth, clientHeight } = document.documentElement;
return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
"""
"""Whether all of a meaning is in the window."""

STOPPED = """
const waiting = new Map();
let last = 0;
window.setTimeout = (work) => {
  waiting.set(last += 1, work);
  return last;
};
window.clearTimeout = (timer) => waiting.delete(timer);
window.lapse = () => {
  for (const [timer, work] of waiting) {
    waiting.delete(timer);
    work();
  }
};
"""
"""Let no time pass but by lapse(): however slow the machine is, a pointer is in time where it goes next."""

GAP = """
const [letter, meaning] = [...arguments].map((each) => each.getBoundingClientRect());
const between = letter.bottom < meaning.top ? letter.bottom + meaning.top : meaning.bottom + letter.top;
return Math.round((between - letter.top - letter.bottom) / 2);
"""
"""How far below the middle of a letter the middle of the gap is that parts it from its meaning."""

LETTER = "main .derivation [data-letter='ε']"


@pytest.fixture
def lesson(site, browser):
    """A lesson with everything unfolded."""
    unfolded(browser, site, "en")
    return browser


def unfolded(browser, site, language):
    """Open a lesson with everything unfolded."""
    browser.get(f"{site.address}/learn/spinner-and-coin?language={language}")
    WebDriverWait(browser, PATIENCE).until(lambda it: it.find_elements(By.CSS_SELECTOR, ".letters"))
    browser.execute_script("for (const each of document.querySelectorAll('main details')) each.open = true")
    laid_out(Page(browser))  # a letter that moves is no longer under the pointer


def find(browser, selector):
    """Bring an element into the middle of the window."""
    found = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", found)
    return found


def said(browser, shown=True):
    """Wait until a meaning is shown, and read it; or until none is."""
    WebDriverWait(browser, PATIENCE).until(
        lambda it: bool(it.find_elements(By.CSS_SELECTOR, MEANING)) == shown
    )
    return browser.find_element(By.CSS_SELECTOR, MEANING).text if shown else ""


def test_a_letter_says_what_it_means_under_the_pointer(lesson):
    letter = find(lesson, LETTER)
    laid_out(Page(lesson))
    lesson.execute_script(STOPPED)

    def go(to, down=0):
        ActionChains(lesson, duration=0).move_to_element_with_offset(to, 0, down).perform()

    go(letter)
    lesson.execute_script("lapse()")
    assert "no report is more than e" in said(lesson)
    WebDriverWait(lesson, PATIENCE).until(lambda it: it.execute_script(INSIDE))
    meaning = lesson.find_element(By.CSS_SELECTOR, MEANING)
    go(letter, lesson.execute_script(GAP, letter, meaning))
    go(meaning)
    lesson.execute_script("lapse()")
    said(lesson)  # it stays while the pointer is on it
    go(find(lesson, "h1"))
    lesson.execute_script("lapse()")
    said(lesson, shown=False)


def test_a_letter_says_what_it_means_when_it_is_tapped_and_escape_puts_that_away(lesson):
    lesson.execute_script(
        "arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", find(lesson, LETTER)
    )
    assert "Epsilon, the limit" in said(lesson)
    ActionChains(lesson).send_keys(Keys.ESCAPE).perform()
    said(lesson, shown=False)


def test_one_button_for_a_derivation_shows_all_of_its_letters(lesson):
    button = find(lesson, ".letters")
    button.send_keys(Keys.ENTER)
    read = said(lesson)
    letters = lesson.execute_script(
        "return [...new Set([...document.querySelector('.derivation').querySelectorAll('[data-letter]')]"
        ".map((each) => each.dataset.letter))]"
    )
    assert len(letters) >= 3
    assert read.count("\n") + 1 >= len(letters)
    assert button.get_attribute("aria-expanded") == "true"
    assert button.get_attribute("aria-describedby") == "meaning"
    button.send_keys(Keys.ENTER)
    said(lesson, shown=False)
    assert button.get_attribute("aria-expanded") == "false"


def test_letters_are_no_tab_stops_and_a_term_is_one_where_it_first_stands(lesson):
    terms = [term.text.lower() for term in lesson.find_elements(By.CSS_SELECTOR, ".term")]
    assert "epsilon" in terms
    assert len(terms) == len(set(terms))
    stops = lesson.execute_script(
        "return document.querySelectorAll('[data-letter][tabindex], [data-letter] button').length"
    )
    assert stops == 0
    term = find(lesson, ".term[data-term=epsilon]")
    lesson.execute_script("arguments[0].focus()", term)
    assert "the smaller epsilon is" in said(lesson)
    assert term.get_attribute("aria-describedby") == "meaning"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_page_that_shows_a_meaning_has_nothing_in_the_way_of_anybody(browser, site, language):
    unfolded(browser, site, language)
    show_at(browser, "dark", 320)
    laid_out(Page(browser))
    Page(browser).click(".letters")
    said(browser)
    WebDriverWait(browser, PATIENCE).until(lambda it: it.execute_script(INSIDE))
    browser.execute_script(accessibility_checker())
    assert browser.execute_async_script(VIOLATIONS, RULES) == []


def read_by_everybody(browser, address, language):
    """Open a page, and look at it; it is also as narrow as the narrowest phone."""
    scheme, width = USED[language]
    show_at(browser, scheme, 320)
    browser.get(address)
    page = Page(browser)
    assert page.overflow() == 0
    show_at(browser, scheme, width)
    check_for_everybody(page)
    return page


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_of_sources_has_nothing_in_the_way_of_anybody(browser, site, language):
    page = read_by_everybody(browser, f"{site.address}/learn/sources?language={language}", language)
    browser.find_element(By.LINK_TEXT, section(language, "learn_sources")["scripts.list"]).click()
    page.until(lambda: "js/respond/respond.js" in page.text("body"))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_of_all_letters_and_words_has_nothing_in_the_way_of_anybody(browser, site, language):
    page = read_by_everybody(browser, f"{site.address}/learn/glossary?language={language}", language)
    browser.find_element(By.CSS_SELECTOR, "main dd a").click()
    page.until(lambda: page.text(".eyebrow") != section(language, "learn")["title"])
