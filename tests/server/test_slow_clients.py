"""Who sends a byte now and then is dropped in time, and holds up nobody meanwhile."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from http.client import HTTPConnection
from io import BytesIO

import pytest
from werkzeug.exceptions import RequestTimeout

from server.web.slow import BODY_SECONDS, PromptBody

SECONDS = 1
"""For a head, and for a body; 5 and 10 in use."""

MOST = 60 * SECONDS
"""After five at most on a machine without other work: what is not dropped in time never is."""

BYTES_A_SECOND = 1024
"""In use 16 times as many. Here a body of which much has come has most of a minute, on a busy machine too."""

SERVER = f"""
from gevent import monkey
monkey.patch_all()
from server.web import slow
slow.HEAD_SECONDS = slow.BODY_SECONDS = {SECONDS}
slow.BYTES_A_SECOND = {BYTES_A_SECOND}
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


def ask(port):
    """Ask for a page; return the status."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/login")
        return connection.getresponse().status


@pytest.mark.parametrize("start", SLOW.values(), ids=SLOW)
def test_what_trickles_is_dropped_and_the_others_are_answered(port, start):
    dropped = []
    threads = [threading.Thread(target=trickle, args=(port, start, dropped)) for _ in range(60)]
    for thread in threads:
        thread.start()
    assert [ask(port) for _ in range(5)] == [200] * 5
    for thread in threads:
        thread.join()
    assert max(dropped) <= MOST


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
