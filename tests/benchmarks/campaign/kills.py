"""kill -9 at random under load: the only server, one of two workers, one of two servers."""

from __future__ import annotations

import os
import random
import signal
import time

from engines import installed, wait_until
from ledger import faults, summary
from respondents import Report, plan_for, sending
from servers import Server, serving

WAYS = ("the only server", "one of two workers", "one of two servers")
DATABASE = "the database"
TOGETHER = 32


def killed(engine: str, way: str, kills: int, least: int, seed: int = 1) -> tuple[int, Report, list[str]]:
    """Kill while respondents send at least so many submissions; return kills, report and what is wrong."""
    chance = random.Random(seed)
    servers, workers = {"one of two workers": (1, 2), "one of two servers": (2, 1)}.get(way, (1, 1))
    with installed(engine) as (installation, survey), serving(installation, servers, workers) as running:
        plan = plan_for(survey, running, count=least, together=TOGETHER, seed=seed)
        with sending(plan) as respondents:
            done = 0
            for number in range(kills):
                # A kill waits for its share of the submissions, and then a moment that nobody can plan.
                wait_until(lambda: respondents.acknowledged() >= number * least // kills)  # noqa: B023
                time.sleep(chance.random() * 0.2)
                if not respondents.at_work():
                    break
                if way == DATABASE:
                    installation.kill()
                    installation.start()
                else:
                    kill(running, way, chance)
                done += 1
            report = respondents.report()
        return done, report, report.wrong + faults(installation.storage(), report.ledger)


def kill(running: list[Server], way: str, chance: random.Random) -> None:
    """Kill in one of the ways, and see to it that all are there again."""
    if way == "one of two workers":
        (server,) = running
        wait_until(lambda: len(server.workers()) == 2)
        os.kill(chance.choice(server.workers()), signal.SIGKILL)
    else:
        server = chance.choice(running)
        server.kill()
        server.start()


def table(engine: str, kills: int = 100, least: int = 50_000) -> bool:
    """Print a row for each way; return whether nothing was missed."""
    print("killed                 kills  acknowledged  sent again  seconds  wrong")
    every, well = [], True
    ways = (*WAYS, DATABASE) if engine == "postgresql" else WAYS
    for way in ways:
        begun = time.monotonic()
        done, report, wrong = killed(engine, way, -(-kills // len(ways)), -(-least // len(ways)))
        acknowledged = len(report.ledger.acknowledged)
        every.append((done, acknowledged))
        again = sum(report.met.get(answer, 0) for answer in ("none", "busy"))
        seconds = time.monotonic() - begun
        print(f"{way:22} {done:5} {acknowledged:13,} {again:11,} {seconds:8.0f}  {summary(wrong)}")
        well &= not wrong and acknowledged == len(report.ledger.sent)
    total_kills, total = map(sum, zip(*every, strict=True))
    print(f"{'in all':22} {total_kills:5} {total:13,}")
    return well and total_kills >= kills and total >= least
