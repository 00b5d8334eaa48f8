"""The reports as Parquet, where pyarrow is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from server.results.files.material import Material
from server.results.files.report_csv import Reports
from server.runtime import offload

LONGEST = 300
"""Seconds that Parquet may take."""


def parquet_is_installed() -> bool:
    """Return whether the extra ``candor-survey[parquet]`` is installed."""
    return find_spec("pyarrow") is not None


def write_parquet(material: Material, reports: Reports, path: Path) -> None:
    """Write the reports as Parquet, in another process: what it takes of memory and time is not the server's.

    Raises
    ------
    subprocess.SubprocessError
        If that process fails or takes too long.
    """
    table, about = path.with_suffix(".npy"), path.with_suffix(".json")
    offload.run(np.save, table, np.ascontiguousarray(reports, reports.dtype.newbyteorder("=")))
    facts = {"fingerprint": material.publication.fingerprint, "candor": material.version}
    about.write_text(json.dumps({"columns": list(material.publication.columns), "facts": facts}))
    command = [
        sys.executable,
        "-m",
        "server.results.files.parquet_process",
        str(table),
        str(about),
        str(path),
    ]
    subprocess.run(command, check=True, timeout=LONGEST)  # noqa: S603  # our own module, our own files
