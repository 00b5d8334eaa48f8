"""A survey's page from memory: the same answer, every visit counted, and changes seen within a second."""

import pytest
from werkzeug.test import Client

from server.respond import page_cache
from server.respond.page_cache import PageCache
from server.store import pictures, submissions, surveys
from server.store.pictures import StoredPicture


class Stopwatch:
    """A moment that goes forward when a test says so."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def stopwatch(monkeypatch):
    monkeypatch.setattr(page_cache, "SECONDS", 0.5)
    return Stopwatch()


@pytest.fixture
def asked():
    """What the application itself was asked for."""
    return []


@pytest.fixture
def cache(door, stopwatch, asked):
    inner = door.app.wsgi_app.application

    def application(environ, start_response):
        asked.append(environ["PATH_INFO"])
        return inner(environ, start_response)

    return PageCache(application, door.services, now=stopwatch)


@pytest.fixture
def memory(cache):
    """A client whose pages come from memory while they are fresh."""
    return Client(cache)


def told(answer):
    return answer.status, answer.data, [header for header in answer.headers if header[0] != "Date"]


LONG_CHOICE = "br," * 32 + "gzip"
"""As many characters as are kept for a page."""


@pytest.mark.parametrize(
    "choice", [None, "", "gzip, deflate, br, zstd", "gzip", "identity", "br;q=0, *;q=0", LONG_CHOICE]
)
def test_the_answer_is_the_one_that_the_application_gives(memory, door, asked, choice):
    headers = {} if choice is None else {"Accept-Encoding": choice}
    answers = [told(memory.get("/s/exams", headers=headers)) for _ in range(3)]
    assert answers == [told(door.get(**headers))] * 3
    assert asked == ["/s/exams"]


def test_a_browser_that_takes_nothing_compressed_is_given_nothing_compressed(memory, asked):
    assert memory.get("/s/exams", headers={"Accept-Encoding": "br"}).content_encoding == "br"
    assert memory.get("/s/exams").content_encoding is None
    assert len(asked) == 2


def test_neither_a_query_nor_a_body_changes_anything(memory, door, asked):
    memory.get("/s/exams?language=ko", data=b"a=1")
    assert told(memory.get("/s/exams", query_string="language=ko&" + "q=1&" * 900)) == told(door.get())
    assert asked == ["/s/exams"]


def test_pictures_and_the_list_that_was_counted_come_from_memory_and_no_visit_is_counted(
    memory, door, asked, survey_file
):
    picture = StoredPicture("png", 3, 2, b"a picture")
    address = f"/s/shown/pictures/{picture.sha256}"
    shown = {"sha256": picture.sha256, "type": "png", "width": 3, "height": 2, "alt": {"en": "What it shows"}}
    question = {
        "id": "q",
        "mechanism": "spinner",
        "epsilon": 1.0,
        "wording": {"en": "Is it?"},
        "picture": shown,
    }
    table = survey_file("shown", candor=3, questions=[question])
    draft = door.storage.write(surveys.create_draft, table)
    door.storage.write(pictures.add, draft.id, picture)
    survey = door.storage.write(surveys.open_survey, draft.id)
    assert [memory.get(address).data for _ in range(3)] == [picture.data] * 3
    door.storage.write(surveys.close_survey, survey.id)
    door.storage.finish()
    assert [memory.get("/s/shown/counted").status_code for _ in range(3)] == [200] * 3
    assert asked == [address, "/s/shown/counted"]
    door.services.committer.settle()
    assert door.storage.read(submissions.days, survey.id) == []


def test_rows_of_that_list_are_asked_for_in_many_ways_and_not_kept(memory, door, asked):
    door.send(door.body())
    door.storage.write(surveys.close_survey, door.survey.id)
    door.storage.finish()
    assert [memory.get("/s/exams/counted/leaves-").status_code for _ in range(2)] == [200] * 2
    assert asked == ["/s/exams/counted/leaves-"] * 2


def test_every_visit_is_counted(memory, door, asked):
    for _ in range(5):
        memory.get("/s/exams")
    memory.head("/s/exams")
    door.services.committer.settle()
    assert [day.started for day in door.storage.read(submissions.days, door.survey.id)] == [5]
    assert len(asked) == 2


def test_the_database_is_asked_again_after_half_a_second(memory, door, stopwatch, cache):
    assert memory.get("/s/exams").status_code == 200
    door.storage.write(surveys.close_survey, door.survey.id)
    stopwatch.seconds = 0.49
    assert memory.get("/s/exams").status_code == 200
    stopwatch.seconds = 0.5
    assert [memory.get("/s/exams").status_code for _ in range(2)] == [410, 410]
    assert not cache.pages.results, "nor does another see it open while this one asks"


def test_an_opened_survey_is_there_at_once(memory, door, survey_file):
    assert memory.get("/s/health").status_code == 404
    draft = door.storage.write(surveys.create_draft, survey_file() | {"slug": "health"})
    assert memory.get("/s/health").status_code == 404
    door.storage.write(surveys.open_survey, draft.id)
    assert memory.get("/s/health").status_code == 200


def test_a_page_is_not_given_longer_while_the_database_is_away(memory, door, stopwatch):
    memory.get("/s/exams")
    door.storage.path.rename(door.storage.path.with_name("away.db"))
    assert memory.get("/s/exams").status_code == 200
    stopwatch.seconds = 0.5
    assert memory.get("/s/exams").status_code == 503
    door.storage.path.with_name("away.db").rename(door.storage.path)
    assert memory.get("/s/exams").status_code == 200


def test_while_one_request_asks_the_others_have_the_old_answer_half_as_long_again(door, stopwatch):
    inner, seen = door.app.wsgi_app.application, []

    def application(environ, start_response):
        if stopwatch.seconds == 0.6:
            seen.append(Client(cache).get("/s/exams").status_code)  # another request, while this one asks
            stopwatch.seconds = 0.75
            seen.append(Client(cache).get("/s/exams").status_code)
        return inner(environ, start_response)

    cache = PageCache(application, door.services, now=stopwatch)
    assert Client(cache).get("/s/exams").status_code == 200
    door.storage.write(surveys.close_survey, door.survey.id)
    stopwatch.seconds = 0.6
    assert Client(cache).get("/s/exams").status_code == 410
    assert seen == [200, 410]


def test_an_application_that_fails_is_asked_by_the_next_request(door, stopwatch):
    inner = door.app.wsgi_app.application

    def application(environ, start_response):
        if stopwatch.seconds == 0.6:
            raise OSError("no thread is left")
        return inner(environ, start_response)

    cache = PageCache(application, door.services, now=stopwatch)
    Client(cache).get("/s/exams")
    stopwatch.seconds = 0.6
    for _ in range(2):
        with pytest.raises(OSError, match="no thread"):
            Client(cache).get("/s/exams")


@pytest.mark.parametrize(
    "request_",
    [
        {"method": "HEAD"},
        {"method": "POST"},
        {"headers": {"If-Match": '"x"'}},
        {"headers": {"If-None-Match": '"x"'}},
        {"headers": {"If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"}},
        {"headers": {"If-Unmodified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"}},
        {"headers": {"If-Range": '"x"'}},
        {"headers": {"Range": "bytes=0-3"}},
        {"headers": {"Accept-Encoding": f"{LONG_CHOICE},"}},
        {"path": "/"},
    ],
)
def test_any_other_request_goes_to_the_application(memory, asked, request_):
    memory.get("/s/exams")
    memory.open(**{"path": "/s/exams", **request_})
    memory.open(**{"path": "/s/exams", **request_})
    assert len(asked) == 3


def test_memory_is_bounded(cache, memory, monkeypatch):
    monkeypatch.setattr(cache.pages, "size", 3 * 5000)
    for quality in range(9):
        memory.get("/s/exams", headers={"Accept-Encoding": f"gzip;q=0.{quality}"})
        assert sum(len(page.body) for page in cache.pages.results.values()) < 3 * 5000
