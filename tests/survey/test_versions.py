"""Versions of the survey file: each needs the lowest that has its keys, and old files keep their bytes."""

import hashlib
from pathlib import Path

import pytest

from survey.definition import from_dict, parse
from survey.fields import DefinitionError
from survey.publication import load, publish

EXAMPLES = Path(__file__).parents[2] / "server/examples"
OLD = {
    "exam-honesty": ("a9feb1c3458d0ab9", "a731657146158"),
    "student-life": ("29e1607e63591b62", "b2393ad43989c"),
    "undeclared-work": ("1faee36d6cb5d277", "0cb5f5bb54391"),
    "workplace": ("b83d2e926a301708", "cb94275f3a223"),
}
"""Beginnings of the fingerprint and of the SHA-256 of the file, from before there was a third version."""

TEXT = {"en": "Text", "ko": "글"}
AROUND = {"slug": "a", "languages": ["en", "ko"], "title": TEXT, "information": TEXT, "consent": TEXT}
QUESTION = {"id": "q", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
HELPED = QUESTION | {"help": TEXT}


def read(version, question=QUESTION, **more):
    return from_dict({"candor": version, **AROUND, "questions": [question], **more}, "here")


@pytest.mark.parametrize("name", OLD)
def test_a_file_of_an_older_version_keeps_its_bytes_and_its_fingerprint(name):
    definition = parse((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"), name)
    fingerprint, file = OLD[name]
    assert publish(definition).fingerprint.startswith(fingerprint)
    assert hashlib.sha256(definition.as_toml().encode()).hexdigest().startswith(file)


def test_a_definition_is_of_the_lowest_version_that_has_its_keys():
    assert read(1).format == read(2).format == read(3).format == 1
    assert read(3, quick_exit=True).format == 2
    assert read(3, HELPED, quick_exit=True).format == 3


def test_newer_keys_in_an_older_file_are_named_with_the_version_that_has_them():
    with pytest.raises(DefinitionError, match=r"candor must be 3, .* has questions\.help.*, got 2"):
        read(2, HELPED)
    with pytest.raises(DefinitionError, match="candor must be 1, 2 or 3, the version of this format, got 4"):
        read(4)


def test_help_comes_back_from_every_form_of_a_survey():
    definition = read(3, HELPED)
    assert definition.questions[0].help == TEXT
    assert parse(definition.as_toml(), "again") == definition
    assert load(publish(definition).json).definition == definition


def test_a_third_version_keeps_its_questions_without_sections_where_it_has_none():
    assert "sections" not in read(3, HELPED).as_dict()
    assert "sections" in read(3, quick_exit=True).as_dict()
