"""The server starts without what only estimates and submissions need, so a worker is up the sooner."""

import subprocess
import sys

SLOW_TO_IMPORT = {"psycopg", "scipy", "numpy.f2py", "numpy.testing", "limits", "flask_smorest", "marshmallow"}

SERVE = """
import sys
from pathlib import Path
from server import create_app
from server.config import Config
client = create_app(Config(database=Path(sys.argv[1]))).test_client()
assert client.get("/s/exams").status_code == 200
print(*sys.modules)
"""


def test_the_first_page_needs_neither_scipy_nor_the_windows_of_the_rate_limit(door):
    path = door.storage.path
    served = subprocess.run([sys.executable, "-c", SERVE, path], capture_output=True, text=True, check=True)
    assert "server.results.page" in served.stdout.split()
    assert not SLOW_TO_IMPORT & set(served.stdout.split())
