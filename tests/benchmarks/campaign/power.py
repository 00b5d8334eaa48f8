"""Power loss: whatever survives of the unsynced writes, all that was acknowledged is there unchanged."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import power_on_postgresql
import power_on_sqlite
from losses import SEED, losses

RUNS = {"sqlite": (power_on_sqlite, 1000), "postgresql": (power_on_postgresql, 100)}
"""How a run is recorded on an engine, and how often the power goes."""

LEAST = 10
"""How often the power goes with each setting that must lose something."""


def table(engine: str, batches: int = 60) -> bool:
    """Print a row for what the server sets and for what is weaker; return whether nothing was missed."""
    run, images = RUNS[engine]
    print("settings                calls  acknowledged  images  wrong")
    well = True
    for weaker in ("", *run.WEAKER):
        with tempfile.TemporaryDirectory() as folder:
            recording = run.recorded(Path(folder), batches, weaker)
            number = max(LEAST, images // 20) if weaker else images
            wrong = losses(recording, number, random.Random(SEED))
        print(
            f"{weaker or 'as served':22} {len(recording.events):6,} {len(recording.sent):13,} {number:7,}  "
            f"{len(wrong)}{', as it must be: ' if weaker and wrong else ''}{wrong[0] if wrong else ''}",
            flush=True,
        )
        well &= bool(wrong) == bool(weaker)
    return well
