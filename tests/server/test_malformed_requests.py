"""Malformed requests: answered by a page of ours with a status that says so, and no line in the log."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

import pytest
import raw
from engines import installed
from raw import CHUNKED, FORM, LIES, SHORT
from servers import serving
from werkzeug.exceptions import BadRequest

from server.runtime.slow_bodies import PromptBody
from server.store.staff import accounts, tokens

JSON = b"Content-Type: application/json\r\n"
PROGRAM = """
from gevent import monkey
monkey.patch_all()
from server.runtime import slow_bodies
slow_bodies.HEAD_SECONDS = slow_bodies.BODY_SECONDS = 1
from server.cli import main
main()
"""


class Place:
    """A server with a survey, its POST rules, and what it had logged at first."""

    def __init__(self, installation, server):
        self.installation, self.server = installation, server
        self.posts = [path for method, path in raw.addresses(installation) if method == "POST"]
        self.before = server.log.read_text()
        assert len(self.posts) > 40

    def answers(self, path, body, *headers, **options):
        sent = raw.request("POST", path, *headers, CHUNKED, body=body)
        return raw.statuses(self.server.port, sent, **options)

    def logged(self):
        return self.server.log.read_text()[len(self.before) :]


@pytest.fixture(scope="module")
def place():
    with installed("sqlite") as (installation, _), serving(installation, program=PROGRAM) as (server,):
        yield Place(installation, server)


@pytest.mark.parametrize("lie", LIES | SHORT)
def test_a_malformed_body_is_refused_at_every_rule(place, lie):
    body = (LIES | SHORT)[lie]
    wrong = {path: told for path in place.posts if (told := place.answers(path, body, FORM)) != ["400"]}
    assert (wrong, place.logged()) == ({}, "")


def some_of(lies, rules):
    """Three lies for each rule, so that all of them are told."""
    again = cycle(lies.values())
    return [(path, body) for path in rules for body in islice(again, 3)]


def test_whoever_is_signed_in_is_refused_too(place):
    session = raw.session(place.server.port)
    assert raw.statuses(place.server.port, raw.request("GET", "/admin", session)) == ["200"]
    pages = [path for path in place.posts if not path.startswith("/api")]
    for path, body in some_of(LIES, pages):
        assert place.answers(path, body, session, FORM) == ["400"], (path, body)
    assert place.logged() == ""


def test_programs_are_refused_too(place):
    storage = place.installation.storage()
    ada = storage.read(accounts.by_name, "ada")
    secret = storage.write(tokens.create, ada.id, "tests", True, None, None)
    bearer = f"Authorization: Bearer {secret}\r\n".encode()
    for path, body in some_of(LIES, [path for path in place.posts if path.startswith("/api")]):
        assert place.answers(path, body, bearer, JSON) == ["400"], (path, body)
    storage.close()
    assert place.logged() == ""


def test_whoever_sends_no_end_is_dropped_in_time(place):
    bodies = islice(cycle(SHORT.values()), len(place.posts))
    with ThreadPoolExecutor(len(place.posts)) as pool:
        waiting = [
            pool.submit(place.answers, path, body, FORM, hangs_up=False)
            for path, body in zip(place.posts, bodies, strict=True)
        ]
    assert [each.result() for each in waiting] == [["408"]] * len(place.posts)
    assert place.logged() == ""


def test_what_was_malformed_once_remains_so():
    """Gunicorn takes such a body for one that has ended."""

    class Malformed:
        def read(self, size):
            raise ConnectionError

    body = PromptBody(Malformed())
    for _ in range(2):
        with pytest.raises(BadRequest):
            body.read()
        body.body = None


def test_nothing_that_comes_is_answered_with_an_error_that_is_not_ours():
    """A small form of `tests/benchmarks/campaign sqlite raw`."""
    assert raw.table("sqlite", share=0.002)
