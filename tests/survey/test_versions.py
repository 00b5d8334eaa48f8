"""Versions of the survey file: each needs the lowest that has its keys, and all forms of it say the same."""

import pytest

from survey.fields import DefinitionError
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.read_publication import load

TEXT = {"en": "Text", "ko": "글"}
AROUND = {"slug": "a", "languages": ["en", "ko"], "title": TEXT, "information": TEXT, "consent": TEXT}
QUESTION = {"id": "q", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
HELPED = QUESTION | {"help": TEXT}


def read(version, question=QUESTION, **more):
    return from_dict({"candor": version, **AROUND, "questions": [question], **more}, "here")


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
