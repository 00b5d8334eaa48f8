"""Every statement about differential privacy that Candor explains, and where a visitor reads or sees it.

``uv run tests/run tests/browser/lessons/test_statements.py -s -n 0`` prints the table.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from pages import Page
from plots import laid_out

FOLDER = Path(__file__).with_name("statements")
HOW_MANY = 67
NEAR = 60
"""The most characters between words and the figure that they give a meaning."""

SHOWN = """
const [selector] = arguments;
return [...document.querySelectorAll(selector)].filter((node) => {
  const { width, height } = node.getBoundingClientRect();
  return width * height > 0 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}).map((node) => (node.innerText ?? node.textContent).replace(/\\s+/g, " "));
"""
"""What can be read in everything that a selector finds and that can be seen."""

UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"


@dataclass(frozen=True)
class Statement:
    """What is said, and what shows it on which page: words, with few others between where ` … ` stands."""

    number: int
    says: str
    page: str
    selector: str
    reads: tuple[str, ...] = ()
    unfold: bool = False


def statements() -> list[Statement]:
    """Read all files, one for each page that shows some."""
    found = [
        Statement(**each | {"reads": tuple(each.get("reads", ()))})
        for file in sorted(FOLDER.glob("*.toml"))
        for each in tomllib.loads(file.read_text(encoding="utf-8"))["statement"]
    ]
    return sorted(found, key=lambda each: each.number)


def by_page() -> dict[str, list[Statement]]:
    """Sort the statements into their pages: each is opened once."""
    found = defaultdict(list)
    for each in statements():
        found[each.page].append(each)
    return found


def reads(text: str, words: str) -> bool:
    """Return whether a text has the words, and those after a ` … ` close behind."""
    return bool(re.search(rf".{{0,{NEAR}}}?".join(map(re.escape, words.split(" … "))), text))


def test_no_figure_is_looked_for_without_the_words_that_give_it_a_meaning():
    sought = [words for each in statements() for words in each.reads]
    figures = [words for words in sought if re.search(r"\d", words)]
    assert [words for words in figures if not re.search("[A-Za-z]{3}", words)] == []


def test_every_statement_has_a_place():
    assert {each.number for each in statements()} == set(range(1, HOW_MANY + 1))


@pytest.mark.parametrize("address", sorted(by_page()))
def test_a_visitor_finds_each_statement_on_its_page(site, browser, address):
    page = Page(browser)
    browser.get(f"{site.address}{address}{'&' if '?' in address else '?'}language=en")
    page.find("main h1")
    lines, missing = [], []
    for each in sorted(by_page()[address], key=lambda each: each.unfold):
        if each.unfold:
            browser.execute_script(UNFOLD)
        laid_out(page)
        texts = browser.execute_script(SHOWN, each.selector)
        if not any(all(reads(text, words) for words in each.reads) for text in texts):
            missing.append(each)
        lines.append(f"{each.number:3}  {each.says:60.60}  {address:24}  {each.selector}")
    print("", *lines, sep="\n")
    assert missing == []
