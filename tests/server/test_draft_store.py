"""A draft as it is stored, on each engine: whose save was last, and that opening it is the end of saving."""

import pytest

from server.store import drafts, surveys
from server.store.drafts import Author, ConflictError, DraftChangedError, LateSaveError
from server.store.surveys import SlugTaken, WrongState
from survey.draft import Change, unit_hash
from survey.fields import DefinitionError
from survey.rules import Refusal
from survey.section import MOST_QUESTIONS

pytestmark = pytest.mark.engines
ADA, EVE = Author("ada", "0" * 16, 1), Author("eve", "1" * 16, 1)


@pytest.fixture
def begun(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


@pytest.fixture
def save(storage, begun):
    """Save another title, which was this one."""

    def save(title, author=ADA, was="title"):
        change = Change("title.en", unit_hash(was), title)
        return storage.write(drafts.save, begun.id, begun.tag, [change], author)

    return save


def test_what_is_wrong_is_stored_as_typed_and_keeps_the_draft_from_being_opened(save, storage, begun):
    text = "=1+1 <script> \u202e\n\x01" + "x" * 200
    assert save(text).survey.document == begun.document | {"title": {"en": text}}
    with pytest.raises(DefinitionError, match=r"title\.en must be a text of 1 to 200"):
        storage.write(surveys.open_survey, begun.id)
    assert storage.read(surveys.get, begun.id).state == "draft"


def test_a_page_is_told_who_has_saved_since_it_did(save):
    assert save("Sleep").since == ()
    assert save("Nap", EVE, was="Sleep").since == ("ada",)
    assert save("Doze", Author("ada", ADA.page, 2), was="Nap").since == ("eve",)
    with pytest.raises(ConflictError) as both:
        save("Rest", Author("eve", EVE.page, 2), was="Nap")
    assert (both.value.since, both.value.draft.title) == (("ada",), {"en": "Doze"})
    assert str(both.value) == "['title.en']"  # what stands in logs holds no text of a draft


def test_what_is_sent_twice_is_stored_once_and_what_comes_late_not_at_all(save, storage, begun):
    save("Sleep", Author("ada", ADA.page, 2))
    save("Nap", EVE, was="Sleep")
    assert save("Sleep", Author("ada", ADA.page, 2)).survey.title == {"en": "Nap"}
    with pytest.raises(LateSaveError):
        save("Slee", ADA)
    assert storage.read(surveys.get, begun.id).title == {"en": "Nap"}


def test_the_last_save_of_so_many_pages_is_remembered(save, storage, begun):
    for n in range(drafts.MOST_PAGES + 5):
        save(f"{n + 1}", Author("ada", f"{n:016x}", 1), was=f"{n}" if n else "title")
    pages = [page for page, *_ in storage.read(drafts.saves_of, begun.id).pages]
    assert pages == [f"{n:016x}" for n in range(5, drafts.MOST_PAGES + 5)]


def test_another_document_takes_the_place_only_of_the_draft_that_was_seen(storage, begun):
    other = begun.document | {"title": {"en": "Another"}, "slug": "another"}
    replaced = storage.write(drafts.replace, begun.id, begun.tag, other, "ada")
    assert (replaced.slug, replaced.document) == ("another", other)
    assert storage.write(drafts.replace, begun.id, begun.tag, other, "ada") == replaced, "it is there already"
    with pytest.raises(DraftChangedError):
        storage.write(drafts.replace, begun.id, begun.tag, begun.document, "ada")


def test_a_file_takes_no_address_that_others_typed_and_that_another_survey_has(storage, begun, survey_file):
    storage.write(surveys.create_draft, survey_file("health"))
    typed = Change("slug", unit_hash("exams"), "health")
    assert storage.write(drafts.save, begun.id, begun.tag, [typed], ADA).survey.slug == "exams"
    file = survey_file(title={"en": "Another"})
    with pytest.raises(SlugTaken):
        storage.write(drafts.replace_at_address, begun.id, [begun.tag], file, "eve")


def test_a_file_and_what_others_added_have_no_more_questions_than_there_is_room_for(
    storage, begun, survey_file
):
    def file(stem):
        more = [{"id": f"{stem}{n}"} for n in range(MOST_QUESTIONS // 2)]
        return survey_file(questions=[*survey_file()["questions"], *more])

    storage.write(drafts.replace_at_address, begun.id, [begun.tag], file("a"), "ada")
    with pytest.raises(Refusal):
        storage.write(drafts.replace_at_address, begun.id, [begun.tag], file("b"), "eve")


def test_a_published_survey_takes_no_save_and_remembers_none(save, storage, begun, survey_file):
    save("Sleep")
    storage.write(surveys.open_survey, begun.id)
    assert storage.read(drafts.saves_of, begun.id) == drafts.Saves()
    with pytest.raises(WrongState):
        save("Nap", EVE, was="Sleep")
    with pytest.raises(WrongState):
        storage.read(drafts.look, begun.id, begun.tag, EVE)
    with pytest.raises(WrongState):
        storage.write(drafts.replace, begun.id, begun.tag, begun.document, "ada")
    with pytest.raises(WrongState):
        storage.write(drafts.replace_at_address, begun.id, [begun.tag], survey_file(), "ada")
