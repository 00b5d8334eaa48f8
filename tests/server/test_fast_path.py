"""The short way in has the outcome of the long one: 5,000 requests, through both."""

import random
import re
import shutil
import sys
from base64 import urlsafe_b64encode
from collections import Counter
from io import BytesIO
from threading import RLock
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from werkzeug.exceptions import RequestTimeout

from server import create_app
from server.config import Config
from server.respond.exact_body import ExactBody
from server.respond.fast_path import FastPath
from server.respond.process_memory import MOST_OPEN_SURVEYS
from server.store import invitation_list, invitations, submissions, surveys
from server.store.lifecycle import life
from server.store.results import visible_results
from server.store.sqlite.connection import connect
from survey.publication import publish
from survey.read_definition import from_dict

REQUESTS = 2500
A_MINUTE = 40
ADDRESSES = ["192.0.2.7", "192.0.2.8:4711", "2001:db8::1", "[2001:db8:0:1::2]:4711"]


class Silent:
    """A timer that never rings: what is over is forgotten when it is asked for, and by no thread beside."""

    def __init__(self, *planned):
        pass

    def start(self):
        pass

    def is_alive(self):
        return True


class Applications:
    """One application with the door and one without, on copies of a database, at the same time of day."""

    def __init__(self, empty, folder, clock, patch):
        self.clock, self.patch = clock, patch
        patch.setattr("server.web.limits.rate_limit.REPEATS", 2)
        # What counts a minute looks at a clock of its own.
        seconds = SimpleNamespace(time=lambda: clock.now.timestamp())
        patch.setattr("limits.storage.memory.time", seconds)
        patch.setattr("limits.storage.memory.threading", SimpleNamespace(RLock=RLock, Timer=Silent))
        self.short = self.application(shutil.copy(empty, folder / "short.db"))
        with patch.context() as without:
            without.setattr("server.application.fast_path.init_app", lambda app: None)
            self.long = self.application(shutil.copy(empty, folder / "long.db"))
        self.both = (self.short, self.long)

    def application(self, path):
        app = create_app(Config(database=path, rate_limit=A_MINUTE, proxy_hops=1), self.clock)
        app.extensions["candor.respond"].rate_limit.key = b"k" * 32
        app.extensions["candor"].storage.close()
        return app

    def write(self, function, *arguments):
        """Change both databases; return what the first change gave."""
        first, _ = [app.extensions["candor"].storage.write(function, *arguments) for app in self.both]
        return first

    def answers(self, environ, away=False):
        """Send one request to both, whose databases may be away; return both answers, headers and all."""
        body, stream = environ.pop("body"), environ.pop("stream", BytesIO)
        return [
            self.answer(app, environ | {"wsgi.input": stream(body), "wsgi.errors": sys.stderr}, away)
            for app in self.both
        ]

    def answer(self, app, environ, away):
        start, path = [], app.extensions["candor"].storage.path
        if away:
            path.rename(path.with_suffix(".away"))
        data = b"".join(app.wsgi_app(environ, lambda status, headers, *_: start.extend((status, headers))))
        if away:
            path.with_suffix(".away").rename(path)
        return *start, data

    def limits(self):
        """What both have counted of each address within this minute."""
        counted = [app.extensions["candor.respond"].rate_limit.counts().storage for app in self.both]
        return [+Counter({name: each.get(name) for name in [*each.storage]}) for each in counted]

    def stored(self, receipts):
        """What both have stored: of each survey its reports by receipt, its days, and what it shows."""
        return [app.extensions["candor"].storage.read(everything, receipts) for app in self.both]


def everything(db, receipts):
    return {
        survey.id: (
            survey.slug,
            survey.state,
            db.reports.find(survey.id, survey.publication, [bytes.fromhex(one) for one in receipts]),
            submissions.days(db, survey.id),
            invitation_list.used(db, survey.id).tolist(),
            visible_results.results(db, survey),
        )
        for survey in surveys.all_surveys(db)
        if survey.publication
    }


class Late:
    """A body that does not come in time, however often it is read."""

    def __init__(self, body):
        self.body = body

    def read(self, size=-1):
        raise RequestTimeout


