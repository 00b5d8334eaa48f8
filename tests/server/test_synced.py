"""What is acknowledged has reached the disk, as the system calls of a process show."""

import re
import subprocess
import sys

COMMITS = 20
WORK = f"""
import os, sys
from server.store.sqlite.file import connect

db = connect(sys.argv[1], create=True)
for pragma in sys.argv[2:]:
    db.conn.execute("PRAGMA " + pragma)
db.conn.execute("CREATE TABLE received (number INTEGER)")
for number in range({COMMITS}):
    db.conn.execute("BEGIN IMMEDIATE")
    db.conn.execute("INSERT INTO received VALUES (?)", [number])
    db.conn.execute("COMMIT")
    os.write(2, b"acknowledged")
"""
CALL = re.compile(r"^\d+ +(\w+)\(([^,)]*)(.*)$")


def calls(path, *pragmas):
    """Trace a process that commits and acknowledges; return each call: its name, its file, the rest."""
    log = path.with_suffix(".strace")
    kinds = "trace=write,pwrite64,fsync,fdatasync,ftruncate,unlink"
    traced = ["strace", "-f", "-y", "-o", log, "-e", kinds, sys.executable, "-c", WORK, path, *pragmas]
    subprocess.run(traced, check=True, capture_output=True, timeout=60)
    found = map(CALL.match, log.read_text().splitlines())
    return [call.groups() for call in found if call]


def unsynced(traced):
    """Count the acknowledgements before which something was changed and not synced.

    A file that was unlinked is unsynced until its folder is synced; any other until it is synced itself.
    """
    changed, late = set(), 0
    for name, file, rest in traced:
        path = re.sub(r"^\d+<(.*)>$|^\"(.*)\"$", r"\1\2", file)
        if name == "write" and "acknowledged" in rest:
            late += bool(changed)
        elif name in ("pwrite64", "ftruncate"):
            changed.add(path)
        elif name == "unlink":
            changed.discard(path)
            changed.add(path.rpartition("/")[0])
        elif name in ("fsync", "fdatasync"):
            changed.discard(path)
    return late


def acknowledged(traced):
    return sum(name == "write" and "acknowledged" in rest for name, _, rest in traced)


def test_everything_is_synced_before_it_is_acknowledged(tmp_path):
    traced = calls(tmp_path / "candor.db")
    assert acknowledged(traced) == COMMITS
    assert unsynced(traced) == 0


def test_a_journal_that_is_deleted_would_not_be(tmp_path):
    assert unsynced(calls(tmp_path / "candor.db", "journal_mode=DELETE")) == COMMITS


def test_nothing_would_be_without_syncs(tmp_path):
    assert unsynced(calls(tmp_path / "candor.db", "synchronous=OFF")) == COMMITS
