"""Send the head of the audit log elsewhere each hour, also if it is the same: then its moment tells nothing.

Of all servers and their workers, the first to claim an hour sends its head.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from server.runtime import offload
from server.store.engine import Storage, Unavailable
from server.store.staff import audit_chain

HOUR = 3600
RETRY_SECONDS = 60.0
"""Seconds before the next try if a head could not be sent."""

SECONDS = 10.0
"""Seconds that an address has to answer."""

log = logging.getLogger(__name__)


class HeadSender:
    """Sends the head of the log in the background.

    Parameters
    ----------
    storage : Storage
    target : Path or str
        A file, or an address that starts with ``http``.
    clock : callable
        Returns the present moment, in UTC.
    """

    def __init__(self, storage: Storage, target: Path | str, clock: Callable[[], datetime]) -> None:
        self.storage = storage
        self.target = target
        self.clock = clock

    def start(self) -> None:
        """Run for as long as the process does."""
        threading.Thread(target=self.run, name="heads", daemon=True).start()

    def run(self) -> None:
        """Send a head now, unless this hour has had one, and at each hour."""
        pause = threading.Event()
        while True:
            sent = self.turn()
            left = HOUR - self.clock().timestamp() % HOUR
            pause.wait(left if sent else min(left, RETRY_SECONDS))

    def turn(self) -> bool:
        """Send the head of this hour unless somebody does; return False if it could not be sent."""
        hour = self.clock().astimezone(UTC).strftime("%Y-%m-%dT%H:00Z")
        try:
            if (head := self.storage.write(audit_chain.claim, hour)) is None:
                return True
            try:
                send(self.target, hour, head)
            except BaseException:
                self.storage.write(audit_chain.claim_no_more, hour)
                raise
        except (OSError, http.client.HTTPException, Unavailable) as error:
            log.warning("the head of the audit log could not be sent: %s", error)
            return False
        return True


def send(target: Path | str, hour: str, head: str) -> None:
    """Append a head to a file, which is on the disk then, or post it to an address, which must take it."""
    if isinstance(target, Path):
        offload.run(append, target, f"{hour} {head}\n")
    else:
        post(target, {"hour": hour, "audit_head": head})


def append(path: Path, line: str) -> None:
    """Append a line to a file that its owner alone may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def post(address: str, body: dict[str, str]) -> None:
    """Post JSON; follow no redirection.

    Raises
    ------
    OSError, http.client.HTTPException
        If nobody answers that it was taken.
    """
    url = urlsplit(address)
    host = str(url.hostname)
    connection: http.client.HTTPConnection
    if url.scheme == "https":
        trust = ssl.create_default_context()
        connection = http.client.HTTPSConnection(host, url.port, timeout=SECONDS, context=trust)
    else:
        connection = http.client.HTTPConnection(host, url.port, timeout=SECONDS)
    try:
        path = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        status = connection.getresponse().status
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise http.client.HTTPException(f"the address answered {status}")
