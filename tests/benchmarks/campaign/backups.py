"""Backups while respondents send: each holds everything that was acknowledged before it was begun."""

from __future__ import annotations

from engines import installed, wait_until
from ledger import faults, summary
from respondents import plan_for, read_ledger, sending
from servers import serving


def table(engine: str, each: int = 5, count: int = 3000) -> bool:
    """Print a row for each backup; return whether nothing was missed."""
    print("backup           number  acknowledged before  sent meanwhile  wrong")
    well, taken = True, []
    with installed(engine) as (installation, survey):
        ways = installation.backups()
        with serving(installation) as running:
            plan = plan_for(survey, running, count=count, together=16, rate=100)
            with sending(plan) as respondents:
                for number in range(each * len(ways)):
                    wait_until(lambda: respondents.acknowledged() > number * count / 20)  # noqa: B023
                    name = list(ways)[number % len(ways)]
                    before = read_ledger(respondents.notes)
                    (folder := installation.folder / f"backup-{number}").mkdir()
                    take, _ = ways[name]
                    take(folder)
                    taken.append((name, folder, before, read_ledger(respondents.notes)))
                report = respondents.report()
        for number, (name, folder, before, after) in enumerate(taken):
            after.acknowledged = before.acknowledged
            _, restored = ways[name]
            wrong = faults(restored(folder), after)
            meanwhile = len(after.sent) - len(before.sent)
            print(
                f"{name:16} {number:6} {len(before.acknowledged):20,} {meanwhile:15,}  {summary(wrong)}",
                flush=True,
            )
            well &= not wrong
        wrong = report.wrong + faults(installation.storage(), report.ledger)
    print(f"the database itself: {summary(wrong)}")
    return well and not wrong
