"""Checks of the machine: permissions of the files, room on the disk, open connections."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from server.cli.checks import Check
from server.store.upkeep.backup_file import UNFINISHED

LEAST_FREE = 100 * 2**20
"""Bytes. With less, the server may stop storing at any moment."""

ROOM = 2**30
"""Bytes that should be free besides a second copy of the database, which backups and closing need."""

LEAST_OPEN = 4096
"""Open files that a process should be allowed: a worker takes 2000 connections, each with a socket."""

NETWORKS = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "glusterfs", "ceph"})
"""File systems on other machines. SQLite's locks do not hold on all of them, and "synced" may mean "sent"."""

MEMORY = frozenset({"tmpfs", "ramfs"})


def versions() -> Check:
    """Name the versions that run here."""
    python = ".".join(map(str, sys.version_info[:3]))
    parts = f"Candor {version('candor-survey')}, Python {python}, SQLite {sqlite3.sqlite_version}"
    if sys.version_info < (3, 11):  # noqa: UP036  # whoever installs by hand may pass the check of pip
        return Check("versions", "fault", parts, "Python must be 3.11 or later")
    return Check("versions", "ok", parts)


def files(database: Path) -> Iterator[Check]:
    """Check who may read and write the file of a database, and whether anything was left beside it."""
    if not database.exists():
        return
    folder = database.parent
    mode = stat.S_IMODE(database.stat().st_mode)
    if not (os.access(database, os.W_OK) and os.access(folder, os.W_OK)):
        finding = f"{database} or its folder cannot be written by this user"
        yield Check("permissions", "fault", finding, "give both to the user who runs candor serve")
    elif mode & 0o077:
        finding = f"other users of this machine may open {database} (mode {mode:03o})"
        yield Check("permissions", "warning", finding, f"chmod 600 {database}")
    elif os.geteuid() != database.stat().st_uid:
        finding = f"{database} belongs to another user"
        yield Check("permissions", "warning", finding, "run candor doctor as the user who runs candor serve")
    else:
        yield Check("permissions", "ok", f"only its owner may open {database}")
    open_to_all = stat.S_IMODE(folder.stat().st_mode)
    if open_to_all & 0o002 and not open_to_all & stat.S_ISVTX:
        finding = f"every user of this machine may replace files in {folder.resolve()}"
        yield Check("permissions", "fault", finding, f"chmod o-w {folder.resolve()}")
    for left in sorted(folder.glob(f"{UNFINISHED}*")):
        finding = f"{left} was left by a backup or a restore that was killed, or runs now"
        yield Check("leftovers", "warning", finding, "remove it unless one runs")


def disk(database: Path, mounts: Iterable[str]) -> Iterator[Check]:
    """Check how much room the disk has, and whether its file system is durable."""
    folder = database.parent.resolve()
    free = shutil.disk_usage(folder).free
    held = database.stat().st_size if database.exists() else 0
    finding = f"{free / 2**30:,.1f} GB free where the database is, which takes {held / 2**30:,.1f} GB"
    if free < LEAST_FREE:
        yield Check("space", "fault", finding, "make room: without it nothing can be stored")
    elif free < held + ROOM:
        yield Check("space", "warning", finding, "make room for a second copy: backups and closing need it")
    else:
        yield Check("space", "ok", finding)
    kind = kind_of(folder, mounts)
    if kind in MEMORY:
        finding = f"{folder} is in memory ({kind}), and gone when the machine stops"
        yield Check("disk", "warning", finding, "move the database to a disk")
    elif kind in NETWORKS:
        finding = f"{folder} is on another machine ({kind}), where locks and syncing may not hold"
        yield Check(
            "disk", "warning", finding, "move the database to a disk of this machine, or to PostgreSQL"
        )


def kind_of(folder: Path, mounts: Iterable[str]) -> str:
    """Return the kind of a folder's file system by the lines of ``/proc/mounts``, or "" if it is unknown.

    Examples
    --------
    >>> kind_of(Path("/srv/data/here"), ["/dev/vda / ext4 rw 0 0", "box:/x /srv/data nfs4 rw 0 0"])
    'nfs4'
    """
    deepest = (Path("/"), "")
    for line in mounts:
        _, place, kind, *_ = line.split()
        mounted = Path(place.replace("\\040", " "))
        if folder.is_relative_to(mounted) and len(mounted.parts) >= len(deepest[0].parts):
            deepest = (mounted, kind)
    return deepest[1]


def limits() -> Check:
    """Check how many files a process may open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < LEAST_OPEN:
        finding = f"a process may open {soft:,} files here, and each connection takes one"
        return Check("open files", "warning", finding, f"LimitNOFILE={LEAST_OPEN} in systemd, or ulimit -n")
    return Check("open files", "ok", "a process may open as many files as it takes connections")


def mounts() -> list[str]:
    """Return the lines of ``/proc/mounts``, if there is such a file."""
    table = Path("/proc/mounts")
    return table.read_text("utf-8", "replace").splitlines() if table.exists() else []
