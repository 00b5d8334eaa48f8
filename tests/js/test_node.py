"""The tests of the scripts, which Node runs: one test here for each file of theirs."""

import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("file", sorted(path.name for path in FOLDER.glob("*.test.js")))
def test_scripts(file):
    command = ["node", "--test-reporter=tap", file]  # what it prints by itself differs by version
    ended = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "# fail 0" in ended.stdout
