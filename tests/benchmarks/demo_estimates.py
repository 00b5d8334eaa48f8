"""Print every estimate of the demo's surveys from fixed counts, and compare them with an older commit's.

Usage: uv run python tests/benchmarks/demo_estimates.py [COMMIT]

`demo_counts.json` holds how often each code of each column came from simulated respondents: survey -> column
-> code -> count. Each number stands on a line of its own, with all its digits. With COMMIT, only lines that
differ from that commit's are printed, and it is an error if there are any.
"""

from __future__ import annotations

import difflib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from servers import SERVE as CANDOR
from servers import TOP, run, worktree

COUNTS = Path(__file__).with_name("demo_counts.json")
OPTIONS = (
    ("--method", "exact"),
    ("--method", "likelihood_ratio", "--simultaneous"),
    ("--method", "wilson", "--confidence-level", "0.9"),
    ("--method", "wald", "--state", "open"),
)


def lines_of(tree: Path) -> list[str]:
    """List all estimates with the code of a tree, a line for each number."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.csv"
        for slug, columns in json.loads(COUNTS.read_text()).items():
            rows = [f"{name},{code},{n}\n" for name, codes in columns.items() for code, n in codes.items()]
            counts.write_text("column,code,count\n" + "".join(rows))
            survey = tree / f"server/examples/{slug}.toml"
            for options in OPTIONS:
                printed = run(tree, CANDOR, "estimate", "--survey", survey, "--counts", counts, *options)
                lines += flattened(json.loads(printed), f"{slug} {' '.join(options[1:])}")
    return lines


def flattened(value: object, path: str) -> Iterator[str]:
    """List what a document holds, a line for each number or text, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flattened(inner, f"{path} {key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from flattened(inner, f"{path} {place}")
    else:
        yield f"{path} = {value!r}"


def main() -> int:
    """Print the estimates, or what differs; return 1 if anything does."""
    now = lines_of(TOP)
    if len(sys.argv) == 1:
        print(*now, sep="\n")
        return 0
    with worktree(sys.argv[1]) as tree:
        before = lines_of(tree)
    differences = list(difflib.unified_diff(before, now, sys.argv[1], "now", n=0, lineterm=""))
    print(*differences, sep="\n", end="\n" * bool(differences))
    print(f"{len(now)} numbers and texts, {len(set(before) ^ set(now))} lines differ")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
