"""What processes do to a folder, call by call, as strace shows it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 600
LONGEST = 1 << 22
"""Bytes of one write; strace would cut off what is longer, which is an error."""

NAMES = "openat,truncate,unlink,rename,link,mkdir,rmdir"
FILES = "write,pwrite64,pwritev,fallocate,ftruncate,fsync,fdatasync"
LINE = re.compile(r"(?P<process>\d+) +(?P<call>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+)")
BEGUN = re.compile(r"(?P<process>\d+) +(?P<start>\w+\(.*) <unfinished \.\.\.>$")
ENDED = re.compile(r"(?P<process>\d+) +<\.\.\. \w+ resumed>(?P<rest>.*)")
VECTOR = re.compile(r'iov_base=("[^"]*"[.]*)')
HEX = re.compile(r"\\x([0-9a-f]{2})")
FILE = re.compile(r'^(\d+)<"?(.*?)"?>(\(deleted\))?$')


@dataclass(frozen=True)
class Event:
    """One call that the disk, or the reader of the acknowledgements, saw.

    Attributes
    ----------
    kind : str
        ``create``, ``write``, ``truncate``, ``extend``, ``unlink``, ``rename``, ``link``, ``sync``, ``say``.
    path : str
        The file or the folder.
    offset : int
        Where a write begins; the new length of what is truncated or extended.
    data : bytes
        What is written, or said; the new name of what is renamed or linked.
    begun, ended : int
        The lines of the log that show the call's beginning and its end; events are in the order of their
        ends. A sync covers what had ended when it began.
    """

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""
    begun: int = 0
    ended: int = 0


def record(command: Sequence[str | Path], log: Path, folder: Path) -> list[Event]:
    """Run a command under strace; return what it and its children did in a folder, and what it said.

    What it writes to standard error, a pipe, is what it says.
    """
    shown = ["-f", "--seccomp-bpf", "-y", "-xx", "-s", str(LONGEST), "-e", f"trace={NAMES},{FILES}"]
    run = subprocess.run(["strace", *shown, "-o", log, *command], capture_output=True, timeout=SECONDS)
    if run.returncode:
        raise RuntimeError(run.stderr.decode()[-2000:])
    with log.open(encoding="ascii") as lines:
        return list(Reader(str(folder.resolve())).events(lines))


class Reader:
    """Reads the lines of strace.

    Parameters
    ----------
    folder : str
        Whose files are looked at; a relative path in a call is one in it.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.positions: dict[tuple[str, str], int] = {}  # of files that are written one piece after the other

    def events(self, lines: Iterable[str]) -> Iterator[Event]:
        """Give the events; a call that failed did nothing."""
        open_calls: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(lines):
            if begun := BEGUN.match(line):
                open_calls[begun["process"]] = number, begun["start"]
                continue
            first, whole = number, line
            if ended := ENDED.match(line):
                first, start = open_calls.pop(ended["process"])
                whole = f"{ended['process']} {start}{ended['rest']}"
            found = LINE.match(whole)
            if found is None or int(found["result"]) < 0:
                continue
            arguments = found["arguments"].split(", ")
            for kind, path, *more in self.done(found["process"], found["call"], arguments, found["result"]):
                yield Event(kind, path, *more, begun=first, ended=number)

    def done(self, process: str, call: str, arguments: list[str], result: str) -> Iterator[tuple]:
        """Give what a call did: kind, path, offset and data."""
        if call in NAMES.split(","):
            yield from self.by_name(process, call, arguments, result)
            return
        descriptor, path, deleted = opened(arguments[0])
        if call == "write" and descriptor == "2" and path.startswith("pipe:"):
            yield "say", "", 0, data(arguments[1])[: int(result)]
        if deleted or not self.holds(path):
            return
        if call in ("fsync", "fdatasync"):
            yield "sync", path
        elif call == "ftruncate":
            yield "truncate", path, int(arguments[1])
        elif call == "fallocate":
            if arguments[1] != "0":
                raise ValueError(f"not recorded: fallocate with {arguments[1]}")
            yield "extend", path, int(arguments[2]) + int(arguments[3])
        elif call == "pwrite64":
            yield "write", path, int(arguments[3]), data(arguments[1])[: int(result)]
        elif call == "pwritev":
            pieces = b"".join(map(data, VECTOR.findall(", ".join(arguments[1:-2]))))
            yield "write", path, int(arguments[-1]), pieces[: int(result)]
        elif call == "write":
            yield "write", path, self.positions[process, descriptor], data(arguments[1])[: int(result)]
            self.positions[process, descriptor] += int(result)

    def by_name(self, process: str, call: str, arguments: list[str], result: str) -> Iterator[tuple]:
        """Give what a call did to a name."""
        path = self.whole(arguments[1 if call == "openat" else 0])
        if not self.holds(path):
            return
        if call in ("mkdir", "rmdir"):
            raise ValueError(f"not recorded: {call} of {path}")
        if call == "openat":
            self.positions[process, result] = 0
            if any(flag in arguments[2] for flag in ("O_APPEND", "O_DSYNC", "O_SYNC")):
                raise ValueError(f"not recorded: {path} opened with {arguments[2]}")
            if "O_CREAT" in arguments[2]:
                yield "create", path
            if "O_TRUNC" in arguments[2]:
                yield "truncate", path, 0
        elif call == "truncate":
            yield "truncate", path, int(arguments[1])
        elif call == "unlink":
            yield "unlink", path
        else:
            yield call, path, 0, self.whole(arguments[1]).encode()

    def whole(self, argument: str) -> str:
        """Read a path."""
        return str(Path(self.folder) / data(argument).decode())

    def holds(self, path: str) -> bool:
        """Return whether a path is the folder or in it."""
        return path == self.folder or path.startswith(f"{self.folder}/")


def data(argument: str) -> bytes:
    """Read a string of bytes, all of which strace wrote in hexadecimal."""
    if argument.endswith("..."):
        raise ValueError("strace cut a string off")
    return bytes.fromhex(argument.strip('"').replace("\\x", ""))


def opened(argument: str) -> tuple[str, str, bool]:
    """Read the number and the path of an open file, and whether its name is gone."""
    found = FILE.match(HEX.sub(lambda pair: chr(int(pair[1], 16)), argument))
    if found is None:
        raise ValueError(f"no file: {argument[:80]}")
    return found[1], found[2], bool(found[3])
