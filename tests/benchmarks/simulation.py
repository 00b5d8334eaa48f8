"""How long a run of the simulation lesson takes in Chromium, from click to shown: 100 000 people, 10 boxes.

Usage: uv run python tests/benchmarks/simulation.py
"""

from __future__ import annotations

import logging
import statistics
import sys
import tempfile
import threading
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from werkzeug.serving import make_server

from server import create_app
from server.config import Config

LIMIT = 200.0
"""Milliseconds that a run may take."""

RUNS = 25
RESPONDENTS = (1000, 10_000, 100_000)
BOXES = 10

SHOWN = """
const done = arguments[0];
const start = performance.now();
document.querySelector("[data-action=again]").click();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
"""
"""After the next frame has been drawn the timer runs."""


def measured(address: str) -> dict[int, list[float]]:
    """Run the lesson in a browser: respondents -> milliseconds of each run."""
    options = webdriver.ChromeOptions()
    for flag in ("--headless", "--no-sandbox", "--disable-gpu"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    boxes = "".join(f"&box={share}+Box" for share in range(0, 100, 100 // BOXES))
    found = {}
    try:
        for respondents in RESPONDENTS:
            browser.get("about:blank")
            browser.get(f"{address}/learn/simulation#epsilon=1&respondents={respondents}&seed=1{boxes}")
            found[respondents] = [browser.execute_async_script(SHOWN) for _ in range(RUNS)]
    finally:
        browser.quit()
    return found


def main() -> int:
    """Print the table; fail if the median of the largest survey is above the limit."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        server = make_server(
            "127.0.0.1", 0, create_app(Config(database=Path(folder) / "candor.db")), threaded=True
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = measured(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    print(f"{RUNS} runs, in milliseconds")
    print(f"{'respondents':>11} {'answers':>10} {'best':>7} {'median':>7} {'worst':>7}")
    for respondents, taken in found.items():
        best, median, worst = min(taken), statistics.median(taken), max(taken)
        print(f"{respondents:11,} {respondents * BOXES:10,} {best:7.0f} {median:7.0f} {worst:7.0f}")
    return int(statistics.median(found[RESPONDENTS[-1]]) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
