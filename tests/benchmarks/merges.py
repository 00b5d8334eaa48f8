"""Put two versions of a draft together that two people have edited at random; fail where anything is lost.

    python tests/benchmarks/merges.py [PAIRS]

10,000 pairs, unless another number is given, of one to four edits each: texts, settings, questions, lines of
a group on one scale, parts and options are added, changed, moved and removed. What each has changed is as
they left it, or both are named, so that somebody chooses.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "survey" / "draft"))
from test_merge import is_asked

PAIRS = 10_000


def main(arguments):
    pairs = int(arguments[0]) if arguments else PAIRS
    asked = sum(map(is_asked, range(pairs)))
    print(f"{pairs} pairs, of which {asked} are asked: nothing is lost")


if __name__ == "__main__":
    main(sys.argv[1:])
