"""Publications are read outside transactions: who waits for a lock does not wait for that, too."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.runtime import offload
from server.store import publication_cache, submissions, surveys
from server.store.results import survey_results
from server.store.submissions import Submission
from survey.read_publication import load


@pytest.fixture
def forget():
    """Forget every publication, as a process does that ends."""

    def forget():
        surveys.PUBLICATIONS.results.clear()
        publication_cache.recent.cache_clear()
        publication_cache.READ.clear()

    forget()
    yield forget
    forget()


@pytest.fixture
def others_write(door, monkeypatch):
    """Whoever reads a publication finds that others can write meanwhile: the publications that were read."""
    read = []

    def load_while_another_writes(data):
        read.append(data)
        door.storage.write(surveys.create_draft, {"slug": f"other-{len(read)}"})
        return load(data)

    monkeypatch.setattr(publication_cache, "load", load_while_another_writes)
    return read


def test_a_reading_holds_up_nobody_while_a_publication_is_read(door, forget, others_write):
    forget()
    found = door.storage.read(surveys.by_slug, "exams")
    assert found == door.survey
    assert door.storage.read(surveys.by_slug, "exams").publication is found.publication
    assert others_write == [door.survey.publication.json]


def test_a_batch_holds_up_nobody_while_a_publication_is_read(door, forget, others_write):
    forget()
    for number in range(3):
        sent = Submission(
            door.survey.id, door.survey.publication.fingerprint, f"{number:032x}", {"copied": 1, "data": 0}
        )
        assert door.services.committer.submit(sent, "2026-05-04") == "stored"
    assert len(others_write) == 1
    days = door.storage.read(submissions.days, door.survey.id)
    assert [day.sent for day in days] == [3]


def test_a_list_reads_all_that_it_lacks_before_it_begins_anew(door, forget, others_write, survey_file):
    for slug in ("second", "third"):
        draft = door.storage.write(surveys.create_draft, survey_file(slug))
        door.storage.write(surveys.open_survey, draft.id)
    forget()
    begun = []

    def listed(db):
        begun.append(db)
        return survey_results.surveys_with_results(db)

    found = door.storage.read(listed)
    assert [survey.slug for survey, results in found if results] == ["third", "second", "exams"]
    assert (len(begun), len(others_write)) == (2, 3)


def test_what_no_longer_fits_into_memory_is_held_until_the_transaction_has_it(door, forget, monkeypatch):
    forget()
    with monkeypatch.context() as patch:
        patch.setattr(publication_cache, "recent", lambda data: publication_cache.READ[data])  # keeps nothing
        assert door.storage.read(surveys.by_slug, "exams") == door.survey


def test_a_publication_that_was_made_need_not_be_read(door, others_write, survey_file):
    draft = door.storage.write(surveys.create_draft, survey_file("made"))
    assert door.storage.write(surveys.open_survey, draft.id).publication is not None
    assert others_write == []


def test_bytes_that_were_damaged_are_refused_in_words(door, forget, monkeypatch):
    forget()
    monkeypatch.setattr(publication_cache, "load", lambda data: load(data.replace(b'"loss":[', b'"loss":[1')))
    with pytest.raises(publication_cache.UnreadableSurvey, match=r"loss must be") as refused:
        door.storage.read(surveys.by_slug, "exams")
    assert str(refused.value) == (
        f"it holds a survey that this version of Candor cannot read ({refused.value.reason}); "
        "serve it with the version that published it"
    )


def test_whoever_writes_in_a_thread_of_its_own_reads_within_the_transaction(door, forget):
    """It begins only once, whether its thread has had other transactions before or not."""
    door.storage.read(surveys.by_slug, "exams")
    forget()
    assert door.storage.write_here(surveys.by_slug, "exams") == door.survey
    forget()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(door.storage.write_here, surveys.by_slug, "exams").result() == door.survey


def test_of_a_batch_only_what_waits_leaves_the_event_loop(door, monkeypatch):
    door.storage.write_until(door.storage.deadline(), surveys.all_surveys)
    left, run = [], offload.run
    monkeypatch.setattr(offload, "run", lambda function, *more: left.append(function) or run(function, *more))
    door.storage.write_until(door.storage.deadline(), surveys.all_surveys)
    assert left == []
    door.storage.read(surveys.all_surveys)
    assert left == [publication_cache.with_a_new_beginning]


UNDER_GEVENT = """
from gevent import monkey; monkey.patch_all()
import gevent, sys
from pathlib import Path
from server.store import publication_cache, surveys
from server.store.sqlite.storage import SQLiteStorage
from survey.read_publication import load
sleep, read, written = monkey.get_original("time", "sleep"), [], []
def late(data):
    read.append(1)
    while not written:
        sleep(0.01)
    return load(data)
publication_cache.load = late
storage = SQLiteStorage(Path(sys.argv[1]))
waiting = [gevent.spawn(storage.read, surveys.by_slug, "exams") for _ in range(15)]
gevent.sleep(0.1)
storage.write(surveys.create_draft, {"slug": "meanwhile"})
print(any(each.ready() for each in waiting))
written.append(1)
gevent.joinall(waiting, raise_error=True)
print(len(read))
"""


def test_many_of_a_process_who_need_one_publication_take_one_thread_and_read_it_once(door):
    command = [sys.executable, "-c", UNDER_GEVENT, str(door.storage.path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", "1"]
