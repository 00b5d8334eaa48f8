"""Contacts that authors write become links, the same on the server's pages as in the respondents' scripts."""

import json
from pathlib import Path

import pytest

from server.web.contacts import contacts, reachable
from survey.markdown import marked

CASES = json.loads((Path(__file__).parents[1] / "js" / "contacts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "link"), CASES["links"].items())
def test_it_has_one_link(text, link):
    assert [leads for _, leads in contacts(text) if leads] == [link]


def test_nothing_else_becomes_a_link():
    assert list(contacts(CASES["nothing"])) == [(CASES["nothing"], None)]


def test_what_is_between_the_links_stays_and_is_escaped():
    assert reachable("<Ada>: tel:112\n\n*Bob*") == '<p>&lt;Ada&gt;: <a href="tel:112">112</a></p><p>*Bob*</p>'


def test_a_contact_within_a_link_is_no_link_of_its_own():
    assert reachable(marked("[call 112](https://help.example/tel:112)")).count("<a ") == 1
