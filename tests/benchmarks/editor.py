"""What an admin waits for while writing thirty questions, over the page load of an older commit, in one run.

Usage: uv run python tests/benchmarks/editor.py COMMIT [ROUNDS]

COMMIT is the older commit (77aab90); its worktree lasts as long as the command. There, every added or moved
question is a page load. Here each action is timed from the press until it is painted, and a save until it is
answered. Medians of the rounds (5), which alternate between the two. How long the server validates the thirty
questions, each with another wording, is printed in milliseconds of a processor, at most 50.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from servers import PASSWORD, PATIENCE, SERVE, TOP, run, serving, told, worktree

from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage
from survey.draft import check

QUESTIONS = 30
MOST = 0.2
MOST_VALIDATING = 50
HEIGHTS = {(1280, 900): 3, (390, 844): 3}
"""Window -> how many screens thirty folded questions in five parts, over their limit, may fill."""

DRAFT = """
import sys
from pathlib import Path
from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage
storage = SQLiteStorage(Path(sys.argv[1]))
storage.create()
words = {"en": "Have you come to work tired in the past four weeks?", "ko": "최근 4주 동안 피곤했습니까?"}
options = [{"en": f"Option {n}", "ko": f"선택 {n}"} for n in range(1, 6)]
kinds = [{"mechanism": "spinner_coin"}, {"kind": "choice", "mechanism": "wheel", "options": options},
    {"kind": "boxes", "mechanism": "sampled_box", "options": options},
    {"kind": "number", "mechanism": "hybrid", "low": 0, "high": 60, "step": 1}]
asked = [{"id": f"q{n}", "epsilon": 0.1, "wording": words} | kinds[n % 4] for n in range(int(sys.argv[2]))]
texts = {name: words for name in ("title", "information", "consent")}
parts = [{"id": f"part_{n}", "title": words, "questions": asked[n::5]} for n in range(5)]
draft = {"candor": 2, "slug": "thirty", "languages": ["en", "ko"], "budget": {"limit": 2.0}, **texts}
storage.write(surveys.create_draft, draft | {"sections": parts})
"""

PAINTED = """
const [selector, done] = arguments;
const start = performance.now();
document.querySelector(selector).click();
// The second frame begins when the first has been painted.
requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
"""

PRESSED = """
const [turn, done] = arguments;
const field = document.querySelector('.panel [name$=".wording.en"]');
const standing = document.querySelector(".standing");
const start = performance.now();
new MutationObserver((_, watch) => {
  if (standing.dataset.how !== "saved") return;
  watch.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
}).observe(standing, { attributes: true });
field.value = `Rested ${turn}?`;
field.dispatchEvent(new Event("input", { bubbles: true }));
document.getElementById("save").click();
"""
"""A keystroke and, in the same moment, "Save": until the page says that it is saved."""

ACTIONS = {
    "open another question": [f"#cards > :nth-child({n} of :not(.of-part)) > .line" for n in (12, 3)],
    "add a question": ["#adding [data-kind=choice]"],
    "add an option": ["[data-does=option]"],
    "move it up by one": [".doing [data-does=up]"],
    "duplicate it": ["[data-does=copy]"],
    "remove it": [".doing [data-does=remove]"],
    "undo": ["#undo .button"],
    "show the other language": ["[name=shown][value=ko]", "[name=shown][value=en]"],
}
"""What is pressed -> where, one round after the other."""

SAVE = "Save pressed right after a keystroke"


def open_browser(folder: Path) -> Any:
    """Start a browser as the tests do."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium-headless-shell"
    options.set_capability("browserName", "chrome-headless-shell")
    for flag in ("--no-sandbox", "--disable-gpu", "--disable-quic", "--window-size=1280,900"):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={folder}")
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    browser.set_script_timeout(PATIENCE)
    browser.set_page_load_timeout(PATIENCE)
    return browser


def sign_in(browser: Any, address: str) -> None:
    """Sign in as the admin that the server was started with."""
    browser.get(f"{address}/login")
    browser.find_element("name", "name").send_keys("ada")
    browser.find_element("name", "password").send_keys(PASSWORD)
    browser.find_element("css selector", "main form button").click()
    wait(browser, "return !location.pathname.includes('/login')")


def wait(browser: Any, script: str) -> None:
    """Wait until a script says so."""
    for _ in range(PATIENCE * 20):
        if browser.execute_script(script):
            return
        time.sleep(0.05)
    raise TimeoutError(script)


