"""The catalogues of words: how tables become keys, and what is refused."""

import pytest

from server.language.catalogue import LANGUAGES, files, flatten, section


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
