"""What a long form costs that a stranger sends to staff's pages, and how long respondents wait meanwhile.

Usage: uv run python tests/benchmarks/strangers.py [COMMIT]

Somebody who is not signed in sends a form of 1.6 MB, 49 000 fields of quotation marks, to the page of a
draft. One request alone shows the bytes that come back and the processor time of the server, over that of a
submission; then six clients send it again and again while a respondent sends one submission after the other.
With COMMIT the same is printed of an older commit (`93d0567`), in the same run.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from load import wait_for, worktree
from servers import told
from submissions import SERVE, TOP, filled, running
from submissions_sent import cpu_seconds, request_with, send

CLIENTS = 6
SECONDS = 15
"""How long the respondent sends, with the clients and without."""

TIMES = 5
"""How often the request is sent alone."""

MOST_BACK, MOST_COST, MOST_WAIT = 1.0, 40.0, 10.0
"""Bytes that come back over 64 kB, processor time over that of a submission, and the respondent's p99 over
that without the clients. The kernel alone takes some milliseconds to carry 1.6 MB."""

FORM = "&".join(f"q{n}=" + "%22" * 9 for n in range(49_000)).encode()
REQUEST = (
    b"POST /admin/surveys/none HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(FORM)
)


def ask(port: int) -> int:
    """Send the form, and read what comes back: how many bytes that is."""
    received = 0
    with socket.create_connection(("127.0.0.1", port)) as connection:
        try:
            connection.sendall(REQUEST + FORM)
            connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(1 << 16):
                received += len(data)
        except OSError:
            pass  # the server has hung up
    return received


def go_on(port: int) -> None:
    """Send the form again and again."""
    while True:
        ask(port)


@contextmanager
def clients(port: int, many: int) -> Iterator[None]:
    """Let clients send the form for as long as the block lasts."""
    processes = [multiprocessing.Process(target=go_on, args=(port,), daemon=True) for _ in range(many)]
    for process in processes:
        process.start()
    time.sleep(1 if many else 0)
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def p99(port: int, fingerprint: str) -> float:
    """Return what a hundredth of submissions took longer than that were sent one after the other."""
    latencies: list[float] = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        latencies += send(port, [request_with(fingerprint)])
    return sorted(latencies)[len(latencies) * 99 // 100]


def measured(tree: Path, folder: Path) -> tuple[float, float, float]:
    """Print what a commit's server does; return the three ratios."""
    path, fingerprint = filled(folder, 100, tree)
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}
    command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0"]
    with running(command, tree, CANDOR_DATABASE=str(path), **admin) as (port, group):
        wait_for(f"http://127.0.0.1:{port}/s/ten")
        ask(port)
        begun = cpu_seconds(group)
        back = max(ask(port) for _ in range(TIMES))
        cost = (cpu_seconds(group) - begun) / TIMES
        begun = cpu_seconds(group)
        send(port, [request_with(fingerprint) for _ in range(2000)])
        submission = (cpu_seconds(group) - begun) / 2000
        alone = p99(port, fingerprint)
        with clients(port, CLIENTS):
            beside = p99(port, fingerprint)
    print(f"{len(FORM):,} bytes in, {back:,} out; {1000 * cost:.0f} ms, a submission {1000 * submission:.2f}")
    print(f"respondent's p99 {1000 * alone:.0f} ms alone, {1000 * beside:.0f} ms beside {CLIENTS} clients")
    return back / 65_536, cost / submission, beside / alone


def main(commit: str | None) -> int:
    """Measure, print the table, and return whether a figure was missed."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        if commit is not None:
            with worktree(commit) as tree:
                print(f"at {commit}:")
                before = measured(tree, folder)
                print("bytes over 64 kB {:.1f}, cost {:.0f}, wait {:.0f}\nnow:".format(*before))
        print(f"{os.getloadavg()[0]:.1f} other processes want the processor")
        back, cost, wait = measured(TOP, folder)
    kept = [
        told("bytes that come back, over 64 kB", "", back, MOST_BACK),
        told("processor time, over a submission's", "", cost, MOST_COST),
        told("the respondent's p99, over that without", "", wait, MOST_WAIT),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
