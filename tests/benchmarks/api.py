"""Twenty thousand requests to the interface for programs: no defect, and every answer as it is described.

    python tests/benchmarks/api.py [NUMBER]

The requests are those of tests/server/test_api_cases.py, others in each run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Send the requests and print what was answered; 1 if an answer is a defect or not as described."""
    number = sys.argv[1] if len(sys.argv) > 1 else "20000"
    started = time.monotonic()
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-s",
            "--hypothesis-profile=explore",
            "tests/server/test_api_cases.py",
        ],
        cwd=ROOT,
        env=os.environ | {"CANDOR_API_CASES": number},
        check=False,
    )
    print(f"{number} requests in {time.monotonic() - started:.0f} s")
    return int(ended.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
