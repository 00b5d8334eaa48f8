"""Texts that look the same are looked at once: one that differs is found wherever it stands."""

from __future__ import annotations

import random

from conftest import RULES, VIOLATIONS, accessibility_checker
from pages import Page

UNREADABLE = ["color: #8886", "background: #888; color: #777", "opacity: .2", "font-size: 9px; color: #999"]

SPOIL = """
const [share, style] = arguments;
const hasWords = (node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.data.trim()[1]);
const seen = (node) => node.checkVisibility() && node.offsetHeight > 5 && hasWords(node);
const texts = [...document.querySelectorAll("main :is(p, h1, h2, h3, td, label)")].filter(seen);
const node = texts[Math.floor(share * texts.length)];
node.style.cssText = style; // the attribute is forbidden by the policy of the page
return node;
"""


def test_words_that_cannot_be_read_are_found_wherever_they_stand(site, browser):
    chance = random.Random(1)  # reproducible
    browser.get(f"{site.address}/learn/two-coins")
    browser.execute_script(accessibility_checker())
    for style in UNREADABLE * 2:
        spoiled = browser.execute_script(SPOIL, chance.random(), style)
        found = browser.execute_async_script(VIOLATIONS, RULES)
        which = style, spoiled.get_attribute("outerHTML")
        assert [each.partition(":")[0] for each in found] == ["color-contrast"], which
        browser.execute_script("arguments[0].style.cssText = ''", spoiled)
    assert browser.execute_async_script(VIOLATIONS, RULES) == []
    assert Page(browser).complaints() == []
