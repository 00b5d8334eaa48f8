"""The reports as Parquet, where pyarrow is installed."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from server.results.files.material import Material
from server.runtime import helper, offload
from server.store.results.sorted_reports import SortedReports

INSTALLED = find_spec("pyarrow") is not None
"""The extra ``candor-survey[parquet]`` is there."""

ROWS = 10_000
MEMORY = 2**30
SECONDS = 150
"""Most bytes of memory, and seconds of the processor that Parquet may take."""


def write_parquet(material: Material, reports: SortedReports, path: Path) -> None:
    """Write the reports as Parquet, in another process: what it takes of memory and time is not the server's.

    Raises
    ------
    subprocess.SubprocessError
        If that process fails, or takes too much.
    """
    table, about = path.with_suffix(".rows"), path.with_suffix(".json")
    offload.run(write_rows, reports, table)
    facts = {"fingerprint": material.publication.fingerprint, "candor": material.version}
    columns, code = list(material.publication.columns), reports.combinations.dtype.str
    about.write_text(json.dumps({"columns": columns, "code": code, "facts": facts}))
    module = f"{__package__}.parquet_process"
    helper.run(module, str(table), str(about), str(path), memory=MEMORY, seconds=SECONDS)


def write_rows(reports: SortedReports, table: Path) -> None:
    """Write the codes of all rows, one after the other."""
    with table.open("wb") as file:
        for block in reports.blocks(ROWS):
            block.tofile(file)
