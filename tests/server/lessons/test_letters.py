"""One letter has one meaning over all lessons, and a chance says which of its two words was recorded."""

import re
from html.parser import HTMLParser
from itertools import product

import pytest

from server.language.catalogue import LANGUAGES, section
from server.lessons.glossary import entries
from server.lessons.pages import LESSONS, name

EXPLAINED = {letter for each in entries("en") for letter in each.letters}
"""The letters that have a sentence in the glossary."""

ALONE = re.compile("(?<![A-Za-z0-9Α-ω’'.-])([A-Za-zΑ-ω])(?![A-Za-z0-9Α-ω’'.-])")
"""A letter that stands by itself in a text; what is below it may follow, and a Korean particle."""

WORDS = {"A", "l", "t"}
"""No letters: the article, and the names of l-diversity and t-closeness."""

VOID = {"meta", "link", "br", "img", "input", "hr", "mspace", "wbr", "source"}


class Formulas(HTMLParser):
    """What stands in the formulas of a page.

    Attributes
    ----------
    letters : list of (str, str or None)
        What an <mi> shows, and the letter that it is or belongs to.
    numbered : list of str
        Letters with a number below that are not letters of their own.
    bare : list of str
        Words in a chance that do not say whether they were recorded or answered.
    """

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.letters = []
        self.numbered = []
        self.bare = []

    def handle_starttag(self, tag, attrs):
        if self.open:
            self.open[-1][1].setdefault("first", tag)
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))

    def handle_startendtag(self, tag, attrs):
        """Nothing is inside an element that closes itself."""

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not data.strip() or not self.open:
            return
        tag, _ = self.open[-1]
        if tag == "mi":
            self.letters.append((data, self.nearest("data-letter")))
        elif tag == "mn" and self.open[-2][1]["first"] == "mi" and self.open[-2][0] == "msub":
            self.numbered += [] if "data-letter" in self.open[-2][1] else [data]
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
    strange = {(shown, letter) for shown, letter in formulas(slug).letters if letter not in EXPLAINED}
    assert not strange, "write letters with m.i(), and only those of learn_glossary.toml"


@pytest.mark.parametrize("slug", LESSONS)
def test_a_letter_with_a_number_below_has_an_entry_of_its_own(formulas, slug):
    assert formulas(slug).numbered == [], "ε_1 is not ε: write m.i('ε_1')"


@pytest.mark.parametrize("slug", LESSONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chance_says_what_was_recorded_and_what_was_answered(formulas, slug, language):
    assert formulas(slug, language).bare == []


def test_every_letter_that_is_explained_is_used(formulas):
    assert {letter for slug in LESSONS for _, letter in formulas(slug).letters} == EXPLAINED


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", LESSONS)
def test_sentences_use_the_letters_of_the_formulas(language, slug):
    words = section(language, f"learn_{name(slug)}")
    texts = {key: str(text) for key, text in words.items() if not key.startswith("source.")}
    used = {(key, letter) for key, text in texts.items() for letter in ALONE.findall(text)}
    assert {each for each in used if each[1] not in EXPLAINED | WORDS} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_letters_have_one_meaning(language):
    meanings = [each.says for each in entries(language) if not each.forms]
    assert len(meanings) == len(set(meanings))


def test_every_term_that_is_explained_is_used(staff_app):
    terms = {language: [each for each in entries(language) if each.forms] for language in LANGUAGES}
    used = set()
    for language, slug in product(LANGUAGES, LESSONS):
        page = staff_app.test_client().get(f"/learn/{slug}?language={language}").text
        used |= {each.key for each in terms[language] if f'data-entry="{each.name}" data-forms' in page}
    assert used == {each.key for each in terms["en"]}
