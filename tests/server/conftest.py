"""What the tests share: an application with a clock, the browser of staff, the door of respondents."""

import os
import random
import re
import secrets
import shutil
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import cluster
import psycopg
import pytest
from argon2 import PasswordHasher
from draft_editor import OTHER, Editor
from flask import Flask
from installation import make
from jinja2 import FileSystemBytecodeCache
from servers import reserved
from werkzeug.serving import make_server

from server import create_app
from server.cli.simulation.example_truths import EXAMPLES, Person
from server.cli.simulation.respondents import answered, read_examples
from server.config import Config
from server.pictures import reencoding
from server.respond import page_cache
from server.results.downloads.gather_material import count_reports
from server.results.files.material import Material
from server.store import submissions, surveys
from server.store.committer import Committer
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.results import visible_results
from server.store.results.sorted_reports import SortedReports
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, audit, second_factor, tokens
from server.store.submissions import Submission
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.publication import publish
from survey.record import layout_of

PASSWORD = "a long enough password"
WEAK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NAMES = {"admin": "ada", "researcher": "ben"}
FLUSH = Committer.flush


class CompiledOnce(FileSystemBytecodeCache):
    """Templates for all applications: to compile them for each would take longer than most tests.

    Files in a folder share them with the other processes of a run.
    """

    def __init__(self, folder):
        super().__init__(str(folder))
        self.kept = {}

    def load_bytecode(self, bucket):
        key = bucket.key, bucket.checksum
        if key not in self.kept:
            super().load_bytecode(bucket)
            self.kept[key] = bucket.code
        bucket.code = self.kept[key]

    def dump_bytecode(self, bucket):
        self.kept[bucket.key, bucket.checksum] = bucket.code
        super().dump_bytecode(bucket)


@pytest.fixture(scope="session", autouse=True)
def templates_are_compiled_once(made_once):
    Flask.jinja_options = {"bytecode_cache": CompiledOnce(made_once("compiled-templates", lambda _: None))}


@pytest.fixture(autouse=True)
def this_process_stays_as_it_is(monkeypatch):
    """Let no test run `candor serve` in this process: gevent would take every later test into its loop."""

    def refuse():
        pytest.fail("run `candor serve` in a process of its own, or call server.cli.serve.prepare")

    monkeypatch.setattr("gevent.monkey.patch_all", refuse)


@pytest.fixture(autouse=True)
def pages_are_asked_for_each_time(monkeypatch):
    """Show at once what a test changes; `test_page_cache` tests how long a page is answered from memory."""
    monkeypatch.setattr(page_cache, "SECONDS", 0.0)


@pytest.fixture(autouse=True)
def pictures_have_time(monkeypatch):
    """Let a picture be read as long as it takes: on a busy machine a process begins slowly."""
    monkeypatch.setattr(reencoding, "SECONDS", 600)


@pytest.fixture(autouse=True)
def passwords_are_hashed_quickly(monkeypatch):
    """Hash passwords weakly: a strong hash takes its time on purpose."""
    monkeypatch.setattr(accounts, "ARGON2", WEAK)


@pytest.fixture(autouse=True)
def page_views_end_with_their_test():
    """Leave no timer that would count page views during another test, in a database that is the other's."""
    yield
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer) and getattr(thread.function, "__func__", None) is FLUSH:
            thread.cancel()


class Clock:
    """A clock that goes forward when it is told to."""

    def __init__(self):
        self.now = datetime(2026, 5, 4, 9, tzinfo=UTC)

    def __call__(self):
        return self.now

    def forward(self, seconds):
        self.now += timedelta(seconds=seconds)


