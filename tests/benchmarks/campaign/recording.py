"""What a process does to its disk, call by call, as strace shows it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 600
CALLS = "openat,write,pwrite64,ftruncate,unlink,rename,fsync,fdatasync"
LINE = re.compile(r"^\d+ +(\w+)\((.*)\) = (-?\d+)")
HEX = re.compile(r"\\x([0-9a-f]{2})")
FILE = re.compile(r'^\d+<"?(.*?)"?>(?:\(deleted\))?$')


@dataclass(frozen=True)
class Event:
    """One call that the disk, or the reader of the acknowledgements, saw.

    Attributes
    ----------
    kind : str
        ``create``, ``write``, ``truncate``, ``unlink``, ``sync`` or ``say``.
    path : str
        The file or the folder.
    offset : int
        Where a write begins; the new length of what is truncated.
    data : bytes
        What is written, or said.
    """

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


def record(command: Sequence[str | Path], log: Path) -> list[Event]:
    """Run a command under strace; return its events. What it writes to standard error is what it says."""
    traced = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-o", log, "-e", f"trace={CALLS}", *command]
    run = subprocess.run(traced, capture_output=True, timeout=SECONDS)
    if run.returncode:
        raise RuntimeError(run.stderr.decode()[-2000:])
    with log.open(encoding="ascii") as lines:
        return list(events(lines))


def events(lines: Iterator[str]) -> Iterator[Event]:
    """Read the lines of strace; a call that failed did nothing."""
    for line in lines:
        found = LINE.match(line)
        if found is None:
            if "unfinished" in line or "resumed" in line:
                raise ValueError(f"two threads at once cannot be put in order: {line[:80]}")
            continue
        name, arguments, result = found[1], found[2].split(", "), int(found[3])
        if result >= 0:
            yield from event(name, arguments, result)


def event(name: str, arguments: list[str], result: int) -> Iterator[Event]:
    """Read one call."""
    if name == "openat":
        if "O_CREAT" in arguments[2]:
            yield Event("create", text(arguments[1]))
    elif name == "unlink":
        yield Event("unlink", text(arguments[0]))
    elif name in ("fsync", "fdatasync"):
        yield Event("sync", file(arguments[0]))
    elif name == "ftruncate":
        yield Event("truncate", file(arguments[0]), int(arguments[1]))
    elif name == "pwrite64":
        yield Event("write", file(arguments[0]), int(arguments[3]), data(arguments[1])[:result])
    elif name == "write" and arguments[0].startswith("2<"):
        yield Event("say", "", data=data(arguments[1])[:result])
    elif name == "rename":
        raise ValueError("a rename is not recorded")


def data(argument: str) -> bytes:
    """Read a string of bytes, all of which strace wrote in hexadecimal."""
    if argument.endswith("..."):
        raise ValueError("strace cut a string off")
    return bytes.fromhex(argument.strip('"').replace("\\x", ""))


def text(argument: str) -> str:
    """Read a path."""
    return data(argument).decode()


def file(argument: str) -> str:
    """Read the path of an open file."""
    found = FILE.match(HEX.sub(lambda pair: chr(int(pair[1], 16)), argument))
    if found is None:
        raise ValueError(f"no file: {argument[:80]}")
    return found[1]
