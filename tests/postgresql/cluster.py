"""A PostgreSQL server for the tests alone: on a socket in a short folder, as a user without privileges.

It is started by the first test that asks for it, whichever process that runs in, and stopped at the end.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from server.database import PostgreSQLURL

VARIABLE = "CANDOR_TEST_CLUSTER"
"""Names the folder, for all processes of a run. The path of a socket may have 107 bytes."""

MADE = "CANDOR_TEST_CLUSTER_MADE"
"""Names the files of a cluster that each new one begins with, if they are there: see `made`."""

ROOM = 2**30
"""How many bytes the databases of a run may take."""

PATIENCE = 600
"""Seconds in which a server must have started, or ended: a busy machine is no fault."""

NUMBERS = itertools.count()
"""Of the databases that this process has made."""

SETTINGS = {
    "listen_addresses": "",
    "max_connections": 400,
    "shared_buffers": "32MB",
    "wal_level": "minimal",
    "max_wal_senders": 0,
    "max_wal_size": "256MB",
    "autovacuum": "off",
    "lc_messages": "C",
}
"""What differs from PostgreSQL's defaults; what makes a commit durable does not."""


def place() -> Path:
    """Return where the folder goes: into memory if there is room, for disks are slow while many tests run."""
    memory = Path("/dev/shm")
    room = memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    return memory if room else Path(tempfile.gettempdir())


def programs() -> Path | None:
    """Return the folder of initdb and pg_ctl, if PostgreSQL is installed."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


def unprivileged() -> list[str]:
    """Return what to put before a command, for root may not run PostgreSQL."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


def run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs; its output is shown where it fails."""
    bin_folder = programs()
    assert bin_folder is not None
    command = [*unprivileged(), str(bin_folder / program), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


@contextmanager
def locked(folder: Path):
    """Hold the lock of a folder, which the processes of a run share."""
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def started() -> Path:
    """Return the folder of the socket of a server that runs."""
    folder = Path(os.environ[VARIABLE])
    with locked(folder):
        if not (folder / "ready").exists():
            folder.mkdir()
            start(folder)
            (folder / "ready").touch()
    return folder


def url(database: str, user: str = "owner") -> PostgreSQLURL:
    """Return the address of a database of the server, which runs."""
    from server.database import PostgreSQLURL  # not above: mutants.py must import nothing of Candor

    return PostgreSQLURL(f"postgresql://{user}@/{database}?host={started()}")


@contextmanager
def opened() -> Iterator[psycopg.Connection]:
    """Connect to the server itself, as its owner."""
    with psycopg.connect(url("postgres").text, autocommit=True) as connection:
        yield connection


def new_database() -> PostgreSQLURL:
    """Make a database that holds nothing at all."""
    name = f"test_{os.getpid()}_{next(NUMBERS)}"
    with opened() as server:
        server.execute(f"CREATE DATABASE {name}")
    return url(name)


def empty(connection: psycopg.Connection) -> None:
    """Remove every row, which is quicker than to make the tables again. Triggers refuse it: they are off."""
    tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'candor'").fetchall()
    work = ["SET LOCAL session_replication_role = replica"]
    for (table,) in tables:
        if re.search(r"_\d+$", table):
            work.append(f"DROP TABLE IF EXISTS candor.{table} CASCADE")  # with its parts
        elif table != "versions":
            work.append(f"DELETE FROM candor.{table}")
    work += [f"ALTER TABLE candor.{table} ALTER id RESTART" for table in ("surveys", "accounts")]
    with connection.transaction():
        connection.execute("; ".join(work))  # at once, for there are thirty


def make(folder: Path) -> None:
    """Make the files of a cluster, in a folder that is given to its user."""
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    if MADE in os.environ:
        copy = [*unprivileged(), "cp", "-a", os.environ[MADE], f"{folder}/data"]
        subprocess.run(copy, check=True, cwd="/")
    else:
        run("initdb", "--pgdata", f"{folder}/data", "--username=owner", "--auth=trust", "--encoding=UTF8",
            "--locale=C.UTF-8", "--no-sync", "--no-instructions")  # fmt: skip


@contextmanager
def made() -> Iterator[None]:
    """Make the files of a cluster once; those that start meanwhile copy them, in a tenth of the time."""
    with tempfile.TemporaryDirectory(dir=place()) as folder:
        make(Path(folder))
        os.environ[MADE] = f"{folder}/data"
        yield
        del os.environ[MADE]


def start(folder: Path) -> None:
    """Make a cluster and start its server."""
    make(folder)
    options = [f"-c {name}={value!s}" for name, value in SETTINGS.items()]
    options.append(f"-c unix_socket_directories={folder}")
    run("pg_ctl", "start", f"--timeout={PATIENCE}", "--pgdata", f"{folder}/data", "--log", f"{folder}/log",
        "-o", " ".join(options))  # fmt: skip


def stop() -> None:
    """Stop the server, if it was started, and remove everything of it."""
    folder = Path(os.environ[VARIABLE])
    try:
        if folder.exists():
            run("pg_ctl", "stop", "--mode=immediate", f"--timeout={PATIENCE}", "--pgdata", f"{folder}/data")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        folder.with_suffix(".lock").unlink(missing_ok=True)
