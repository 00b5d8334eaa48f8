"""The glossary: a sentence for every letter and term, and under each lesson those that it uses."""

import re

import pytest

from server.language.catalogue import LANGUAGES
from server.lessons.glossary import PLACE, entries, explained_in, used
from server.lessons.pages import LESSONS


def test_both_languages_explain_the_same_letters_and_terms():
    english, korean = (entries(language) for language in LANGUAGES)
    assert [each.key for each in english] == [each.key for each in korean]
    for one, other in zip(english, korean, strict=True):
        assert one.says != other.says
        assert bool(one.forms) == bool(other.forms)
        assert one.forms or one.name == other.name  # a letter is the same in every language


def test_no_letter_and_no_term_is_explained_twice():
    for language in LANGUAGES:
        letters = [letter for each in entries(language) for letter in each.letters]
        forms = [form.lower() for each in entries(language) for form in each.forms]
        assert len(letters) == len(set(letters)) > 30
        assert len(forms) == len(set(forms)) > 15


def test_one_sentence_may_explain_several_letters():
    (reports,) = used('<main><math><msub data-letter="y_2"></msub></math></main>', "en")
    assert reports.letters == ("y_1", "y_2", "y_m")


def test_letters_are_found_in_formulas_and_terms_as_whole_words():
    page = """<p>Epsilon before.</p><main><p>Reports and reporters, <b>odds</b>.</p>
        <math><mi data-letter="π&#770;">π</mi><mi>utility</mi></math><i data-letter="y">y</i></main>"""
    assert [each.name for each in used(page, "en")] == ["π̂", "y", "report", "odds"]


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_lists_the_letters_of_its_formulas_and_no_others(staff_app, slug):
    for language in LANGUAGES:
        page = staff_app.test_client().get(f"/learn/{slug}?language={language}").text
        assert PLACE not in page
        lesson, _, rest = page.partition('<details class="why glossary"')
        listed = re.findall(r'data-entry="([^"]+)"(?! data-forms)', rest)
        letters = set(re.findall(r'data-letter="([^"]+)"', lesson))
        assert listed == [each.name for each in entries(language) if letters.intersection(each.letters)]
        assert letters <= {letter for each in listed for letter in each.split("|")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_all_leads_to_lessons_that_explain_each_and_they_lead_back(staff_app, language):
    client = staff_app.test_client()
    page = client.get(f"/learn/glossary?language={language}").text
    lessons = {slug: client.get(f"/learn/{slug}?language={language}").text for slug in LESSONS}
    for each in entries(language):
        explained = page.partition(f'<div id="{each.key}">')[2].partition("</div>")[0]
        slugs = re.findall(r'href="/learn/([\w-]+)"', explained)
        assert slugs, each.key
        assert all(f'data-entry="{each.name}"' in lessons[slug] for slug in slugs)
        assert all(name in explained for name in each.also)
    assert all('href="/learn/glossary"' in lesson for lesson in lessons.values())


def test_a_term_is_explained_where_it_is_named_and_a_letter_where_it_is_first_used():
    first = "<main>odds <math><mi data-letter='y'></mi></math></main>".replace("'", '"')
    pages = {"one": first, "two": first.replace("odds", "<dfn>odds</dfn>"), "three": first}
    assert explained_in(pages, "en") == {"letter.report": ["one"], "term.odds": ["two"]}