def coin(name):
    return {"id": name, "mechanism": "coin", "wording": {"en": f"Did you do {name}?"}}


BOXES = {
    "id": "few",
    "kind": "boxes",
    "mechanism": "sampled_box",
    "epsilon": 1.0,
    "wording": {"en": "Which?"},
}
BOXES |= {"options": [{"en": f"Option {n}"} for n in range(3)]}
SECTIONS = [
    {"id": "about", "always": True, "questions": [coin("old")]},
    *({"id": f"part{n}", "questions": [coin(f"did{n}")]} for n in range(3)),
]


class Sender:
    """Makes up what comes: from the surveys' own pages, from broken ones, and from elsewhere."""

    def __init__(self, both, survey_file, seed):
        self.both, self.survey_file, self.draw = both, survey_file, random.Random(seed)  # reproducible
        self.open, self.bodies, self.receipts = {}, [], set()
        both.write(surveys.create_draft, {"slug": "draft"})
        for slug in ("exams", "drawn", "invited"):
            self.publish(slug)

    def publish(self, slug, title="A survey"):
        table = self.survey_file(slug, title={"en": title})
        if slug == "drawn":
            del table["questions"]
            table |= {"candor": 2, "asked": 2, "sections": SECTIONS}
        else:
            table["questions"] = [*table["questions"], BOXES]
        if slug == "invited":
            table |= {"candor": 3, "invitations": True}
        draft = self.both.write(surveys.create_draft, table)
        self.open[slug] = self.both.write(surveys.open_survey, draft.id)
        if slug == "invited":
            drawn = invitations.draw(200, self.draw.randbytes)
            hashes = [invitations.hash_of(each) for each in drawn]
            self.tokens = self.both.write(invitations.make, self.open[slug].id, hashes).tokens(drawn)

    def reports(self, slug):
        """The codes of somebody's reports; now and then some that no page sends together."""
        rare = self.draw.random() < 0.05
        if slug == "drawn":
            asked = self.draw.sample(range(3), 3 if rare else 2)
            return {"old": self.draw.randrange(2)} | {
                f"did{n}": self.draw.randrange(2) if n in asked else 2 for n in range(3)
            }
        boxes = self.draw.sample(range(1, 4), 2 if rare else 1)
        codes = {f"few_{n}": self.draw.randrange(2) if n in boxes else 2 for n in range(1, 4)}
        return {"copied": self.draw.randrange(2), "data": self.draw.randrange(2)} | codes

    def body(self, slug, receipt=None):
        """The body that the page of a survey writes."""
        receipt = receipt or f"{self.draw.getrandbits(128):032x}"
        self.receipts.add(receipt)
        names = {"fingerprint": self.open[slug].publication.fingerprint, "receipt": receipt}
        if slug == "invited":  # now and then one that nobody made
            made_up = urlsafe_b64encode(self.draw.randbytes(21)).decode()
            names["invitation-token"] = self.draw.choice([*self.tokens, *[made_up] * 10])
        return urlencode(names | self.reports(slug)).encode()

    def environ(self, slug, body, **more):
        return {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"/s/{slug}",
            "SCRIPT_NAME": "",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_X_FORWARDED_FOR": self.draw.choice(ADDRESSES),
            "HTTP_SEC_FETCH_SITE": "same-origin",
            "wsgi.url_scheme": "http",
            "body": body,
            **more,
        }

    def request(self):
        """The next request: its name, and what a server is given of it."""
        slug = self.draw.choice(["exams", "exams", "drawn", "invited"])
        kinds = [self.valid, self.repeated, self.damaged, self.otherwise, self.foreign]
        kind = self.draw.choices(kinds, [60, 12, 12, 12, 4])[0]
        return kind(slug)

    def valid(self, slug):
        body = self.body(slug)
        self.bodies = [*self.bodies[-200:], (slug, body)]
        return "valid", self.environ(slug, body)

    def repeated(self, slug):
        """What was sent before: the same, or other reports under its receipt."""
        if not self.bodies:
            return self.valid(slug)
        slug, body = self.draw.choice(self.bodies)
        if self.draw.random() < 0.3:
            receipt = re.search(rb"receipt=(\w+)", body)[1].decode()
            return "under a known receipt", self.environ(slug, self.body(slug, receipt))
        return "repeated", self.environ(slug, body)

    def damaged(self, slug):
        body = bytearray(self.body(slug))
        place = self.draw.randrange(len(body))
        damage = {
            "a byte": lambda: body[:place] + self.draw.randbytes(1) + body[place + 1 :],
            "cut off": lambda: body[:place],
            "longer": lambda: body + self.draw.choice([b"&x=1", b"0", b"&", b"\n", b"&copied=1"]),
            "escaped": lambda: body[:place] + b"%%%02x" % body[place] + body[place + 1 :],
            "another order": lambda: b"&".join(reversed(body.split(b"&"))),
            "another token": lambda: bytes(body).replace(b"invitation-token=", b"invitation-token=!", 1),
            "capitals": lambda: bytes(body).replace(b"receipt=", b"receipt=A"),
            "too large a code": lambda: body[:-1] + b"9",
            "another fingerprint": lambda: bytes(body).replace(b"fingerprint=", b"fingerprint=0", 1),
            "nothing": lambda: b"",
        }
        name = self.draw.choice([*damage])
        return name, self.environ(slug, bytes(damage[name]()))

    def otherwise(self, slug):
        body = self.body(slug)
        ways = {
            "a charset": {"CONTENT_TYPE": "application/x-www-form-urlencoded; charset=utf-8"},
            "JSON": {"CONTENT_TYPE": "application/json"},
            "no type": {"CONTENT_TYPE": ""},
            "a query": {"QUERY_STRING": "a=1"},
            "OPTIONS": {"REQUEST_METHOD": "OPTIONS"},
            "PUT": {"REQUEST_METHOD": "PUT"},
            "a slash": {"PATH_INFO": f"/s/{slug}/"},
            "two slashes": {"PATH_INFO": f"//s/{slug}"},
            "another page": {"HTTP_SEC_FETCH_SITE": "cross-site"},
            "a page of the same site": {"HTTP_SEC_FETCH_SITE": "same-site"},
            "no site": {"HTTP_SEC_FETCH_SITE": None},
            "our origin": {"HTTP_SEC_FETCH_SITE": None, "HTTP_ORIGIN": "http://localhost"},
            "another origin": {"HTTP_SEC_FETCH_SITE": None, "HTTP_ORIGIN": "https://localhost"},
            "our origin behind a proxy": {
                "HTTP_SEC_FETCH_SITE": None,
                "HTTP_ORIGIN": "https://example.org",
                "HTTP_X_FORWARDED_PROTO": "https",
                "HTTP_X_FORWARDED_HOST": "example.org",
            },
            "no origin and no host": {"HTTP_SEC_FETCH_SITE": None, "HTTP_HOST": "a b"},
            "a bad host": {"HTTP_HOST": "a b/c"},
            "a prefix": {"HTTP_X_FORWARDED_PREFIX": "/institute"},
            "a bad prefix": {"HTTP_X_FORWARDED_PREFIX": "//evil.example"},
            "many proxies": {"HTTP_X_FORWARDED_FOR": f"203.0.113.9, {ADDRESSES[0]}"},
            "no address": {"HTTP_X_FORWARDED_FOR": "", "REMOTE_ADDR": None},
            "no length": {"CONTENT_LENGTH": None},
            "a wrong length": {"CONTENT_LENGTH": "10"},
            "a length that is none": {"CONTENT_LENGTH": "+" + str(len(body))},
            "less than promised": {"body": body[:-5]},
            "too slow": {"stream": Late},
            "chunks, more of them than the length": {
                "HTTP_TRANSFER_ENCODING": "chunked",
                "wsgi.input_terminated": True,
                "body": body + b"&x=1",
            },
            "an upgrade": {"HTTP_UPGRADE": "websocket", "HTTP_CONNECTION": "Upgrade"},
            "a condition": {"HTTP_IF_NONE_MATCH": "*", "HTTP_RANGE": "bytes=0-1"},
            "cookies": {"HTTP_COOKIE": "__Host-candor=x; language=ko"},
        }
        name = self.draw.choice([*ways])
        environ = self.environ(slug, body) | ways[name]
        return name, {key: value for key, value in environ.items() if value is not None}

    def foreign(self, slug):
        other = self.draw.choice(["exams", "drawn", "invited", "draft", "none", "", "../exams", "exäms"])
        return "foreign", self.environ(other.encode().decode("latin-1"), self.body(slug))

    def meanwhile(self):
        """What happens between requests: time passes; surveys close, go, and come back."""
        slug = self.draw.choice([*self.open])
        there = self.both.write(surveys.by_slug, slug)
        happens = self.draw.choice(["time", "time", "pause", "close", "delete", "import", "another"])
        if happens == "time":
            self.both.clock.forward(self.draw.choice([20, 61, 24 * 3600]))
        if there and there.state == "open":
            self.both.write(life.pause if happens == "pause" else life.resume, there.id)
        if happens == "close" and there and there.state == "open":
            self.both.write(surveys.close_survey, there.id)
        if happens in ("delete", "import", "another") and there:
            self.both.write(surveys.delete_survey, there.id)
        if happens in ("import", "another"):
            self.publish(slug, happens)


