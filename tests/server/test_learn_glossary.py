"""The glossary: a sentence for every letter and term, and under each lesson those that it uses."""

import re

import pytest

from server.language.catalogue import LANGUAGES
from server.pages.glossary import PLACE, entries, meaning_of, used
from server.pages.learn import LESSONS


def test_both_languages_explain_the_same_letters_and_terms():
    english, korean = (entries(language) for language in LANGUAGES)
    assert [each.key for each in english] == [each.key for each in korean]
    for one, other in zip(english, korean, strict=True):
        assert one.says != other.says
        assert bool(one.forms) == bool(other.forms)
        assert one.forms or one.name == other.name  # a letter is the same in every language


def test_no_letter_and_no_term_is_explained_twice():
    for language in LANGUAGES:
        letters = [each.name for each in entries(language) if not each.forms]
        forms = [form.lower() for each in entries(language) for form in each.forms]
        assert len(letters) == len(set(letters)) > 30
        assert len(forms) == len(set(forms)) > 15


def test_a_letter_with_something_below_it_is_a_case_of_its_base_unless_it_has_an_entry():
    assert meaning_of("y_1") == "y"
    assert meaning_of("ε_m") == "ε_m"
    assert meaning_of("q′") == "q′"


def test_letters_are_found_in_formulas_and_terms_as_whole_words():
    page = """<p>Epsilon before.</p><main><p>Reports and reporters, <b>odds</b>.</p>
        <math><mi data-letter="π&#770;">π</mi><mi>utility</mi></math><i data-letter="y_2">y</i></main>"""
    assert [each.name for each in used(page, "en")] == ["π̂", "y", "report", "odds"]


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_lists_the_letters_of_its_formulas_and_no_others(staff_app, slug):
    for language in LANGUAGES:
        page = staff_app.test_client().get(f"/learn/{slug}?language={language}").text
        assert PLACE not in page
        lesson, _, rest = page.partition('<details class="why glossary"')
        listed = re.findall(r'data-entry="([^"]+)"(?! data-forms)', rest)
        letters = {meaning_of(letter) for letter in re.findall(r'data-letter="([^"]+)"', lesson)}
        assert set(listed) == letters & {each.name for each in entries(language)}
        assert len(listed) == len(set(listed))
