"""Two servers that are restarted one after the other under load: nobody is answered anything but "stored".

Respondents repeat only what got no answer, as the page does and as a load balancer may: asking for the page,
and the same bytes of a submission.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

from engines import PATIENCE, installed, wait_until
from ledger import faults, summary
from respondents import plan_for, sending
from servers import Server, reserved

FINE = {"none", "200", "stored", "different"}
"""What a request may meet: no answer, the page, and the two answers to a submission that is repeated."""


class Restarted(Server):
    """A server that opens its port itself, so that nobody can reach it until it listens again."""

    def door(self) -> socket.socket:
        """Keep the port, and listen to nobody while the server is down."""
        return reserved()

    def start(self) -> None:
        """Start on the same port as before."""
        options = ["serve", f"--bind=127.0.0.1:{self.port}"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.command[2], *options],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(self.answers)

    def restart(self) -> None:
        """Stop in order, and start."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.start()


def rolled(engine: str, rounds: int, count: int, rate: float) -> tuple[int, dict[str, int], list[str]]:
    """Restart each of two servers in turn while respondents send.

    Returns
    -------
    acknowledged : int
    met : dict of str to int
        Answer -> how often it came.
    wrong : list of str
    """
    with installed(engine) as (installation, survey):
        servers = [Restarted(installation) for _ in range(2)]
        try:
            for server in servers:
                server.start()
            plan = plan_for(survey, servers, count=count, together=16, rate=rate, page=True)
            with sending(plan) as respondents:
                for number in range(2 * rounds):
                    wait_until(lambda: respondents.acknowledged() >= number * count / (2 * rounds))  # noqa: B023
                    servers[number % 2].restart()
                report = respondents.report()
        finally:
            for server in servers:
                server.stop()
        wrong = report.wrong + faults(installation.storage(), report.ledger)
        wrong += [
            f"{times} requests met {answer!r}" for answer, times in report.met.items() if answer not in FINE
        ]
        return len(report.ledger.acknowledged), report.met, wrong


def table(engine: str, rounds: int = 5, count: int = 10_000) -> bool:
    """Print what was met; return whether nobody saw an error."""
    acknowledged, met, wrong = rolled(engine, rounds, count, rate=300)
    print("restarts  acknowledged  sent again  wrong")
    print(f"{2 * rounds:8} {acknowledged:13,} {met.get('none', 0):11,}  {summary(wrong)}")
    return not wrong and acknowledged == count
