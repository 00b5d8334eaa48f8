"""Invitations used all at once: how many reports and used invitations there are afterwards, on either engine.

Usage: uv run python tests/benchmarks/invitations.py [sqlite] [postgresql] [--clients 500]

First 100,000 invitations are made for another survey, as its page makes them, and reports come to it until
its list has moved: of both, the longest transaction is printed. Its time holds what the disk and other
programs take; its processor time is what it takes of a machine that has nothing else to do.

So many clients send at the same moment, each with an invitation of its own, while two windows of Chromium
take part with two more. Then each client sends again under another receipt, and a last invitation is used
fifty times at once. Every number that is not as it must be is an error.
"""

from __future__ import annotations

import argparse
import http.client
import re
import secrets
import sys
import tempfile
import threading
import time
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS.parent / "browser"), str(BENCHMARKS)]
from clusters import Cluster, address  # noqa: E402
from load import wait_for  # noqa: E402
from pages import Respondent  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from submissions import SERVE, running  # noqa: E402

from server.database import PostgreSQLURL  # noqa: E402
from server.store import invitation_list, invitations, publishing, surveys  # noqa: E402
from server.store.storage import storage_at  # noqa: E402
from server.store.submissions import Submission, record  # noqa: E402
from server.surveys.invitations import PART  # noqa: E402
from survey.read_definition import parse  # noqa: E402

WINDOWS, AGAIN, PATIENCE = 2, 50, 120
ADMIN = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}

MANY, TOGETHER = 100_000, 100
"""Invitations of the other survey, and reports that one transaction stores."""

HELD = 0.05
"""Seconds for which a transaction may keep others from writing."""

SURVEY = """
candor = 3
slug = "guests"
languages = ["en"]
invitations = "listed"
title.en = "For those who were invited"
information.en = "Information"
consent.en = "Consent"

[[questions]]
id = "copied"
mechanism = "coin"
wording.en = "Did you copy?"
"""


class Run:
    """A server with an open survey, and its invitations.

    Parameters
    ----------
    database : Path or PostgreSQLURL
    number : int
        How many invitations to make.
    """

    def __init__(self, database: Path | PostgreSQLURL, number: int) -> None:
        self.storage = storage_at(database)
        self.storage.create()
        draft = self.storage.write(surveys.import_definition, parse(SURVEY, "guests"))
        self.survey = self.storage.write(surveys.open_survey, draft.id)
        drawn = invitations.draw(number)
        begun = time.perf_counter()
        hashes = [invitations.hash_of(each) for each in drawn]
        made = self.storage.write(invitations.make, self.survey.id, hashes)
        self.making = time.perf_counter() - begun
        self.tokens = made.tokens(drawn)
        self.port = 0

    def send(self, token: str, barrier: threading.Barrier) -> str:
        """Send one report as the survey's page does, when all are ready; return the status."""
        fingerprint = self.survey.publication.fingerprint if self.survey.publication else ""
        body = f"fingerprint={fingerprint}&receipt={secrets.token_hex(16)}&invitation-token={token}&copied=1"
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.connect()
        barrier.wait(PATIENCE)
        connection.request("POST", "/s/guests", body, headers)
        answer = connection.getresponse()
        title = re.search(rb'<section lang="en"><h1>(.+?)</h1>', answer.read())
        connection.close()
        return f"{answer.status} {title[1].decode() if title else ''}"

    def at_once(self, tokens: list[str]) -> Counter[str]:
        """Let a client send with each of these tokens, all at the same moment."""
        barrier = threading.Barrier(len(tokens))
        with ThreadPoolExecutor(len(tokens)) as pool:
            return Counter(pool.map(lambda token: self.send(token, barrier), tokens))

    def window(self, number: int, token: str, folder: Path) -> str:
        """Take part in a window of Chromium."""
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium-headless-shell"
        options.set_capability("browserName", "chrome-headless-shell")
        profile = f"--user-data-dir={folder / f'profile{number}'}"
        for flag in ("--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion", profile):
            options.add_argument(flag)
        browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        try:
            respondent = Respondent(browser)
            respondent.visit(f"http://127.0.0.1:{self.port}/s/guests#i={token}")
            respondent.mark([1])
            respondent.send()
            return respondent.screen
        finally:
            browser.quit()

    def moments(self) -> dict[str, tuple[float, float]]:
        """Time the longest transactions of many invitations: seconds of the clock, and of the processor."""
        table = parse(SURVEY.replace("guests", "many"), "many")
        draft = self.storage.write(surveys.import_definition, table)
        survey = self.storage.write(surveys.open_survey, draft.id)
        drawn = invitations.draw(MANY)
        hashes = [invitations.hash_of(each) for each in drawn]
        tokens: list[str] = []
        making = []
        for start in range(0, MANY, PART):
            part = hashes[start : start + PART]
            took, made = timed(self.storage.write, invitations.make, survey.id, part)
            making.append(took)
            tokens += made.tokens(drawn[start : start + PART])
        memory: publishing.Memory = {}
        fingerprint = survey.publication.fingerprint if survey.publication else ""
        sending = []
        for start in range(0, 10 * TOGETHER, TOGETHER):
            batch = [
                Submission(
                    survey.id, fingerprint, secrets.token_hex(16), {"copied": 1}, urlsafe_b64decode(token)
                )
                for token in tokens[start : start + TOGETHER]
            ]
            took, outcomes = timed(self.storage.write, record, batch, "2026-01-01", memory)
            assert set(outcomes) == {"stored"}, outcomes
            sending.append(took)
        left = self.storage.read(invitation_list.not_used, survey.id)
        assert MANY - 10 * TOGETHER <= len(left) < MANY, "the list has moved"
        return {
            f"longest of {len(making)} that make {MANY:,}": longest(making),
            f"longest of {len(sending)} with {TOGETHER} reports each": longest(sending),
        }

    def stored(self) -> tuple[int, int]:
        """Count the reports and the invitations that were used."""

        def count(db: object) -> tuple[int, int]:
            rows = list(db.reports.records(self.survey.id, self.survey.publication))  # type: ignore[attr-defined]
            return len({receipt for receipt, _ in rows}), int(
                invitation_list.used(db, self.survey.id).sum()  # type: ignore[arg-type]
            )

        return self.storage.read(count)


