"""Files are answered before the application, with the headers of every other answer, and cost little."""

import os
import re
import statistics
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection

import pytest
from flask import Flask, request_started
from werkzeug.test import EnvironBuilder, run_wsgi_app

from server.web.conditions import LONGEST_CONDITION
from server.web.content_policy import HEADERS

EVERYTHING = {"Accept-Encoding": "gzip, deflate, br, zstd"}
ROUNDS, TIMES = 5, 400


@pytest.fixture
def style(app):
    """The address of a style."""
    return f"{app.extensions['candor.ready_files'].root}candor.css"


def test_a_file_has_all_headers_and_never_reaches_the_application(app, style):
    seen = []
    with request_started.connected_to(lambda *_, **__: seen.append(1), app):
        answer = app.test_client().get(f"{style}?language=ko", headers=EVERYTHING | {"Cookie": "language=ko"})
    assert (answer.status_code, seen) == (200, [])
    tag = answer.headers["ETag"]
    assert dict(answer.headers) == dict(HEADERS["page"]) | {
        "Content-Type": "text/css; charset=utf-8",
        "Content-Length": str(len(answer.data)),
        "Content-Encoding": "br",
        "ETag": tag,
        "Vary": "Accept-Encoding",
        "Cache-Control": "public, immutable, max-age=31536000",
    }


def test_what_its_format_compresses_is_not_compressed_again(app, style):
    font = app.test_client().get(style.replace("candor.css", "fonts/math.woff2"), headers=EVERYTHING)
    assert (font.data[:4], "Content-Encoding" in font.headers) == (b"wOF2", False)


@pytest.mark.parametrize(
    ("method", "change", "headers", "status"),
    [
        ("HEAD", "", {}, 200),
        ("POST", "", {}, 404),
        ("OPTIONS", "", {}, 404),
        ("GET", "x", {}, 404),
        ("GET", "", {"If-None-Match": "*"}, 304),
        ("GET", "", {"If-None-Match": '"x"'}, 200),
        ("GET", "", {"If-None-Match": '"x", ' * LONGEST_CONDITION + "*"}, 200),
        ("GET", "", {"If-Match": '"x"'}, 412),
        ("GET", "", {"Range": "bytes=0-3"}, 200),
    ],
)
def test_what_else_is_asked_has_its_answer(app, style, method, change, headers, status):
    answer = app.test_client().open(style + change, method=method, headers=headers)
    assert answer.status_code == status
    assert answer.headers["Content-Security-Policy"] == HEADERS["page"]["Content-Security-Policy"]


def test_an_answer_is_made_once_for_each_encoding(app, style):
    answers = app.extensions["candor.ready_files"].answers
    for encodings in ("br", "gzip, br", "gzip", "gzip;q=0.5", "", "zstd", "x" * 1000):
        app.test_client().get(style, headers={"Accept-Encoding": encodings})
    assert answers.keys() == {(style, "br"), (style, "gzip"), (style, None)}


def test_a_file_costs_much_less_than_a_view_that_returns_a_constant(app, style):
    plain = Flask("constant", static_folder=None)
    plain.add_url_rule("/<path:path>", view_func=lambda path: b"constant", endpoint="constant")
    costs = {plain: [], app: []}
    for _ in range(1 + ROUNDS):
        for each, times in costs.items():
            begun = time.process_time()
            for _ in range(TIMES):
                run_wsgi_app(each.wsgi_app, EnvironBuilder(style).get_environ())
            times.append(time.process_time() - begun)
    view, file = (statistics.median(times[1:]) for times in costs.values())
    assert file < 0.6 * view


@pytest.fixture
def connection(tmp_path):
    """A connection to a server of its own."""
    environment = os.environ | {
        "CANDOR_DATABASE": str(tmp_path / "candor.db"),
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "a long enough password",
    }
    command = [sys.executable, "-m", "server.cli", "serve", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        lines = iter(server.stdout.readline, "")
        port = next(int(found[1]) for line in lines if (found := re.search(r"127.0.0.1:(\d+)", line)))
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connected:
            yield connected
        server.terminate()


def test_the_server_answers_as_the_application_does_over_one_connection(connection, app, style):
    sockets = set()
    for headers in (EVERYTHING, {"Accept-Encoding": "identity"}, EVERYTHING | {"If-None-Match": '"x"'}):
        for method in ("GET", "HEAD"):
            connection.request(method, style, headers=headers)
            answer = connection.getresponse()
            expected = app.test_client().open(style, method=method, headers=headers)
            assert (answer.status, answer.read()) == (200, expected.data)
            assert sorted(answer.headers.keys()).count("Date") == 1
            found = dict(answer.headers)
            assert (found.pop("Server"), found.pop("Connection")) == ("gunicorn", "keep-alive")
            assert found | {"Date": ""} == dict(expected.headers) | {"Date": ""}
            sockets.add(connection.sock)
    assert len(sockets) == 1
    connection.request("GET", style, headers={"Connection": "close"})
    answer = connection.getresponse()
    assert answer.headers["Connection"] == "close"
    assert len(answer.read()) == int(answer.headers["Content-Length"])
