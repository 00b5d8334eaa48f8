"""What is the same for everybody travels compressed; whatever holds a secret never does."""

import gzip
import re
from functools import partial

import brotli
import pytest
from rules import rules_of

from server.web import constant_answer

DECODED = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}
EVERYTHING = {"Accept-Encoding": "gzip, deflate, br, zstd"}
LEARN = {"/learn", "/learn/two-coins", "/learn/glossary", "/learn/sources", "/learn/scripts.sha256"}
CONSTANT = LEARN | {"/", "/try", "/s/exams", "/survey.schema.json", "/api/v1/"}
"""The pages that are compressed: they say the same to everybody who asks for them."""


@pytest.fixture
def addresses(door):
    """Return the survey's page, a script, and a lesson."""
    (script,) = re.findall(r'src="\.\.(/static/[^"]+/respond\.js)"', door.get().text)
    return ["/s/exams", script, "/learn/two-coins"]


def test_a_body_is_sent_in_the_encoding_that_is_asked_for(door, addresses):
    for asked, encoding in (
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("*", "br"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("gzip;q=0, *;q=0", None),
        ("zstd", None),
        ("", None),
        ("gzip," * 30 + "br", None),  # nobody's: it is not read
        ("br;q=" + "9" * 30, None),
        ("\x00,;q=;=,,", None),
    ):
        for address in addresses:
            plain = door.client.get(address)
            answer = door.client.get(address, headers={"Accept-Encoding": asked})
            assert answer.headers.get("Content-Encoding") == encoding, asked
            assert DECODED[encoding](answer.data) == plain.data
            assert "Accept-Encoding" in answer.vary
            assert encoding is None or len(answer.data) < 0.5 * len(plain.data)


def test_every_encoding_has_a_tag_and_answers_to_no_other(door, addresses):
    for address in addresses:
        tags = {}
        for encoding in DECODED:
            with door.client.get(address, headers={"Accept-Encoding": encoding or ""}) as answer:
                tags[encoding] = answer.headers["ETag"]
        assert len(set(tags.values())) == 3
        for encoding in DECODED:
            for tag_of, tag in tags.items():
                asked = {"Accept-Encoding": encoding or "", "If-None-Match": tag}
                with door.client.get(address, headers=asked) as answer:
                    assert answer.status_code == (304 if tag_of == encoding else 200)
                    assert answer.headers["ETag"] == tags[encoding]
                    assert "Accept-Encoding" in answer.vary
                    assert (answer.data == b"") == (tag_of == encoding)


def test_what_is_asked_of_the_head_alone_has_the_same_headers(door, addresses):
    for address in addresses:
        for encoding in DECODED:
            asked = {"Accept-Encoding": encoding or ""}
            with door.client.get(address, headers=asked) as whole:
                pass
            with door.client.head(address, headers=asked) as head:
                assert head.data == b""
            assert dict(head.headers) | {"Date": "any"} == dict(whole.headers) | {"Date": "any"}
            assert int(head.headers["Content-Length"]) > 0


def test_a_body_is_compressed_once(door, addresses, monkeypatch):
    made = []
    for encodings in (constant_answer.ENCODINGS, constant_answer.OF_PAGES):
        compress = partial(lambda own, data: made.append(data) or own(data), encodings["br"])
        monkeypatch.setitem(encodings, "br", compress)
    monkeypatch.setattr(constant_answer, "COMPRESSED", constant_answer.BoundedCache(2048))
    for _ in range(3):
        for address in addresses:
            with door.client.get(address, headers=EVERYTHING):
                pass
    assert len(made) == len(addresses)


def test_a_page_that_is_compressed_repeats_nothing_of_its_address(door):
    for address in ("/", "/learn", "/learn/two-coins"):
        page = door.client.get(address, headers=EVERYTHING)
        assert page.headers["Content-Encoding"] == "br"
        assert door.client.get(f"{address}?x=secret", headers=EVERYTHING).data == page.data


@pytest.mark.parametrize("role", [None, "admin", "researcher"])
def test_nothing_else_is_ever_compressed(staff_app, door_of, browse, role):
    """Where a token stands next to what others can make the page say, the length gives the token away."""
    door_of(staff_app)
    client = browse(role).client
    compressed, seen = set(), set()
    for rule in rules_of(staff_app):
        values = dict.fromkeys(rule.arguments, 1 if "int:" in rule.rule else "exams")
        if rule.endpoint == "learn.lesson":
            values = {"slug": "two-coins"}
        address = rule.build(values, append_unknown=False)[1]
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
            own = EVERYTHING | {"Sec-Fetch-Site": "same-origin"}
            with client.open(address, method=method, headers=own) as answer:
                if answer.status_code == 200:
                    seen.add(rule.endpoint)
                if "Content-Encoding" in answer.headers:
                    compressed.add((method, address, answer.status_code))
    assert compressed == {("GET", address, 200) for address in CONSTANT}
    assert ("results.show" in seen, "surveys.show" in seen) == (role is not None, role == "admin"), seen