def timed(function: Callable[..., Any], *given: Any) -> tuple[tuple[float, float], Any]:
    """Call a function: how long it took by the clock and on the processor, and what it gave."""
    begun, worked = time.perf_counter(), time.thread_time()
    found = function(*given)
    return (time.perf_counter() - begun, time.thread_time() - worked), found


def longest(times: list[tuple[float, float]]) -> tuple[float, float]:
    """Take the longest by the clock, and the longest by the processor."""
    return max(clock for clock, _ in times), max(worked for _, worked in times)


@contextmanager
def databases(engine: str) -> Iterator[tuple[Path | PostgreSQLURL, Path]]:
    """Give a database of one's own, and a folder."""
    with tempfile.TemporaryDirectory(prefix="c", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        if engine == "sqlite":
            yield folder / "candor.db", folder
            return
        cluster = Cluster(folder / "server")
        cluster.make()
        try:
            yield PostgreSQLURL(address(cluster)), folder
        finally:
            cluster.stop()


def measured(engine: str, clients: int) -> bool:
    """Run everything on an engine and print the counts; return whether all are as they must be."""
    wrong: list[str] = []

    def expect(what: str, found: object, wanted: object) -> None:
        print(f"  {what:52}{found}")
        if found != wanted:
            wrong.append(what)

    with ExitStack() as stack:
        database, folder = stack.enter_context(databases(engine))
        run = Run(database, clients + WINDOWS + 1)
        text = str(database) if isinstance(database, Path) else database.text
        command = ["-c", SERVE, "serve", "--fd", "{fd}"]
        run.port, _ = stack.enter_context(
            running(command, CANDOR_DATABASE=text, CANDOR_RATE_LIMIT="0", **ADMIN)
        )
        wait_for(f"http://127.0.0.1:{run.port}/healthz")
        first, windows, last = run.tokens[:clients], run.tokens[clients:-1], run.tokens[-1]
        print(f"{engine}: {len(run.tokens)} invitations, made in {1000 * run.making:.0f} ms")
        for what, (clock, worked) in run.moments().items():
            print(f"  {what:52}{1000 * worked:.1f} ms of the processor, {1000 * clock:.1f} ms by the clock")
            if worked > HELD:
                wrong.append(what)
        with ThreadPoolExecutor(WINDOWS) as pool:
            opened = [pool.submit(run.window, n, token, folder) for n, token in enumerate(windows)]
            begun = time.perf_counter()
            outcomes = run.at_once(first)
            took = time.perf_counter() - begun
            screens = [window.result() for window in opened]
        stored, used = "200 Thank you", "409 This invitation has been used"
        expect(f"{clients} clients at once, in {took:.1f} s", dict(outcomes), {stored: clients})
        expect(f"{WINDOWS} windows of Chromium", screens, ["sent"] * WINDOWS)
        expect("reports, invitations used", run.stored(), (clients + WINDOWS,) * 2)
        expect("all of them again", dict(run.at_once(first)), {used: clients})
        expect(
            f"one invitation {AGAIN} times", dict(run.at_once([last] * AGAIN)), {stored: 1, used: AGAIN - 1}
        )
        expect("reports, invitations used", run.stored(), (clients + WINDOWS + 1,) * 2)
        run.storage.close()
    return not wrong


def main(engines: list[str], clients: int) -> int:
    """Return 1 if a count is not as it must be."""
    found = [measured(engine, clients) for engine in engines]
    return 0 if all(found) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", help="sqlite, postgresql, or both")
    parser.add_argument("--clients", type=int, default=500)
    given = parser.parse_args()
    sys.exit(main(given.engines or ["sqlite", "postgresql"], given.clients))
