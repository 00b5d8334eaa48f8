"""What 24 sign-ins at once take of a worker's memory, and how long respondents wait beside them.

Usage: uv run python tests/benchmarks/sign_ins.py [COMMIT]

A password is hashed with 64 MB and four threads. So many people sign in at once, each from an address of
their own, while a respondent sends one submission after the other: the worker's memory grows by at most twice
what it does for one of them, and the median of submissions is at most twice that without. Each figure is the
median of five rounds, taken in turn. With COMMIT the same is printed of an older commit, in the same run.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from load import wait_for, worktree
from servers import PASSWORD, family, told
from submissions import SERVE, TOP, filled, running
from submissions_sent import request_with, send

AT_ONCE = 24
ROUNDS = 5
SECONDS = 4.0
"""How long the respondent sends in a round."""

MOST_MEMORY, MOST_WAIT = 2.0, 2.0
"""Of one sign-in, and of submissions that nobody signs in beside."""

FORM = "application/x-www-form-urlencoded"


def asked(port: int, place: int, method: str, body: str | None, cookie: str) -> tuple[int, str, str]:
    """Ask for the page that signs in, from an address of this machine: status, cookie and page."""
    source = (f"127.0.1.{place + 1}", 0)
    with closing(HTTPConnection("127.0.0.1", port, timeout=120, source_address=source)) as connection:
        connection.request(method, "/login", body, {"Cookie": cookie, "Content-Type": FORM})
        answer = connection.getresponse()
        cookies = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        return answer.status, cookies, answer.read().decode()


def form(port: int, place: int) -> tuple[str, str]:
    """Load the page; return the body and the cookie with which somebody signs in there, again and again."""
    _, cookie, page = asked(port, place, "GET", None, "")
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
    return urlencode({"name": "ada", "password": PASSWORD, "csrf_token": token}), cookie


def sign_in(port: int, forms: list[tuple[str, str]], place: int) -> None:
    """Sign in with a form."""
    body, cookie = forms[place]
    status, _, page = asked(port, place, "POST", body, cookie)
    if status != 302:
        raise RuntimeError(f"{status}: {page[:500]}")


def together(port: int, forms: list[tuple[str, str]]) -> None:
    """Let everybody sign in at once."""
    with ThreadPoolExecutor(len(forms)) as pool:
        list(pool.map(partial(sign_in, port, forms), range(len(forms))))


def go_on(port: int, forms: list[tuple[str, str]]) -> None:
    """Let everybody sign in at once, again and again."""
    while True:
        together(port, forms)


@contextmanager
def signing_in(port: int, forms: list[tuple[str, str]]) -> Iterator[None]:
    """Let everybody sign in again and again for as long as the block lasts."""
    process = multiprocessing.Process(target=go_on, args=(port, forms), daemon=True)
    if forms:
        process.start()
        time.sleep(0.5)
    try:
        yield
    finally:
        if forms:
            process.kill()
            process.join()


def memory(process: int, line: str) -> int:
    """Return a line of a process's memory, in kB: its present size or its largest."""
    return int(re.search(rf"^{line}:\s+(\d+)", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)[1])


def growth(process: int, work: Callable[[], None]) -> int:
    """Return by how many kB a process was larger at most while something was done."""
    Path(f"/proc/{process}/clear_refs").write_text("5")
    before = memory(process, "VmRSS")
    work()
    return memory(process, "VmHWM") - before


def median_wait(port: int, fingerprint: str) -> float:
    """Return the median of submissions that are sent one after the other."""
    latencies: list[float] = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        latencies += send(port, [request_with(fingerprint)])
    return statistics.median(latencies)


def measured(tree: Path, folder: Path) -> tuple[float, float]:
    """Print what a commit's server does; return both ratios."""
    path, fingerprint = filled(folder, 100, tree)
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": PASSWORD}
    command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0"]
    sizes, waits = [], []
    with running(command, tree, CANDOR_DATABASE=str(path), **admin) as (port, group):
        wait_for(f"http://127.0.0.1:{port}/s/ten")
        forms = [form(port, place) for place in range(AT_ONCE)]
        together(port, forms[:2])
        worker = family(group)[1]
        for _ in range(ROUNDS):
            sign_in(port, forms, 0)  # after all that are still waiting
            sizes.append([growth(worker, partial(together, port, forms[:many])) for many in (1, AT_ONCE)])
            alone = median_wait(port, fingerprint)
            with signing_in(port, forms):
                waits.append([alone, median_wait(port, fingerprint)])
    one, many = (statistics.median(column) / 1024 for column in zip(*sizes, strict=True))
    alone, beside = (1000 * statistics.median(column) for column in zip(*waits, strict=True))
    print(f"a sign-in takes {one:.0f} MB, {AT_ONCE} at once {many:.0f} MB")
    print(f"the median of submissions is {alone:.1f} ms, and {beside:.1f} ms beside them")
    return (
        statistics.median(many / one for one, many in sizes),
        statistics.median(beside / alone for alone, beside in waits),
    )


def main(commit: str | None) -> int:
    """Measure, print the table, and return whether a figure was missed."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        if commit is not None:
            with worktree(commit) as tree:
                print(f"at {commit}:")
                print("memory {:.2f}, wait {:.2f}\nnow:".format(*measured(tree, folder)))
        print(f"{os.getloadavg()[0]:.1f} other processes want the processor")
        size, wait = measured(TOP, folder)
    kept = [
        told("memory of 24 sign-ins, over that of one", "", size, MOST_MEMORY),
        told("median of submissions, over that without them", "", wait, MOST_WAIT),
    ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