def loaded(browser: Any, address: str) -> float:
    """Load the draft's page and return the milliseconds until it is painted whole."""
    start = time.perf_counter()
    browser.get(f"{address}/admin/surveys/thirty")
    browser.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    )
    return 1000 * (time.perf_counter() - start)


def saved(browser: Any, turn: int) -> float:
    """Type into a field; return the milliseconds that the save takes which follows once it is calm."""
    browser.execute_script(
        "performance.clearResourceTimings();"
        "const field = document.querySelector('.panel [name$=\".wording.en\"]');"
        "field.value = `Tired ${arguments[0]}?`; field.dispatchEvent(new Event('input', { bubbles: true }));",
        turn,
    )
    wait(browser, "return document.querySelector('.standing').dataset.how === 'saved'")
    took = "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/draft'))"
    return float(browser.execute_script(took + ".map(({ duration }) => duration).at(-1)"))


def validated(database: Path) -> float:
    """Validate the draft of a database again and again; return the median of the milliseconds."""
    survey = SQLiteStorage(database).read(surveys.by_slug, "thirty")
    assert survey is not None
    assert survey.document is not None
    times = []
    for turn in range(20):
        for question in survey.document["questions"]:
            question["wording"]["en"] = f"Tired {turn}?"
        start = time.process_time()
        check(survey.document, survey.slug)
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times)


def heights(browser: Any) -> dict[tuple[int, int], tuple[float, int, float]]:
    """Measure the folded page: screens, elements, and the share of the window that the bar covers."""
    found = {}
    for width, height in HEIGHTS:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(browser.current_url.partition("#")[0])
        wait(browser, "return !!document.querySelector('.slip > .panel')")
        browser.execute_script("document.querySelector('.slip:has(> .panel) > .line').click()")
        found[width, height] = tuple(
            browser.execute_script(
                "return [document.documentElement.scrollHeight / innerHeight,"
                " document.querySelectorAll('*').length,"
                " document.querySelector('.save-bar').offsetHeight / innerHeight]"
            )
        )
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return found


def main(commit: str, rounds: int) -> bool:
    """Measure both in turn and print the table."""
    before: list[float] = []
    taken: dict[str, list[float]] = {what: [] for what in ACTIONS} | {"answer a save": [], SAVE: []}
    with tempfile.TemporaryDirectory() as folder, worktree(commit) as old:
        databases = {tree: Path(folder) / f"{name}.db" for tree, name in ((old, "old"), (TOP, "new"))}
        for tree, database in databases.items():
            run(tree, DRAFT, database, QUESTIONS)
        validating = validated(databases[TOP])
        with (
            serving(old, SERVE, "serve", "--fd={fd}", database=databases[old]) as (first, _),
            serving(TOP, SERVE, "serve", "--fd={fd}", database=databases[TOP]) as (second, _),
        ):
            older, newer = (open_browser(Path(folder) / name) for name in ("older", "newer"))
            try:
                sign_in(older, first)
                sign_in(newer, second)
                loaded(older, first)  # once, so that both have their scripts and the server its channels
                loaded(newer, second)
                folded = heights(newer)
                newer.get(f"{second}/admin/surveys/thirty")
                wait(newer, "return !!document.querySelector('.slip > .panel')")
                newer.execute_async_script(PAINTED, ACTIONS["open another question"][1])
                for turn in range(rounds):
                    before.append(loaded(older, first))
                    for what, places in ACTIONS.items():
                        place = places[turn % len(places)]
                        taken[what].append(float(newer.execute_async_script(PAINTED, place)))
                    taken["answer a save"].append(saved(newer, turn))
                    taken[SAVE].append(float(newer.execute_async_script(PRESSED, turn)))
            finally:
                older.quit()
                newer.quit()
    load = statistics.median(before)
    print(f"page load at {commit}: {load:.0f} ms (median of {rounds})")
    kept = [
        told(what, f"{statistics.median(times):.0f} ms", statistics.median(times) / load, MOST)
        for what, times in taken.items()
    ]
    kept.append(told("validating all", f"{validating:.0f} ms", validating / MOST_VALIDATING, 1))
    for (width, height), (screens, elements, bar) in folded.items():
        window = f"folded, {width} x {height}"
        kept.append(told(f"{window}: screens", f"{QUESTIONS} questions", screens, 3))
        kept.append(told(f"{window}: elements", "", elements, 1500))
        kept.append(told(f"{window}: share under the bar", "", bar, 0.1))
    return all(kept)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5))
