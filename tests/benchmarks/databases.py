"""Databases that several commands fill, by the code of this commit or of an older one."""

from __future__ import annotations

import functools
from pathlib import Path

from servers import TOP, run

PEOPLE = 1_000_000

STORAGE = """
import sys, time
from pathlib import Path
import numpy as np
from server.store import surveys
try:
    from survey.read_definition import parse
except ImportError:  # before a definition was read apart from what it is
    from survey.definition import parse
try:
    from server.store.sqlite.storage import SQLiteStorage as Storage
except ImportError:  # before each engine had a room of its own
    from server.database import Storage
storage = Storage(Path(sys.argv[1]))
getattr(storage, "create" if hasattr(storage, "create") else "migrate")()
def opened(draft):
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, draft).id)
def large(questions):
    said = {"en": "?"}
    one = {"mechanism": "spinner_coin", "epsilon": 0.5, "wording": said}
    table = {"candor": 1, "slug": "large", "languages": ["en"], "title": said, "information": said}
    listed = [one | {"id": f"q{n}"} for n in range(questions)]
    return opened(table | {"consent": said, "questions": listed})
"""
"""Opens a database, and knows how to open a survey; the first argument is its file."""

PUBLISH = STORAGE + "opened(parse(Path(sys.argv[2]).read_text(), sys.argv[2]).as_dict())"

FILL = (
    STORAGE
    + """
survey, chance = large(10), np.random.default_rng(1)
for _ in range(0, int(sys.argv[2]), 100_000):
    receipts = chance.bytes(1_600_000)
    records = chance.integers(0, 2, (100_000, 10), dtype=np.uint8).tobytes()
    batch = {receipts[16 * n : 16 * n + 16]: records[10 * n : 10 * n + 10] for n in range(100_000)}
    storage.write(lambda db: db.reports.put(survey.id, survey.publication, batch))
storage.write(surveys.close_survey, survey.id)
storage.finish()
"""
)
"""Stores many reports of ten questions by the store's own path, and closes the survey."""


def visited(folder: Path) -> Path:
    """Make a database with a survey, once."""
    database = folder / "visits.db"
    if not database.exists():
        run(TOP, PUBLISH, database, TOP / "server/examples/exam-honesty.toml")
    return database


@functools.cache
def filled(folder: Path) -> Path:
    """Store a million reports and close the survey."""
    run(TOP, FILL, folder / "large.db", PEOPLE)
    return folder / "large.db"
