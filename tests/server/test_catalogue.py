"""The catalogues of words: how tables become keys, what is refused, and Korean particles."""

import re

import pytest

from server.language.catalogue import FOLDER, LANGUAGES, NO_BREAK, files, flatten, say, section, written
from server.language.particles import PAIRS, WORD_JOINER, particle
from server.language.problems import sentence
from survey.fields import Problem
from survey.rules import RULES

TERMS = ("기록", "추정값", "구간", "설문", "문항", "응답", "비율", "엡실론", "델타", "초대", "코드북")
"""Words of many Korean sentences. Where one takes the place of another, the old particle easily stays."""


def test_nested_tables_become_dotted_keys_and_a_plural_stays_whole():
    people = {"one": "{n} person", "other": "{n} people"}
    assert flatten({"wheel": {"title": "The wheel", "people": people}}) == {
        "wheel.title": "The wheel",
        "wheel.people": people,
    }


def test_a_table_with_other_may_hold_nothing_but_a_plural():
    with pytest.raises(ValueError, match=r"step\.letters has `other`.*\['first'\]"):
        flatten({"step": {"letters": {"first": "One letter", "other": "Another letter"}}})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_can_be_read(language):
    assert all(section(language, name) for name in files(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_asks_for_no_value_that_the_english_one_does_not_have(language):
    def values(message):
        text = message if isinstance(message, str) else " ".join(message.values())
        return set(re.findall(r"{(\w+)", text))

    english = {name: section("en", name) for name in files("en")}
    english["rules"] |= {f"allowed.{rule}": text for rule, text in RULES.items()}
    strange = {
        f"{name}.{key}": values(message) - values(english[name][key])
        for name in files(language)
        for key, message in section(language, name).items()
    }
    assert {key: names for key, names in strange.items() if names} == {}


@pytest.mark.parametrize("language", set(LANGUAGES) - {"en"})
def test_every_rule_of_a_survey_is_said_in_every_language(language):
    said = {key for key in section(language, "rules") if key.startswith("allowed.")}
    assert said == {f"allowed.{rule}" for rule in RULES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("limit", [7, "seven", ("six", "seven")], ids=["number", "text", "texts"])
def test_every_rule_can_be_said_with_limits_of_every_type(language, limit):
    for rule, text in RULES.items():
        names = re.findall(r"{(\w+)(:)?", text)
        limits = {name: 7.5 if formatted else limit for name, formatted in names}
        told = sentence(language, Problem("place", rule, limits, None))
        assert told.startswith("place")
        assert "{" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_for_a_file_has_no_mark_that_only_a_page_needs(language):
    """Some consoles show one as <U+2060>, and no search finds a word that has one inside."""
    for name in files(language):
        for key, message in section(language, name).items():
            if isinstance(message, str) and "{" not in message:
                page, file = say(language, f"{name}.{key}"), written(language, f"{name}.{key}")
                assert file == page.replace(WORD_JOINER, "").replace(NO_BREAK, " ")
    assert WORD_JOINER in say("ko", "columns.estimates.state")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_of_a_page_does_not_end_between_epsilon_and_its_number(language):
    assert "ε\u00a0=\u00a01" in say(language, "methods.loss", epsilon="1")
    assert "ε = 1" in written(language, "methods.loss", epsilon="1")


@pytest.mark.parametrize("particles", ["은(는)", "이(가)", "을(를)", "과(와)", "(으)로", "(이)"])
def test_korean_never_leaves_the_choice_of_a_particle_to_the_reader(particles):
    found = {file.name for file in (FOLDER / "ko").rglob("*.toml") if particles in file.read_text("utf-8")}
    assert found == set()


@pytest.mark.parametrize("term", TERMS)
def test_a_particle_fits_the_word_before_it(term):
    ends = {form for pair in PAIRS.items() for form in pair} - {"이"}  # also the beginning of a verb
    wrong = ends - {particle(term, after_consonant) for after_consonant in PAIRS}
    pattern = re.compile(rf"{term}(?:{'|'.join(sorted(wrong))})(?![가-힣])")
    texts = [file.read_text("utf-8") for file in (FOLDER / "ko").rglob("*.toml")]
    assert [found for text in texts for found in pattern.findall(text)] == []


def test_a_particle_follows_the_way_a_number_is_read():
    assert "한도 3을 넘어" in say("ko", "editor.advice.limit", limit="3")
    assert "한도 2.5를 넘어" in say("ko", "editor.advice.limit", limit="2.5")


@pytest.mark.parametrize(
    ("language", "another"),
    [
        ("en", r"\b(?:an?|the|each|any|one|two|these|all|no|of) records?\b(?! (?:the|a|one|yes|no)\b)"),
        ("en", r"your reply|which reply|one response"),
        ("ko", r"(?:개별|위조된|꾸며 낸|받은|보낸|전체|모든|각) 보고|보고 (?:하나|집합|표)"),
    ],
)
def test_what_is_sent_is_called_by_one_word(language, another):
    files_read = (FOLDER / language).rglob("*.toml")
    texts = [file.read_text("utf-8") for file in files_read if file.stem != "learn_counts"]  # medical records
    assert [match[0] for text in texts for match in re.finditer(another, text, re.IGNORECASE)] == []


@pytest.mark.parametrize(
    ("language", "counted"),
    [
        ("en", r"(?<!times )(?<!pot )\b(?:in|of) 100\b(?! (?:draws|patients|people|residents|counts)\b)"),
        ("ko", r"100에 |100명에 |100명 기준"),
    ],
)
def test_lessons_say_shares_in_percent_and_only_guesses_and_draws_in_times(language, counted):
    texts = [file.read_text("utf-8") for file in (FOLDER / language / "lessons").glob("learn_*.toml")]
    assert [
        text[match.start() - 40 : match.end() + 20] for text in texts for match in re.finditer(counted, text)
    ] == []
