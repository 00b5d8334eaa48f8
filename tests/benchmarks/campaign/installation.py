"""A database with the campaign's survey in it, and the servers in front of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ledger import open_survey

from server.store.sqlite.storage import SQLiteStorage, connect

PATIENCE = 120
"""Seconds that anything may take."""

SERVE = "from server.cli import main; main()"
PASSWORD = "only for this run"


class SQLiteInstallation:
    """An installation on SQLite.

    Parameters
    ----------
    folder : Path
        Where its files are.
    """

    engine = "sqlite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = str(folder / "candor.db")

    def storage(self) -> SQLiteStorage:
        """Open the store, with connections of its own."""
        return SQLiteStorage(Path(self.address))

    def prepare(self) -> SQLiteStorage:
        """Make the database and open the survey."""
        storage = self.storage()
        storage.create()
        storage.write(open_survey)
        return storage

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the whole database in another process's place."""
        with closing(connect(self.address)) as db:
            db.conn.execute("BEGIN EXCLUSIVE")
            yield
            db.conn.execute("ROLLBACK")

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take the database away."""
        path = Path(self.address)
        path.rename(path.with_suffix(".away"))
        yield
        path.with_suffix(".away").rename(path)


INSTALLATIONS = {each.engine: each for each in (SQLiteInstallation,)}


class Server:
    """`candor serve` in processes of its own, on a port that stays the same when it is killed and started.

    Parameters
    ----------
    installation : SQLiteInstallation
    workers : int
    program : str
        Python that starts the command.
    """

    def __init__(self, installation: SQLiteInstallation, workers: int = 1, program: str = SERVE) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
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
        }

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
    installation: SQLiteInstallation, servers: int = 1, workers: int = 1, program: str = SERVE
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


def wait_until(condition) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} took more than {PATIENCE} s")
        time.sleep(0.05)
