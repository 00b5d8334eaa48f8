"""The page of sources: what lessons cite is there with its use, and respondents' files with their hashes."""

import re
from html import unescape
from importlib import metadata

import pytest
from click.testing import CliRunner

from server.cli import main
from server.language.catalogue import LANGUAGES, section
from server.lessons.pages import LESSONS, name
from server.lessons.sources import sources
from server.web.files import assets

CITED = re.compile(r"^(.+? \(\d{4}\))")
"""Who and when."""

ALL = [each for about in sources().values() for each in about]


@pytest.fixture
def visit(staff_app):
    """Read a page."""
    return lambda address: staff_app.test_client().get(address)


def test_each_source_has_a_line_on_its_use_and_nothing_else_has(visit):
    assert len({each.key for each in ALL}) == len(ALL) > 30
    for language in LANGUAGES:
        words = section(language, "learn_sources")
        used = {key.removeprefix("use.") for key in words if key.startswith("use.")}
        assert used == {each.key for each in ALL}
        page = unescape(visit(f"/learn/sources?language={language}").text)
        for each in ALL:
            assert each.cites in page
            assert words[f"use.{each.key}"] in page


def test_sources_have_addresses_that_are_dois_where_there_is_one():
    with_address = [each.address for each in ALL if each.address]
    assert len(with_address) == len(set(with_address)) >= len(ALL) - 2
    assert all(re.fullmatch(r"https://[a-z.-]+/\S*", address) for address in with_address)
    assert sum(address.startswith("https://doi.org/10.") for address in with_address) > 20


@pytest.mark.parametrize("slug", LESSONS)
def test_what_a_lesson_cites_is_among_the_sources(visit, slug):
    """By who and when: a lesson may name a section, or cut a long title short."""
    page = visit(f"/learn/{slug}").text
    listed = re.search(r'<details class="why sources">.*?</details>', page, re.DOTALL)[0]
    assert 'href="/learn/sources"' in listed
    cited = [unescape(item).strip() for item in re.findall(r"<li>(.*?)</li>", listed, re.DOTALL)]
    known = {match[1] for each in ALL if (match := CITED.match(each.cites))}
    for citation in cited:
        assert CITED.match(citation)[1] in known, citation


def test_the_contents_lead_to_the_sources_and_the_sources_to_the_list_of_files(visit):
    assert 'href="/learn/sources"' in visit("/learn").text
    assert 'href="/learn/scripts.sha256"' in visit("/learn/sources").text


def test_the_list_of_files_is_what_the_command_prints(visit):
    answer = visit("/learn/scripts.sha256")
    assert answer.mimetype == "text/plain"
    assert answer.text == CliRunner().invoke(main, ["client-hash"]).stdout
    assert "  js/respond/respond.js\n" in answer.text


def test_the_list_is_of_what_is_served_even_if_other_files_come_to_the_disk(visit, monkeypatch, tmp_path):
    before = visit("/learn/scripts.sha256").text
    monkeypatch.setattr(assets, "folder", lambda _: tmp_path)
    assert visit("/learn/scripts.sha256").text == before


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_says_how_it_is_cited_and_leads_to_the_licence(visit, slug):
    page = unescape(visit(f"/learn/{slug}").text)
    title = section("en", f"learn_{name(slug)}")["title"]
    version = metadata.version("candor-survey")
    assert f"The Candor authors (2026). {title}. Candor {version}: How it works." in page
    assert 'href="/learn/sources#licence"' in page
    assert "MIT License" in visit("/learn/sources").text.partition('id="licence"')[2]
