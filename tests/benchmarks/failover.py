"""Three PostgreSQL servers as `candor deploy patroni` sets them up, which fail in turn while people submit.

Usage: uv run python tests/benchmarks/failover.py [EVENTS]

EVENTS is 20: a switchover; the leader's PostgreSQL killed; its Patroni and PostgreSQL killed, and frozen.
Each time it is measured how long nothing is acknowledged. Nothing that was acknowledged may be lost or
doubled, and no two published states, read from the leader again and again, may be nearer than a step. All run
here, where Patroni 3 and etcd must be installed: `apt install --no-install-recommends patroni etcd-server`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import yaml

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "campaign"), str(BENCHMARKS.parent / "postgresql")]
from cluster import programs, unprivileged  # noqa: E402  # in the tests
from clusters import children, is_alive  # noqa: E402
from hot_survey import SHOWN, States, broken, tallies  # noqa: E402
from ledger import SLUG, faults, summary  # noqa: E402
from respondents import plan_for, sending  # noqa: E402
from two_servers import prepared, servers, short_folder, storage_at  # noqa: E402

from server.cli.deploy import file_of  # noqa: E402
from server.store import surveys  # noqa: E402
from server.store.engine import Unavailable  # noqa: E402

TOGETHER, PACE = 16, 20.0
PATIENCE = 120.0
MOST = {"switchover": 10, "PostgreSQL killed": 15, "both killed": 40, "both frozen": 40}
"""Event -> the most seconds for which nothing may be acknowledged."""

MAY_STAY = "PostgreSQL killed"
"""The event after which the same one may lead again."""

PASSWORDS = {
    f"PATRONI_{who}_PASSWORD": "only for this run" for who in ("SUPERUSER", "REPLICATION", "RESTAPI")
}


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Member:
    """One of the three: Patroni, and the PostgreSQL that it runs.

    Parameters
    ----------
    name : str
    folder : Path
        Where it keeps everything.
    etcd : int
        The port of etcd.
    """

    def __init__(self, name: str, folder: Path, etcd: int) -> None:
        self.name, self.folder = name, folder / name
        self.port, self.rest = free_port(), free_port()
        self.folder.mkdir()
        config = yaml.safe_load(file_of("patroni").replace("dbN", name))
        at = dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{self.rest}")
        config["restapi"] |= at
        config["etcd"]["hosts"] = [f"127.0.0.1:{etcd}"]
        config["postgresql"] |= dict.fromkeys(("listen", "connect_address"), f"127.0.0.1:{self.port}")
        config["postgresql"] |= {"data_dir": f"{self.folder}/data", "bin_dir": str(programs())}
        config["postgresql"]["pgpass"] = f"{self.folder}/pgpass"
        config["postgresql"]["parameters"] = {"unix_socket_directories": str(self.folder)}
        config["postgresql"]["pg_hba"].insert(0, "host candor candor 127.0.0.1/32 trust")
        (self.folder / "patroni.yml").write_text(yaml.safe_dump(config))
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
        self.start()

    def start(self) -> None:
        """Start Patroni, also after it was killed, as systemd does."""
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [*unprivileged(), shutil.which("patroni"), self.folder / "patroni.yml"],
                env=os.environ | PASSWORDS,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )

    def database(self) -> list[int]:
        """Return the processes of PostgreSQL."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            first = int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])
            return [first, *children(first)]
        return []

    def send(self, number: int, *, patroni: bool) -> list[int]:
        """Send a signal to PostgreSQL, and to Patroni before it."""
        every = ([self.process.pid] if patroni else []) + self.database()
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
        return every

    def stop(self) -> None:
        """End everything of it."""
        self.send(signal.SIGKILL, patroni=True)
        self.process.wait()

    def asked(self, path: str) -> bytes:
        """Ask its Patroni."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/{path}", timeout=2) as answer:
            return answer.read()


class Trio:
    """The three, with etcd."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        etcd, peer = free_port(), free_port()
        command = [shutil.which("etcd"), f"--data-dir={folder}/etcd", "--unsafe-no-fsync"]
        command += [f"--{kind}-client-urls=http://127.0.0.1:{etcd}" for kind in ("listen", "advertise")]
        command += [f"--{kind}-peer-urls=http://127.0.0.1:{peer}" for kind in ("listen", "initial-advertise")]
        command.append(f"--initial-cluster=default=http://127.0.0.1:{peer}")
        told = dict(re.findall(r"^(ETCD_ENABLE\w+)=(.+)$", file_of("etcd"), re.MULTILINE))
        process = subprocess.Popen(
            command, env=os.environ | told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stack.callback(process.kill)
        self.members = []
        for number in range(3):
            self.members.append(Member(f"db{number + 1}", folder, etcd))
            stack.callback(self.members[-1].stop)
        self.wait_until_whole()

    def roles(self) -> dict[str, str]:
        """Return the roles of the members that run and follow, as any Patroni knows them."""
        for member in self.members:
            with contextlib.suppress(OSError, ValueError):
                return {
                    one["name"]: one["role"]
                    for one in json.loads(member.asked("cluster"))["members"]
                    if one["state"] in ("running", "streaming")
                }
        return {}

    def wait_until_whole(self) -> None:
        """Wait until there is a leader, a synchronous standby, and another one."""
        wait_for(lambda: sorted(self.roles().values()) == ["leader", "replica", "sync_standby"])

    def with_role(self, role: str) -> Member:
        """Return the member that has a role."""
        (name,) = (name for name, held in self.roles().items() if held == role)
        return next(member for member in self.members if member.name == name)

    def address(self, user: str) -> str:
        """Return the URL of the database on whichever takes writes."""
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in self.members)
        return f"postgresql://{user}@{hosts}/candor"


