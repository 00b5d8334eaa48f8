"""What a day of many respondents needs, on paper: measured for one, and multiplied.

Usage: uv run python tests/benchmarks/capacity.py [--rows ROWS] [--engine sqlite|postgresql]

A survey of ten questions gets so many reports by the store's own path, in large batches, and is served to
some respondents, closed and crossed. What that took for each row and each respondent gives the tables. With
--rows 10000000 the rows are as many as a large day brings; that takes half an hour on SQLite.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "campaign")]
from engines import ENGINES, Engine  # noqa: E402
from load import wait_for  # noqa: E402
from submissions import SERVE, SURVEY, running  # noqa: E402
from submissions_sent import request_with, send  # noqa: E402

from server.store import surveys  # noqa: E402
from server.store.engine import Connection, Storage  # noqa: E402
from server.store.results import survey_results  # noqa: E402
from server.store.surveys import Survey  # noqa: E402
from survey.read_definition import parse  # noqa: E402
from survey.record import layout_of  # noqa: E402

DAYS = (10**5, 10**6, 10**7, 10**8)
"""Respondents of a day."""

BUSIEST_HOUR, BUSIEST_SECOND = 0.1, 2.0
"""The share of a day's respondents who come in its busiest hour; and its busiest seconds, over its mean."""

USED = 0.5
"""The share of a processor that is planned to be used."""

CORES = 4
"""Of one web server."""

