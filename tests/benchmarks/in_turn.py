"""The figures that a benchmark prints here, over those that an older commit's own copy of it prints.

Usage: uv run python tests/benchmarks/in_turn.py [--rounds N] COMMIT BENCHMARK [ARGUMENT ...]

BENCHMARK is the name of a file here, such as `speed`. The older commit gets a worktree and an environment of
its own, which last as long as the command. Both run in turn, so that what else the machine does falls on
both; each figure is the median of the rounds (5). Lines are matched by their words.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

from servers import TOP, worktree

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
FIGURE = re.compile(rf"(?<= {{2}}){NUMBER.pattern}")
"""A number of a table stands in a column; settings and bounds stand among words."""

Figure = tuple[str, int, int]
"""The words of a line, how often these came before, and the place of a number in it."""


def figures_of(printed: str) -> dict[Figure, float]:
    """Read the numbers of a benchmark's table."""
    figures: dict[Figure, float] = {}
    seen: Counter[str] = Counter()
    for line in printed.splitlines():
        words = " ".join(NUMBER.sub("#", line).replace("MISSED", "").split())
        for place, number in enumerate(FIGURE.findall(line)):
            figures[words, seen[words], place] = float(number.replace(",", ""))
        seen[words] += 1
    return figures


def measure(tree: Path, command: list[str]) -> dict[Figure, float]:
    """Run the benchmark of a tree; a bound that it misses is its own matter."""
    name, *arguments = command
    run = [tree / ".venv/bin/python", f"tests/benchmarks/{name}.py", *arguments]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    return figures_of(
        subprocess.run(run, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True).stdout
    )


def main() -> None:
    """Print a line for each figure that both have."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("commit")
    parser.add_argument("benchmark", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    taken: dict[Path, dict[Figure, list[float]]] = {}
    with worktree(options.commit) as old:
        project = "tests" if (old / "tests/pyproject.toml").exists() else "."
        everything = ["uv", "sync", "--quiet", "--project", project, "--all-extras", "--all-groups"]
        environment = os.environ | {"UV_PROJECT_ENVIRONMENT": str(old / ".venv")}
        subprocess.run(everything, cwd=old, env=environment, check=True)
        for tree in (old, TOP) * options.rounds:
            held = taken.setdefault(tree, defaultdict(list))
            for figure, value in measure(tree, options.benchmark).items():
                held[figure].append(value)
    print(f"{os.getloadavg()[0]:.1f} processes wanted the processor at the end")
    print(f"{'before':>12} {'now':>12} {'ratio':>7}")
    for figure, values in taken[TOP].items():
        if before := taken[old].get(figure):
            here, there = statistics.median(values), statistics.median(before)
            ratio = f"{here / there:7.2f}" if there else " " * 7
            print(f"{there:12.4g} {here:12.4g} {ratio}  {figure[0]} [{figure[2] + 1}]")


if __name__ == "__main__":
    main()
