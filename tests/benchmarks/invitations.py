"""Invitations used all at once: how many reports and used invitations there are afterwards, on either engine.

Usage: uv run python tests/benchmarks/invitations.py [sqlite] [postgresql] [--clients 500]

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
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS.parent / "browser"), str(BENCHMARKS)]
from clusters import Cluster, address  # noqa: E402
from load import wait_for  # noqa: E402
from pages import Respondent  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from submissions import SERVE, running  # noqa: E402

from server.database import PostgreSQLURL  # noqa: E402
from server.store import invitation_list, invitations, surveys  # noqa: E402
from server.store.opening import storage_at  # noqa: E402
from survey.definition import parse  # noqa: E402

WINDOWS, AGAIN, PATIENCE = 2, 50, 120
ADMIN = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}

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
        hashes = [invitations.hashed(each) for each in drawn]
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
            respondent.answer_all([1])
            respondent.send()
            return respondent.screen
        finally:
            browser.quit()

    def stored(self) -> tuple[int, int]:
        """Count the reports and the invitations that were used."""

        def count(db: object) -> tuple[int, int]:
            rows = list(db.reports.records(self.survey.id, self.survey.publication))  # type: ignore[attr-defined]
            return len({receipt for receipt, _ in rows}), int(
                invitation_list.used(db, self.survey.id).sum()  # type: ignore[arg-type]
            )

        return self.storage.read(count)


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
        with ThreadPoolExecutor(WINDOWS) as pool:
            opened = [pool.submit(run.window, n, token, folder) for n, token in enumerate(windows)]
            begun = time.perf_counter()
            outcomes = run.at_once(first)
            took = time.perf_counter() - begun
            screens = [window.result() for window in opened]
        stored, used = "200 Thank you", "409 This invitation has been used"
        expect(f"{clients} clients at once, in {took:.1f} s", dict(outcomes), {stored: clients})
        expect(f"{WINDOWS} windows of Chromium", screens, ["thanks"] * WINDOWS)
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
