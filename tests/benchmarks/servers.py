"""Servers of several versions side by side, and what they cost: used by the commands beside this file."""

from __future__ import annotations

import functools
import os
import re
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

TOP = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds that anything may take."""

ROUNDS = 5

PASSWORD = "only for this run"
TICK = os.sysconf("SC_CLK_TCK")
SERVE = "from server.cli import main; main()"

Part = Callable[[Path, Path], list[bool]]
"""Measures something in a folder, beside an older commit; returns whether each bound is kept."""

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # whoever starts a server has started it before


def git(*arguments: str) -> None:
    """Run git on this repository."""
    subprocess.run(["git", "-C", TOP, *arguments], check=True, capture_output=True)


def measure(parts: Iterable[Part], older: Mapping[str, str] = MappingProxyType({})) -> None:
    """Measure the parts that are named, or all, each beside an older commit: 87025a13, unless it is another.

    Raises
    ------
    SystemExit
        If a figure is missed.
    """
    named = {part.__name__: part for part in parts}
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or named:
            with worktree(older.get(name, "87025a13")) as old:
                kept += named[name](Path(folder), old)
    if not all(kept):
        raise SystemExit("a figure is missed")


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """Check out a commit next to this one, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        git("worktree", "add", "--detach", f"{folder}/tree", commit)
        try:
            yield Path(folder) / "tree"
        finally:
            git("worktree", "remove", "--force", f"{folder}/tree")


def script_in(tree: Path, script: str, *arguments: object) -> dict[str, Any]:
    """Say to `subprocess` how to run a script with the code of a worktree."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    return {"args": command, "cwd": tree, "env": environment, "stdout": subprocess.PIPE, "text": True}


def run(tree: Path, script: str, *arguments: object) -> str:
    """Run a script with the code of a worktree: what it prints."""
    return subprocess.run(**script_in(tree, script, *arguments), check=True).stdout


@contextmanager
def answering(tree: Path, script: str, *arguments: object) -> Iterator[Callable[[], str]]:
    """Start a script with the code of a worktree; give a function that asks it for its next line."""
    with subprocess.Popen(**script_in(tree, script, *arguments), stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout

        def go_on() -> str:
            print(file=process.stdin, flush=True)
            return process.stdout.readline()

        yield go_on


@contextmanager
def serving(
    tree: Path, script: str, *arguments: object, database: Path | None = None
) -> Iterator[tuple[str, int]]:
    """Run a server on a socket of ours, whose number follows its arguments: its address and its process."""
    environment = os.environ | {"PYTHONPATH": str(tree), "CANDOR_DATABASE": str(database)}
    environment |= {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": PASSWORD}
    environment["CANDOR_STRANGERS_SHARE"] = "0"  # no stranger is as fast as a benchmark
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        number = listener.fileno()
        command = [sys.executable, "-c", script, *(str(each).format(fd=number) for each in arguments)]
        server = subprocess.Popen(
            command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, pass_fds=[number]
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", server.pid
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


candor = functools.partial(serving, TOP, SERVE, "serve", "--fd={fd}")


def family(process: int) -> list[int]:
    """List a process and all that it has started."""
    children = [
        int(child)
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
    return [process, *(each for child in children for each in family(child))]


def processor(process: int) -> float:
    """Return the processor time of a server in seconds."""
    fields = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in family(process))
    return sum(int(ticks) for each in fields for ticks in each[11:13]) / TICK


def get(address: str) -> bytes:
    """Fetch a page as a browser does, once the server answers."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip, deflate, br"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read()


def told(what: str, value: str, ratio: float, bound: float, *, at_least: bool = False) -> bool:
    """Print a line of the table; return whether the bound is kept."""
    kept = ratio >= bound if at_least else ratio <= bound
    sign = ">=" if at_least else "<="
    print(f"{what:<52} {value:>28} {ratio:8.3g} {sign} {bound:<5} {'' if kept else 'MISSED'}", flush=True)
    return kept


def sign_in(address: str) -> str:
    """Sign in as the admin: the cookie of the session, which a browser keeps for 127.0.0.1."""
    with urllib.request.urlopen(f"{address}/login") as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        token = re.search(r'name="csrf_token" value="([^"]+)"', answer.read().decode())[1]
    body = urllib.parse.urlencode({"csrf_token": token, "name": "ada", "password": PASSWORD}).encode()

    class Stay(urllib.request.HTTPRedirectHandler):
        """Follow no redirection: the cookie comes with it."""

        def redirect_request(self, *_: object) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(
            urllib.request.Request(f"{address}/login", body, {"Cookie": cookie})
        )
    except urllib.error.HTTPError as answer:
        return answer.headers["Set-Cookie"].split(";")[0]
    raise SystemExit("the admin could not sign in")
