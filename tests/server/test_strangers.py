"""Somebody who is not signed in: nothing that they send comes back, and no body above 64 kB is read."""

import io
import json
from urllib.parse import urlencode

import pytest
from rules import rules_of

from server.web.limits.costs import MOST_BYTES, MOST_FIELDS
from survey.limits import LONGEST_SLUG

MARK = "planted-3c1f"
LONG = 60_000
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=bound"
KNOWN = ("name", "link", "code", "password", "text", "seen", "slug", "draft", "copied", "file")


def multipart(fields):
    parts = [
        f'--bound\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()
    ]
    return "".join([*parts, "--bound--\r\n"])


SHAPES = {
    "known fields": (FORM, urlencode(dict.fromkeys(KNOWN, MARK))),
    "quotes": (FORM, urlencode(dict.fromkeys(KNOWN, f"\"<{MARK}>'&"))),
    "many fields": (FORM, urlencode({f"{MARK}-{n}": MARK for n in range(MOST_FIELDS - 100)})),
    "one long field": (FORM, urlencode({"name": MARK * (LONG // len(MARK))})),
    "a repeated field": (FORM, urlencode([("copied", MARK)] * 9)),
    "lines": (FORM, urlencode({"text": f"{MARK}\r\n{MARK}"})),
    "JSON": ("application/json", json.dumps({"page": MARK, "changes": [{MARK: MARK}], MARK: MARK})),
    "broken JSON": ("application/json", f'{{"{MARK}": {MARK}'),
    "multipart": (MULTIPART, multipart(dict.fromkeys((*KNOWN, MARK), MARK))),
    "another type": (f"text/{MARK}", MARK),
}


class Unread(io.RawIOBase):
    """A body that nobody may read."""

    def readable(self):
        return True

    def readinto(self, _place):
        pytest.fail("the body was read")


class Endless(io.RawIOBase):
    """A body without an end, of which it is counted how much was read."""

    count = 0

    def readable(self):
        return True

    def readinto(self, place):
        self.count += len(place)
        place[:] = b"a" * len(place)
        return len(place)


@pytest.fixture(params=["nobody", "a visitor", "halfway"])
def stranger(request, door):
    """Give a client without a session, with one that never signed in, and with a wrong token."""
    client = door.app.test_client()
    headers = {"Sec-Fetch-Site": "same-origin"}
    if request.param == "a visitor":
        page = client.get("/login").text
        headers["X-CSRFToken"] = page.partition('name="csrf_token" value="')[2].partition('"')[0]
    if request.param == "halfway":
        headers["Authorization"] = "Bearer wrong"
    return lambda method, address, **more: client.open(
        address, method=method, headers=headers | more.pop("headers", {}), **more
    )


@pytest.fixture
def addresses(door):
    """List every rule of the pages and of the interface for programs with its methods, and no rule."""
    api = door.app.extensions["candor.api"].built()
    found = [
        ("POST", f"/{MARK}"),
        ("PUT", "/login"),
        ("POST", f"/api/v1/{MARK}"),
        ("GET", f"/?{MARK}={MARK}"),
    ]
    for rule in [*rules_of(door.app), *api.url_map.iter_rules()]:
        values = dict.fromkeys(rule.arguments, 1 if "int:" in rule.rule else "exams")
        address = rule.build(values, append_unknown=False)[1]
        found += [(method, address) for method in rule.methods - {"OPTIONS", "HEAD"}]
    assert len(found) > 130
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_of_a_body_comes_back(stranger, addresses, shape):
    kind, body = SHAPES[shape]
    # No GET reads its body, as a test below shows: each shape goes to some of those addresses, in turn.
    asked = [place for place in addresses if place[0] == "GET"][[*SHAPES].index(shape) :: len(SHAPES)]
    for method, address in [*asked, *(place for place in addresses if place[0] != "GET")]:
        with stranger(method, address, data=body, content_type=kind) as answer:
            told = answer.get_data(as_text=True) + str(answer.headers)
            assert answer.status_code < 500, (method, address)
            assert MARK not in told, (method, address)
            limit = MOST_BYTES if method == "POST" else float("inf")
            assert len(told) <= limit, (method, address)


UNASKED = (302, 401, 403, 404, 405, 429)
"""Statuses that answer a stranger whatever a body holds."""


def test_of_nobody_and_at_no_address_for_staff_is_a_body_read(door, addresses):
    client = door.app.test_client()
    for method, address in addresses:
        if (method, address) == ("POST", "/s/exams"):
            continue  # the submission itself
        for size in (MOST_BYTES, MOST_BYTES + 1, 16 * MOST_BYTES):
            body = {"CONTENT_LENGTH": str(size), "wsgi.input": Unread()}
            with client.open(address, method=method, environ_overrides=body, content_type=FORM) as answer:
                assert answer.status_code in {*UNASKED, 200, 400, 413}, (method, address)


def test_a_body_above_64_kilobytes_is_refused_unread_everywhere(stranger, addresses):
    for method, address in addresses:
        body = {"CONTENT_LENGTH": str(MOST_BYTES + 1), "wsgi.input": Unread()}
        with stranger(method, address, environ_overrides=body, content_type=FORM) as answer:
            wrong_token = {429} if address.startswith("/api/v1") else set()  # it waits, and nothing is read
            refused = {302, 401, 403, 413} | wrong_token
            assert method == "GET" or answer.status_code in refused, (method, address)


def test_no_get_reads_its_body_however_short_it_is(stranger, addresses):
    body = {"CONTENT_LENGTH": "100", "wsgi.input": Unread()}
    for method, address in addresses:
        if method == "GET":
            with stranger(method, address, environ_overrides=body, content_type=FORM) as answer:
                assert answer.status_code < 500, address


def test_a_body_that_does_not_say_how_long_it_is_is_read_no_further_either(stranger, addresses):
    for method, address in addresses:
        endless = Endless()
        body = {"wsgi.input": endless, "wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        with stranger(method, address, environ_overrides=body, content_type=FORM) as answer:
            assert answer.status_code in ({413} if endless.count else {*UNASKED, 200, 400}), (method, address)
        assert endless.count <= 2 * MOST_BYTES, (method, address)


def test_of_an_address_only_that_of_a_page_comes_back_to_sign_in_for(browse):
    stranger = browse()
    doubled = (
        f"/api/v1?{MARK}=1",
        f"//login?{MARK}=1",
        f"/learn//{MARK}",
        f"/{MARK}/",
        f"/learn/{MARK}?{MARK}",
    )
    for address in (
        f"/login?{MARK}=1",
        f"/?{MARK}=1",
        f"/login?next=/{MARK}",
        f"/learn?next=/{MARK}",
        *doubled,
    ):
        answer = stranger.client.get(address, headers={"Host": f"{MARK}.example"})
        assert MARK not in answer.text + str(answer.headers), address
    assert stranger.get(f"/results/{MARK}").location == f"/login?next=/results/{MARK}"
    assert stranger.get(f"/results/{'x' * LONGEST_SLUG * 9}").location == "/login"


def test_whoever_is_signed_in_may_send_more(editor, program):
    assert editor.send(editor.change("information.en", "Why we ask. " * 10_000)).status_code == 200
    survey = {"slug": "x", "title": {"en": "x" * 100_000}}
    assert program(writes=True).ask("POST", "/check", json=survey).status_code == 200
