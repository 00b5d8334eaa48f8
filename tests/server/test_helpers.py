"""Processes of the product: none looks for modules in the working directory; helpers have limits."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image

from server.pictures import reencoding
from server.results.files.parquet_file import write_parquet
from server.runtime import helper

ROOT = Path(__file__).parents[2]
MEMORY = 2**28

STARTS = (
    r"subprocess|multiprocessing|ProcessPool|sys\.executable|os\.(?:exec|fork|popen|posix_spawn|spawn|system)"
)


def test_each_start_is_one_that_is_looked_at_here_and_has_its_p():
    texts = {
        str(path.relative_to(ROOT)): path.read_text()
        for room in ("server", "survey")
        for path in (ROOT / room).rglob("*.py")
    }
    assert {
        name: re.findall(r'sys\.executable(?:, "[^"]*")?', text)
        for name, text in texts.items()
        if re.search(STARTS, text)
    } == {
        "server/cli/demo.py": ['sys.executable, "-P"'],
        "server/runtime/helper.py": ['sys.executable, "-P"'],
        "server/pictures/reencoding.py": [],  # knows the errors of a helper
        "server/results/files/parquet_file.py": [],
    }


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A working directory whose files have the names of modules, and must not be read."""
    for name in ("server", "runpy", "json", "PIL", "numpy", "pyarrow"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('read from the working directory')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)


def test_files_in_the_working_directory_are_not_mistaken_for_modules(trap, examples, tmp_path):
    sent = io.BytesIO()
    Image.new("RGB", (9, 9), "red").save(sent, "PNG")
    assert reencoding.reencode(sent.getvalue())[:3] == ("png", 9, 9)
    material = examples["exam-honesty"]
    write_parquet(material, material.reports, tmp_path / "reports.parquet")
    assert pq.read_table(tmp_path / "reports.parquet").num_rows == 200


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Run lines as a helper, with what it is allowed."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def run(lines, *arguments, **limits):
        (tmp_path / "lines.py").write_text(lines)
        return helper.run("lines", *arguments, **{"memory": MEMORY, "seconds": 600} | limits)

    return run


def test_a_helper_has_its_input_its_arguments_and_no_secret(module, monkeypatch):
    monkeypatch.setenv("CANDOR_SECRET_KEY", "a secret")
    lines = "import os, sys; print(__name__, sys.argv[1:], input(), 'CANDOR_SECRET_KEY' in os.environ)"
    assert module(lines, "one", "two", sent=b"three") == b"__main__ ['one', 'two'] three False\n"


@pytest.mark.parametrize(
    ("lines", "limits", "error", "told"),
    [
        (f"bytes({2 * MEMORY})", {}, subprocess.CalledProcessError, "MemoryError"),
        ("while True: pass", {"seconds": 1}, subprocess.CalledProcessError, "SIGKILL"),
        ("import time; time.sleep(600)", {"seconds": 1}, subprocess.TimeoutExpired, "timed out after 2 sec"),
        ("import os; os.abort()", {}, subprocess.CalledProcessError, "SIGABRT"),
    ],
)
def test_a_helper_that_takes_too_much_is_ended(module, monkeypatch, lines, limits, error, told):
    if told == "SIGKILL":  # by its limit of the processor alone, however busy the machine is
        monkeypatch.setattr(helper, "PATIENCE", 60)
    with pytest.raises(error) as ended:
        module(lines, **limits)
    assert told in str(ended.value) + "".join(getattr(ended.value, "__notes__", []))


@pytest.mark.parametrize(("kind", "allowed"), [("CPU", 20), ("AS", 2 * MEMORY)])
def test_where_the_system_allows_less_than_a_helper_may_take_it_takes_that(
    tmp_path, monkeypatch, kind, allowed
):
    (tmp_path / "lines.py").write_text(f"import resource; print(resource.getrlimit(resource.RLIMIT_{kind}))")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{tmp_path}")
    server = (
        f"import resource; resource.setrlimit(resource.RLIMIT_{kind}, ({allowed}, {allowed}))\n"
        "from server.runtime import helper\n"
        f"print(helper.run('lines', memory={4 * MEMORY}, seconds=600).decode())"
    )
    ended = subprocess.run([sys.executable, "-c", server], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == f"({allowed}, {allowed})"
