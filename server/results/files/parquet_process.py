"""Write a table of reports as Parquet, with pyarrow: a helper of `server.results.files.parquet_file`.

Its arguments are TABLE.npy ABOUT.json FILE.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

ROWS = 100_000
"""Rows of a group: what is in memory at a time."""


def write(table: Path, about: Path, path: Path) -> None:
    """Write a column of whole numbers for each column of reports."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    reports, said = np.load(table, mmap_mode="r"), json.loads(about.read_text(encoding="utf-8"))
    kind = pa.from_numpy_dtype(reports.dtype)
    fields = [pa.field(name, kind, nullable=False) for name in said["columns"]]
    schema = pa.schema(fields, metadata=said["facts"])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for start in range(0, len(reports), ROWS):
            block = np.ascontiguousarray(reports[start : start + ROWS].T)
            writer.write_table(pa.table([pa.array(column) for column in block], schema=schema))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