class Browser:
    """A browser of staff: forms carry the token of their session."""

    def __init__(self, app, address="127.0.0.1"):
        self.client = app.test_client()
        self.client.environ_base["REMOTE_ADDR"] = address
        self.tokens = {}

    def get(self, address):
        return self.client.get(address, headers={"Accept-Language": "en"})

    def session(self):
        """Give what the cookie holds, but for the moment in which it was signed."""
        cookie = self.client.get_cookie(self.client.application.config["SESSION_COOKIE_NAME"])
        return cookie and cookie.value.rsplit(".", 2)[0]

    def token(self, page):
        """Give the session's token, which all of its pages share: it is read off the first one named."""
        if self.session() not in self.tokens:
            token = re.search(r'name="csrf_token" value="([^"]+)"', self.get(page).text)[1]
            self.tokens[self.session()] = token
        return self.tokens[self.session()]

    def post(self, address, page=None, **fields):
        data = {"csrf_token": self.token(page or address), **fields}
        return self.client.post(address, data=data, headers={"Accept-Language": "en"})

    def sign_in(self, name="ada", password=PASSWORD, address="/login"):
        return self.post(address, name=name, password=password)

    def enter(self, name):
        """Begin a session as signing in does, without the two pages, which take longer."""
        services = self.client.application.extensions["candor"]
        start = audit.noted(second_factor.start_session, name, "signed_in")
        account = services.storage.read(accounts.by_name, name)
        token = services.storage.write(start, account.id, services.clock().timestamp())
        with self.client.session_transaction() as session:
            session["_user_id"] = token


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """A database that is made once; each test copies it, which is quicker than to make one."""
    path = tmp_path_factory.mktemp("databases") / "empty.db"
    SQLiteStorage(path).create()
    return path


@pytest.fixture(scope="session")
def installations(tmp_path_factory):
    """Two installations with everything in them, without sections and with: see `installation`."""
    folder = tmp_path_factory.mktemp("installations")
    return {word: make(folder / f"{word}.db", word == "sections") for word in ("plain", "sections")}


@pytest.fixture
def engine(request):
    """The engine that a test runs on: SQLite, unless it is marked to run on each."""
    return getattr(request, "param", "sqlite")


@pytest.fixture
def database(engine, request, tmp_path):
    """A database that is up to date and empty: a file, or a PostgreSQL URL."""
    if engine == "postgresql":
        return request.getfixturevalue("postgresql")
    return Path(shutil.copy(request.getfixturevalue("empty_database"), tmp_path / "candor.db"))


@pytest.fixture(scope="session")
def postgresql_database():
    """A PostgreSQL database that is made once in each process."""
    if cluster.programs() is None and "CI" not in os.environ:
        pytest.skip("PostgreSQL is not installed; tests/run installs it")
    url = cluster.new_database()
    storage = PostgreSQLStorage(url)
    storage.create()
    storage.close()
    return url


@pytest.fixture(scope="session")
def emptying(postgresql_database):
    """A connection that empties the database for each test: to open one takes longer than that."""
    # What is sent often would be prepared, which several statements in one text cannot be.
    with psycopg.connect(postgresql_database.text, autocommit=True, prepare_threshold=None) as connection:
        yield connection


@pytest.fixture
def postgresql(postgresql_database, emptying):
    """The URL of a PostgreSQL database that is up to date, with nothing in it."""
    cluster.empty(emptying)
    return postgresql_database


