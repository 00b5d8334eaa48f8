"""Every command on a whole survey: its seconds, its processor time, the most memory of any process, and disk.

Usage: uv run python tests/benchmarks/memory.py [--rows ROWS ...] [--engine ENGINE] [--folder FOLDER]

Without options, a survey of ten yes/no questions gets a hundred thousand, a million and ten million
reports, on SQLite and on PostgreSQL. It is recounted, backed up, restored and moved while it is open. It is
closed, and a server makes what closing has left to do, shows results and a cross-table, and sends every file
of the reports. In the end it is deleted, and a server removes what is left. It is an error if a process of
Candor takes more than 250 MB, or if one of a million reports or more takes over 60 bytes of an open SQLite
file. The disk is what the database takes after the step, or what was written. Ten million need 15 GB under
/var/tmp and, on a quiet machine, an hour. In a folder that lies in
memory, /dev/shm, nothing waits for a disk, and nothing else is kept from it.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "campaign")]
from capacity import size_of  # noqa: E402
from engines import ENGINES, Engine  # noqa: E402
from servers import PASSWORD, SERVE, family, get, processor, sign_in  # noqa: E402
from submissions import SURVEY  # noqa: E402

from server.database import location  # noqa: E402
from server.runtime import sort_rows  # noqa: E402
from server.store import counted_lists, surveys  # noqa: E402
from server.store.engine import Block  # noqa: E402
from server.store.sqlite.connection import connect  # noqa: E402
from server.store.sqlite.copy_pages import page_copy  # noqa: E402
from server.store.storage import storage_at  # noqa: E402
from survey.read_definition import parse  # noqa: E402
from survey.record import layout_of  # noqa: E402

ROWS = (10**5, 10**6, 10**7)
MOST, MOST_BYTES, LARGE = 250, 60, 10**6
"""Megabytes that a process may take, bytes of a file that a report may take, and from how many reports on:
what a file takes without any counts among fewer."""

BLOCK, HOURS = 50_000, 6 * 3600.0
FILES = ("reports.csv", "all.zip", "reports.sqlite", "reports.parquet", "counted.csv")
WATCHED = 0.05
"""Seconds between two looks at the processes of a server."""


def fill(address: str, rows: int) -> None:
    """Make the database, open the survey, and store so many reports of people who toss coins."""
    sort_rows.MOST_BYTES = 2**30  # this process is not measured
    storage = storage_at(location(address))
    storage.create()
    draft = storage.write(surveys.import_definition, parse(SURVEY, "ten.toml"))
    survey = storage.write(surveys.open_survey, draft.id)
    layout, counts = layout_of(survey.publication), np.zeros(20, np.int64)
    for _, record in drawn(rows):
        counts += layout.count(layout.table(record))

    def blocks() -> Iterator[Block]:
        for receipts, records in drawn(rows):
            places = range(len(receipts) // 16)
            yield [(receipts[16 * n : 16 * n + 16], records[10 * n : 10 * n + 10]) for n in places]

    def store(db):
        db.patiently(HOURS)
        db.reports.fill(survey.id, survey.publication, counts, blocks)

    storage.write_here(store)
    storage.close()


def drawn(rows: int) -> Iterator[tuple[bytes, bytes]]:
    """Draw receipts and records, a block at a time, the same ones each time."""
    draw = np.random.default_rng(1)
    for start in range(0, rows, BLOCK):
        many = min(BLOCK, rows - start)
        yield draw.bytes(16 * many), draw.integers(0, 2, (many, 10), np.uint8).tobytes()


def close(address: str) -> None:
    """Close the survey, and leave the rest to the next server."""
    storage = storage_at(location(address))
    storage.write(surveys.close_survey, 1)
    storage.close()


def delete(address: str) -> None:
    """Delete the survey, and leave the rest to the next server."""
    storage = storage_at(location(address))
    storage.write(surveys.delete_survey, 1)
    storage.close()


class Taken(NamedTuple):
    """The seconds of a step, those of the processor, and the most megabytes of a process."""

    seconds: float
    processor: float
    memory: float


class Table:
    """What is printed line by line, and whether anything takes too much."""

    def __init__(self) -> None:
        self.missed = False
        heads = f"{'seconds':>9}{'processor':>11}{'MB at most':>12}{'MB on disk':>12}"
        print(f"{'engine':<12}{'reports':>12}  {'step':<26}{heads}", flush=True)

    def add(self, engine: str, rows: int, step: str, taken: Taken, disk: float) -> None:
        """Print a line."""
        missed = taken.memory > MOST
        self.missed |= missed
        figures = f"{taken.seconds:9.1f}{taken.processor:11.1f}{taken.memory:12.0f}{disk / 1e6:12.1f}"
        print(f"{engine:<12}{rows:12,}  {step:<26}{figures}{'  MISSED' if missed else ''}", flush=True)


def candor(*words: object) -> Taken:
    """Run a command of Candor to its end."""
    return run([sys.executable, "-c", SERVE, *map(str, words)])


def run(command: list[str]) -> Taken:
    """Run a command to its end; it is an error if it fails."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{command} ended with {process.returncode}: {said.read().decode()}")
    took = time.perf_counter() - begun
    return Taken(took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


class Server:
    """A server with one worker, and the most memory that any of its processes has taken."""

    def __init__(self, address: str, process: int) -> None:
        self.address, self.process = address, process
        self.most, self.ended = 0.0, False

    def watch(self) -> None:
        """Look at all processes again and again: a helper may be there for seconds only."""
        while not self.ended:
            for each in family(self.process):
                with suppress(OSError):
                    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{each}/status").read_text())
                    self.most = max(self.most, int(found[1]) / 1024 if found else 0)
            time.sleep(WATCHED)

    def measured(self, work: Callable[[], int]) -> tuple[Taken, int]:
        """Do something, beginning at what the server takes now; return that, and what came of it."""
        for each in family(self.process):
            Path(f"/proc/{each}/clear_refs").write_text("5")
        self.most, begun, before = 0.0, time.perf_counter(), processor(self.process)
        returned = work()
        took = time.perf_counter() - begun
        time.sleep(2 * WATCHED)
        return Taken(took, processor(self.process) - before, self.most), returned


@contextmanager
def serving(address: str) -> Iterator[Server]:
    """Run a server on a database."""
    environment = os.environ | {"CANDOR_DATABASE": address, "CANDOR_ADMIN_NAME": "ada"}
    command = [sys.executable, "-c", SERVE, "serve", "--bind", "127.0.0.1:0"]
    environment |= {"CANDOR_ADMIN_PASSWORD": PASSWORD}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = next(found for each in process.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", each)))
    threading.Thread(target=process.stdout.read, daemon=True).start()
    server = Server(line[0], process.pid)
    watcher = threading.Thread(target=server.watch)
    watcher.start()
    try:
        yield server
    finally:
        server.ended = True
        watcher.join()
        process.terminate()
        process.wait()


def fetched(server: Server, cookie: str, path: str) -> int:
    """Fetch a page or a file: its bytes."""
    request = urllib.request.Request(f"{server.address}{path}", headers={"Cookie": cookie})
    length = 0
    with urllib.request.urlopen(request, timeout=HOURS) as answer:
        while piece := answer.read(2**16):
            length += len(piece)
    return length


def wait_for(storage, condition: Callable[..., bool]) -> int:
    """Wait until something holds in a database."""
    while not storage.read(condition):
        time.sleep(0.2)
    return 0


def listed(db) -> bool:
    """Return whether the list of the closed survey is made."""
    return counted_lists.of(db, 1) is not None


def empty(db) -> bool:
    """Return whether nothing is left of the survey that was deleted."""
    ((sheets,),) = db.execute("SELECT count(*) FROM leaf_sheets").fetchall()
    tables = (
        [] if not hasattr(db, "table_names") else [n for n in db.table_names() if n.startswith("deleted_")]
    )
    return not sheets and not tables


def held(database: Path) -> float:
    """Return the seconds that a backup holds the lock while it copies the pages."""
    with closing(connect(database)) as db:
        begun = time.perf_counter()
        with page_copy(db, database.parent):
            return time.perf_counter() - begun


def measure(table: Table, engine: str, rows: int, installation: Engine, place: str) -> None:
    """Do everything with one database, and print a line for each step."""
    address, storage = installation.address, installation.storage()

    def size() -> int:
        return size_of(installation, storage)

    filled = run([sys.executable, __file__, "--fill", address, str(rows)])
    table.add(engine, rows, "(filled)", filled._replace(memory=0), size())
    each = size() / rows
    table.missed |= engine == "sqlite" and rows >= LARGE and each > MOST_BYTES
    print(f"{'':26}{each:.1f} bytes a report while it is open", flush=True)

    def line(step: str, *words: object, disk: Callable[[], int] = size) -> None:
        table.add(engine, rows, step, candor(*words), disk())

    line("verify, open", "verify", "--database", address)
    backup = installation.folder / "backup.zip"
    line("backup", "backup", backup, "--database", address, disk=lambda: backup.stat().st_size)
    with installation.another("restored") as other:
        line("restore", "restore", backup, "--database", other.address)
    backup.unlink()
    if engine == "sqlite":
        print(f"{'':26}{held(storage.path):.2f} s in which a backup lets nobody write", flush=True)
        with tempfile.TemporaryDirectory(dir=place) as folder, ENGINES["postgresql"](Path(folder)) as to:
            line("move to PostgreSQL", "move", address, to.address)
            line("backup of PostgreSQL", "backup", backup, "--database", to.address)
            line("move --undo", "move", "--undo", address)
    close(address)
    with serving(address) as server:
        taken, _ = server.measured(lambda: wait_for(storage, listed))
        table.add(engine, rows, "server: closing", taken, size())
        get(f"{server.address}/")
        cookie = sign_in(server.address)
        for path in ("", "/cross", *(f"/{name}" for name in FILES)):
            found = server.measured(lambda path=path: fetched(server, cookie, f"/results/ten{path}"))
            table.add(engine, rows, f"server: results{path}", *found)
    line("verify, closed", "verify", "--database", address)
    delete(address)
    with serving(address) as server:
        taken, _ = server.measured(lambda: wait_for(storage, empty))
        table.add(engine, rows, "server: deleting", taken, size())
    storage.close()


def main() -> int:
    """Print the table; return 1 if a process takes too much."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--folder", default="/var/tmp")
    parser.add_argument("--fill", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        fill(given.fill[0], int(given.fill[1]))
        return 0
    table = Table()
    for engine in given.engine or ENGINES:
        for rows in given.rows:
            with (
                tempfile.TemporaryDirectory(dir=given.folder) as folder,
                ENGINES[engine](Path(folder)) as installation,
            ):
                measure(table, engine, rows, installation, given.folder)
    return int(table.missed)


if __name__ == "__main__":
    sys.exit(main())
