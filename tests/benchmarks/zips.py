"""How long submissions take while somebody downloads zips, over how long they take without.

Usage: uv run python tests/benchmarks/zips.py [SECONDS]      5 seconds for each turn unless it is given, 2 min

A survey of 20 questions of 100 000 respondents is closed; another one is open. Eight respondents send to it,
one submission after the other with a pause, so that the server is not busy with them. In turn somebody does
nothing and downloads one zip after the other. The medians of five turns are compared.
"""

from __future__ import annotations

import http.client
import secrets
import statistics
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

from databases import STORAGE
from servers import PATIENCE, TOP, candor, get, run, sign_in, told

TURNS, SENDERS, PAUSE = 5, 8, 0.02
QUESTIONS, PEOPLE = 20, 100_000

FILL = (
    STORAGE
    + """
import numpy as np
print(opened(parse(sys.argv[4], "other").as_dict()).publication.fingerprint)
survey, chance = large(int(sys.argv[2])), np.random.default_rng(1)
for _ in range(0, int(sys.argv[3]), 50_000):
    receipts = chance.bytes(16 * 50_000)
    records = chance.integers(0, 2, (50_000, int(sys.argv[2])), dtype=np.uint8)
    batch = {receipts[16 * n : 16 * n + 16]: row.tobytes() for n, row in enumerate(records)}
    storage.write(lambda db: db.reports.put(survey.id, survey.publication, batch))
storage.write(surveys.close_survey, survey.id)
storage.finish()
"""
)
"""Stores the reports of the closed survey, and opens another."""

OTHER = """
candor = 1
slug = "other"
languages = ["en"]
title = { en = "?" }
information = { en = "?" }
consent = { en = "?" }
[[questions]]
id = "q"
mechanism = "coin"
wording = { en = "?" }
"""


def send(address: str, fingerprint: str, until: float, seconds: list[float]) -> None:
    """Send submissions until a moment, and note how long each took."""
    parts = urllib.parse.urlsplit(address)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
    while time.monotonic() < until:
        body = f"fingerprint={fingerprint}&receipt={secrets.token_hex(16)}&q={secrets.randbits(1)}"
        begun = time.perf_counter()
        connection.request("POST", "/s/other", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        seconds.append(time.perf_counter() - begun)
        if answer.status != 200 or b'data-outcome="stored"' not in said:
            raise SystemExit(f"a submission was answered with {answer.status}")
        time.sleep(PAUSE)


def turn(address: str, fingerprint: str, cookie: str | None, seconds: float) -> tuple[float, int]:
    """Send for some seconds, with zips or without: the 99th percentile, and how many zips came."""
    taken: list[float] = []
    until, zips = time.monotonic() + seconds, 0
    senders = [
        threading.Thread(target=send, args=(address, fingerprint, until, taken)) for _ in range(SENDERS)
    ]
    for each in senders:
        each.start()
    while cookie is not None and time.monotonic() < until:
        request = urllib.request.Request(f"{address}/results/large/all.zip", headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            while answer.read(2**16):
                pass
        zips += 1
    for each in senders:
        each.join()
    return statistics.quantiles(taken, n=100)[98], zips


def main() -> None:
    """Print the figure; exit with an error if it is missed."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "candor.db"
        fingerprint = run(TOP, FILL, database, QUESTIONS, PEOPLE, OTHER).split()[0]
        late: dict[bool, list[float]] = {False: [], True: []}
        made = 0
        with candor("--rate-limit", "0", database=database) as (address, _):
            get(f"{address}/")
            cookie = sign_in(address)
            turn(address, fingerprint, cookie, 1.0)  # the first reads the reports
            for _ in range(TURNS):
                for with_zips, taken in late.items():
                    percentile, zips = turn(address, fingerprint, cookie if with_zips else None, seconds)
                    taken.append(percentile)
                    made += zips
    without, meanwhile = (1000 * statistics.median(taken) for taken in late.values())
    print(
        f"    99 of 100 submissions took {without:.1f} ms at most, and {meanwhile:.1f} ms during {made} zips"
    )
    if not told(
        "submissions while zips are made, p99 over without", f"{meanwhile:.1f} ms", meanwhile / without, 2
    ):
        raise SystemExit("a figure is missed")


if __name__ == "__main__":
    main()
