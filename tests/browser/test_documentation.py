"""The documentation in a browser, from a disk: everybody can read it, and search it without a network.

Every page has the same frame, so it is looked at once, and every article in it. Whether a text can be read on
its ground follows from its colours, size and weight: axe looks at each combination of these once.
"""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from blocks import DOCS, PAGES
from conftest import RULES, VIOLATIONS, accessibility_checker, check_for_everybody, show_at
from pages import Page

ARTICLE = re.compile("<article[^>]*>(.*)</article>", re.DOTALL)
CONTRAST = RULES | {"runOnly": ["color-contrast"]}
NARROW = 390
"""Here more can go wrong than on wide pages, but for colours."""

APPEARANCES = [("light", 1280), ("dark", NARROW)]

OTHERWISE = RULES | {"rules": RULES["rules"] | {"color-contrast": {"enabled": False}}}

PUT_IN = """
const article = document.querySelector("article");
article.innerHTML = arguments[0];
for (const frame of document.querySelectorAll("[data-looks]")) delete frame.dataset.looks;
const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
const ground = (node) => {
  const { backgroundColor } = getComputedStyle(node);
  const through = backgroundColor === "rgba(0, 0, 0, 0)" && node.parentElement;
  return through ? ground(node.parentElement) : backgroundColor;
};
const looks = new Map();
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !node.checkVisibility()) continue;
  const { color, fontSize, fontWeight } = getComputedStyle(node);
  const look = [color, ground(node), fontSize, fontWeight].join(" on ");
  if (!looks.has(look)) looks.set(look, node);
}
for (const [look, node] of looks) node.dataset.looks = look;
return [...looks.keys()];
"""
"""Put an article into the frame; give what its texts look like, with an element marked for each look."""


@pytest.fixture
def visit(browser, documentation):
    """Open a page of the site from the disk."""

    def visited(name):
        browser.get((documentation / f"{name}.html").as_uri())
        return Page(browser)

    return visited


@pytest.mark.parametrize("name", ["index", "search", "reference/settings"])
def test_everybody_can_read_a_page(name, browser, visit):
    page = visit(name)
    for scheme, width in APPEARANCES:
        show_at(browser, scheme, width)
        check_for_everybody(page)


def test_everybody_can_read_every_article(browser, visit, documentation):
    """The articles of a folder stand in the frame one below the other."""
    folders = defaultdict(list)
    for page in PAGES:
        name = page.relative_to(DOCS).with_suffix("")
        folders[name.parts[0]].append(article_of(documentation / f"{name}.html"))
    page = visit("reference/settings")
    browser.execute_script(accessibility_checker())
    for scheme, width in APPEARANCES:
        show_at(browser, scheme, width)
        seen = set()
        for folder, articles in folders.items():
            looks = set(browser.execute_script(PUT_IN, "".join(articles))) - seen
            seen |= looks
            marked = [[f'[data-looks="{look}"]'] for look in sorted(looks)]
            if marked:
                assert violations(browser, marked, CONTRAST) == [], f"{folder}, {scheme}"
            assert page.overflow() == 0, f"{folder} at {width} px"
            if width == NARROW:
                assert violations(browser, [["article"]], OTHERWISE) == [], folder


def violations(browser, places, rules):
    script = VIOLATIONS.replace("axe.run(rules)", "axe.run(...rules)")
    return browser.execute_async_script(script, [{"include": places}, rules])


def article_of(path):
    return ARTICLE.search(path.read_text(encoding="utf-8"))[1]


def test_what_is_searched_for_is_found_without_a_network(browser, visit):
    page = visit("start")
    field = page.find("input[name=q]")
    field.send_keys("forgery")
    field.submit()
    page.until(lambda: browser.find_elements("css selector", "#search-results li a"))
    assert page.complaints() == []
