"""What it costs to start: a server, a further worker, and commands.

Usage: uv run python tests/benchmarks/starts.py [PART ...]

PART is start, commands or workers; without one, all are measured, beside an older commit in a worktree of its
own. Every ratio is of medians of five rounds, taken in turn.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import statistics
import time
from importlib.util import find_spec
from pathlib import Path

from databases import PUBLISH, visited
from servers import ROUNDS, SERVE, TOP, candor, family, get, measure, processor, run, serving, told, worktree

NO_EXTRA = "import sys; sys.modules['pandas'] = None; "
"""Hides pandas, as if it were not installed, from a server that follows."""


def start(folder: Path, old: Path) -> list[bool]:
    """Compare the processor time up to the first page with older commits', with extras and without."""
    assert find_spec("pandas"), "sqlite-utils imports pandas where it finds it: install every extra"
    kept = []
    with worktree("492c410") as oldest:
        bounds = {"every extra": {oldest: 0.45, old: 0.75}, "no extra": {old: 0.75}}
        for tree in (oldest, old, TOP):
            run(tree, PUBLISH, folder / f"{tree.parent.name}.db", tree / "server/examples/exam-honesty.toml")
        for extras, script in (("every extra", SERVE), ("no extra", NO_EXTRA + SERVE)):
            taken: dict[Path, list[float]] = {tree: [] for tree in (*bounds[extras], TOP)}
            for _ in range(1 + ROUNDS):  # the first compiles
                for tree, times in taken.items():
                    database = folder / f"{tree.parent.name}.db"
                    with serving(tree, script, "serve", "--fd={fd}", database=database) as (address, process):
                        get(f"{address}/s/exam-honesty")
                        times.append(processor(process))
            now = statistics.median(taken[TOP][1:])
            for tree, bound in bounds[extras].items():
                what = f"start to first page, {extras}, of {'87025a13' if tree is old else '492c410'}"
                before = statistics.median(taken[tree][1:])
                kept.append(told(what, f"{now:.2f} s of processor", now / before, bound))
    return kept


def commands(folder: Path, old: Path) -> list[bool]:
    """Compare the processor time of commands whose figures are the same, to twelve digits."""
    estimate = ["estimate", "--mechanism", "spinner_coin", "--epsilon", "1.386", "--counts", "492", "508"]
    explain = ["explain", old / "server/examples/exam-honesty.toml"]
    kept = []
    for words, bound in ((estimate, 0.75), (explain, 0.65)):
        taken: dict[Path, list[float]] = {old: [], TOP: []}
        figures = set()
        for _ in range(1 + ROUNDS):
            for tree, times in taken.items():
                before = of_children()
                printed = run(tree, SERVE, *words)
                times.append(of_children() - before)
                figures.add(tuple(sorted(f"{float(n):.12g}" for n in re.findall(r"\d+\.\d+", printed))))
        assert len(figures) == 1, figures
        before, now = (statistics.median(times[1:]) for times in taken.values())
        kept.append(told(f"processor time of candor {words[0]}", f"{now:.2f} s", now / before, bound))
    return kept


def of_children() -> float:
    """Return the processor time of all commands that have ended, in seconds."""
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def workers(folder: Path, old: Path) -> list[bool]:
    """Compare what a third worker costs, once each has answered a page, with a start with one.

    The second brings the pages of staff, which two workers share, and one alone imports on demand.
    """
    taken: dict[int, list[float]] = {1: [], 2: [], 3: []}
    database = visited(folder)
    for _ in range(1 + ROUNDS):  # the first compiles
        for many, times in taken.items():
            with candor(f"--workers={many}", database=database) as (address, process):
                get(f"{address}/s/exam-honesty")
                while len(family(process)) <= many:  # the last may not be there yet
                    time.sleep(0.01)
                _, *started = family(process)
                for other in started[:-1]:  # so that the last has to answer
                    os.kill(other, signal.SIGSTOP)
                    get(f"{address}/s/exam-honesty")
                    os.kill(other, signal.SIGCONT)
                times.append(processor(process))
                memory = Path(f"/proc/{started[-1]}/smaps_rollup").read_text()
    own = sum(int(kilobytes) for kilobytes in re.findall(r"Private_(?:Clean|Dirty): +(\d+)", memory)) / 1000
    first, two, three = (statistics.median(times[1:]) for times in taken.values())
    further = three - two
    print(f"start with two workers: {two / first:.2f} of one with one")
    return [
        told("further worker, of the first's", f"{further:.2f} s of processor", further / first, 0.3),
        told("memory of its own of a further worker", f"{own:.0f} MB", own, 40),
    ]


if __name__ == "__main__":
    measure((start, commands, workers))
