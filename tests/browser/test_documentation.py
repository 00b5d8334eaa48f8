"""The documentation in a browser, from a disk: everybody can read it, and search it without a network.

Every page has the same frame, so it is looked at once, and every article in it.
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

PUT_IN = "document.querySelector('article').innerHTML = arguments[0]"
IN_ARTICLE = VIOLATIONS.replace("axe.run(rules)", "axe.run('article', rules)")


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
        for folder, articles in folders.items():
            browser.execute_script(PUT_IN, "".join(articles))
            found = browser.execute_async_script(IN_ARTICLE, RULES if width == NARROW else CONTRAST)
            assert found == [], f"{folder}, {scheme}"
            assert page.overflow() == 0, f"{folder} at {width} px"


def article_of(path):
    return ARTICLE.search(path.read_text(encoding="utf-8"))[1]


def test_what_is_searched_for_is_found_without_a_network(browser, visit):
    page = visit("start")
    field = page.find("input[name=q]")
    field.send_keys("forgery")
    field.submit()
    page.until(lambda: browser.find_elements("css selector", "#search-results li a"))
    assert page.complaints() == []
