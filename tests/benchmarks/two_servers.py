"""Two servers on one PostgreSQL database: how fast they are, and what they lose when it is killed.

Usage: uv run python tests/benchmarks/two_servers.py [rate] [killed] [standby]

rate: two servers and one database over two servers that parse the form and store nothing, on these cores.
killed: the database killed and started again twenty times under load.
standby: the primary of a synchronous standby killed under load, and the standby promoted.
Each runs a PostgreSQL server of its own, with everything on that makes a commit durable.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "campaign")]
from clusters import Cluster, address  # noqa: E402
from ledger import SLUG, faults, open_survey, summary  # noqa: E402
from load import wait_for  # noqa: E402
from respondents import Report, plan_for, sending  # noqa: E402
from submissions import SERVE, SURVEY, running  # noqa: E402
from submissions_sent import request_with, send  # noqa: E402

from server.database import PostgreSQLURL  # noqa: E402
from server.store import surveys  # noqa: E402
from server.store.postgresql.storage import PostgreSQLStorage  # noqa: E402
from survey.read_definition import parse  # noqa: E402

LEAST_RATE = 0.8
"""Of two no-op servers."""

ROUNDS, MANY = 5, 4000
KILLS, COUNT, TOGETHER, PACE = 20, 8000, 32, 200.0
"""Kills, submissions in all, respondents at a time, submissions a second."""

FINE = {"stored", "different", "busy", "200", "503"}
"""What respondents may meet while the servers stay and the database goes."""


@dataclass
class Served:
    """A server on a port."""

    port: int
    group: int


@contextmanager
def short_folder() -> Iterator[Path]:
    """Give a folder whose name is short and which anybody may enter."""
    with tempfile.TemporaryDirectory(prefix="c", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def servers(database: str) -> Iterator[list[Served]]:
    """Run two servers on a database."""
    command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0"]
    more = {
        "CANDOR_DATABASE": database,
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "only for this run",
    }
    with ExitStack() as stack:
        made = []
        for _ in range(2):
            made.append(Served(*stack.enter_context(running(command, **more))))
            wait_for(f"http://127.0.0.1:{made[-1].port}/login")
        yield made


def storage_at(database: str) -> PostgreSQLStorage:
    """Open the store."""
    return PostgreSQLStorage(PostgreSQLURL(database))


def both(ports: list[int], fingerprint: str, many: int) -> float:
    """Send to two servers at once, half of the requests to each; return how many a second were answered."""
    requests = [request_with(fingerprint) for _ in range(many)]
    begun = time.perf_counter()
    with ThreadPoolExecutor(len(ports)) as pool:
        list(pool.map(send, ports, (requests[n :: len(ports)] for n in range(len(ports)))))
    return many / (time.perf_counter() - begun)


def rate() -> bool:
    """Compare two servers with two that store nothing; return whether they are fast enough."""
    noop = [str(BENCHMARKS / "submissions.py"), "--noop={fd}", "--kind=view"]
    with short_folder() as folder, ExitStack() as stack:
        cluster = Cluster(folder / "a")
        stack.callback(cluster.stop)
        cluster.make()
        storage = storage_at(address(cluster))
        storage.create()
        draft = storage.write(surveys.import_definition, parse(SURVEY, "ten.toml"))
        survey = storage.write(surveys.open_survey, draft.id)
        storage.close()
        assert survey.publication is not None
        fingerprint = survey.publication.fingerprint
        noops = [stack.enter_context(running(noop))[0] for _ in range(2)]
        ours = [server.port for server in stack.enter_context(servers(address(cluster)))]
        for ports in (noops, ours):
            both(ports, fingerprint, MANY // 4)
        found = [(both(noops, fingerprint, MANY), both(ours, fingerprint, MANY)) for _ in range(ROUNDS)]
        stored = storage.read(lambda db: db.reports.respondents(survey.id, survey.publication))
        storage.close()
    share = statistics.median(mine / theirs for theirs, mine in found)
    print("two no-op servers  two servers and a database  share")
    for theirs, mine in found:
        print(f"{theirs:15.0f}/s {mine:25.0f}/s {mine / theirs:6.2f}")
    print(f"{stored:,} stored; the median is {share:.2f}, at least {LEAST_RATE}")
    return share >= LEAST_RATE and stored == ROUNDS * MANY + MANY // 4


def under_load(
    database: str, ports: list[Served], count: int, disturb: Callable[[Callable[[], int]], None]
) -> Report:
    """Let respondents send while something happens; return what they met."""
    storage = storage_at(database)
    survey = storage.read(surveys.by_slug, SLUG)
    storage.close()
    plan = plan_for(survey, ports, count=count, together=TOGETHER, rate=PACE, page=True)
    with sending(plan) as respondents:
        disturb(respondents.acknowledged)
        return respondents.report()


def verdict(database: str, report: Report) -> list[str]:
    """Return what is wrong: what is lost, doubled or miscounted, and answers that nobody may get."""
    wrong = report.wrong + faults(storage_at(database), report.ledger)
    return wrong + [
        f"{times} requests met {what!r}" for what, times in report.met.items() if what not in FINE
    ]


def wait_for_share(acknowledged: Callable[[], int], least: float) -> None:
    """Wait until so many submissions have been acknowledged."""
    end = time.monotonic() + 120
    while acknowledged() < least:
        if time.monotonic() > end:
            raise TimeoutError("nothing is acknowledged any more")
        time.sleep(0.02)


def killed(kills: int = KILLS, count: int = COUNT) -> bool:
    """Kill the database and start it again under load; return whether nothing was lost."""
    chance = random.Random(1)
    with short_folder() as folder, ExitStack() as stack:
        cluster = Cluster(folder / "a")
        stack.callback(cluster.stop)
        cluster.make()
        database = address(cluster)
        prepared(database)

        def kill_again_and_again(acknowledged: Callable[[], int]) -> None:
            for number in range(kills):
                wait_for_share(acknowledged, number * count / kills)
                time.sleep(chance.random() * 0.3)
                cluster.kill()
                time.sleep(chance.random() * 0.5)
                cluster.start()

        with servers(database) as two:
            report = under_load(database, two, count, kill_again_and_again)
        wrong = verdict(database, report)
    return told("kills", kills, report, wrong)


def standby(count: int = COUNT // 4) -> bool:
    """Kill a primary under load and promote its standby; return whether nothing acknowledged was lost."""
    with short_folder() as folder, ExitStack() as stack:
        primary = Cluster(folder / "a")
        follower = Cluster(folder / "b")
        for cluster in (primary, follower):
            stack.callback(cluster.stop)
        primary.make()
        database = address(primary, follower)
        prepared(database)
        follower.follow(primary)
        primary.stop()
        primary.settings["synchronous_standby_names"] = "*"
        primary.start()

        def fail_over(acknowledged: Callable[[], int]) -> None:
            wait_for_share(acknowledged, count / 2)
            primary.kill()
            time.sleep(1)
            follower.promote()

        with servers(database) as two:
            report = under_load(database, two, count, fail_over)
        wrong = verdict(database, report)
    return told("promotions", 1, report, wrong)


def prepared(database: str) -> None:
    """Make the tables and open the campaign's survey."""
    storage = storage_at(database)
    storage.create()
    storage.write(open_survey)
    storage.close()


def told(what: str, times: int, report: Report, wrong: list[str]) -> bool:
    """Print a table of one row; return whether nothing was wrong and everything was stored in the end."""
    acknowledged, busy = len(report.ledger.acknowledged), report.met.get("busy", 0)
    print(f"{what}  acknowledged  answered 503  slowest s  wrong")
    print(f"{times:{len(what)}} {acknowledged:13,} {busy:13,} {max(report.seconds):10.1f}  {summary(wrong)}")
    return not wrong and acknowledged == len(report.ledger.sent) and busy > 0


PARTS = {"rate": rate, "killed": killed, "standby": standby}


def main(*names: str) -> int:
    """Run parts, all of them where none is named; return 1 if a figure was missed."""
    if not set(names) <= set(PARTS):
        sys.exit(__doc__)
    missed = []
    for name in names or PARTS:
        print(f"\n{name}", flush=True)
        missed += [] if PARTS[name]() else [name]
    print(f"\nMissed: {', '.join(missed)}." if missed else "\nNothing was missed.")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
