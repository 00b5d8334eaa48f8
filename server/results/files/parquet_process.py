"""Write a table of reports as Parquet, with pyarrow: a helper of `server.results.files.parquet_file`.

Its arguments are TABLE.rows ABOUT.json FILE.
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

    said = json.loads(about.read_text(encoding="utf-8"))
    kind, width = pa.from_numpy_dtype(np.dtype(said["code"])), len(said["columns"])
    fields = [pa.field(name, kind, nullable=False) for name in said["columns"]]
    schema = pa.schema(fields, metadata=said["facts"])
    with table.open("rb") as rows, pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while (codes := np.fromfile(rows, said["code"], ROWS * width)).size:
            block = np.ascontiguousarray(codes.reshape(-1, width).T)
            writer.write_table(pa.table([pa.array(column) for column in block], schema=schema))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
