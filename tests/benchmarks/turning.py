"""What a slow phone does while devices turn: its longest task, and how far the page shifts by itself.

Usage: uv run python tests/benchmarks/turning.py

A survey with a question of every device is answered in Chromium, slowed down to a quarter, in both ways:
each result seen first, from the introduction to the screen before sending; and all answers first, when
all devices turn beside what was sent.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from operator import itemgetter
from pathlib import Path

from load import PATIENCE, TOP, served
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

sys.path.insert(0, str(TOP / "tests" / "browser"))
from pages import Respondent

SLOWER = 4
LONGEST_TASK = 50.0
"""Milliseconds, while a device turns and when it stops; where all turn, from the press on."""

STOPS = 0.5
"""Seconds after the last frame of a turn, in which the next screen comes."""

MOST_SHIFT = 0.02
"""Cumulative layout shift of the whole survey: shifts that no press explains."""

RUNS = 3
"""Of these the one with the shortest longest task counts: other work on the machine only adds to it."""

ALL = "all at once"
"""Stands for the device where all of them turn."""

WATCH = """
window.shifts = [];
const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
observer.observe({ type: "layout-shift", buffered: true });
const turns = (each) => !(each instanceof CSSTransition) && each.playState === "running";
const look = () => {
  const { screen } = document.body?.dataset ?? {};
  const question = screen === "question" && document.querySelector("section.question")?.dataset.question;
  const turning = document.getAnimations().some(turns);
  if (screen === "sending" || (screen === "sent" && turning)) performance.mark("turning all at once");
  else if (question && turning) performance.mark(`turning ${question}`);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Notes shifts, and marks every frame in which something turns, or is under way before all turn."""

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
slug = "turning-{outcome}"
outcome = "{outcome}"
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


def survey(outcome: str) -> str:
    """Write the file of the survey that shows its results before or after they are sent."""
    questions = (
        f'\n[[questions]]\nid = "{name}"\nepsilon = 1.5\nwording = {{ en = "What is it?" }}\n'
        + table.replace("{options}", OPTIONS)
        for name, table in DEVICES.items()
    )
    return SURVEY.replace("{outcome}", outcome) + "".join(questions)


def answer_each(respondent: Respondent) -> None:
    """Answer every question, each when the one before has its result."""
    for table in DEVICES.values():
        mark(respondent, table)
        respondent.use()
    respondent.wait_for("review")


def answer_all(respondent: Respondent) -> None:
    """Answer every question, send at one press, and wait until all devices stand still."""
    for name, table in DEVICES.items():
        if not respondent.has(f"[data-question={name}]"):
            respondent.act("next")
            respondent.find(f"[data-question={name}]")
        mark(respondent, table, f"[data-question={name}] ")
    respondent.send()
    respondent.until(lambda: not respondent.has("[data-action=skip]"))
    time.sleep(STOPS)


def mark(respondent: Respondent, table: str, among: str = "") -> None:
    """Mark an answer to a question."""
    if "number" in table:
        respondent.enter(42, among)
    else:
        respondent.choose(1, among)


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


def measure(outcome: str) -> tuple[list[dict], list]:
    """Answer the survey; return the trace's events, and the shifts."""
    with tempfile.TemporaryDirectory() as folder:
        file, traced = Path(folder) / "turning.toml", Path(folder) / "trace.json"
        file.write_text(survey(outcome))
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
                respondent.visit(f"{address}/s/turning-{outcome}")
                respondent.consent()
                (answer_each if outcome == "before" else answer_all)(respondent)
                shifts = browser.execute_script(SHIFTS)
                browser.execute_cdp_cmd("Browser.close", {})
                return read(traced), shifts
            finally:
                browser.quit()


def main() -> int:
    """Print the table; fail above a limit."""
    print("device       frames  seconds  longest task, ms")
    longest, shifts = 0.0, []
    for outcome, names in (("before", list(DEVICES)), ("after", [ALL])):
        runs = [measure(outcome) for _ in range(RUNS)]
        shifts += max((shifted for _, shifted in runs), key=lambda every: sum(value for value, *_ in every))
        for name in names:
            frames, lasted, task = min((turned(events, name) for events, _ in runs), key=itemgetter(2))
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
