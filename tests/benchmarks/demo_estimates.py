"""Compare every estimate of five surveys from fixed counts with an older commit's.

Usage: uv run python tests/benchmarks/demo_estimates.py COMMIT

`demo_counts.json` holds how often each code of each column came from simulated respondents: survey -> column
-> code -> count. They answered the demo's surveys as that commit has them, which both versions estimate. Each
number stands on a line of its own, with all its digits. Lines that have changed are printed and an error;
what is estimated besides is counted.
"""

from __future__ import annotations

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


def lines_of(tree: Path, examples: Path) -> list[str]:
    """List all estimates of surveys with the code of a tree, a line for each number."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.csv"
        for slug, columns in json.loads(COUNTS.read_text()).items():
            rows = [f"{name},{code},{n}\n" for name, codes in columns.items() for code, n in codes.items()]
            counts.write_text("column,code,count\n" + "".join(rows))
            survey = examples / f"{slug}.toml"
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
    """Print what has changed; return 1 if anything has."""
    with worktree(sys.argv[1]) as tree:
        before, now = (lines_of(code, tree / "server/examples") for code in (tree, TOP))
    as_now = set(now)
    changed = [line for line in before if line not in as_now]
    print(*changed, sep="\n", end="\n" * bool(changed))
    print(f"{len(before)} numbers and texts, {len(changed)} changed; {len(as_now - set(before))} are new")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
