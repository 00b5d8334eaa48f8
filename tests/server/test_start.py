"""The server starts without what only estimates need: a worker is up the sooner, and so is each test's."""

import subprocess
import sys

SLOW_TO_IMPORT = ("scipy.stats", "scipy.optimize", "scipy.interpolate", "scipy.sparse")

SERVE = """
import sys
from pathlib import Path
from server import create_app
from server.config import Config
client = create_app(Config(database=Path(sys.argv[1]))).test_client()
assert client.get("/s/exams").status_code == 200
print(*sys.modules)
"""


def test_the_first_page_needs_no_solver(door):
    path = door.storage.path
    served = subprocess.run([sys.executable, "-c", SERVE, path], capture_output=True, text=True, check=True)
    assert "scipy.special" in served.stdout.split()
    assert not set(SLOW_TO_IMPORT) & set(served.stdout.split())
