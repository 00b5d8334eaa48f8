"""Servers in front of a database: started, killed and started again on the same port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engines import PATIENCE, Engine, wait_until

PASSWORD = "only for this run"
SERVE = "from server.cli import main; main()"


def reserved() -> socket.socket:
    """Take a port and listen to nobody: nobody else is given it, and whoever knocks is refused.

    A server can open it all the same, because both sockets allow an address that is in use.
    """
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.bind(("127.0.0.1", 0))
    return taken


class Server:
    """`candor serve` in processes of its own, on a port that stays the same when it is killed and started.

    Parameters
    ----------
    installation : Engine
    workers : int
    program : str
        Python that starts the command.
    """

    def __init__(self, installation: Engine, workers: int = 1, program: str = SERVE) -> None:
        self.listener = self.door()
        self.port = self.listener.getsockname()[1]
        self.log = installation.folder / f"server-{self.port}.log"
        descriptor = self.listener.fileno()
        options = ["serve", f"--fd={descriptor}", f"--workers={workers}"]
        self.command = [sys.executable, "-c", program, *options]
        self.environment = os.environ | {
            "CANDOR_DATABASE": installation.address,
            "CANDOR_ADMIN_NAME": "ada",
            "CANDOR_ADMIN_PASSWORD": PASSWORD,
            "CANDOR_RATE_LIMIT": "0",
            "CANDOR_STRANGERS_SHARE": "0",
        }

    def door(self) -> socket.socket:
        """Open the socket that keeps the port; while the server is down, whoever knocks waits."""
        return socket.create_server(("127.0.0.1", 0), backlog=2048)

    def start(self) -> None:
        """Start, in a group of processes of its own, and wait for the first answer."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self.environment,
                stdout=log,
                stderr=log,
                pass_fds=[self.listener.fileno()],
                start_new_session=True,
            )
        wait_until(self.answers)

    def answers(self) -> bool:
        """Return whether it answers now."""
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended:\n{self.log.read_text()[-2000:]}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/login", timeout=5).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def workers(self) -> list[int]:
        """Return the numbers of its worker processes."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(number) for number in children.split()]

    def kill(self) -> None:
        """Kill every process of it at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Let it end in order, and give the port back."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)
        self.listener.close()


@contextmanager
def serving(
    installation: Engine, servers: int = 1, workers: int = 1, program: str = SERVE
) -> Iterator[list[Server]]:
    """Run servers for as long as the block lasts."""
    made = [Server(installation, workers, program) for _ in range(servers)]
    try:
        for server in made:
            server.start()
        yield made
    finally:
        for server in made:
            server.stop()
