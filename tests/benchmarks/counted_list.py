"""The list of a million reports: leaves, order, root and prefix within 5 seconds of one processor.

Usage: uv run python tests/benchmarks/counted_list.py [--rows 1000000]

It also prints, for each engine, what the list of a stored survey takes with all that is read and written.
"""

import argparse
import os
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

sys.path += [str(Path(__file__).parents[1] / "postgresql")]

import cluster
from attestation import fill

from server.runtime.sort_rows import in_order
from server.store import counted_lists, surveys
from server.store.counted_lists import AT_ONCE, BLOCK, split_rows
from server.store.storage import storage_at
from survey.counted_list import (
    HASH,
    LEAST,
    SHEET,
    bits_of,
    count_starts,
    leaves_of,
    path_of,
    prefix_bits,
    root_of,
    sheets_of,
)

MOST = 5.0


def timed(name, make, *arguments):
    """Call what makes a list, and print what it takes."""
    begun, worked = time.perf_counter(), time.process_time()
    make(*arguments)
    took, worked = time.perf_counter() - begun, time.process_time() - worked
    print(f"stored in {name}: {took:.2f} s, of which {worked:.2f} s of this process")


def make_stored(rows):
    """Close a survey of so many reports on each engine, and print what its list takes."""
    os.environ[cluster.VARIABLE] = str(cluster.place() / f"pg{os.getpid()}")
    try:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            for name, database in (("SQLite", Path(folder) / "a.db"), ("PostgreSQL", cluster.new_database())):
                with closing(storage_at(database)) as storage:
                    storage.create()
                    fill(storage, rows)
                    storage.write(surveys.close_survey, 1)
                    with patch.object(counted_lists, "make", partial(timed, name, counted_lists.make)):
                        storage.finish()
                    assert storage.read(counted_lists.of, 1).leaves == rows
    finally:
        cluster.stop()


def main():
    """Make a list, and print what each part takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    records = [(os.urandom(16), os.urandom(10)) for _ in range(rows)]
    moments = [time.process_time()]

    def told(what):
        moments.append(time.process_time())
        print(f"{what:<8} {moments[-1] - moments[-2]:5.2f} s")

    pieces = [b"".join(leaves_of(records[at : at + BLOCK])) for at in range(0, rows, BLOCK)]
    told("leaves")
    ordered = list(in_order(lambda: pieces, HASH, AT_ONCE * SHEET))
    told("order")
    leaves = [leaf for joined in ordered for leaf in split_rows(joined, HASH)]
    roots = [root_of(sheet) for sheet in sheets_of(leaves)]
    root_of(roots)
    told("root")
    bits = bits_of(rows, LEAST)
    bits = prefix_bits(sum(count_starts(joined, bits) for joined in ordered), LEAST) or 0
    told("prefix")
    total = moments[-1] - moments[0]
    first = int.from_bytes(leaves[0]) >> 8 * HASH - bits
    few = sum(int.from_bytes(leaf) >> 8 * HASH - bits == first for leaf in leaves[: 100 * LEAST])
    path = path_of(len(leaves), 0, few, lambda low, high: root_of(leaves[low:high]))
    print(f"{rows:,} rows: {total:.2f} s; {bits} bits, answered by {few} leaves and a path of {len(path)}")
    make_stored(rows)
    sys.exit("a list takes too long" if total > MOST else 0)


if __name__ == "__main__":
    main()
