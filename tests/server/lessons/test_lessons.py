"""The teaching pages: for everybody, in two languages, and unable to send anything."""

import json
import re
import string
from itertools import pairwise

import pytest

from server.language.catalogue import LANGUAGES, section
from server.lessons.pages import LESSONS, name, script_messages
from server.web.files.assets import folder

PAGES = ["/learn", *(f"/learn/{slug}" for slug in LESSONS)]
PLACES = {f"{key}{part}" for key in ("", "place_") for part in ("first", "further")}
READ_BY_NAME = (
    {"title", "lede", "question", "trying"}
    | PLACES
    | {
        "title",
        "lede",
        "question",
        "trying",
        "first",
        "further",
        "place_first",
        "place_further",
    }
    | {f"guess.{key}" for key in ("ask", "one", "two", "three", "answer")}
    | {f"exercise.{which}.{key}" for which in ("one", "two", "three") for key in ("ask", "solution")}
)
"""The keys that the contents and the frame of a lesson ask every catalogue for."""

FILES = ["learn", *(f"learn_{name(slug)}" for slug in LESSONS)]


@pytest.fixture
def visit(staff_app):
    """Come without an account and without a cookie."""
    return lambda address, language="en": staff_app.test_client().get(
        address, headers={"Accept-Language": language}
    )


@pytest.mark.parametrize("address", PAGES)
def test_everybody_reads_every_page_in_either_language(visit, address):
    for language in LANGUAGES:
        answer = visit(address, language)
        assert answer.status_code == 200
        assert f'<html lang="{language}" dir="ltr">' in answer.text
        assert "Set-Cookie" not in answer.headers
    assert 'lang="ko"' in visit(f"{address}?language=ko").text


@pytest.mark.parametrize("address", PAGES)
def test_nothing_can_be_sent_from_a_teaching_page(visit, address):
    answer = visit(address)
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert "connect-src 'none'" in policy
    assert "form-action 'none'" in policy
    assert "script-src 'self'" in policy
    assert "<form" not in answer.text


def test_a_lesson_that_is_not_there_is_not_found(visit):
    for slug in ("alchemy", "spinner_and_coin", "contents", "lesson"):
        assert visit(f"/learn/{slug}").status_code == 404


def test_the_contents_link_every_lesson_and_each_lesson_its_neighbours(visit):
    assert [slug for slug in LESSONS if f'href="/learn/{slug}"' in visit("/learn").text] == list(LESSONS)
    for before, after in pairwise(LESSONS):
        assert f'rel="next" href="/learn/{after}"' in visit(f"/learn/{before}").text
        assert f'rel="prev" href="/learn/{before}"' in visit(f"/learn/{after}").text


@pytest.mark.parametrize("slug", LESSONS)
def test_powers_are_raised_in_running_text_too(visit, slug):
    for language in LANGUAGES:
        page = re.sub(r"<script.*?</script>", "", visit(f"/learn/{slug}", language).text, flags=re.DOTALL)
        assert not re.search(r"\w\^", page)


@pytest.mark.parametrize("slug", LESSONS)
def test_the_words_of_the_script_travel_in_the_language_of_the_page_only(visit, slug):
    for language in LANGUAGES:
        page = visit(f"/learn/{slug}", language).text
        island = re.search(r'<script type="application/json" id="messages">(.*?)</script>', page)[1]
        assert json.loads(island) == script_messages(language, name(slug))


def placeholders(message):
    texts = [message] if isinstance(message, str) else message.values()
    return {part for text in texts for _, part, _, _ in string.Formatter().parse(text) if part}


@pytest.mark.parametrize("file", FILES)
def test_both_languages_say_the_same_things_with_the_same_values(file):
    english, korean = (section(language, file) for language in LANGUAGES)
    assert set(english) == set(korean)
    for key, message in english.items():
        assert (key, placeholders(message)) == (key, placeholders(korean[key]))


def asked_by_templates():
    """The messages that templates name outright."""
    texts = [path.read_text(encoding="utf-8") for path in folder("templates").rglob("*.html")]
    return {key for text in texts for key in re.findall(r"_\('([a-z_0-9]+\.[a-z_0-9.]+)'", text)}


