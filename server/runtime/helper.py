"""Helpers: modules of ours that run in a process of their own, with a limit of memory and of time.

Usage: python -P -m server.runtime.helper MEMORY SECONDS MODULE [ARGUMENT ...]

With ``-P``, nothing in the working directory is mistaken for a module. The limits are set before the module
is imported, and it learns of no key, and not where the database is.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys

PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
"""Variables that a helper gets: where Python is."""
PATIENCE = 2
"""Times of its seconds that a helper may take on a busy machine."""


def run(module: str, *arguments: str, sent: bytes = b"", memory: int, seconds: int) -> bytes:
    """Run a module in a process of its own, and return what it writes.

    Parameters
    ----------
    module : str
    *arguments : str
    sent : bytes
        Its input.
    memory : int
        The most bytes of its address space.
    seconds : int
        The most seconds of the processor; it may last `PATIENCE` times as long.

    Raises
    ------
    subprocess.SubprocessError
        If it fails, or is ended by its limits.
    """
    command = [sys.executable, "-P", "-m", __name__, str(memory), str(seconds), module, *arguments]
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        ended = subprocess.run(  # noqa: S603  # our own module
            command, input=sent, capture_output=True, timeout=PATIENCE * seconds, check=True, env=environment
        )
    except subprocess.CalledProcessError as error:
        error.add_note(error.stderr.decode(errors="replace"))
        raise
    return ended.stdout


def limited(memory: int, seconds: int, module: str) -> None:
    """Run a module as ``python -m`` does, in this process, within its limits and those of the server."""
    import resource

    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        _, allowed = resource.getrlimit(kind)  # nobody may raise what a system has set
        least = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (least, least))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _, most_bytes, most_seconds, *sys.argv = sys.argv
    limited(int(most_bytes), int(most_seconds), sys.argv[0])
