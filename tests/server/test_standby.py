"""A standby that must have every commit is away: nothing is acknowledged that only the primary has."""

import os
import re
from contextlib import contextmanager

import cluster
import psycopg
import pytest
from engines import installed, wait_until

from server import create_app
from server.config import Config
from server.database import PostgreSQLURL
from server.store.engine import Unavailable

pytestmark = pytest.mark.skipif(
    cluster.programs() is None and "CI" not in os.environ, reason="tests/run installs it"
)


@pytest.fixture
def primary():
    """A server of its own: those of the other tests have no standbys."""
    with installed("postgresql") as (database, _):
        yield PostgreSQLURL(database.address)


@pytest.fixture
def server(primary, clock):
    """Start an application on the database; all are stopped in the end."""
    started = []

    def server():
        started.append(create_app(Config(database=primary, rate_limit=0), clock, create=False))
        return started[-1]

    yield server
    for app in started:
        app.extensions["candor"].storage.close()


class Standby:
    """What the primary knows of its standby; and those of its processes that wait for it."""

    def __init__(self, url):
        self.primary = psycopg.connect(url.text, autocommit=True)

    def asked(self, sql):
        return [value for (value,) in self.primary.execute(sql)]

    @contextmanager
    def away(self):
        """Let the primary wait for a standby that does not come."""
        self.named("*")
        yield
        self.named("")
        wait_until(lambda: not self.at_work())

    def named(self, names):
        self.primary.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.primary.execute("SELECT pg_reload_conf()")
        wait_until(lambda: self.asked("SHOW synchronous_standby_names") == [names])
        for _ in range(2):  # commits wait once the process that makes checkpoints has read it too
            self.primary.execute("CHECKPOINT")

    def at_work(self):
        """Processes of the primary that work for others than us."""
        others = "backend_type = 'client backend' AND pid <> pg_backend_pid()"
        return self.asked(f"SELECT pid FROM pg_stat_activity WHERE state = 'active' AND {others}")

    def waiting(self):
        """Those that wait for the standby."""
        return self.asked("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")

    def given_up(self):
        """Cut the waiting of a commit short, as an operator can: its row is on the primary alone."""
        wait_until(self.waiting)
        for process in self.waiting():
            self.asked(f"SELECT pg_cancel_backend({process})")
        wait_until(lambda: not self.at_work())


@pytest.fixture
def standby(primary):
    standby = Standby(primary)
    yield standby
    standby.primary.close()


def patience(app, seconds):
    """Let an application wait for its database for so long, and for a commit a second more."""
    object.__setattr__(app.extensions["candor"].storage, "busy_seconds", seconds)


def sent(app, body):
    """Send a submission; its status and its outcome."""
    own_page = {"Sec-Fetch-Site": "same-origin"}
    answer = app.test_client().post("/s/exams", data=body, headers=own_page)
    return answer.status_code, re.search(r'data-outcome="(\w+)"', answer.text)[1]


def test_what_no_standby_has_is_acknowledged_by_no_server_although_a_reading_finds_it(
    server, standby, door_of
):
    one, other = server(), server()
    door = door_of(one)
    assert sent(one, door.body()) == (200, "stored")  # so that it takes the next by its short way
    body = door.body()
    for app in (one, other):
        patience(app, 3.0)
    with standby.away():
        assert sent(one, body) == (503, "busy")
        standby.given_up()
        patience(one, 60.0)
        assert body["receipt"] in door.rows()
        patience(one, 3.0)
        assert sent(one, body) == (503, "busy")
        assert sent(other, body) == (503, "busy")
    for app in (one, other):
        patience(app, 60.0)
    assert sent(one, body) == (200, "stored")
    assert sent(other, body) == (200, "stored")
    assert len(door.rows()) == 2


def test_one_commit_of_a_server_waits_for_the_standby_and_nothing_more_is_begun_before_it_ends(
    server, standby, door_of
):
    one, other = server(), server()
    door = door_of(one)
    known = door.body()
    assert sent(one, known) == (200, "stored")
    with standby.away():
        for app, number in ((one, 1), (other, 2)):
            patience(app, 3.0)
            wait_until(
                lambda app=app, number=number: refused(app, known) and len(standby.waiting()) == number
            )
            patience(app, 60.0)
            for body in (known, door.body(), known):  # what is sent again locks too little to keep others out
                assert refused(app, body)
            with pytest.raises(Unavailable, match="still waits to confirm what was written before"):
                app.extensions["candor"].storage.write(lambda db: pytest.fail("it was begun"))
            assert len(standby.waiting()) == number
        answers = [one.test_client().get(path).status_code for path in ("/s/exams", "/readyz")]
        assert answers == [200, 200]  # whoever reads is served
    for app in (one, other):
        assert sent(app, door.body()) == (200, "stored")
    assert len(door.rows()) == 3


def refused(app, body):
    return sent(app, body) == (503, "busy")
