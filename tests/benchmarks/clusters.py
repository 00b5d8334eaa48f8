"""PostgreSQL servers of one's own: made, killed, started again, followed by a standby."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "postgresql")]
from cluster import programs, run, unprivileged  # noqa: E402  # in the tests

PATIENCE = 60.0
"""Seconds that anything may take."""

SETTINGS = {"listen_addresses": "", "max_connections": 100, "max_wal_size": "256MB", "lc_messages": "C"}
"""What differs from PostgreSQL's defaults; nothing of what makes a commit durable."""


class Cluster:
    """A PostgreSQL server in a short folder of its own.

    Parameters
    ----------
    folder : Path
        Where it keeps everything; the path of a socket may have 107 bytes.
    settings : Any
        More that differs from the defaults.
    """

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.settings = SETTINGS | settings
        self.server: subprocess.Popen[bytes] | None = None
        folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")

    def make(self) -> None:
        """Make an empty database `candor`, and start."""
        run("initdb", f"--pgdata={self.data}", "--username=owner", "--auth=trust", "--encoding=UTF8",
            "--locale=C.UTF-8", "--no-instructions")  # fmt: skip
        self.start()
        run("createdb", f"--host={self.folder}", "--username=owner", "candor")

    def follow(self, other: Cluster) -> None:
        """Become a standby of another server, and start."""
        run("pg_basebackup", f"--host={other.folder}", "--username=owner", f"--pgdata={self.data}",
            "--write-recovery-conf", "--checkpoint=fast")  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start, also after a kill, as a process of ours: who starts it must take note of its end."""
        folder = programs()
        assert folder is not None
        options = [f"--{name}={value!s}" for name, value in self.settings.items()]
        with (self.folder / "log").open("a") as log:
            self.server = subprocess.Popen(
                [*unprivileged(), str(folder / "postgres"), "-D", self.data, "-k", self.folder, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
            )
        end = time.monotonic() + PATIENCE
        while subprocess.run([folder / "pg_isready", "-q", "-h", self.folder]).returncode:
            if self.server.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill every process of it at once, and wait until none is left."""
        every = self.processes()
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.server.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while any(map(is_alive, every)):
            if time.monotonic() > end:
                raise TimeoutError("PostgreSQL did not end")
            time.sleep(0.01)

    def promote(self) -> None:
        """Make a standby the server that takes writes."""
        run("pg_ctl", "promote", "--wait", f"--pgdata={self.data}")

    def stop(self) -> None:
        """Stop at once, if it runs; what was committed stays."""
        if self.server is not None and self.server.poll() is None:
            self.server.send_signal(signal.SIGQUIT)
            self.server.wait(PATIENCE)

    def processes(self) -> list[int]:
        """Return the numbers of all its processes."""
        assert self.server is not None
        return [self.server.pid, *children(self.server.pid)]


def children(process: int) -> list[int]:
    """Return the numbers of the processes that a process has started."""
    return [int(n) for n in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_alive(process: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def address(*clusters: Cluster) -> str:
    """Return the URL of the database on whichever of several servers takes writes."""
    return f"postgresql://owner@/candor?host={','.join(str(cluster.folder) for cluster in clusters)}"