def asked_by_scripts():
    """What scripts of the lessons take for keys: their strings, and how their composed strings begin."""
    texts = [path.read_text(encoding="utf-8") for path in (folder("static") / "js" / "lessons").rglob("*.js")]
    whole = {key for text in texts for key in re.findall(r'"([a-z_0-9]+(?:\.[a-z_0-9]+)*)"', text)}
    begun = {start for text in texts for start in re.findall(r"`([a-z_0-9.]+[._])\$\{", text)}
    return whole, begun


@pytest.mark.parametrize("file", FILES)
def test_no_message_is_left_that_nobody_asks_for(file):
    templates = asked_by_templates()
    whole, begun = asked_by_scripts()
    for key in section("en", file):
        script = key.removeprefix("script.")
        if script != key:
            assert script in whole or any(script.startswith(start) for start in begun), f"{file}.{key}"
        else:
            assert f"{file}.{key}" in templates or key in READ_BY_NAME, f"{file}.{key}"


def scripts_of(lesson):
    """The script of a lesson and every module that it imports, however far down: path -> text."""
    found = {}
    waiting = [(folder("static") / "js" / "lessons" / lesson / f"{lesson}.js").resolve()]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = path.read_text(encoding="utf-8")
        imports = re.findall(r'^(?:import|export)\b[^"]*?"(\.{1,2}/[^"]+)";$', found[path], re.MULTILINE)
        waiting += [(path.parent / each).resolve() for each in imports]
    return found


def asked_for(text):
    """The keys that a script says outright, and how those that it composes begin."""
    whole = set(re.findall(r'\b(?:say|words)\("([^"]+)"', text))
    begun = {key for key in re.findall(r"\b(?:say|words)\(`([^`$]*)\$\{", text) if key}
    return whole, begun


@pytest.mark.parametrize("slug", LESSONS)
def test_every_message_that_the_script_of_a_lesson_asks_for_is_there(slug):
    messages = script_messages("en", name(slug))
    scripts = scripts_of(name(slug))
    assert {"controls.js", "words.js", "page.js"} <= {path.name for path in scripts}
    for path, text in scripts.items():
        whole, begun = asked_for(text)
        assert whole <= set(messages), path.name
        for start in begun:
            assert any(key.startswith(start) for key in messages), f"{path.name}: {start}"
    assert any(asked_for(text)[0] for text in scripts.values())


def test_keys_are_found_in_the_modules_that_a_script_imports_too():
    scripts = {path.name: text for path, text in scripts_of("composition").items()}
    assert "again.kept" in asked_for(scripts["asked_again.js"])[0]
    assert "control.kept" in asked_for(scripts["controls.js"])[0]
    assert (
        "mechanism."
        in asked_for(
            {path.name: text for path, text in scripts_of("spinner_only").items()}["spinner_only.js"]
        )[1]
    )


HANGING = re.compile(r"\{(?!percent|share)\w+\}(?:[을를은는이가와과로](?![가-힣])|으로|이나|이라)")
"""A particle right after a value whose reading decides its form. A percentage ends in one sound."""


@pytest.mark.parametrize("file", FILES)
def test_no_korean_particle_depends_on_a_number_that_is_not_known(file):
    for key, message in section("ko", file).items():
        for text in [message] if isinstance(message, str) else message.values():
            assert not HANGING.search(text), f"{file}.{key}: {text}"


def test_what_two_lessons_need_is_derived_in_one_and_the_other_leads_there(visit):
    pages = {f"/learn/{slug}": visit(f"/learn/{slug}").text for slug in LESSONS}
    derived = {
        (address, *link)
        for address, page in pages.items()
        for link in re.findall(r'<p><a href="(/learn/[\w-]+)#([\w-]+)">', page)
    }
    assert len(derived) >= 5
    for address, other, place in derived:
        assert address != other
        assert f'<ol class="derivation" id="{place}">' in pages[other]
    areas = [address for address, page in pages.items() if "<mn>∞</mn></msubsup>" in page]
    assert areas == ["/learn/noise"], "the area under a density is worked out once"
