"""Work that blocks runs in threads, and its arguments are printed nowhere, even when it fails."""

import re
import subprocess
import sys
from pathlib import Path

from server.config import Config
from server.store.committer import Batch
from server.store.staff.accounts import Account
from server.store.submissions import Submission

UNDER_GEVENT = """
from gevent import monkey; monkey.patch_all()
import sqlite3, sys
from pathlib import Path
from server.store.committer import Committer
from server.store.engine import Unavailable
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, sessions
from server.store.submissions import Submission
storage = SQLiteStorage(Path(sys.argv[1]), busy_seconds=0.05)
storage.create()
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN EXCLUSIVE")
attempts = (
    lambda: Committer(storage).submit(Submission(1, "f" * 64, "5ec7e7" * 4, {"copied": 1}), "2026-05-04"),
    lambda: storage.read(sessions.account_of, "5ec7e7-token", 0.0),
    lambda: storage.write(accounts.set_password_hash, 1, "5ec7e7-hash"),
)
for attempt in attempts:
    try:
        attempt()
    except Unavailable:
        print("told")
"""


def test_what_fails_in_a_thread_of_gevents_is_told_to_the_caller_and_to_nobody_else(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", UNDER_GEVENT, str(tmp_path / "a.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == ["told"] * 3
    assert ended.stderr == ""


WAITING = """
from gevent import monkey; monkey.patch_all()
import gevent, sqlite3, sys
from pathlib import Path
from server.store.committer import Committer
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
storage = SQLiteStorage(Path(sys.argv[1]), busy_seconds=60)
storage.create()
committer = Committer(storage)
def free():
    for _ in range(3):
        gevent.sleep(0.02)
    other.close()
for lock in (["BEGIN EXCLUSIVE"], ["BEGIN IMMEDIATE"], ["BEGIN", "SELECT name FROM settings"]):
    other = sqlite3.connect(sys.argv[1], isolation_level=None)
    for each in lock:
        other.execute(each).fetchone()
    committer.start(1, "2026-05-04")
    gevent.spawn(free)
    print(committer.submit(Submission(1, "f" * 64, "0" * 32, {}), "2026-05-04"))
"""


def test_nobody_waits_while_a_submission_waits_for_a_lock(tmp_path):
    """Another process writes, has begun to, or reads, so that the commit itself waits.

    Only what has a turn meanwhile ends the lock.
    """
    command = [sys.executable, "-c", WAITING, str(tmp_path / "a.db")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["missing"] * 3, ended.stderr


CROWDED = """
from gevent import monkey; monkey.patch_all()
import gevent, sys
from pathlib import Path
from server.store.sqlite.storage import SQLiteStorage
storage = SQLiteStorage(Path(sys.argv[1]), busy_seconds=60)
storage.create()
others = []
def crowd(db):
    others.extend(gevent.spawn(storage.write, lambda db: "written") for _ in range(20))
    gevent.sleep(0.2)
    return "stored"
print(storage.write_until(storage.deadline(), crowd))
gevent.joinall(others)
print({each.value for each in others})
"""


def test_a_commit_waits_for_nobody_who_waits_for_its_lock(tmp_path):
    command = [sys.executable, "-c", CROWDED, str(tmp_path / "a.db")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["stored", "{'written'}"], ended.stderr


def test_what_is_secret_stands_in_no_representation():
    submission = Submission(1, "f" * 64, "5ec7e7" * 4, {"copied": 4711})
    account = Account(1, "ada", "admin", "5ec7e7-hash")
    config = Config(secret_key="5ec7e7-key", admin_name="ada", admin_password="5ec7e7-password")
    said = repr([submission, Batch([(submission, "2026-05-04")], 0.0), account, config])
    assert "ada" in said
    assert "5ec7e7" not in said
    assert "4711" not in said


COMPUTING = """
from gevent import monkey; monkey.patch_all()
import gevent, time
from server.runtime import offload
block = lambda: monkey.get_original("time", "sleep")(0.2)
begin = time.monotonic()
slow = [gevent.spawn(offload.compute, block) for _ in range(15)]
gevent.sleep(0.05)
offload.run(int)
print(not all(each.ready() for each in slow))
gevent.joinall(slow)
print(time.monotonic() - begin > 2.9)
"""


def test_computations_wait_for_each_other_and_nobody_waits_for_them():
    command = [sys.executable, "-c", COMPUTING]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "True"]


KEEPING = """
from gevent import monkey; monkey.patch_all()
import gevent
from server.runtime.bounded_cache import BoundedCache
kept, calls, ends = BoundedCache(2), [], []
def slow(key):
    calls.append(key)
    for _ in range(6000 if key == "b" else 20):
        if not ends:
            monkey.get_original("time", "sleep")(0.01)
    return key.upper()
ask = lambda key: kept.get(key, lambda: slow(key))
assert [each.get() for each in [gevent.spawn(ask, "a") for _ in range(5)]] == ["A"] * 5
print(calls)
busy = gevent.spawn(ask, "b")
gevent.sleep(0.05)
print(ask("a"), not busy.ready())
ends.append(True)
busy.get(), ask("c"), ask("a")
print(calls)
"""


def test_who_asks_again_waits_for_no_computation_and_the_oldest_result_is_dropped():
    ended = subprocess.run([sys.executable, "-c", KEEPING], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["['a']", "A True", "['a', 'b', 'c', 'a']"]


SEVERAL_SECONDS = """
from gevent import monkey; monkey.patch_all()
import gevent, time
from server.runtime.bounded_cache import BoundedCache
from survey.interval import proportion_intervals
from survey.mechanisms import exponential
channel, counts, kept, gaps, computed = exponential(50, 4.0), list(range(16, 66)), BoundedCache(1), [], []
def serve():
    while True:
        last = time.monotonic()
        gevent.sleep(0.005)
        gaps.append(time.monotonic() - last)
def intervals():
    computed.append("mood")
    return [proportion_intervals(channel, counts, level, "exact") for level in (0.9, 0.95)]
gevent.spawn(serve)
begin = time.monotonic()
kept.get("mood", intervals)
took = time.monotonic() - begin
kept.get("mood", intervals)
print(len(gaps) > 10, max(gaps) < took / 2, computed == ["mood"])
"""


def test_the_intervals_of_50_ordered_options_hold_up_nobody_and_are_computed_once():
    ended = subprocess.run(
        [sys.executable, "-c", SEVERAL_SECONDS], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["True"] * 3


GENTLY = """
from gevent import monkey; monkey.patch_all()
import gevent, os, re
from pathlib import Path
from server.runtime import offload
from server.store.staff import accounts
niceness = lambda: os.getpriority(os.PRIO_PROCESS, 0)
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
def growth(many):
    before = peak()
    jobs = [gevent.spawn(offload.run_gently, accounts.hash_password, 16 * "a") for _ in range(many)]
    gevent.sleep(0)
    print("the loop goes on" * any(not job.ready() for job in jobs))
    gevent.joinall(jobs)
    return peak() - before
print("as much as one" * (growth(1) > 2 * growth(3)))
print("gives way" * (offload.run_gently(niceness) == max(offload.NICENESS, niceness())))
print("alone" * (offload.run(niceness) == niceness()))
"""


def test_passwords_are_hashed_one_at_a_time_by_a_thread_that_gives_way_to_others():
    ended = subprocess.run([sys.executable, "-c", GENTLY], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == ["the loop goes on"] * 2 + ["as much as one", "gives way", "alone"]


def test_every_password_of_a_request_is_hashed_so():
    room = Path(__file__).parents[2] / "server"
    hashing = r"(\S*)\(accounts\.(?:hash_password|password_matches)"
    calls = [call for path in room.rglob("*.py") for call in re.findall(hashing, path.read_text())]
    assert calls == ["offload.run_gently"] * 10
