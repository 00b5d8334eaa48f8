"""Two servers on one database are one product: what one of them does, the other knows at once."""

import re
import secrets

import pytest

from server import create_app
from server.store import surveys
from server.store.sqlite.storage import BATCH_CACHE

pytestmark = pytest.mark.engines

SAME_PAGE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def pair(door, clock):
    """The door of one server, and a client of the other; both have answered something before."""
    app = create_app(door.services.config, clock, create=False)
    other = app.test_client()
    body = door.body()
    assert door.send(body) == (200, "stored")
    assert sent(other, body) == (200, "stored")
    assert other.get("/s/exams").status_code == 200
    yield door, other
    app.extensions["candor"].committer.settle()
    app.extensions["candor"].storage.close()


def sent(client, body, slug="exams"):
    """Send a submission; its status and its outcome."""
    answer = client.post(f"/s/{slug}", data=body, headers=SAME_PAGE)
    return answer.status_code, re.search(r'data-outcome="(\w+)"', answer.text)[1]


def test_a_retry_through_the_other_server_is_answered_the_same_and_stored_once(pair):
    door, other = pair
    body = door.body()
    first = door.client.post("/s/exams", data=body, headers=SAME_PAGE)
    again = other.post("/s/exams", data=body, headers=SAME_PAGE)
    assert (first.status_code, first.data) == (again.status_code, again.data)
    assert dict(first.headers) == dict(again.headers)
    assert sent(other, body | {"copied": "0"}) == (409, "different")
    assert len(door.rows()) == 2


def test_a_survey_that_opens_on_one_server_is_open_on_the_other(pair, survey_file):
    door, other = pair
    assert other.get("/s/second").status_code == 404
    draft = door.storage.write(surveys.create_draft, survey_file("second"))
    assert other.get("/s/second").status_code == 404
    second = door.storage.write(surveys.open_survey, draft.id)
    assert other.get("/s/second").status_code == 200
    body = door.body(fingerprint=second.publication.fingerprint)
    assert sent(other, body, "second") == (200, "stored")


def test_a_survey_that_closes_on_one_server_takes_nothing_more_on_the_other(pair):
    door, other = pair
    stored = door.body()
    assert door.send(stored) == (200, "stored")
    door.storage.write(surveys.close_survey, door.survey.id)
    assert sent(other, door.body()) == (410, "closed")
    assert sent(other, stored) == (200, "stored")
    assert other.get("/s/exams").status_code == 410


def test_a_survey_that_is_deleted_on_one_server_is_gone_on_the_other(pair):
    door, other = pair
    door.storage.write(surveys.delete_survey, door.survey.id)
    assert sent(other, door.body()) == (404, "closed")
    assert other.get("/s/exams").status_code == 404


def test_a_survey_of_the_same_name_takes_its_place_on_the_other_server_too(pair, survey_file):
    door, other = pair
    former = door.body()
    door.storage.write(surveys.delete_survey, door.survey.id)
    draft = door.storage.write(surveys.create_draft, survey_file(title={"en": "Another title"}))
    assert sent(other, former) == (404, "closed")
    door.survey = door.storage.write(surveys.open_survey, draft.id)
    assert sent(other, former) == (409, "stale")
    assert "Another title" in other.get("/s/exams").text
    assert sent(other, door.body()) == (200, "stored")
    assert len(door.rows()) == 1


def test_the_same_survey_imported_again_starts_with_nothing(pair, survey_file):
    door, other = pair
    receipt = secrets.token_hex(16)
    assert sent(other, door.body(receipt)) == (200, "stored")
    door.storage.write(surveys.delete_survey, door.survey.id)
    draft = door.storage.write(surveys.create_draft, survey_file())
    again = door.storage.write(surveys.open_survey, draft.id)
    assert again.publication.fingerprint == door.survey.publication.fingerprint
    door.survey = again
    assert sent(other, door.body(receipt, copied="0")) == (200, "stored")
    assert len(door.rows()) == 1


@pytest.fixture
def staff_pair(browse, staff_app, clock):
    """A browser at each of two servers."""
    first = browse()
    other = create_app(staff_app.extensions["candor"].config, clock, create=False)
    yield first, type(first)(other)
    other.extensions["candor"].storage.close()


def test_a_session_opens_and_ends_on_both_servers(staff_pair):
    first, other = staff_pair
    first.sign_in()
    other.client.set_cookie("__Host-candor", first.client.get_cookie("__Host-candor").value)
    assert other.get("/admin").status_code == 200
    assert first.post("/logout", page="/admin").status_code == 302
    assert other.get("/admin").location.startswith("/login")


def test_guesses_through_two_servers_are_counted_together(staff_pair):
    first, other = staff_pair
    statuses = [browser.sign_in(password="guess number one").status_code for browser in [first, other] * 3]
    assert statuses == [403] * 4 + [429] * 2


@pytest.mark.engines("sqlite")
def test_what_respondents_do_never_looks_at_guesses(pair):
    door, _ = pair
    asked = []
    for db, _ in [*door.storage.idle, *door.storage.idle_for_batches]:
        db.conn.set_trace_callback(asked.append)
    assert door.get().status_code == 200
    assert door.send(door.body()) == (200, "stored")
    assert any("surveys" in statement for statement in asked)
    assert not any("attempts" in statement for statement in asked)


@pytest.mark.engines("sqlite")
def test_only_the_connection_for_batches_keeps_many_pages(pair):
    door, _ = pair
    door.get()
    for connections, pages in [(door.storage.idle, -2000), (door.storage.idle_for_batches, -BATCH_CACHE)]:
        assert {db.conn.execute("PRAGMA cache_size").fetchone()[0] for db, _ in connections} == {pages}
