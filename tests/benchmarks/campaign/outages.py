"""Disk full, disk failing, read-only, locked, taken away: said so, nothing lost, and over by itself."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from engines import Engine, installed, wait_until
from ledger import Ledger, faults, summary
from on_postgresql import OUTAGES
from respondents import plan_for, sending
from servers import Server, serving

LASTS = 3.0
"""Seconds for which a fault lasts; a lock lasts longer than the server waits for it."""


@contextmanager
def limited(process: int, size: int) -> Iterator[None]:
    """Let a process write no file beyond a size, as a full disk would."""
    before = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)


@contextmanager
def failing(installation: Engine, server: Server, calls: str, error: str) -> Iterator[None]:
    """Let system calls of a worker fail on the database's files."""
    (worker,) = server.workers()
    files = [option for end in ("", "-journal") for option in ("-P", installation.address + end)]
    inject = f"inject={calls}:error={error}"
    log = installation.folder / "strace"
    command = ["strace", "-f", "-p", str(worker), "-o", log, *files, "-e", f"trace={calls}", "-e", inject]
    strace = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: log.exists() and "INJECTED" in log.read_text())
        yield
    finally:
        strace.terminate()
        strace.wait()
        log.unlink(missing_ok=True)


@contextmanager
def full(installation: Engine, server: Server, share: float) -> Iterator[None]:
    """Let a worker write only so far as a share of the database."""
    (worker,) = server.workers()
    with limited(worker, int(share * Path(installation.address).stat().st_size)):
        yield


@contextmanager
def locked(installation: Engine, server: Server) -> Iterator[None]:
    """Hold the database for longer than anybody waits."""
    with installation.locked():
        time.sleep(2 * LASTS)
        yield


Fault = Callable[[Engine, Server], AbstractContextManager[None]]

ANYWHERE: dict[str, Fault] = {
    "locked by somebody else": locked,
    "taken away": lambda installation, server: installation.away(),
}
ON_SQLITE: dict[str, Fault] = {
    "no room at all": lambda installation, server: full(installation, server, 0),
    "no room in the middle": lambda installation, server: full(installation, server, 0.5),
    "no room to grow": lambda installation, server: full(installation, server, 0.99),
    "no space on the disk": lambda installation, server: failing(installation, server, "pwrite64", "ENOSPC"),
    "a disk that cannot sync": lambda installation, server: failing(
        installation, server, "fsync,fdatasync", "EIO"
    ),
    "a disk that cannot truncate": lambda installation, server: failing(
        installation, server, "ftruncate", "EIO"
    ),
    "a disk that cannot be read": lambda installation, server: failing(
        installation, server, "pread64", "EIO"
    ),
    "a read-only disk": lambda installation, server: failing(
        installation, server, "openat,pwrite64,ftruncate", "EROFS"
    ),
}
ON_POSTGRESQL: dict[str, Fault] = {
    name: lambda installation, server, fault=fault: fault(installation) for name, fault in OUTAGES.items()
}
WAYS = {"sqlite": ON_SQLITE | ANYWHERE, "postgresql": ON_POSTGRESQL | ANYWHERE}


def table(engine: str, count: int = 800) -> bool:
    """Print a row for each fault; return whether nothing was missed."""
    print("fault                         acknowledged  answered 503  worst seconds  wrong")
    with installed(engine) as (installation, survey):
        ledger, well = Ledger(), True
        with serving(installation) as (server,):
            for seed, (name, fault) in enumerate(WAYS[engine].items()):
                plan = plan_for(survey, [server], count=count, together=16, rate=100, seed=seed)
                with sending(plan) as respondents:
                    wait_until(lambda: respondents.acknowledged() >= count / 8)
                    with fault(installation, server):
                        time.sleep(LASTS)
                    report = respondents.report()
                ledger.sent |= report.ledger.sent
                ledger.acknowledged |= report.ledger.acknowledged
                busy, wrong = report.met.get("busy", 0), report.wrong
                wrong += [] if busy else ["it was not noticed"]
                print(
                    f"{name:29} {len(report.ledger.acknowledged):12,} {busy:13,} "
                    f"{max(report.seconds):14.1f}  {summary(wrong)}",
                    flush=True,
                )
                well &= not wrong
        wrong = faults(installation.storage(), ledger)
    print(f"{'in the end':29} {len(ledger.acknowledged):12,} {'':28}  {summary(wrong)}")
    return well and not wrong and len(ledger.acknowledged) == len(ledger.sent)
