"""Every address has a class that says what it may cost, and strange shapes of a request keep to it."""

import io
import shutil
from itertools import count, cycle
from pathlib import Path

import pytest
from strange_requests import JSON, SHAPES, Shape, addresses, without_rule

from server import create_app
from server.config import Config
from server.results import question_chart
from server.runtime import helper, offload
from server.runtime.bounded_cache import BoundedCache
from server.store import surveys
from server.store.staff import accounts, sessions, tokens
from server.web.json_body import read_object
from server.web.limits import costs, gate
from server.web.limits.costs import CLASS_OF, CLASSES, MOST_BYTES, RULES, Cost, CostClass
from server.web.limits.gate import MOST_COOKIES, Bounded, forget_cookies_of_others
from server.web.limits.processor_share import ProcessorShare

MOST_TIMES = 5
"""Times that an answer to a stranger may grow by what the request has grown by."""

TOKEN = "t" * 32


@pytest.fixture
def place(installations, tmp_path, clock):
    """An application with everything in it, and its two tables of rules."""
    database = Path(shutil.copy(installations["plain"], tmp_path / "candor.db"))
    app = create_app(Config(database=database, style=True, metrics_token=TOKEN, rate_limit=0), clock)
    yield app
    app.extensions["candor"].committer.settle()
    app.extensions["candor"].storage.close()


class Visitor:
    """Sends requests as one kind of visitor; forms bring the token of their session."""

    def __init__(self, app, kind):
        self.app, self.kind, self.number = app, kind, count()
        self.headers = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}
        self.client = app.test_client()
        services = app.extensions["candor"]
        self.ada = services.storage.read(accounts.by_name, "ada")
        if kind != "nobody":
            self.enter()
        if kind == "staff":
            secret = services.storage.write(tokens.create, self.ada.id, "tests", True, None, None)
            self.headers["Authorization"] = f"Bearer {secret}"

    def enter(self):
        """Get a session with the token of its forms; as staff, one that is signed in."""
        services = self.app.extensions["candor"]
        page = self.client.get("/login").text
        self.headers["X-CSRFToken"] = page.partition('name="csrf_token" value="')[2].partition('"')[0]
        if self.kind == "staff":
            token = services.storage.write(sessions.start, self.ada.id, services.clock().timestamp())
            with self.client.session_transaction() as session:
                session["_user_id"] = token

    def ask(self, method, address, shape=None):
        """Send a request, each from another address; return status and bytes of what comes back."""
        shape = shape or Shape()
        length = len(shape.body) if shape.length is None else shape.length
        number = next(self.number)
        answer = self.client.open(
            address,
            method=method,
            query_string=shape.query,
            input_stream=io.BytesIO(shape.body),
            content_length=length,
            content_type=shape.kind,
            headers=self.headers | shape.headers,
            environ_overrides={"REMOTE_ADDR": f"198.18.{number // 250}.{number % 250}"},
        )
        with answer:
            head = "".join(f"{name}: {text}\r\n" for name, text in answer.headers)
            return answer.status_code, len(head) + len(answer.get_data())


@pytest.fixture(params=["nobody", "visitor", "staff"])
def visitor(place, request):
    return Visitor(place, request.param)


def test_every_rule_has_a_class_and_every_class_a_rule(place):
    api = place.extensions["candor.api"].built()
    assert sorted(CLASS_OF) == sorted({rule for rule, *_ in addresses(place, api)})
    assert CLASSES.keys() == RULES.keys() | {"no rule"}
    assert len(CLASS_OF) == sum(map(len, RULES.values()))


def test_a_rule_without_a_class_ends_the_start(place, monkeypatch):
    monkeypatch.delitem(gate.CLASS_OF, "POST /login")
    with pytest.raises(LookupError, match=r"must say what these may cost: POST /login$"):
        gate.check(place)


