"""Submissions of a survey of ten questions, sent over many connections; and what the server took for them."""

from __future__ import annotations

import os
import secrets
import select
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path

CONNECTIONS = 64
"""How many connections each worker of a server gets."""


@dataclass
class Round:
    """What was measured of one server in one round."""

    rate: float
    cpu: float
    latencies: list[float] = field(repr=False)


def cpu_seconds(group: int) -> float:
    """Return the processor time that all processes of a group have had."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def request_with(fingerprint: str) -> bytes:
    """Return one submission as a browser sends it; its receipt and its reports are new each time."""
    reports = "".join(f"&q{n}={bit}" for n, bit in enumerate(f"{secrets.randbits(10):010b}"))
    body = f"fingerprint={fingerprint}&receipt={secrets.token_hex(16)}{reports}"
    return (
        "POST /s/ten HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
        "Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def send(port: int, requests: list[bytes], many: int = CONNECTIONS) -> list[float]:
    """Send requests over so many connections, each after the answer before; return how long each took."""
    poll, latencies, begun = select.epoll(), [], {}
    connections = {}
    for _ in range(min(many, len(requests))):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections[connection.fileno()] = connection
        poll.register(connection.fileno(), select.EPOLLIN)
    waiting, received = list(requests), dict.fromkeys(connections, b"")
    for number, connection in connections.items():
        begun[number] = time.perf_counter()
        connection.sendall(waiting.pop())
    while len(latencies) < len(requests):
        for number, _ in poll.poll(30):
            data = received[number] + connections[number].recv(65536)
            if not is_whole(data):
                received[number] = data
                continue
            if not data.startswith(b"HTTP/1.1 200") or b'"refused"' in data:
                raise RuntimeError(data[:2000].decode())
            now = time.perf_counter()
            latencies.append(now - begun[number])
            received[number] = b""
            if waiting:
                begun[number] = now
                connections[number].sendall(waiting.pop())
    for connection in connections.values():
        connection.close()
    return latencies


def is_whole(data: bytes) -> bool:
    """Return whether an answer has come up to its end."""
    head, end, body = data.partition(b"\r\n\r\n")
    if not end:
        if not data:
            raise ConnectionError("the server has hung up")
        return False
    length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
    return len(body) >= int(length)


def measured(port: int, group: int, fingerprint: str, many: int, connections: int = CONNECTIONS) -> Round:
    """Let a server warm up, and measure it."""
    send(port, [request_with(fingerprint) for _ in range(4 * connections)], connections)
    requests = [request_with(fingerprint) for _ in range(many)]
    cpu, begun = cpu_seconds(group), time.perf_counter()
    latencies = send(port, requests, connections)
    seconds = time.perf_counter() - begun
    return Round(many / seconds, (cpu_seconds(group) - cpu) / many, latencies)


def p99(rounds: list[Round]) -> float:
    """Return the latency that a hundredth of all requests of all rounds passed."""
    pooled = sorted(latency for one in rounds for latency in one.latencies)
    return pooled[len(pooled) * 99 // 100]