BATCH, SENT, WARM = 10_000, 2_000, 200
"""Rows stored by one transaction; submissions and pages sent to measure what one takes, and before that."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Measured:
    """What one engine took.

    Attributes
    ----------
    page, submission, database : float
        Seconds of processor: the server's for a page and for a submission, the database's for a submission.
    record : int
        Bytes of one receipt with its reports.
    written : float
        Bytes written to the disk for a submission.
    row : float
        Bytes of the open survey for a respondent.
    store, close, cross : float
        Seconds for a row: stored in large batches, until a closed survey is a plain table, in a cross-table.
    """

    page: float = 0.0
    submission: float = 0.0
    database: float = 0.0
    record: int = 0
    written: float = 0.0
    row: float = 0.0
    store: float = 0.0
    close: float = 0.0
    cross: float = 0.0


def taken(processes: Iterable[int]) -> tuple[float, int]:
    """Return the seconds of processor that processes have had, and the bytes that they have written."""
    seconds, written = 0.0, 0
    for process in processes:
        folder = Path(f"/proc/{process}")
        try:
            fields = (folder / "stat").read_text().rpartition(") ")[2].split()
            lines = (folder / "io").read_text().splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue
        seconds += (int(fields[11]) + int(fields[12])) / TICKS
        written += int(next(line for line in lines if line.startswith("write_bytes")).split()[1])
    return seconds, written


def group_of(leader: int) -> list[int]:
    """Return the processes of a group."""
    return [
        int(folder.name) for folder in Path("/proc").glob("[0-9]*") if os.getpgid(int(folder.name)) == leader
    ]


def database_processes(installation: Engine) -> list[int]:
    """Return the processes of the database; SQLite has none."""
    return getattr(installation, "processes", list)()


def settle(installation: Engine, storage: Storage) -> None:
    """Let the database write to the disk whatever waits for it."""
    if database_processes(installation):
        import psycopg

        with psycopg.connect(installation.address, autocommit=True) as connection:
            connection.execute("CHECKPOINT")


def size_of(installation: Engine, storage: Storage) -> int:
    """Return the bytes of the database."""
    if database_processes(installation):
        ((size,),) = storage.read(
            lambda db: db.execute("SELECT pg_database_size(current_database())").fetchall()
        )
        return int(size)
    return Path(installation.address).stat().st_size


def fill(db: Connection, survey: Survey, records: dict[bytes, bytes]) -> None:
    """Store records as a batch of submissions would."""
    db.reports.put(survey.id, survey.publication, records)


def drawn(survey: Survey, many: int, draw: np.random.Generator) -> dict[bytes, bytes]:
    """Draw records with their receipts: ten columns of a byte each."""
    layout = layout_of(survey.publication)
    codes = draw.integers(0, 2, (many, layout.size), np.uint8).tobytes()
    receipts = draw.bytes(16 * many)
    size = layout.size
    return {receipts[16 * n : 16 * n + 16]: codes[size * n : size * n + size] for n in range(many)}


@contextmanager
def timed(measured: Measured, what: str, rows: int):
    """Note how many seconds the block took for a row."""
    begun = time.perf_counter()
    yield
    setattr(measured, what, (time.perf_counter() - begun) / rows)


def measure(engine: str, rows: int) -> Measured:
    """Store, serve, close and cross on an engine."""
    found, draw = Measured(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, ENGINES[engine](Path(folder)) as installation:
        storage = installation.storage()
        storage.create()
        draft = storage.write(surveys.import_definition, parse(SURVEY, "ten.toml"))
        survey = storage.write(surveys.open_survey, draft.id)
        found.record = 16 + layout_of(survey.publication).size
        empty = size_of(installation, storage)
        with timed(found, "store", rows):
            for start in range(0, rows, BATCH):
                storage.write(fill, survey, drawn(survey, min(BATCH, rows - start), draw))
        found.row = (size_of(installation, storage) - empty) / rows
        settle(installation, storage)
        storage.close()
        served(installation, survey, found)
        with timed(found, "close", rows):
            survey = storage.write(surveys.close_survey, survey.id)
            storage.finish()
        with timed(found, "cross", rows):
            reports = survey_results.noisy_reports(storage, survey)
            pairs = reports.pairs(0, 1, (2, 2))
        assert pairs.sum() == rows + SENT + WARM
        storage.close()
    return found


def served(installation: Engine, survey: Survey, found: Measured) -> None:
    """Serve the survey, and note what a page and a submission take."""
    page = b"GET /s/ten HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n"
    bodies = [request_with(survey.publication.fingerprint) for _ in range(SENT)]
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}
    command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0"]
    storage = installation.storage()
    with running(command, CANDOR_DATABASE=installation.address, **admin) as (port, group):
        wait_for(f"http://127.0.0.1:{port}/s/ten")
        send(port, [page] * WARM)
        send(port, [request_with(survey.publication.fingerprint) for _ in range(WARM)])
        settle(installation, storage)
        begun, _ = taken(group_of(group))
        send(port, [page] * SENT)
        after, before_bytes = taken(group_of(group))
        found.page = (after - begun) / SENT
        theirs, their_bytes = taken(database_processes(installation))
        send(port, bodies)
        settle(installation, storage)
        ended, bytes_now = taken(group_of(group))
        theirs_now, their_bytes_now = taken(database_processes(installation))
        found.submission = (ended - after) / SENT
        found.database = (theirs_now - theirs) / SENT
        found.written = (bytes_now - before_bytes + their_bytes_now - their_bytes) / SENT


def table(engine: str, found: Measured, rows: int) -> None:
    """Print what was measured and what it makes of each day."""
    print(f"\n{engine}, measured with {rows:,} rows and {SENT:,} respondents")
    print(
        f"  processor: {1000 * found.page:.2f} ms a page, {1000 * found.submission:.2f} ms a submission, "
        f"and {1000 * found.database:.2f} ms of the database\n"
        f"  bytes: {found.record} sent and kept, {found.row:.0f} stored, {found.written:,.0f} written to the "
        f"disk: {found.written / found.record:.0f} times what is kept\n"
        f"  a million rows: {found.store * 1e6:.0f} s to store in large batches, "
        f"{found.close * 1e6:.0f} s to close, {found.cross * 1e6:.1f} s to cross two questions"
    )
    print(
        "  respondents  busiest second  web cores  servers  database cores  storage GB  written GB  "
        "close  cross"
    )
    for people in DAYS:
        peak = people * BUSIEST_HOUR / 3600 * BUSIEST_SECOND
        cores = peak * (found.page + found.submission) / USED
        servers = max(1 if engine == "sqlite" else 2, math.ceil(cores / CORES))
        fits = engine == "postgresql" or servers == 1
        print(
            f"  {people:11,} {peak:13,.0f}/s {cores:10.2f} {servers if fits else 'none':>8} "
            f"{peak * found.database / USED:15.2f} {people * found.row / 1e9:11.2f} "
            f"{people * found.written / 1e9:11.1f} {duration(people * found.close):>7} "
            f"{duration(people * found.cross):>6}"
        )


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


ASSUMPTIONS = f"""
Assumed: {BUSIEST_HOUR:.0%} of a day's respondents come in its busiest hour, and its busiest seconds bring
{BUSIEST_SECOND:.0f} times its mean; {USED:.0%} of each processor is used; a web server has {CORES} cores like
these, and PostgreSQL has two of them at least in front of it. Everything grows in proportion to the
respondents. Storage holds one copy of an open survey; closing needs as much again while it runs, and so does
each replica and each backup. SQLite has one machine: "none" is a day for PostgreSQL."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    given = parser.parse_args()
    for engine in given.engine or ENGINES:
        table(engine, measure(engine, given.rows), given.rows)
    print(ASSUMPTIONS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
