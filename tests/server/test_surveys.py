"""From a draft to a publication: what may be incomplete, and what may not."""

import pytest
from draft_editor import replaced

from server.store import surveys
from server.store.surveys import WrongState
from survey.fields import DefinitionError
from survey.publication import publish
from survey.read_definition import from_dict

pytestmark = pytest.mark.engines


def test_a_draft_may_be_incomplete_but_cannot_be_opened(app):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.create_draft, {"slug": "unfinished", "title": {"en": "T"}})
    assert (draft.state, draft.publication, draft.complete) == ("draft", None, None)
    assert draft.title == {"en": "T"}
    with pytest.raises(DefinitionError, match="questions must be a list"):
        storage.write(surveys.open_survey, draft.id)
    assert storage.read(surveys.by_slug, "unfinished") == draft


def test_a_slug_that_cannot_be_an_address_is_refused(app):
    for slug in (None, "", "Two Words", "a--b", "a/b", "x" * 65, 7):
        with pytest.raises(DefinitionError, match="slug"):
            app.extensions["candor"].storage.write(surveys.create_draft, {"slug": slug})
    app.extensions["candor"].storage.write(surveys.create_draft, {"slug": "x" * 64})


def test_a_draft_can_be_rewritten_and_renamed(app, survey_file):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.create_draft, {"slug": "first"})
    saved = replaced(storage, draft.slug, survey_file("renamed"))
    assert storage.read(surveys.by_slug, "first") is None
    assert storage.read(surveys.by_slug, "renamed") == saved
    assert saved.draft == survey_file("renamed")
    assert saved.complete == publish(from_dict(survey_file("renamed"), "here"))
    assert saved.tag != draft.tag


def test_opening_stores_the_very_bytes_that_publishing_gives(door, survey_file):
    expected = publish(from_dict(survey_file(), "here"))
    stored = door.storage.read(surveys.by_slug, "exams")
    assert stored.publication.json == expected.json
    assert stored.publication.fingerprint == expected.fingerprint
    assert (stored.state, stored.draft) == ("open", None)
    assert (stored.title, stored.complete) == ({"en": "title"}, stored.publication)
    assert stored.tag == expected.fingerprint


def test_a_survey_file_comes_back_as_it_went_in(app, survey_file):
    storage = app.extensions["candor"].storage
    definition = from_dict(survey_file(), "here")
    assert from_dict(storage.write(surveys.import_definition, definition).draft, "there") == definition


def test_what_the_state_of_a_survey_does_not_allow_is_refused_in_words(door):
    with pytest.raises(WrongState, match="a survey is published once; exams is open") as refused:
        door.storage.write(surveys.open_survey, door.survey.id)
    assert refused.value.survey == door.survey
    door.storage.write(surveys.close_survey, door.survey.id)
    with pytest.raises(WrongState, match="only an open survey can be closed; exams is closed"):
        door.storage.write(surveys.close_survey, door.survey.id)


def test_surveys_that_are_not_there_are_told(app):
    storage = app.extensions["candor"].storage
    assert storage.read(surveys.by_slug, "nothing") is None
    for action in (surveys.open_survey, surveys.close_survey, surveys.delete_survey):
        with pytest.raises(LookupError, match="no survey has the number 99"):
            storage.write(action, 99)