def wait_for(found: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            raise TimeoutError("it takes too long")
        time.sleep(0.1)


def switchover(trio: Trio) -> Callable[[], None]:
    """Let the synchronous standby take over."""
    leader, standby = trio.with_role("leader"), trio.with_role("sync_standby")
    asked = {"leader": leader.name, "candidate": standby.name}
    credentials = "cGF0cm9uaTpvbmx5IGZvciB0aGlzIHJ1bg=="  # patroni:only for this run
    request = urllib.request.Request(
        f"http://127.0.0.1:{leader.rest}/switchover",
        json.dumps(asked).encode(),
        {"Authorization": f"Basic {credentials}"},
    )
    threading.Thread(target=lambda: urllib.request.urlopen(request, timeout=PATIENCE).read()).start()
    return lambda: None


def database_killed(trio: Trio) -> Callable[[], None]:
    """Kill PostgreSQL on the leader."""
    assert trio.with_role("leader").send(signal.SIGKILL, patroni=False)
    return lambda: None


def both_killed(trio: Trio) -> Callable[[], None]:
    """Kill Patroni and PostgreSQL on the leader; Patroni is started again once another leads."""
    leader = trio.with_role("leader")
    every = leader.send(signal.SIGKILL, patroni=True)
    assert len(every) > 1
    leader.process.wait()
    wait_for(lambda: not any(map(is_alive, every)))
    return leader.start


def both_frozen(trio: Trio) -> Callable[[], None]:
    """Freeze Patroni and PostgreSQL on the leader until another leads."""
    leader = trio.with_role("leader")
    every = leader.send(signal.SIGSTOP, patroni=True)
    assert len(every) > 1

    def thaw() -> None:
        for process in every:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    return thaw


DEEDS = dict(zip(MOST, (switchover, database_killed, both_killed, both_frozen), strict=True))


@contextlib.contextmanager
def watched(database: str) -> Iterator[States]:
    """Read the counts, and what is published, from the leader again and again."""
    storage = storage_at(database)
    survey = storage.read(surveys.by_slug, SLUG)
    states, done = [tallies(storage, survey)], threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            with contextlib.suppress(Unavailable):
                states.append(tallies(storage, survey))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield states
    finally:
        done.set()
        thread.join()
        storage.close()


def played(trio: Trio, event: str, acknowledged: Callable[[], int]) -> float:
    """Let something happen; return the most seconds for which nothing was acknowledged after it.

    It ends once its time is over and another leads.
    """
    trio.wait_until_whole()
    former = trio.with_role("leader").name
    begun = last = time.monotonic()
    over, needed = [begun + MOST[event]], 1 if event == MAY_STAY else 2
    count, longest = acknowledged(), 0.0
    undo = DEEDS[event](trio)

    def watch() -> None:
        wait_for(lambda: "leader" in {**trio.roles(), former: ""}.values(), 2 * PATIENCE)
        over.append(time.monotonic())

    if event != MAY_STAY:
        threading.Thread(target=watch).start()
    while len(over) < needed or last < max(over):
        if (more := acknowledged()) > count:
            longest, last, count = max(longest, time.monotonic() - last), time.monotonic(), more
        if time.monotonic() > begun + PATIENCE:
            raise TimeoutError(f"nothing is acknowledged after: {event}")
        time.sleep(0.02)
    undo()
    return longest


def main(events: int = 20) -> int:
    """Play the events, print a table, and return 1 if a figure was missed or anything is wrong."""
    if not (shutil.which("patroni") and shutil.which("etcd")):
        sys.exit(__doc__)
    missed = []
    with short_folder() as folder, ExitStack() as stack:
        trio = Trio(folder, stack)
        leader = trio.with_role("leader")
        sql = ["psql", "--host=127.0.0.1", f"--port={leader.port}", "--username=postgres"]
        make = (
            "CREATE ROLE candor LOGIN; CREATE DATABASE candor OWNER candor ENCODING UTF8 TEMPLATE template0"
        )
        for statement in make.split("; "):
            subprocess.run(
                [*sql, f"--command={statement}"],
                env=os.environ | {"PGPASSWORD": PASSWORDS["PATRONI_SUPERUSER_PASSWORD"]},
                check=True,
                capture_output=True,
            )
        database = trio.address("candor")
        prepared(database)
        two = stack.enter_context(servers(database))
        storage = storage_at(database)
        survey = storage.read(surveys.by_slug, SLUG)
        storage.close()
        plan = plan_for(survey, two, count=int(PACE * 40 * events), together=TOGETHER, rate=PACE, page=True)
        states = stack.enter_context(watched(database))
        respondents = stack.enter_context(sending(plan))
        wait_for(lambda: respondents.acknowledged() > 50)
        print(f"{'event':<20} {'nothing acknowledged for':>24} {'at most':>8}", flush=True)
        for event in itertools.islice(itertools.cycle(DEEDS), events):
            seconds = played(trio, event, respondents.acknowledged)
            missed += [event] if seconds > MOST[event] else []
            print(f"{event:<20} {seconds:22.1f} s {MOST[event]:6} s", flush=True)
        trio.wait_until_whole()
        report = respondents.report()
        wrong = [*broken(survey, states), *report.wrong, *faults(storage_at(database), report.ledger)]
    shown = len({published.tobytes() for _, published in states})
    print(
        f"{len(report.ledger.acknowledged):,} acknowledged, {shown} states shown; wrong: {summary(wrong)}; "
        f"missed: {', '.join(missed) or 'nothing'}"
    )
    return int(bool(wrong or missed or shown < SHOWN))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
