"""What was typed into a draft, on each engine: it belongs to one draft, and goes with it."""

import pytest

from server.store import edits, surveys
from server.store.edits import DraftChangedError, Edits
from server.store.surveys import WrongState

pytestmark = pytest.mark.engines
TYPED = {"title": {"en": "=1+1 <script> \u202e\n\x01"}}


@pytest.fixture
def begun(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


def basis(storage, survey):
    found, typed = storage.read(edits.stored, survey.id)
    return edits.basis(found.draft, typed)


def save(storage, survey, typed, table=None, by="ada", seen=None):
    seen = basis(storage, survey) if seen is None else seen
    return storage.write(edits.save, survey.id, seen, typed, table, by)


def test_what_is_wrong_stays_beside_the_draft_and_what_is_right_becomes_it(storage, begun):
    _, wrong = save(storage, begun, TYPED)
    assert wrong == storage.read(edits.find, begun.id) == Edits(TYPED, "ada", wrong=True)
    assert storage.read(surveys.get, begun.id).draft == begun.draft
    table = begun.draft | {"title": {"en": "Right"}}
    saved, right = save(storage, begun, {"title": {"en": "Right"}}, table, by="eve")
    assert (saved.draft, right.wrong, right.by) == (table, False, "eve")


def test_each_save_changes_the_basis_and_an_older_one_is_refused(storage, begun):
    first = basis(storage, begun)
    save(storage, begun, TYPED)
    second = basis(storage, begun)
    assert first != second
    with pytest.raises(DraftChangedError):
        save(storage, begun, {"title": {"en": "Later"}}, seen=first)
    assert storage.read(edits.find, begun.id).typed == TYPED


def test_what_is_stored_already_is_a_success_and_stays_whose_it_was(storage, begun):
    first = basis(storage, begun)
    save(storage, begun, TYPED)
    _, again = save(storage, begun, TYPED, by="eve", seen=first)
    assert again.by == "ada"


def test_whatever_else_changes_the_draft_takes_its_place(storage, begun):
    save(storage, begun, TYPED)
    storage.write(surveys.save_draft, begun.id, begun.draft)
    assert storage.read(edits.find, begun.id).typed == TYPED
    storage.write(surveys.save_draft, begun.id, begun.draft | {"title": {"en": "Another"}})
    assert storage.read(edits.find, begun.id) is None


def test_opening_ends_it_and_a_published_survey_has_none(storage, begun):
    save(storage, begun, {"title": {"en": "title"}}, begun.draft)
    storage.write(surveys.open_survey, begun.id)
    assert storage.read(edits.find, begun.id) is None
    with pytest.raises(WrongState):
        save(storage, begun, TYPED, seen="")
    insert = "INSERT INTO draft_edits (survey_id, typed, saved_by, wrong) VALUES (?, '{}', 'ada', 0)"
    with pytest.raises(Exception, match="only a draft is edited"):
        storage.write(lambda db: db.execute(insert, [begun.id]))


def test_it_goes_with_the_survey(storage, begun):
    save(storage, begun, TYPED)
    storage.write(surveys.delete_survey, begun.id)
    assert storage.read(lambda db: db.execute("SELECT count(*) FROM draft_edits").fetchone()[0]) == 0
