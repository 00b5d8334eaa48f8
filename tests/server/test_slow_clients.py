"""Who sends a byte now and then, or more than is read, is dropped in time, and holds up nobody meanwhile."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from io import BytesIO

import pytest
from werkzeug.exceptions import RequestTimeout

from server.cli.serving.worker import linger
from server.runtime.slow_bodies import BODY_SECONDS, PromptBody
from server.web.limits.costs import MOST_BYTES_OF_A_PICTURE

SECONDS = 1
"""For a head, and for a body; 5 and 10 in use."""

MOST = 60 * SECONDS
"""After five at most on a machine without other work: what is not dropped in time never is."""

BYTES_A_SECOND = 1024
"""In use 16 times as many. Here a body of which much has come has most of a minute, on a busy machine too."""

SERVER = f"""
from gevent import monkey
monkey.patch_all()
from server.runtime import slow_bodies
slow_bodies.HEAD_SECONDS = slow_bodies.BODY_SECONDS = {SECONDS}
slow_bodies.BYTES_A_SECOND = {BYTES_A_SECOND}
from server.cli import main
main(["serve", "--bind", "127.0.0.1:0"])
"""
START = b"POST /s/none HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
LOGIN = START.replace(b"/s/none", b"/login") + FORM
SLOW = {
    "heads": START + b"X-Long: ",
    "bodies": START + FORM + b"Content-Length: 1000\r\n\r\n",
    "bodies of staff": LOGIN + b"Content-Length: 1000\r\n\r\n",
    "chunks": START + FORM + b"Transfer-Encoding: chunked\r\n\r\n400\r\n",
    "bodies that nobody reads": START + b"Content-Length: 1000\r\n\r\n",
    "long bodies that nobody reads": LOGIN + b"Content-Length: 100000\r\n\r\n",
}


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The port of a server of its own."""
    environment = os.environ | {
        "CANDOR_DATABASE": str(tmp_path_factory.mktemp("slow") / "candor.db"),
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "a long enough password",
    }
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        lines = iter(server.stdout.readline, "")
        port = next(int(found[1]) for line in lines if (found := re.search(r"127.0.0.1:(\d+)", line)))
        assert ask(port) == 200  # its worker has begun
        yield port
        server.terminate()


def trickle(port, start, dropped):
    """Send a start, then a byte ten times a second until the server hangs up; note how long that takes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(start)
        begun = time.monotonic()
        connection.settimeout(0.1)
        while time.monotonic() - begun < 2 * MOST:
            try:
                connection.sendall(b"a")
                if connection.recv(10_000) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        dropped.append(time.monotonic() - begun)


def answer_to(port, sent, then=b""):
    """Send a request, and the rest of it once the server has had time to answer; return the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(sent)
        time.sleep(0.3 if then else 0)
        connection.sendall(then)
        with closing(HTTPResponse(connection)) as answer:
            answer.begin()
            return answer.status, answer.headers, answer.read()


def ask(port):
    """Ask for a page; return the status."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/login")
        return connection.getresponse().status


def test_what_trickles_is_dropped_and_the_others_are_answered(port):
    """Ten of each at once."""
    dropped = {kind: [] for kind in SLOW}
    threads = [
        threading.Thread(target=trickle, args=(port, start, dropped[kind]))
        for kind, start in SLOW.items()
        for _ in range(10)
    ]
    for thread in threads:
        thread.start()
    assert [ask(port) for _ in range(5)] == [200] * 5
    for thread in threads:
        thread.join()
    assert {kind: times for kind, times in dropped.items() if len(times) < 10 or max(times) > MOST} == {}


def test_a_body_that_is_slow_but_comes_is_read(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(START + FORM + b"Content-Length: 60000\r\n\r\n")
        begun = time.monotonic()
        for size in (46_000, *[1000] * 14):
            connection.sendall(b"a" * size)
            time.sleep(0.15 * SECONDS)
        assert time.monotonic() - begun > 2 * SECONDS
        assert connection.recv(10_000).startswith(b"HTTP/1.1 404")


def test_a_body_that_was_too_late_once_remains_so():
    body = PromptBody(BytesIO(b"late"))
    body.begun -= BODY_SECONDS
    for _ in range(2):
        with pytest.raises(RequestTimeout):
            body.read()


@pytest.mark.parametrize("length", [b"Content-Length: 2000000", b"Transfer-Encoding: chunked"])
def test_whoever_sends_a_long_body_first_is_told_that_it_is_too_long(port, length):
    body = b"1E8480\r\n" * (b"chunked" in length) + b"a" * 2_000_000 + b"\r\n0\r\n\r\n"
    status, headers, text = answer_to(
        port, START + FORM + length + b"\r\n\r\n" + body[:100_000], body[100_000:]
    )
    assert (status, headers["Connection"]) == (413, "close")  # what follows is no request
    assert b"</html>" in text


def test_what_is_sent_after_the_answer_is_not_read_without_end():
    listener = socket.create_server(("127.0.0.1", 0))
    sender = socket.create_connection(listener.getsockname(), timeout=60)
    with listener, sender, listener.accept()[0] as connection:
        thread = threading.Thread(target=lambda: (linger(connection), connection.close()))
        thread.start()
        sender.sendall(bytes(MOST_BYTES_OF_A_PICTURE))
        thread.join(10)
        with pytest.raises(OSError, match=r"reset|pipe"):
            sender.sendall(bytes(MOST_BYTES_OF_A_PICTURE))


@pytest.mark.parametrize(
    ("request_line", "status"),
    [(b"GET %s" + b"a" * 5000 + b" HTTP/1.1", 414), (b"GET %s HTTP/1.1\r\nA: " + b"a" * 9000, 431)],
)
def test_what_the_server_cannot_parse_is_answered_like_other_errors(port, request_line, status):
    for path, kind in (
        (b"/api/v1/surveys", "application/problem+json"),
        (b"/s/none", "text/html; charset=utf-8"),
    ):
        told = answer_to(port, request_line % path + b"\r\n\r\n")
        assert (told[0], told[1]["Content-Type"]) == (status, kind)
        assert b"aaaa" not in told[2]
