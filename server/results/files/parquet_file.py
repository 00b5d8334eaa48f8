"""The reports as Parquet, where pyarrow is installed."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from server.results.files.material import Material
from server.results.files.report_csv import Reports
from server.runtime import helper, offload

INSTALLED = find_spec("pyarrow") is not None
"""The extra ``candor-survey[parquet]`` is there."""

MEMORY = 2**30
SECONDS = 150
"""Most bytes of memory, beside the table itself, and seconds of the processor that Parquet may take."""


def write_parquet(material: Material, reports: Reports, path: Path) -> None:
    """Write the reports as Parquet, in another process: what it takes of memory and time is not the server's.

    Raises
    ------
    subprocess.SubprocessError
        If that process fails, or takes too much.
    """
    table, about = path.with_suffix(".npy"), path.with_suffix(".json")
    offload.run(np.save, table, np.ascontiguousarray(reports, reports.dtype.newbyteorder("=")))
    facts = {"fingerprint": material.publication.fingerprint, "candor": material.version}
    about.write_text(json.dumps({"columns": list(material.publication.columns), "facts": facts}))
    module, memory = "server.results.files.parquet_process", MEMORY + table.stat().st_size
    helper.run(module, str(table), str(about), str(path), memory=memory, seconds=SECONDS)