@pytest.fixture(scope="session")
def staff_database(empty_database):
    """A database with an admin, ada, and a researcher, ben."""
    path = shutil.copy(empty_database, empty_database.with_name("staff.db"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "ARGON2", WEAK)
        add_staff(SQLiteStorage(path))
    return path


def add_staff(storage):
    """Add an admin, ada, and a researcher, ben, who reads every survey."""
    for role, name in NAMES.items():
        made = storage.write(accounts.create, name, PASSWORD, role)
        storage.write(accounts.mark, made.id, all_surveys=True)
    storage.close()


def patient(app):
    """Let an application wait long for its database: a busy machine is no fault."""
    object.__setattr__(app.extensions["candor"].storage, "busy_seconds", 30.0)
    return app


def end(app):
    """Write what still waits, before another test has the database, and close the connections."""
    app.extensions["candor"].committer.settle()
    app.extensions["candor"].finisher.settle()
    app.extensions["candor"].storage.close()


@pytest.fixture
def staff_app(engine, request, tmp_path, clock):
    """An application with an admin, ada, and a researcher, ben."""
    if engine == "postgresql":
        database = request.getfixturevalue("postgresql")
        add_staff(PostgreSQLStorage(database))
    else:
        database = Path(shutil.copy(request.getfixturevalue("staff_database"), tmp_path / "candor.db"))
    app = patient(create_app(Config(database=database), clock, create=False, late=True))
    yield app
    end(app)


@pytest.fixture(scope="session")
def constant_app(staff_database, tmp_path_factory):
    """An application for all tests that ask for what is the same for everybody, and change nothing."""
    database = Path(shutil.copy(staff_database, tmp_path_factory.mktemp("constant") / "candor.db"))
    app = patient(create_app(Config(database=database), Clock(), create=False, late=True))
    yield app
    end(app)


@pytest.fixture
def storage(staff_app):
    return staff_app.extensions["candor"].storage


@pytest.fixture
def browse(staff_app):
    """Open a browser, signed in as a role or as nobody."""

    def browse(role=None, address="127.0.0.1"):
        browser = Browser(staff_app, address)
        if role is not None:
            browser.enter(NAMES[role])
        return browser

    return browse


@pytest.fixture
def browser_of():
    """Open a browser on an application of one's own."""
    return Browser


class Program:
    """A program that asks the interface, with a token of somebody's."""

    def __init__(self, app, name="ada", writes=False, surveys=None, expires=None, address="127.0.0.1"):
        storage = app.extensions["candor"].storage
        self.account = storage.read(accounts.by_name, name)
        self.secret = storage.write(tokens.create, self.account.id, "tests", writes, surveys, expires)
        self.client = app.test_client()
        self.client.environ_base["REMOTE_ADDR"] = address

    def ask(self, method, path, headers=None, **more):
        sent = {"Authorization": f"Bearer {self.secret}"} | (headers or {})
        return self.client.open(f"/api/v1{path}", method=method, headers=sent, **more)

    def get(self, path, **headers):
        return self.ask("GET", path, {name.replace("_", "-"): value for name, value in headers.items()})


@pytest.fixture
def program_of():
    """Make a program with a token, of any application."""
    return Program


@pytest.fixture
def program(staff_app):
    """Make a program with a token: ``program("ben", writes=False)``."""
    return partial(Program, staff_app)


@pytest.fixture
def admin(browse):
    return browse("admin")


@pytest.fixture
def researcher(browse):
    return browse("researcher")


@pytest.fixture
def editor(admin):
    """The page of the editor of an admin who has begun a draft, `health`."""
    assert admin.post("/admin/new", slug="health").location == "/admin/surveys/health"
    return Editor(admin)


@pytest.fixture
def colleague(editor, storage, browse):
    """The page of another admin, eve, on the same draft."""
    storage.write(accounts.create, "eve", PASSWORD, "admin")
    browser = browse()
    assert browser.sign_in("eve").status_code == 302
    return Editor(browser, page=OTHER)


@pytest.fixture
def draft(storage):
    """Read the survey file of a draft, without what is wrong in it."""
    return lambda slug="health": storage.read(surveys.by_slug, slug).draft


QUESTIONS = [
    {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": {"en": "Did you copy?"}},
    {"id": "data", "mechanism": "coin", "wording": {"en": "Did you make up data?"}},
]
STEP = 10


ASKER = {"organisation": "Hillside", "contact": "ada@hillside.example"}
"""Who asks, which a survey says before it opens, and how to reach them."""

KEPT_UNTIL = {"kept_until": "2030-12-31"}


def survey_file(slug="exams", **more):
    """The tables of a survey file; one column has a name that forms use themselves."""
    texts = {name: {"en": name} for name in ("title", "information", "consent")}
    return {
        "candor": 1,
        "slug": slug,
        "languages": ["en"],
        "results": {"step": STEP},
        "questions": QUESTIONS,
        **{key: dict.fromkeys(more.get("languages", ["en"]), text) for key, text in ASKER.items()},
        **KEPT_UNTIL,
        **texts,
        **more,
    }


def rows_of(storage, survey):
    """What is stored of a survey: receipt -> reports."""
    unpack = layout_of(survey.publication).unpack

    def read(db):
        held = list(db.reports.records(survey.id, survey.publication))
        rows = {receipt.hex(): list(unpack(record).values()) for receipt, record in held}
        assert len(rows) == len(held)
        return rows

    return storage.read(read)


class Door:
    """The respondents' door of an application with one open survey, `exams`."""

    step = STEP

    def __init__(self, app):
        self.app = app
        self.services = app.extensions["candor"]
        self.storage = self.services.storage
        self.client = app.test_client()
        draft = self.storage.write(surveys.create_draft, survey_file())
        self.survey = self.storage.write(surveys.open_survey, draft.id)

    def body(self, receipt=None, **more):
        """The fields of a submission, with a receipt of its own unless one is given."""
        return {
            "fingerprint": self.survey.publication.fingerprint,
            "receipt": receipt or secrets.token_hex(16),
            "copied": "1",
            "data": "0",
            **more,
        }

    def get(self, slug="exams", **headers):
        return self.client.get(f"/s/{slug}", headers=headers)

    def send(self, body, slug="exams", **options):
        """Send a submission as the survey's own page does; give its status and its outcome."""
        headers = options.pop("headers", {"Sec-Fetch-Site": "same-origin"})
        answer = self.client.post(f"/s/{slug}", data=body, headers=headers, **options)
        found = re.search(r'data-outcome="(\w+)"', answer.text)
        return answer.status_code, found and found[1]

    def rows(self):
        """What is stored: receipt -> reports."""
        return rows_of(self.storage, self.survey)

    def results(self):
        return self.storage.read(visible_results.results, self.storage.read(surveys.by_slug, "exams"))


def record_one_by_one(db, batch, day, memory=None):
    """Record submissions as one process does that lives through all of them, so that results advance."""
    memory = {} if memory is None else memory
    return [outcome for one in batch for outcome in submissions.record(db, [one], day, memory)]


@pytest.fixture
def one_by_one():
    """Record submissions that come one after the other: ``storage.write(one_by_one, batch, day)``."""
    return record_one_by_one


@pytest.fixture
def app(engine, database, clock):
    """An application with keys from a seed."""
    app = patient(create_app(Config(database=database), clock, create=False, late=True))
    storage = app.extensions["candor"].storage
    if engine == "sqlite":
        object.__setattr__(storage, "draw", random.Random(4).randbytes)
        storage.close()
    yield app
    end(app)


@pytest.fixture
def door_of():
    """Give an application of one's own an open survey and its door."""
    return Door


@pytest.fixture
def door(app):
    return Door(app)


@contextmanager
def serving(app):
    """Serve an application on a port of this machine; give its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def served():
    return serving


@pytest.fixture
def port():
    """A port at which nobody listens but a server of the test: no other process is given it meanwhile."""
    with reserved() as taken:
        yield taken.getsockname()[1]


@pytest.fixture(name="survey_file")
def survey_file_of():
    return survey_file


@pytest.fixture(scope="session")
def examples():
    """Give what the files of each example survey are made from, with 200 respondents: slug -> Material."""
    found = {}
    for definition in read_examples():
        chance, publication = random.Random(definition.slug), publish(definition)
        people = (Person(chance, chance.random()) for _ in range(200))
        truths = EXAMPLES[definition.slug]
        rows = [answered(publication, truths, one, lambda: chance.randrange(2**32)) for one in people]  # noqa: B023
        reports = SortedReports.of([[each[name] for name in publication.columns] for each in rows])
        results = count_reports(publication, reports)
        figures = figures_of(definition.slug, "closed", publication, results, Precision(0.95, "exact"))
        found[definition.slug] = Material(figures, reports, "0.9")
    return found


@pytest.fixture
def publish_exams(storage, survey_file, one_by_one):
    """Open a survey, `exams`, record reports, and close it."""

    def publish(slug="exams", respondents=60, close=True):
        draft = storage.write(surveys.create_draft, survey_file(slug))
        survey = storage.write(surveys.open_survey, draft.id)
        fingerprint = survey.publication.fingerprint
        batch = [
            Submission(survey.id, fingerprint, secrets.token_hex(16), {"copied": n % 3 // 2, "data": n % 2})
            for n in range(respondents)
        ]
        storage.write(one_by_one, batch, "2026-05-04")
        if close:
            storage.write(surveys.close_survey, survey.id)
            storage.finish()
        return survey

    return publish
