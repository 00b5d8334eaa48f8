"""The documentation as a site: whole, small, without a network, and nothing in it twice or too long."""

import re
from collections import Counter
from functools import cache

import pytest
from blocks import DOCS, INCLUDED, PAGES, ROOT
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

MOST_BYTES = 3_000_000
MOST_WORDS = 1200
LONG_SENTENCE = 8
"""Words from which on a sentence says something that should be said once."""

ELSEWHERE = re.compile(r"(https?:)?//")
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "use": "href"}


@cache
def parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.fixture
def pages(documentation):
    """The built pages: address from the folder of the site -> page."""
    return {path.relative_to(documentation): parsed(path) for path in documentation.rglob("*.html")}


def test_every_page_is_built(pages):
    written = {str(page.relative_to(DOCS).with_suffix(".html")) for page in PAGES}
    assert set(map(str, pages)) - written == {"search.html"}
    assert written <= set(map(str, pages))


def test_it_is_small(documentation):
    assert sum(path.stat().st_size for path in documentation.rglob("*") if path.is_file()) < MOST_BYTES


def test_no_page_is_long(pages):
    words = {name: len(page.article.get_text().split()) for name, page in pages.items()}
    assert {str(name): count for name, count in words.items() if count > MOST_WORDS} == {}


def test_nothing_is_fetched_from_elsewhere(documentation, pages):
    fetched = [
        node[FETCHED[node.name]]
        for page in pages.values()
        for node in page.find_all([*FETCHED])
        if node.get(FETCHED[node.name])
    ]
    assert len(fetched) > len(pages)
    assert [address for address in fetched if ELSEWHERE.match(address)] == []
    for sheet in documentation.rglob("*.css"):
        assert not re.search(r"@import|url\(['\"]?(https?:)?//", sheet.read_text(encoding="utf-8"))


def test_every_link_leads_somewhere(documentation, pages):
    led = 0
    for name, page in pages.items():
        for link in page.find_all("a", href=True):
            path, _, anchor = link["href"].partition("#")
            if ELSEWHERE.match(path) or path.startswith("mailto:"):
                continue
            target = (documentation / name.parent / path).resolve() if path else documentation / name
            assert target.exists(), f"{name}: {link['href']}"
            if anchor and target.suffix == ".html":
                assert parsed(target).find(id=anchor), f"{name}: {link['href']}"
            led += 1
    assert led > 1000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_path_that_is_named_exists(page):
    named = re.findall(
        r"`((?:survey|server|static|tests|templates|\.ci|\.github|\.docs)/[\w./-]*)`", page.read_text()
    )
    assert [path for path in named if not (ROOT / path).exists()] == []


# Nothing is said twice: not on two pages, and not in the README.


def sentences(text):
    """The sentences of a Markdown file that are long enough, without marks."""
    for token in MarkdownIt().enable("table").parse(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)):
        if token.type != "inline":
            continue
        plain = "".join(child.content or " " for child in token.children if child.type != "html_inline")
        for sentence in re.split(r"(?<=[.?!])\s+", plain):
            words = re.findall(r"[\w'’]+", sentence.lower())
            if len(words) >= LONG_SENTENCE:
                yield " ".join(words)


def test_no_sentence_is_said_twice():
    assert ROOT / "README.md" in INCLUDED
    texts = [file.read_text(encoding="utf-8") for file in (*PAGES, *INCLUDED)]
    counted = Counter(sentence for text in texts for sentence in sentences(text))
    assert counted.total() > 300
    assert [sentence for sentence, times in counted.items() if times > 1] == []


def test_a_sentence_that_is_said_twice_is_noticed():
    table = "| a |\n|---|\n| the wheel turns, and nobody `sees` it turn |\n"
    text = f"The *wheel* turns, and nobody sees it turn. Few words here.\n\n{table}"
    first, second = sentences(text)
    assert first == second == "the wheel turns and nobody sees it turn"