def test_no_strange_request_is_answered_with_more_than_its_class_says(place, visitor):
    api, shapes = place.extensions["candor.api"].built(), cycle(SHAPES)
    for rule, method, address in [*addresses(place, api), *without_rule()]:
        kind = CLASSES[CLASS_OF.get(rule, "no rule")]
        cost = kind.cost(visitor.kind)
        most = cost.answer or float("inf")
        status, empty = visitor.ask(method, address)
        assert status < 500, (rule, status)
        assert empty <= most, rule
        # Of staff, what reads no body gets the next shape: to draw each page for each shape takes a minute.
        for name in SHAPES if visitor.kind != "staff" or cost.body else [next(shapes)]:
            shape = SHAPES[name]
            status, size = visitor.ask(method, address, shape)
            assert status < 500, (rule, name)
            assert size <= most, (rule, name)
            if visitor.kind != "staff" and not kind.constant:
                assert size <= MOST_BYTES, (rule, name)
                assert size - empty <= MOST_TIMES * shape.size, (rule, name)


COSTLY = ("costly page", "costly form", "survey's texts", "download")

SENT = {
    "POST /admin/surveys/<slug>/invitations": Shape(b"number=2"),
    "POST /admin/new/starter": Shape(b"starter=staff-pulse"),
    "POST /admin/surveys/<slug>/draft": Shape(b"{}", JSON),
    "POST /admin/surveys/<slug>/preview": Shape(b"{}", JSON),
    "POST /admin/left": Shape(b"draft={}"),
    "POST /api/v1/check": Shape(b"{}", JSON),
}
"""What lets a form do its work; others draw a page that says what is wrong."""

COPIES = {"POST /admin/surveys/<slug>/copy", "POST /admin/surveys/<slug>/relatives/<relation>"}
"""They store again what is stored already, which `Storage.write` does in a thread."""


def test_what_is_costly_for_staff_is_drawn_outside_the_event_loop(place, survey_file, monkeypatch):
    storage = place.extensions["candor"].storage
    storage.write(surveys.create_draft, survey_file("whole"))
    invited = storage.write(surveys.create_draft, survey_file("invited", candor=3, invitations="listed"))
    storage.write(surveys.open_survey, invited.id)
    outside = []
    for module, name in ((offload, "draw"), (offload, "compute"), (helper, "run")):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda f, *a, to=original, **k: outside.append(f) or to(f, *a, **k))
    monkeypatch.setattr(question_chart, "CHARTS", BoundedCache(9, run=offload.compute))
    staff = Visitor(place, "staff")
    costly = [rule for name in COSTLY for rule in RULES[name]] + ["POST /api/v1/check"]
    listed = {rule: rest for rule, *rest in addresses(place, place.extensions["candor.api"].built())}
    for rule in costly:
        outside.clear()
        method, address = listed[rule]
        draft = "invited" if "invitations" in rule else "whole"
        staff.ask(method, address.replace("half", draft), SENT.get(rule))
        assert outside or rule in COPIES, rule
        if SENT.get(rule, Shape()).kind == JSON or rule == "POST /admin/left":
            assert read_object in outside, rule


def test_an_answer_to_a_stranger_that_is_longer_than_it_may_be_is_not_sent(place, monkeypatch, caplog):
    monkeypatch.setitem(costs.CLASSES, "door", CostClass(nobody=Cost(answer=100)))
    answer = place.test_client().get("/login")
    assert (answer.status_code, answer.data) == (500, b"")
    assert "of at most 100" in caplog.text


def test_an_answer_that_does_not_say_how_long_it_is_ends_before_it_is_longer_than_it_may_be(caplog):
    def application(_, start_response):
        start_response("200 OK", [])
        return iter(3 * [b"a" * 40])

    answer = Bounded(application, 100)({}, lambda *_: None)
    assert b"".join(answer) == b"a" * 80
    assert "120 bytes of at most 100" in caplog.text


def test_nothing_is_read_of_staff_who_have_no_right_to_what_they_ask(place, clock):
    storage = place.extensions["candor"].storage
    eve = storage.write(accounts.create, "eve", "a long enough password", "researcher")
    visitor = Visitor(place, "visitor")
    with visitor.client.session_transaction() as session:
        session["_user_id"] = storage.write(sessions.start, eve.id, clock().timestamp())
    for address in ("/admin/new", "/admin/surveys/half/draft", "/admin/surveys/half/survey.toml"):
        body = io.BytesIO(b"a=1")
        visitor.client.post(address, input_stream=body, content_length=3, headers=visitor.headers)
        assert body.tell() == 0, address


