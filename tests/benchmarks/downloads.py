"""Files with a million reports: the memory of the server that sends them, and who waits for it.

Usage: uv run python tests/benchmarks/downloads.py
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from databases import PEOPLE, filled
from servers import PATIENCE, candor, family, get, measure, sign_in, told

FILES = ("reports.csv", "all.zip", "reports.sqlite", "reports.parquet")
"""Files that hold every report; each is asked of a server of its own."""


def download(folder: Path, old: Path) -> list[bool]:
    """Download a million reports of ten columns, and see how much memory that takes and who waits for it."""
    return [kept for name in FILES for kept in one_download(filled(folder), name)]


def one_download(database: Path, name: str) -> list[bool]:
    """Download one file. What is counted is the server with all its processes: Parquet's has pyarrow."""
    gaps: list[float] = []
    with candor(database=database) as (address, process):
        get(f"{address}/learn")  # its first view takes long
        cookie = sign_in(address)
        stop, most = threading.Event(), [0.0]
        others = threading.Thread(target=ask_until, args=(stop, f"{address}/learn", gaps))
        watch = threading.Thread(target=most_memory, args=(stop, process, most))
        others.start()
        watch.start()
        begun = time.perf_counter()
        request = urllib.request.Request(f"{address}/results/large/{name}", headers={"Cookie": cookie})
        lines = length = 0
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            first = time.perf_counter() - begun
            for piece in iter(functools.partial(answer.read, 2**16), b""):
                lines, length = lines + piece.count(b"\n"), length + len(piece)
        took = time.perf_counter() - begun
        stop.set()
        others.join()
        watch.join()
    assert length > 10_000
    assert name != "reports.csv" or lines == 1 + PEOPLE
    print(f"    {length / 1e6:.1f} MB in {took:.1f} s, the first bytes after {first:.1f} s")
    print(f"    meanwhile another page took {1000 * max(gaps):.0f} ms at most")
    promised = 200 if name != "reports.parquet" else math.inf  # its process is there for seconds only
    return [
        told(
            f"memory of the server that sends a million rows, {name}", f"{most[0]:.0f} MB", most[0], promised
        )
    ]


def most_memory(stop: threading.Event, process: Any, most: list[float]) -> None:
    """Note the most memory that any process of a server has ever had, in MB, also of those that end."""
    while not stop.wait(0.02):
        for each in family(process):
            with contextlib.suppress(OSError):  # it has just ended
                status = Path(f"/proc/{each}/status").read_text()
                if found := re.search(r"VmHWM:\s+(\d+)", status):
                    most[0] = max(most[0], int(found[1]) / 1024)


def ask_until(stop: threading.Event, address: str, gaps: list[float]) -> None:
    """Fetch a page again and again, and note how long each took."""
    while not stop.wait(0.02):
        begun = time.perf_counter()
        urllib.request.urlopen(address, timeout=PATIENCE).close()
        gaps.append(time.perf_counter() - begun)


if __name__ == "__main__":
    measure((download,))
