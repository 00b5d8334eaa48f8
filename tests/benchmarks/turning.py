"""What a slow phone does while a device turns: its longest task, and how far the page shifts by itself.

Usage: uv run python tests/benchmarks/turning.py

A survey with a question of every device is answered in Chromium, slowed down to a quarter, from the
introduction to the screen before sending.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from load import PATIENCE, TOP, served
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.insert(0, str(TOP / "tests" / "browser"))
from pages import Respondent

SLOWER = 4
LONGEST_TASK = 50.0
"""Milliseconds, while a device turns and when it stops."""

STOPS = 0.5
"""Seconds after the last frame of a turn, in which the next screen comes."""

MOST_SHIFT = 0.02
"""Cumulative layout shift of the whole survey: shifts that no press explains."""

WATCH = """
window.shifts = [];
const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
observer.observe({ type: "layout-shift", buffered: true });
const turns = (each) => !(each instanceof CSSTransition) && each.playState === "running";
const look = () => {
  const question = document.querySelector("section.question")?.dataset.question;
  if (question && document.getAnimations().some(turns)) performance.mark(`turning ${question}`);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Notes shifts, and marks every frame in which something turns."""

SHIFTS = """
return shifts.filter((shift) => !shift.hadRecentInput).map(({ value, startTime, sources }) => (
  [value, startTime, sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? "").join(" | ")]));
"""
TRACE = (
    "--trace-startup=toplevel,blink.user_timing",
    "--trace-startup-duration=0",
    "--trace-startup-format=json",
)

SURVEY = """
candor = 1
slug = "turning"
outcome = "before"
organisation = { en = "Hillside" }
contact = { en = "ada@hillside.example" }
kept_until = 2030-12-31
languages = ["en"]
title = { en = "Every device" }
information = { en = "A survey." }
consent = { en = "I take part." }
"""
DEVICES = {
    "spinner_coin": 'kind = "yes_no"\nmechanism = "spinner_coin"',
    "spinner": 'kind = "yes_no"\nmechanism = "spinner"',
    "wheel": 'kind = "choice"\nmechanism = "wheel"\noptions = {options}',
    "subset": 'kind = "choice"\nmechanism = "subset"\noptions = {options}',
    "exponential": 'kind = "choice"\nmechanism = "exponential"\nordered = true\noptions = {options}',
    "per_box": 'kind = "boxes"\nmechanism = "per_box"\noptions = {options}',
    "sampled_box": 'kind = "boxes"\nmechanism = "sampled_box"\noptions = {options}',
    "one_bit": 'kind = "number"\nmechanism = "one_bit"\nlow = 0\nhigh = 100\nstep = 1',
    "laplace": 'kind = "number"\nmechanism = "laplace"\nlow = 0\nhigh = 1000\nstep = 1',
    "hybrid": 'kind = "number"\nmechanism = "hybrid"\nlow = 0\nhigh = 100\nstep = 1',
}
OPTIONS = "[" + ", ".join(f'{{ en = "Answer {n}" }}' for n in range(1, 7)) + "]"


def survey() -> str:
    """Write the survey's file."""
    questions = (
        f'\n[[questions]]\nid = "{name}"\nepsilon = 1.5\nwording = {{ en = "What is it?" }}\n'
        + table.replace("{options}", OPTIONS)
        for name, table in DEVICES.items()
    )
    return SURVEY + "".join(questions)


def answer_all(respondent: Respondent) -> None:
    """Answer every question, each when the one before has its result."""
    for name, table in DEVICES.items():
        if "number" in table:
            respondent.enter(42)
        else:
            respondent.choose(1)
        respondent.use()
        print(f"{name} has turned", file=sys.stderr)


def turned(events: list[dict], name: str) -> tuple[int, float, float]:
    """Count the frames of a turn, its seconds, and the milliseconds of the longest task in it.

    Notes
    -----
    A task counts by the time that its thread ran: on a busy machine it may wait in the middle for as long.
    """
    frames = [each for each in events if each["name"] == f"turning {name}"]
    first, last = frames[0], frames[-1]
    tasks = [
        each["tdur"] / 1000
        for each in events
        if each["name"].endswith("RunTask")
        and (each["pid"], each["tid"]) == (first["pid"], first["tid"])
        and first["ts"] < each["ts"] < last["ts"] + STOPS * 1e6
        and "tdur" in each
    ]
    return len(frames), (last["ts"] - first["ts"]) / 1e6, max(tasks)


def read(traced: Path) -> list[dict]:
    """Wait for the file that the browser writes when it ends, and give its events."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return json.loads(traced.read_text())["traceEvents"]
        except (FileNotFoundError, json.JSONDecodeError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def main() -> int:
    """Print the table; fail above a limit."""
    with tempfile.TemporaryDirectory() as folder:
        file, traced = Path(folder) / "turning.toml", Path(folder) / "trace.json"
        file.write_text(survey())
        options = webdriver.ChromeOptions()
        for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=390,844", *TRACE):
            options.add_argument(flag)
        options.add_argument(f"--trace-startup-file={traced}")
        with served(TOP, [file]) as address:
            browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
            try:
                browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
                browser.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                respondent = Respondent(browser)
                respondent.visit(f"{address}/s/turning")
                respondent.consent()
                answer_all(respondent)
                respondent.wait_for("review")
                shifts = browser.execute_script(SHIFTS)
                browser.execute_cdp_cmd("Browser.close", {})
                events = read(traced)
            finally:
                browser.quit()
    print("device       frames  seconds  longest task, ms")
    longest = 0.0
    for name in DEVICES:
        frames, lasted, task = turned(events, name)
        longest = max(longest, task)
        print(f"{name:12} {frames:6}  {lasted:7.2f}  {task:16.1f}")
    print(f"longest task {longest:.1f} ms, at most {LONGEST_TASK}")
    total = sum(value for value, _, _ in shifts)
    print(f"layout shift {total:.4f}, at most {MOST_SHIFT}")
    for value, moment, sources in shifts:
        print(f"{value:12.4f} at {moment / 1000:6.1f} s  {sources}")
    return int(longest > LONGEST_TASK or total > MOST_SHIFT)


if __name__ == "__main__":
    sys.exit(main())