@pytest.mark.parametrize(
    ("role", "writes", "rule"),
    [
        (role, writes, rule)
        for role, writes in (("admin", False), ("researcher", True))
        for rule in ("POST /surveys", "PUT /surveys/half/definition", "POST /surveys/half/open")
    ],
)
def test_nothing_is_read_of_a_program_that_has_no_right_to_what_it_asks(place, role, writes, rule):
    storage = place.extensions["candor"].storage
    eve = storage.write(accounts.create, "eve", "a long enough password", role)
    secret = storage.write(tokens.create, eve.id, "tests", writes, None, None)
    method, address = rule.split()
    body = io.BytesIO(b'{"fingerprint": "a"}')
    answer = place.test_client().open(
        f"/api/v1{address}",
        method=method,
        input_stream=body,
        content_length=20,
        headers={"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
    )
    assert (answer.status_code in (403, 404), body.tell()) == (True, 0)


def test_too_many_at_once_are_told_so_unread_and_before_anything_is_counted(place, monkeypatch):
    visitor = Visitor(place, "visitor")
    busy = place.extensions["candor.gate"]
    busy.working["password"] = CLASSES["password"].at_once
    assert visitor.ask("POST", "/login")[0] == 503
    assert visitor.client.post("/login").headers["Retry-After"] == "5"
    busy.working["password"] -= 1
    assert visitor.ask("POST", "/login")[0] == 403


def test_too_many_from_one_network_have_to_wait(place, monkeypatch):
    visitor = Visitor(place, "visitor")
    place.extensions["candor.gate"].limits["link"].per_minute = 3
    answers = [visitor.client.post("/join/link", headers=visitor.headers).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]
    assert visitor.ask("POST", "/join/link")[0] == 200


def test_strangers_together_get_a_part_of_the_processor(place):
    nobody, staff = Visitor(place, "nobody"), Visitor(place, "staff")
    moment, worked = [0.0], [0.0]
    strangers = ProcessorShare(10, lambda: moment[0], lambda: worked[0])
    place.extensions["candor.gate"].strangers = strangers
    assert nobody.ask("GET", "/admin")[0] == 302
    for _ in range(3):
        with strangers.spent():
            worked[0] += 0.09  # .02 more than there was
    refused = nobody.client.get("/admin")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert nobody.client.head("/admin").data == b""
    assert nobody.ask("GET", "/s/running")[0] == 200, "a respondent's page"
    assert nobody.ask("GET", "/learn")[0] == 200, "a constant page"
    assert staff.ask("GET", "/admin")[0] == 200
    moment[0] += 0.21  # of which a tenth is theirs
    assert nobody.ask("GET", "/admin")[0] == 302


def test_a_request_that_waits_for_long_takes_no_more_than_a_tenth_of_a_second():
    moment, worked = [0.0], [0.0]
    strangers = ProcessorShare(10, lambda: moment[0], lambda: worked[0])
    for _ in range(3):
        with strangers.spent():
            worked[0] += 30
    assert not strangers.has_some()
    moment[0] += 0.51
    assert strangers.has_some()


def test_only_cookies_of_the_server_are_read(place):
    environ = {
        "HTTP_COOKIE": "a=1; language=ko;" + "b=2; " * 1000 + "__Host-candor=x; not-language=fr; languages=2"
    }
    forget_cookies_of_others(environ)
    assert environ["HTTP_COOKIE"] == "language=ko; __Host-candor=x"
    assert place.config["SESSION_COOKIE_NAME"] == "__Host-candor"
    environ = {"HTTP_COOKIE": "language=ko; " * 1000}
    forget_cookies_of_others(environ)
    assert environ["HTTP_COOKIE"].count("language") == MOST_COOKIES
