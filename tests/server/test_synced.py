"""What is acknowledged has reached the disk, as the system calls of a process show."""

import os
import re
import subprocess
import sys

COMMITS = 20
SYNCS = ("fsync", "fdatasync")
WORK = f"""
import os, sys
from server.store.sqlite.connection import connect, make_private

make_private(sys.argv[1])
db = connect(sys.argv[1])
for pragma in sys.argv[2:]:
    db.conn.execute("PRAGMA " + pragma)
db.conn.execute("CREATE TABLE received (number INTEGER)")
for number in range({COMMITS}):
    db.conn.execute("BEGIN IMMEDIATE")
    db.conn.execute("INSERT INTO received VALUES (?)", [number])
    db.conn.execute("COMMIT")
    os.write(2, b"acknowledged")
"""
SENT_TWICE = """
import os, random, sys
from pathlib import Path
from ledger import DAY, draw, open_survey, sizes_of, submission
from server.store import submissions
from server.store.engine import Unavailable
from server.store.sqlite.storage import SQLiteStorage

storage = SQLiteStorage(Path(sys.argv[1]))
storage.create()
survey = storage.write(open_survey)
one = submission(survey, *draw(sizes_of(survey), random.Random(1)))
for _ in range(2):
    try:
        (outcome,) = storage.write_until(storage.deadline(), submissions.record, [one], DAY)
    except Unavailable:
        outcome = "busy"
    os.write(2, b"acknowledged, " * (outcome != "busy") + outcome.encode())
"""
CALL = re.compile(r"^\d+ +(\w+)\(([^,)]*)(.*)$")


def calls(path, *pragmas, work=WORK, inject=()):
    """Trace a process that commits and acknowledges; return each call: its name, its file, the rest."""
    log = path.with_suffix(".strace")
    kinds = "trace=write,pwrite64,fsync,fdatasync,ftruncate,unlink"
    strace = ["strace", "-f", "-y", "-o", log, "-e", kinds, *inject]
    traced = [*strace, sys.executable, "-c", work, path, *pragmas]
    where = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(traced, check=True, capture_output=True, timeout=120, env=where)
    found = map(CALL.match, log.read_text().splitlines())
    return [call.groups() for call in found if call]


def unsynced(traced):
    """Count the acknowledgements before which something was changed and not synced.

    A file that was unlinked is unsynced until its folder is synced; any other until it is synced itself. To
    sync it in vain does not count.
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
        elif name in SYNCS and rest.endswith("= 0"):
            changed.discard(path)
    return late


def answers(traced):
    """Give the place of each answer among the calls, and the answer."""
    outcomes = ("stored", "repeated", "busy")
    said = {n: rest for n, (name, _, rest) in enumerate(traced) if name == "write"}
    return {n: outcome for n, rest in said.items() for outcome in outcomes if outcome in rest}


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


def test_what_was_answered_busy_is_acknowledged_after_another_sync_only(tmp_path):
    """The sync that a commit ends with fails: a reading finds what the power would take away again."""
    smooth = calls(tmp_path / "smooth.db", work=SENT_TWICE)
    assert list(answers(smooth).values()) == ["stored", "repeated"]
    before = [name for name, _, _ in smooth[: min(answers(smooth))] if name in SYNCS]
    last = ["-e", f"inject={before[-1]}:error=EIO:when={before.count(before[-1])}"]
    rough = calls(tmp_path / "rough.db", work=SENT_TWICE, inject=last)
    assert list(answers(rough).values()) == ["busy", "repeated"]
    assert unsynced(rough) == 0
