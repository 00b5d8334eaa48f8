"""A clock that jumps: forwards and backwards, by seconds, days and years, while respondents send."""

from __future__ import annotations

import random

from engines import installed, wait_until
from ledger import faults, summary
from respondents import plan_for, sending
from servers import SERVE, serving

from server.store import submissions

DAY = 86_400
JUMPS = (0, 3600, -3600, DAY, -DAY, 400 * DAY, -400 * DAY, 20_000 * DAY, 59, -1)
"""Seconds by which the clock is wrong, one after the other."""

PROGRAM = """
from gevent import monkey
monkey.patch_all()
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
true = time.time
wrong = lambda: int(Path("CLOCK").read_text())
time.time = lambda: true() + wrong()
import server
server.create_app.__defaults__ = (None, lambda: datetime.now(UTC) + timedelta(seconds=wrong()), True)
"""
"""A server whose clock is wrong by as many seconds as the file CLOCK holds."""


def table(engine: str, jumps: int = 30, count: int = 2000) -> bool:
    """Print what came of it; return whether nothing was missed."""
    chance = random.Random(1)
    with installed(engine) as (installation, survey):
        clock = installation.folder / "clock"
        clock.write_text("0")
        with serving(installation, program=PROGRAM.replace("CLOCK", str(clock)) + SERVE) as running:
            plan = plan_for(survey, running, count=count, together=16, rate=100, page=True)
            with sending(plan) as respondents:
                for number in range(jumps):
                    wait_until(lambda: respondents.acknowledged() >= number * count // jumps)  # noqa: B023
                    next_clock = clock.with_suffix(".next")
                    next_clock.write_text(str(JUMPS[number % len(JUMPS)] + chance.randrange(60)))
                    next_clock.replace(clock)
                report = respondents.report()
        storage = installation.storage()
        wrong = report.wrong + faults(storage, report.ledger)
        days = len(storage.read(submissions.days, survey.id))
        storage.close()
    print("jumps  acknowledged  on days  sent again  wrong")
    again = report.met.get("none", 0) + report.met.get("busy", 0)
    print(f"{jumps:5} {len(report.ledger.acknowledged):13,} {days:8} {again:11}  {summary(wrong)}")
    return not wrong and days >= 4 and len(report.ledger.acknowledged) == count
