"""One letter has one meaning over all lessons, and a chance says which of its two words was recorded."""

from html.parser import HTMLParser
from itertools import product

import pytest

from server.language.catalogue import LANGUAGES
from server.pages.glossary import entries, meaning_of
from server.pages.learn import LESSONS

VOID = {"meta", "link", "br", "img", "input", "hr", "mspace", "wbr", "source"}


class Formulas(HTMLParser):
    """What stands in the formulas of a page.

    Attributes
    ----------
    letters : list of (str, str or None)
        What an <mi> shows, and the letter that it is or belongs to.
    bare : list of str
        Words in a chance that do not say whether they were recorded or answered.
    """

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.letters = []
        self.bare = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not data.strip() or not self.open:
            return
        tag, _ = self.open[-1]
        if tag == "mi":
            self.letters.append((data, self.nearest("data-letter")))
        elif tag == "mtext" and self.inside("chance") and not self.inside("of-record", "of-answer"):
            self.bare.append(data)

    def nearest(self, name):
        """The value of an attribute on the innermost element that has it."""
        return next((attrs[name] for _, attrs in reversed(self.open) if name in attrs), None)

    def inside(self, *classes):
        """Whether an element around this one has one of these classes."""
        return any(set(classes) & set((attrs.get("class") or "").split()) for _, attrs in self.open)


@pytest.fixture
def formulas(staff_app):
    """Read the formulas of a lesson."""

    def read(slug, language="en"):
        page = staff_app.test_client().get(f"/learn/{slug}?language={language}").text
        found = Formulas()
        found.feed(page.partition('<details class="why glossary"')[0])
        return found

    return read


@pytest.mark.parametrize("slug", LESSONS)
def test_every_letter_of_a_formula_has_an_entry_in_the_glossary(formulas, slug):
    known = {each.name for each in entries("en") if not each.forms}
    strange = {
        (shown, letter) for shown, letter in formulas(slug).letters if meaning_of(letter or "") not in known
    }
    assert not strange, "write letters with m.i(), and only those of learn_glossary.toml"


@pytest.mark.parametrize("slug", LESSONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chance_says_what_was_recorded_and_what_was_answered(formulas, slug, language):
    assert formulas(slug, language).bare == []


def test_every_letter_that_is_explained_is_used(formulas):
    used = {meaning_of(letter) for slug in LESSONS for _, letter in formulas(slug).letters if letter}
    assert {each.name for each in entries("en") if not each.forms} <= used


def test_every_term_that_is_explained_is_used(staff_app):
    terms = {language: [each for each in entries(language) if each.forms] for language in LANGUAGES}
    used = set()
    for language, slug in product(LANGUAGES, LESSONS):
        page = staff_app.test_client().get(f"/learn/{slug}?language={language}").text
        used |= {each.key for each in terms[language] if f'data-entry="{each.name}" data-forms' in page}
    assert used == {each.key for each in terms["en"]}
