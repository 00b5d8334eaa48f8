"""A provider that trickles: the server says so in time, asks it once, and answers all others meanwhile."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.wrappers import Response

from server.web.limits.costs import CLASSES

SECONDS = 3
PEOPLE = 24
SERVE = f"""
from gevent import monkey
monkey.patch_all()
from server.staff.provider import client
client.SECONDS = {SECONDS}
from server.cli import main
main()
"""


def trickle():
    """Send a sign ten times a second, so that no silence ends the wait."""

    def signs():
        while True:
            yield b" "
            time.sleep(0.1)

    return Response(signs(), content_type="application/json")


@pytest.fixture
def door(provider, tmp_path):
    """The address of a server with one worker that signs staff in with a provider."""
    (tmp_path / "providers.toml").write_text(f"""
[[provider]]
name = "uni"
title = "Hillside University"
issuer = "{provider.issuer}"
client_id = "candor"
client_secret = "secret"
roles = {{ staff = "researcher" }}
""")
    environment = os.environ | {
        "CANDOR_DATABASE": str(tmp_path / "candor.db"),
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "a long enough password",
        "CANDOR_OIDC": str(tmp_path / "providers.toml"),
    }
    command = [sys.executable, "-c", SERVE, "serve", "--bind", "127.0.0.1:0", "--workers", "1"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        lines = iter(server.stdout.readline, "")
        yield next(found[0] for line in lines if (found := re.search(r"http://127.0.0.1:\d+", line)))
        server.terminate()


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        """Follow nowhere."""


def ask(address):
    """Return the status of an answer, its text, and the seconds that it took."""
    begun = time.monotonic()
    try:
        with urllib.request.build_opener(Stay).open(address, timeout=60) as answer:
            return answer.status, answer.read().decode(), time.monotonic() - begun
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), time.monotonic() - begun


def test_nobody_waits_for_a_provider_that_trickles_but_those_who_asked_for_it(door, provider):
    assert ask(f"{door}/login/with/none")[0] == 404
    provider.answers = {"/.well-known/openid-configuration": trickle}
    with ThreadPoolExecutor(PEOPLE) as people:
        waiting = [people.submit(ask, f"{door}/login/with/uni") for _ in range(PEOPLE)]
        time.sleep(SECONDS / 3)
        status, _, seconds = ask(f"{door}/healthz")
        assert (status, seconds < SECONDS / 3) == (200, True)
        answers = [each.result() for each in waiting]
    crowded = [seconds for status, _, seconds in answers if status == 503]
    assert len(crowded) == PEOPLE - CLASSES["sign-in elsewhere"].at_once
    assert max(crowded) < SECONDS
    away = [(text, seconds) for status, text, seconds in answers if status == 504]
    assert all("Hillside University" in text and seconds < 4 * SECONDS for text, seconds in away)
    assert max(seconds for _, seconds in away) > SECONDS - 1
    assert provider.asked.count("/.well-known/openid-configuration") == 1
    status, _, seconds = ask(f"{door}/login/with/uni")
    assert (status, seconds < 1) == (504, True)