def without_the_disk(*arguments, **options):
    """Open a database that waits for no disk: thousands of commits would take a minute."""
    db = connect(*arguments, **options)
    db.execute("PRAGMA synchronous=OFF")
    return db


@pytest.fixture
def both(empty_database, tmp_path, clock, monkeypatch):
    monkeypatch.setattr("server.store.sqlite.storage.connect", without_the_disk)
    return Applications(empty_database, tmp_path, clock, monkeypatch)


def test_the_short_way_in_has_the_outcome_of_the_long_one(both, survey_file, monkeypatch):
    taken, statuses = Counter(), Counter()
    take = FastPath.take

    def counted(*arguments):
        outcome = take(*arguments)
        taken[outcome] += 1
        return outcome

    monkeypatch.setattr(FastPath, "take", counted)
    sender = Sender(both, survey_file, seed=20260504)
    for number in range(REQUESTS):
        if number % 40 == 39:
            sender.meanwhile()
        name, environ = sender.request()
        short, long = both.answers(environ, away=number % 500 == 250)
        assert short == long, (number, name)
        short, long = both.limits()
        assert short == long, (number, name)
        statuses[name] += 1
    short, long = both.stored(sender.receipts)
    assert short == long
    assert taken.keys() >= {None, "stored", "repeated", "different", "closed", "limited", "busy", "used"}
    assert taken["uninvited"]
    assert taken["paused"]
    assert taken["stored"] > REQUESTS / 5


