"""The server and its commands start without what they do not need; further workers share what is there."""

import importlib
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

import server.store.sqlite

SLOW_TO_IMPORT = {
    "psycopg",
    "scipy",
    "numpy.f2py",
    "numpy.testing",
    "limits",
    "flask_smorest",
    "marshmallow",
    "pandas",
    "pyarrow",
    "authlib",
    "requests",
    "matplotlib",
    "dateutil",
}

LATE = {"server.results.page", "server.drafts", "server.lessons", "survey.draft", "survey.plan"}

SERVE = """
import sys
from pathlib import Path
from server import create_app
from server.config import Config
client = create_app(Config(database=Path(sys.argv[1])), late=True).test_client()
for address in ("/s/exams", "/login"):
    assert client.get(address).status_code == 200
    print(*sys.modules)
"""


def test_the_page_of_a_survey_needs_no_room_of_staff_and_theirs_need_no_scipy(door):
    path = door.storage.path
    served = subprocess.run([sys.executable, "-c", SERVE, path], capture_output=True, text=True, check=True)
    survey, login = map(set, map(str.split, served.stdout.splitlines()))
    assert not LATE & survey
    assert not SLOW_TO_IMPORT & login
    assert "server.results.page" in login


def test_sqlite_utils_finds_no_pandas_where_it_is_installed(tmp_path, monkeypatch):
    (tmp_path / "pandas.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("pandas", "sqlite_utils"):
            monkeypatch.delitem(sys.modules, name)
    importlib.reload(server.store.sqlite)
    importlib.import_module("sqlite_utils")
    assert "pandas" not in sys.modules  # whoever needs it can import it afterwards


COMMAND = """
import sys
from server.cli import main
main(sys.argv[1:], standalone_mode=False)
print(*sys.modules)
"""
EXAMPLE = Path(__file__).resolve().parents[2] / "server" / "examples" / "exam-honesty.toml"
YES_NO = ("estimate", "--mechanism", "spinner_coin", "--epsilon", "1")


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ((*YES_NO, "--counts", "492", "508"), "scipy.optimize"),
        ((*YES_NO, "--counts", "3", "7"), "scipy.optimize"),
        ((*YES_NO, "--counts", "3", "7", "--method", "likelihood_ratio"), "scipy.optimize"),
        (("explain", EXAMPLE), "scipy"),
    ],
)
def test_a_command_imports_no_more_than_it_needs(arguments, missing):
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments], capture_output=True, text=True, check=True
    )
    assert missing not in run.stdout.split()


IMPORT = """
from gevent import monkey
monkey.patch_all()
from pathlib import Path
def held():
    return [len(list(Path("/proc/self", name).iterdir())) for name in ("task", "fd")]
print(held())
import server.application
server.application.load_rooms()
print(held())
"""


@pytest.fixture
def master(tmp_path):
    """A server with two workers: its process and its address."""
    environment = os.environ | {
        "CANDOR_DATABASE": str(tmp_path / "candor.db"),
        "CANDOR_ADMIN_NAME": "ada",
        "CANDOR_ADMIN_PASSWORD": "a long enough password",
    }
    command = [sys.executable, "-m", "server.cli", "serve", "--bind", "127.0.0.1:0", "--workers", "2"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        lines = iter(server.stdout.readline, "")
        address = next(found[0] for line in lines if (found := re.search(r"http://127.0.0.1:\d+", line)))
        yield server, address
        server.terminate()


def workers(server):
    return {
        int(child) for child in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    }


def until(holds):
    """Wait until something holds, for a minute at most."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def answers(address):
    with suppress(URLError, OSError), urlopen(f"{address}/readyz", timeout=60) as answer:
        return answer.status == 200
    return False


def test_what_workers_share_starts_no_thread_and_opens_nothing():
    run = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    before, after = run.stdout.splitlines()
    assert before == after


def test_workers_that_end_are_replaced_and_end_with_their_master(master):
    server, address = master
    until(lambda: answers(address) and len(workers(server)) == 2)
    first = workers(server)
    assert len(list(Path(f"/proc/{server.pid}/task").iterdir())) == 1
    assert not [
        file for file in Path(f"/proc/{server.pid}/fd").iterdir() if "candor.db" in file.readlink().name
    ]
    os.kill(min(first), signal.SIGKILL)
    until(lambda: len(workers(server) - first) == 1)
    assert answers(address)
    second = workers(server)
    server.send_signal(signal.SIGHUP)
    until(lambda: len(workers(server)) == 2 and not workers(server) & second)
    until(lambda: answers(address))
    last = workers(server)
    server.kill()  # its workers see that, end, and leave the address free
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in last))
    assert not answers(address)
