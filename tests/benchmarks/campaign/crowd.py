"""Many at once: 500 respondents, 2000 within ten seconds, 300 who send heads or bodies byte by byte."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from engines import installed
from ledger import Ledger, faults, summary
from respondents import HEAD, plan_for, sending
from servers import serving

SLOW = {
    "slow heads": f"{HEAD}X-Long: ".encode(),
    "slow bodies": f"{HEAD}Content-Length: 9999\r\n\r\n".encode(),
}
CROWDS = {
    "500 at 200 a second": {"count": 12_000, "together": 500, "rate": 200, "page": True},
    "2000 within 10 s": {"count": 2000, "together": 2000, "rate": 200, "page": True},
    "besides nobody": {"count": 1000, "together": 16, "rate": 80, "page": True},
}
CROWDS |= {f"besides 300 {name}": CROWDS["besides nobody"] for name in SLOW}


@contextmanager
def trickling(port: int, start: bytes, number: int) -> Iterator[None]:
    """Send a start on many connections, then a byte a second each; begin anew when the server hangs up."""
    ended = threading.Event()

    def trickle() -> None:
        connections: list[socket.socket] = []
        while not ended.is_set():
            while len(connections) < number:
                connections.append(begun(port, start))
            connections = [one for one in connections if goes_on(one)]
            ended.wait(1)
        for one in connections:
            one.close()

    thread = threading.Thread(target=trickle)
    thread.start()
    yield
    ended.set()
    thread.join()


def begun(port: int, start: bytes) -> socket.socket:
    """Begin a request."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(start)
    connection.setblocking(False)
    return connection


def goes_on(connection: socket.socket) -> bool:
    """Send one more byte; return whether the server still listens."""
    try:
        connection.sendall(b"a")
        connection.recv(1000)  # an answer, or the end
    except BlockingIOError:
        return True
    except OSError:
        pass
    connection.close()
    return False


def table(engine: str, share: float = 1.0) -> bool:
    """Print a row for each crowd, of a share of its size; return whether everybody was answered."""
    print("who                      acknowledged  seconds  answer: median    p99    worst  sent again  wrong")
    with installed(engine) as (installation, survey):
        ledger, well = Ledger(), True
        with serving(installation) as (server,):
            for seed, (name, crowd) in enumerate(CROWDS.items()):
                plan = plan_for(survey, [server], seed=seed, **crowd | {"count": int(share * crowd["count"])})
                slow = SLOW.get(name.removeprefix("besides 300 "))
                begin = time.monotonic()
                with trickling(server.port, slow or b"", 300 if slow else 0), sending(plan) as respondents:
                    report = respondents.report()
                ledger.sent |= report.ledger.sent
                ledger.acknowledged |= report.ledger.acknowledged
                again = report.met.get("none", 0) + report.met.get("busy", 0)
                print(
                    f"{name:24} {len(report.ledger.acknowledged):12,} {time.monotonic() - begin:8.1f} "
                    f"{report.quantile(0.5):14.3f} {report.quantile(0.99):6.3f} {max(report.seconds):8.3f} "
                    f"{again:11}  {summary(report.wrong)}",
                    flush=True,
                )
                well &= not report.wrong and len(report.ledger.acknowledged) == plan.count
        wrong = faults(installation.storage(), ledger)
    print(f"in the end: {summary(wrong)}")
    return well and not wrong