@pytest.mark.parametrize("options", [10, 11])
def test_a_code_has_as_many_digits_as_the_largest_of_its_column_and_is_no_larger(options, survey_file):
    question = {"id": "where", "kind": "choice", "mechanism": "wheel", "epsilon": 1.0}
    question |= {"wording": {"en": "Where?"}, "options": [{"en": f"Place {n}"} for n in range(options)]}
    publication = publish(from_dict(survey_file(questions=[question]), "exams.toml"))
    start, digits = f"fingerprint={publication.fingerprint}&receipt={32 * '0'}", len(str(options - 1))
    for code in (0, options - 1):
        body = f"{start}&where={code:0{digits}}".encode()
        assert ExactBody(publication).read(body) == (32 * "0", {"where": code}, b"")
    assert ExactBody(publication).read(f"{start}&where={options}".encode()) is None


def test_only_so_many_surveys_are_known_and_one_that_comes_again_is_known_anew(door):
    memory = door.app.extensions["candor.respond"]
    for number in range(2 * MOST_OPEN_SURVEYS):
        memory.remember(f"survey{number}", number, door.survey.publication)
    assert len(memory.open_surveys.results) == MOST_OPEN_SURVEYS
    memory.remember("survey200", 999, door.survey.publication)
    assert memory.open_surveys.results.get("survey200").survey_id == 999
