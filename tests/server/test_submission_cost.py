"""Nothing sent to a survey costs much more than a submission, nothing read from it more than its page."""

import io
import secrets
import statistics
import time
from urllib.parse import urlencode

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from server.store import invitations, surveys

MOST = 20
"""Times a valid submission of the same survey, in processor time and in bytes."""

ROOM = 64 * 1024 - 400
FORM = "application/x-www-form-urlencoded"
OWN = {"Sec-Fetch-Site": "same-origin"}


def filled(part):
    """Repeat bytes up to the largest body that is read."""
    return part * (ROOM // len(part))


def parts(count, name=b"copied"):
    """A multipart body."""
    part = b'--x\r\nContent-Disposition: form-data; name="' + name + b'"\r\n\r\n1\r\n'
    return part * count + b"--x--\r\n"


SHAPES = {
    "many fields": lambda valid: b"&".join(b"f%d=1" % n for n in range(7000)),
    "many fields without a name": lambda valid: b"&" * ROOM,
    "many fields after a valid submission": lambda valid: valid + filled(b"&a=1"),
    "one field over and over": lambda valid: filled(b"copied=1&"),
    "receipts over and over": lambda valid: filled(b"receipt=" + b"0" * 32 + b"&"),
    "a long name": lambda valid: filled(b"a"),
    "a long value": lambda valid: b"copied=" + filled(b"1"),
    "long unknown fields, as many as are named": lambda valid: (
        valid + b"".join(b"&%d" % n + b"'" * 6000 + b"=" + b"'" * 6000 for n in range(5))
    ),
    "unknown fields, as much as is read": lambda valid: (
        valid + b"".join(b"&%d" % n + b"'" * 60 + b"=" + b"'" * 60 for n in range(5))
    ),
    "quotation marks, which are written longer": lambda valid: b"copied=" + filled(b'"'),
    "percent escapes": lambda valid: b"copied=" + filled(b"%41"),
    "escapes in a name": lambda valid: filled(b"%5B"),
    "escapes that are none": lambda valid: b"copied=" + filled(b"%%zz"),
    "NUL": lambda valid: b"copied=" + filled(b"\0"),
    "NUL, escaped": lambda valid: b"copied=" + filled(b"%00"),
    "no UTF-8": lambda valid: b"copied=" + filled(b"\xff"),
    "no UTF-8, escaped": lambda valid: b"copied=" + filled(b"%ff"),
    "signs from other planes": lambda valid: b"copied=" + filled("\U0001f600".encode()),
    "a text turned around": lambda valid: b"copied=" + filled("\u202e".encode()),
    "plus signs": lambda valid: b"copied=" + filled(b"+"),
    "semicolons": lambda valid: filled(b"copied=1;"),
    "brackets": lambda valid: b"copied" + filled(b"[") + b"=1",
    "another fingerprint and many fields": lambda valid: b"fingerprint=" + b"0" * 64 + filled(b"&a=1"),
    "nothing": lambda valid: b"",
}
"""What the body of a form may be, from a valid body."""

OTHERWISE = {
    "deep JSON": (filled(b"["), {"content_type": "application/json"}),
    "no content type": (filled(b"a=1&"), {"content_type": ""}),
    "an unknown content type": (filled(b"a=1&"), {"content_type": "x/" + "y" * 4000}),
    "multipart": (parts(500), {"content_type": "multipart/form-data; boundary=x"}),
    "multipart of long names": (parts(8, b"a" * 8000), {"content_type": "multipart/form-data; boundary=x"}),
    "multipart without an end": (filled(b"--x\r\n"), {"content_type": "multipart/form-data; boundary=x"}),
    "multipart without a boundary": (filled(b"-"), {"content_type": "multipart/form-data"}),
    "fields in the address": (b"", {"content_type": FORM, "query_string": "&".join(["a=1"] * 15_000)}),
    "more than is read": (b"a=1&" * 100_000, {"content_type": FORM}),
    "more than is read, in chunks": (b"a=1&" * 100_000, {"content_type": FORM, "chunked": True}),
    "many cookies": (filled(b"a=1&"), {"content_type": FORM, "cookie": "a=1; " * 12_000}),
    "another page": (filled(b"a=1&"), {"content_type": FORM, "site": "cross-site"}),
}
"""What comes in another way: body, and how."""


class Counter:
    """Sends to a survey and measures what it takes."""

    def __init__(self, door, survey):
        self.door, self.survey, self.address = door, survey, f"/s/{survey.slug}"
        self.tokens = invite(door.storage, survey) if survey.publication.definition.invitations else None

    def fields(self):
        """The body of a valid submission, new each time."""
        columns = {
            name: f"{0:0{len(str(column.codes - 1))}}"
            for name, column in self.survey.publication.columns.items()
        }
        names = {"fingerprint": self.survey.publication.fingerprint, "receipt": secrets.token_hex(16)}
        if self.tokens:
            names["invitation-token"] = self.tokens.pop()
        return urlencode(names | columns).encode()

    def post(self, body, content_type=FORM, query_string="", cookie="", site="same-origin", chunked=False):
        """Send once; return status, bytes of the answer, and seconds of this thread's processor time."""
        environ = EnvironBuilder(
            self.address,
            method="POST",
            input_stream=io.BytesIO(body),
            content_length=None if chunked else len(body),
            content_type=content_type,
            query_string=query_string,
            headers={"Sec-Fetch-Site": site, "Cookie": cookie},
        ).get_environ()
        if chunked:
            environ |= {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
        return self.measured(environ)

    def get(self, query_string="", **headers):
        """Read once; likewise."""
        return self.measured(
            EnvironBuilder(self.address, query_string=query_string, headers=headers).get_environ()
        )

    def measured(self, environ):
        before = time.thread_time()
        answer, status, _ = run_wsgi_app(self.door.app, environ, buffered=True)
        data = b"".join(answer)
        return int(status[:3]), len(data), time.thread_time() - before

    def median(self, send):
        """Send five times; return the last status, the most bytes and the median time."""
        answers = [send() for _ in range(5)]
        return answers[-1][0], max(a[1] for a in answers), statistics.median(a[2] for a in answers)


def invite(storage, survey):
    """Make more invitations than a test needs."""
    drawn = invitations.draw(1000)
    return storage.write(invitations.make, survey.id, [*map(invitations.hash_of, drawn)]).tokens(drawn)


BOXES = [
    {
        "id": f"boxes{n}",
        "kind": "boxes",
        "mechanism": "per_box",
        "epsilon": 1.0,
        "scope": "question",
        "wording": {"en": "Which?"},
        "options": [{"en": f"Option {option}"} for option in range(20)],
    }
    for n in range(12)
]


@pytest.fixture(params=["two columns", "240 columns", "by invitation"])
def counter(door, survey_file, request):
    if request.param == "two columns":
        return Counter(door, door.survey)
    more = {"questions": BOXES} if request.param == "240 columns" else {"candor": 3, "invitations": True}
    draft = door.storage.write(surveys.create_draft, survey_file("many", **more))
    return Counter(door, door.storage.write(surveys.open_survey, draft.id))


def test_no_submission_costs_more_than_twenty_times_a_valid_one(counter, capsys):
    counter.post(counter.fields())
    status, valid_bytes, valid_seconds = counter.median(lambda: counter.post(counter.fields()))
    assert status == 200
    known = counter.fields()
    counter.post(known)
    sent = {name: lambda shape=shape: counter.post(shape(counter.fields())) for name, shape in SHAPES.items()}
    sent |= {
        name: lambda body=body, how=how: counter.post(body, **how) for name, (body, how) in OTHERWISE.items()
    }
    sent["a known receipt and many fields"] = lambda: counter.post(known + filled(b"&a=1"))
    assert len(sent) > 20
    with capsys.disabled():
        print(f"\nvalid: {valid_bytes} bytes, {valid_seconds * 1000:.2f} ms")
        for name, send in sent.items():
            status, size, seconds = counter.median(send)
            print(f"{status} {size:6} bytes {seconds / valid_seconds:5.2f} times: {name}")
            assert 400 <= status < 500, name
            assert size <= MOST * valid_bytes, name
            assert seconds <= MOST * valid_seconds, name
    assert counter.door.client.get("/s/exams").status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"query_string": "&".join(["a=1"] * 15_000)},
        {"query_string": "language=" + "x" * 60_000},
        {"Cookie": "a=1; " * 12_000},
        {"Accept-Language": ",".join(["en;q=0.5"] * 7000)},
        {"Accept-Encoding": ",".join(["br;q=0.5"] * 7000)},
        {"Range": "bytes=" + ",".join(["0-"] * 10_000)},
        {"If-None-Match": ",".join(['"a"'] * 15_000)},
        {"If-Modified-Since": "0" * 60_000},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_no_reading_is_answered_with_more_than_the_page(counter, asked, capsys):
    status, size, seconds = counter.median(counter.get)
    status_asked, size_asked, seconds_asked = counter.median(lambda: counter.get(**asked))
    with capsys.disabled():
        print(f"\n{seconds_asked / seconds:.2f} times the page's {seconds * 1000:.2f} ms")
    assert (status, status_asked) == (200, 200)
    assert size_asked == size
    assert seconds_asked <= MOST * seconds


def test_wrong_fields_are_told_and_unknown_ones_by_the_known_names_alone(door):
    body = door.body(copied="7", data="7", **{f"f{n}": "x" for n in range(4)})
    answer = door.client.post("/s/exams", data=body, headers=OWN).text
    assert answer.count('<p lang="en" data-problem>') == 3
    assert answer.count("copied, data") == 2  # once a language


def test_more_fields_than_the_survey_has_are_counted_and_not_read(door):
    body = door.body(**{f"f{n}": "x" for n in range(100)})
    answer = door.client.post("/s/exams", data=body, headers=OWN).text
    assert "must contain 4 fields" in answer
    assert "104" not in answer
    assert "f1" not in answer
