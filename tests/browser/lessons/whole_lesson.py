"""What a lesson sends, unfolds and prints, whatever it is about."""

from __future__ import annotations

import re
import urllib.request
from html import unescape

import pytest
from pages import Lesson
from plots import laid_out
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

USED = {"en": ("light", 1280), "ko": ("dark", 320)}
"""Each scheme and width once: no colour depends on the width, and no place on the scheme."""

EXERCISES = re.compile(r'<li data-exercise="\w+">(.*?)</li>', re.DOTALL)
FOLDED = "main details:not([open])"
SEVENTH = {"preferCSSPageSize": True, "pageRanges": "7", "generateTaggedPDF": False}
"""Print nothing if there are six pages: finding no seventh is quicker than printing, and tags take longer."""

PRINTED = """
dispatchEvent(new Event("beforeprint"));
const there = (each) => !each.closest("[hidden]");
const all = (selector) => [...document.querySelectorAll(selector)].filter(there);
const unseen = (each) => !each.checkVisibility({ contentVisibilityAuto: true });
const shown = [".plot-table table", ".derivation", ".glossary dl", ".guess .choice", ".guess input"];
const missing = {
  folded: all("main details:not([open])"),
  empty: all("main svg.plot:not([viewBox])"),
  headless: all("main :is(thead tr, th, caption)").filter((head) => !head.textContent.trim()),
  bare: all("main table").filter((table) => !table.querySelector("tbody tr")),
  unseen: all(`main :is(${shown})`).filter(unseen),
};
const told = ([why, nodes]) => nodes.map((node) => `${why}: ${node.outerHTML.slice(0, 80)}`);
return Object.entries(missing).flatMap(told);
"""
"""Say what of a lesson paper would not show."""

MOST, USUAL = 350, 300
"""English words before anything is unfolded: of any lesson, and of half of them."""

LONG = {"suspicion", "simulation", "spinner-only", "counts", "privacy-loss"}
"""Lessons that have more than usual."""

READ = """
const main = document.querySelector("main").cloneNode(true);
const left = "svg, details > :not(summary), .turn, script, noscript";
for (const node of main.querySelectorAll(left)) node.remove();
document.body.append(main);
const said = main.innerText;
main.remove();
return said;
"""
"""What is read with nothing unfolded; words of drawings and the way to the next lesson are left out."""


def is_short_until_it_is_unfolded(lesson: Lesson, slug: str) -> None:
    """Count the words of a lesson: it is grasped in two minutes."""
    laid_out(lesson)
    said = lesson.browser.execute_script(READ).split()
    count = sum(any(letter.isalnum() for letter in word) for word in said)
    print(f"{slug}: {count} words")
    assert 60 < count <= (MOST if slug in LONG else USUAL)  # what is measured is there


def exercises_read_as_they_were_sent(lesson: Lesson) -> None:
    """Find the first numbers of the exercises in what is sent, where no button could change them."""
    lesson.until(lambda: lesson.browser.find_elements(By.CSS_SELECTOR, "[data-value=set]"))
    with urllib.request.urlopen(lesson.browser.current_url) as answer:
        sent = EXERCISES.findall(answer.read().decode())
    assert len(sent) == 3
    assert "button" not in "".join(sent)
    shown = lesson.browser.find_elements(By.CSS_SELECTOR, "[data-exercise]")
    texts = [unescape(re.sub("<[^>]+>", "", markup)) for markup in sent]
    assert texts == [each.get_attribute("textContent") for each in shown]


def set_open(lesson: Lesson, folds: str, opened: bool) -> None:
    """Unfold what a selector finds, or fold it up."""
    script = "for (const each of document.querySelectorAll(arguments[0])) each.open = arguments[1]"
    lesson.browser.execute_script(script, folds, opened)


def paper_has_all_of_it_on_at_most_six_pages(lesson: Lesson) -> None:
    """Print a lesson: what is folded is there, and folded again afterwards."""
    set_open(lesson, "main details", False)
    laid_out(lesson)
    with pytest.raises(WebDriverException, match="Page range exceeds page count"):
        lesson.browser.execute_cdp_cmd("Page.printToPDF", SEVENTH)
    folded = len(lesson.browser.find_elements(By.CSS_SELECTOR, FOLDED))
    lesson.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert lesson.browser.execute_script(PRINTED) == []
    lesson.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    lesson.browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert len(lesson.browser.find_elements(By.CSS_SELECTOR, FOLDED)) == folded > 2
