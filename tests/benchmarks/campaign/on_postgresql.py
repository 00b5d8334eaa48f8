"""The campaign's database on PostgreSQL: a server of its own, set as PostgreSQL comes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg

from server.database import PostgreSQLURL
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.upkeep.backup import back_up, restore

sys.path.append(str(Path(__file__).parents[2] / "postgresql"))
from cluster import programs, run, unprivileged

DATABASE = "campaign"
OPTIONS = ("-c", "listen_addresses=", "-c", "max_connections=100")
PATIENCE = 120
"""Seconds that anything may take."""


class PostgreSQL:
    """A database on a server that runs as long as the block; see `engines.Engine`.

    Parameters
    ----------
    folder : Path
        Where its files and its socket are; the path must be short.
    settings : str
        ``name=value``, what differs from PostgreSQL's defaults.
    """

    def __init__(self, folder: Path, *settings: str) -> None:
        self.folder = folder
        self.options = [*OPTIONS, *(part for setting in settings for part in ("-c", setting))]
        self.address = self.url(DATABASE)
        self.others: list[PostgreSQL] = []

    def url(self, database: str) -> str:
        """Return the address of a database of the server."""
        return f"postgresql://owner@/{database}?host={self.folder}"

    def __enter__(self) -> PostgreSQL:
        self.make()
        return self

    def __exit__(self, *error: object) -> None:
        for other in self.others:
            other.__exit__()
        self.stop(signal.SIGQUIT)

    def make(self, *options: str) -> None:
        """Make the server's files, start it, and make an empty database."""
        self.owned(self.folder)
        encoding = ("--encoding=UTF8", "--locale=C.UTF-8")
        run("initdb", f"--pgdata={self.folder}/data", "--username=owner", "--auth=trust", *encoding, *options)
        self.start()
        self.create(DATABASE)

    def owned(self, folder: Path) -> None:
        """Give a folder to the user who runs the server."""
        if unprivileged():
            shutil.chown(folder, "nobody", "nogroup")

    def start(self) -> None:
        """Start the server, as a child of this process, which must take note of its end."""
        command = [*unprivileged(), programs() / "postgres", "-D", self.folder / "data", *self.options]
        with (self.folder / "postgresql.log").open("a") as log:
            self.server = subprocess.Popen(
                [*command, "-c", f"unix_socket_directories={self.folder}"], stdout=log, stderr=log, cwd="/"
            )
        end = time.monotonic() + PATIENCE
        while not self.answers("postgres"):
            if self.server.poll() is not None or time.monotonic() > end:
                log = (self.folder / "postgresql.log").read_text()
                raise RuntimeError(f"PostgreSQL does not start:\n{log[-2000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server, if it runs: "fast" with SIGINT, "immediate" with SIGQUIT."""
        if self.processes():
            self.server.send_signal(how)
            self.server.wait(PATIENCE)

    def create(self, database: str) -> None:
        """Make an empty database."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {database}")

    def processes(self) -> list[int]:
        """Return the numbers of the server's processes, the first one first; none if it does not run."""
        if self.server.poll() is not None:
            return []
        first = self.server.pid
        return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]

    def kill(self) -> None:
        """Kill every process of the server at once."""
        self.server.send_signal(signal.SIGSTOP)  # so that it starts no other meanwhile
        killed = self.processes()
        for process in killed:
            os.kill(process, signal.SIGKILL)
        self.server.wait()
        while any(Path(f"/proc/{process}/exe").exists() for process in killed):
            time.sleep(0.01)

    def revive(self) -> None:
        """Wait until the server answers, and start it when it ends, as whoever watches over it would."""
        while not self.answers():
            if not self.processes():
                self.start()
            time.sleep(0.1)

    def answers(self, database: str = DATABASE) -> bool:
        """Return whether the server can be asked now."""
        try:
            psycopg.connect(self.url(database), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def storage(self) -> PostgreSQLStorage:
        """Open the store, with connections of its own, for whoever looks what it holds: in no hurry."""
        return PostgreSQLStorage(PostgreSQLURL(self.address), busy_seconds=PATIENCE)

    @contextmanager
    def another(self, name: str) -> Iterator[PostgreSQL]:
        """Give another database of the same server, with nothing in it."""
        self.create(name)
        other = PostgreSQL(self.folder)
        other.address = self.url(name)
        yield other
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the table that everybody needs."""
        with psycopg.connect(self.address) as connection:
            connection.execute("LOCK TABLE candor.surveys IN ACCESS EXCLUSIVE MODE")
            yield

    @contextmanager
    def away(self) -> Iterator[None]:
        """Stop the server."""
        self.stop()
        yield
        self.start()

    def backups(self) -> dict[str, tuple[Callable[[Path], None], Callable[[Path], PostgreSQLStorage]]]:
        """Return PostgreSQL's own ways of copying a database that is in use, and Candor's."""
        ours = {"candor backup": (self.save, self.brought_back)}
        return {**ours, "pg_dump": (self.dump, self.loaded), "pg_basebackup": (self.copy, self.served)}

    def save(self, folder: Path) -> None:
        """Make a backup of Candor's own."""
        back_up(PostgreSQLURL(self.address), folder / "backup.zip")

    def brought_back(self, folder: Path) -> PostgreSQLStorage:
        """Restore it into another database."""
        name = folder.name.replace("-", "_")
        self.create(name)
        target = PostgreSQLURL(self.url(name))
        restore(folder / "backup.zip", target)
        return PostgreSQLStorage(target)

    def dump(self, folder: Path) -> None:
        """Write the database down."""
        self.owned(folder)
        run("pg_dump", "--format=custom", f"--file={folder}/dump", f"--dbname={self.address}")

    def loaded(self, folder: Path) -> PostgreSQLStorage:
        """Load what was written down into another database."""
        name = folder.name.replace("-", "_")
        self.create(name)
        run("pg_restore", "--exit-on-error", f"--dbname={self.url(name)}", f"{folder}/dump")
        return PostgreSQLStorage(PostgreSQLURL(self.url(name)))

    def copy(self, folder: Path) -> None:
        """Copy all files of the server, and the log that makes them whole."""
        self.owned(folder)
        run(
            "pg_basebackup",
            f"--pgdata={folder}/data",
            f"--dbname={self.url('postgres')}",
            "--checkpoint=fast",
        )

    def served(self, folder: Path) -> PostgreSQLStorage:
        """Serve the copy."""
        other = PostgreSQL(folder)
        self.others.append(other)
        other.start()
        return other.storage()


@contextmanager
def failing(installation: PostgreSQL, calls: str, error: str) -> Iterator[None]:
    """Let system calls of all of the server's processes fail, also of those that start meanwhile."""
    attached = [option for process in installation.processes() for option in ("-p", str(process))]
    log = installation.folder / "strace"
    command = [
        "strace",
        "-f",
        *attached,
        "-o",
        log,
        "-e",
        f"trace={calls}",
        "-e",
        f"inject={calls}:error={error}",
    ]
    strace = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        strace.terminate()
        strace.wait()
        log.unlink(missing_ok=True)
        installation.revive()


OUTAGES = {
    "no space on the disk": partial(failing, calls="pwrite64,pwritev", error="ENOSPC"),
    "a disk that cannot sync": partial(failing, calls="fsync,fdatasync", error="EIO"),
}
"""What can befall the server's disk."""
