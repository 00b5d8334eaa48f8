"""How long a phone with an empty cache waits for the respondents' page, over what older commits take.

Usage: uv run python tests/benchmarks/load.py

Chromium fetches each survey from both servers in turn at 150 ms and 1.6 Mbit/s, five times, until the page
can be used: ten yes/no questions, and examples as they were at the older commit, whose worktree lasts as long
as the comparison.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

TOP = Path(__file__).resolve().parents[2]
MOST = {"87025a13": {"ten": 0.75}, "b845749": {"exam-honesty": 0.85, "student-life": 0.7}}
"""Older commit -> survey -> the time until it can be used, over that of the commit, at most."""

RUNS = 5
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""Milliseconds and bytes a second."""

PATIENCE = 60
"""Seconds that anything may take."""

PUBLISH = """
import sys
from pathlib import Path
from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage
try:
    from survey.read_definition import parse
except ImportError:  # an older commit
    from survey.definition import parse
storage = SQLiteStorage(Path(sys.argv[1]))
for file in sys.argv[2:]:
    draft = storage.write(surveys.import_definition, parse(Path(file).read_text(), file))
    storage.write(surveys.open_survey, draft.id)
"""
SERVE = "from server.cli import main; main()"

WATCH = """
const shown = () => document.querySelector("[data-action=begin]")?.checkVisibility();
const watch = () => {
  if (shown()) requestAnimationFrame(() => { window.usable = performance.now(); });
  else setTimeout(watch, 5);
};
watch();
"""
"""Notes the frame in which a respondent can begin."""


def git(*arguments: str) -> str:
    """Run git on this repository."""
    return subprocess.run(["git", "-C", TOP, *arguments], check=True, capture_output=True, text=True).stdout


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """Check out a commit next to this one, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        git("worktree", "add", "--detach", f"{folder}/tree", commit)
        try:
            yield Path(folder) / "tree"
        finally:
            git("worktree", "remove", "--force", f"{folder}/tree")


@contextmanager
def served(tree: Path, files: list[Path]) -> Iterator[str]:
    """Serve surveys with the code of a worktree: the address."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "candor.db"
        environment = os.environ | {"PYTHONPATH": str(tree), "CANDOR_DATABASE": str(database)}
        environment |= {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}
        listener = socket.create_server(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        command = [sys.executable, "-c", SERVE, "serve", f"--fd={listener.fileno()}"]
        server = subprocess.Popen(
            command, env=environment, cwd=tree, stdout=subprocess.DEVNULL, pass_fds=[listener.fileno()]
        )
        listener.close()
        try:
            wait_for(address)
            publish = [sys.executable, "-c", PUBLISH, database, *files]
            subprocess.run(publish, env=environment, cwd=tree, check=True)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(address).close()
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


@contextmanager
def phone() -> Iterator[webdriver.Chrome]:
    """Start a browser on the network of a phone."""
    options = webdriver.ChromeOptions()
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,844"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", NETWORK)
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        yield browser
    finally:
        browser.quit()


def visit(browser: webdriver.Chrome, address: str) -> tuple[float, int, int]:
    """Open a page that the browser does not know: milliseconds until it can be used, requests, bytes."""
    browser.get("about:blank")
    browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    browser.get(address)
    end = time.monotonic() + PATIENCE
    while (usable := browser.execute_script("return window.usable")) is None:
        assert time.monotonic() < end, address
        time.sleep(0.05)
    sizes = browser.execute_script(
        "return ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))"
        ".map((entry) => entry.encodedBodySize)"
    )
    return usable, len(sizes), sum(sizes)


def table(browser: webdriver.Chrome, addresses: dict[str, str], commit: str) -> bool:
    """Print the table; whether every survey can be used in time."""
    print(f"{RUNS} visits each, in milliseconds")
    print("survey       commit     best median  worst answers   bytes   ratio")
    kept = True
    for slug, most in MOST[commit].items():
        visits: dict[str, list[tuple[float, int, int]]] = {name: [] for name in addresses}
        for _ in range(RUNS):
            for name, address in addresses.items():
                visits[name].append(visit(browser, f"{address}/s/{slug}"))
        before = statistics.median(taken for taken, _, _ in visits[commit])
        for name, found in visits.items():
            taken = [each for each, _, _ in found]
            _, answers, size = found[-1]
            ratio = statistics.median(taken) / before
            print(
                f"{slug:12} {name:8.8} {min(taken):6.0f} {statistics.median(taken):6.0f} {max(taken):6.0f} "
                f"{answers:7} {size:7,}   {ratio:.2f}" + (f", at most {most}" if name != commit else "")
            )
        kept &= ratio <= most
    return kept


def in_time(commit: str) -> bool:
    """Serve both, visit both; return whether every survey can be used in time."""
    from submissions import SURVEY  # whose module imports this one

    with ExitStack() as stack:
        older = stack.enter_context(worktree(commit))
        ten = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "ten.toml"
        ten.write_text(SURVEY)
        examples = older / "server" / "examples"
        files = [ten if slug == "ten" else examples / f"{slug}.toml" for slug in MOST[commit]]
        trees = {commit: older, "here": TOP}
        addresses = {name: stack.enter_context(served(tree, files)) for name, tree in trees.items()}
        browser = stack.enter_context(phone())
        return table(browser, addresses, commit)


if __name__ == "__main__":
    sys.exit(sum(not in_time(commit) for commit in MOST))
