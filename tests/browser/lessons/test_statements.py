"""Every statement about differential privacy that Candor explains has a place in a lesson.

That a visitor finds it there, the test of every lesson shows.
"""

from __future__ import annotations

import re

from statements import statements

from server.lessons.pages import LESSONS

HOW_MANY = 67


def test_no_figure_is_looked_for_without_the_words_that_give_it_a_meaning():
    sought = [words for each in statements() for words in each.reads]
    figures = [words for words in sought if re.search(r"\d", words)]
    assert [words for words in figures if not re.search("[A-Za-z]{3}", words)] == []


def test_every_statement_has_a_place():
    assert {each.number for each in statements()} == set(range(1, HOW_MANY + 1))
    assert {each.page for each in statements()} <= {f"/learn/{slug}" for slug in LESSONS}
