"""Staff pages speak English and Korean in full, and say every notice of the estimator."""

import re
import string
from pathlib import Path

import pytest

from server.language.catalogue import LANGUAGES, section
from server.web.files.assets import folder
from survey.notice import SENTENCES

SECTIONS = (
    "account",
    "audit",
    "download",
    "editor",
    "error",
    "factor",
    "joining",
    "notice",
    "outline",
    "people",
    "results",
    "sharing",
    "starting",
    "submission",
    "wording",
    "texts",
)


def placeholders(message):
    texts = [message] if isinstance(message, str) else message.values()
    return {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("name", SECTIONS)
def test_both_languages_say_the_same_things_with_the_same_values(name):
    english, korean = (section(language, name) for language in LANGUAGES)
    assert set(english) == set(korean)
    for key, message in english.items():
        assert (key, placeholders(message)) == (key, placeholders(korean[key]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_has_words_with_the_values_that_it_carries(language):
    messages = section(language, "notice")
    assert set(messages) == set(SENTENCES)
    for code, message in messages.items():
        assert (code, placeholders(message)) == (code, placeholders(SENTENCES[code]))


def literal_keys(path: Path):
    """Find the messages that a template names outright."""
    return set(re.findall(r"_\('([a-z_0-9]+\.[a-z_0-9.]*[a-z_0-9])'[,)]", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_that_a_template_names_exists(language):
    named = set().union(*(literal_keys(path) for path in folder("templates").rglob("*.html")))
    assert len(named) > 100
    missing = {key for key in named if key.partition(".")[2] not in section(language, key.partition(".")[0])}
    assert not missing
