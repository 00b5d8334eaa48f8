"""How long the controls of the lessons take to paint, beside those of an older commit, in one run.

Usage: uv run python tests/benchmarks/lessons.py COMMIT [ROUNDS]

COMMIT is the older commit (37c4bd6); its worktree lasts as long as the command. Every slider of every lesson
is moved to five places, with only the fold open that it stands in. Its figure is the median of the rounds (5)
of the slowest place, from the change until the picture has been painted. Every slider must take at most half
of what the slowest one of composition took at that commit, and no longer than the one of the same name took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from editor import open_browser, wait
from servers import SERVE, TOP, serving, told, worktree

from server.lessons.pages import LESSONS

OLDER = (
    "two-coins",
    "spinner-and-coin",
    "spinner-only",
    "simulation",
    "suspicion",
    "privacy-loss",
    "noise",
    "composition",
)
PLACES = (0, 0.25, 0.5, 0.75, 1)
MOST = 0.5
SAME = 1.1
HAIR = 4
"""Milliseconds that two measurements of the same thing may differ by, however short it is."""

MOVED = """
const [places, done] = arguments;
const channel = new MessageChannel();
const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
const sliders = [...document.querySelectorAll(".control input[type=range]")];
const found = {};
for (const slider of sliders) {
  const [before, low, high] = [slider.value, Number(slider.min), Number(slider.max)];
  let slowest = 0;
  // As a reader meets it: open is only the fold that it stands in, and what that draws has been painted.
  for (const each of document.querySelectorAll("main details")) each.open = each.contains(slider);
  slider.scrollIntoView({ block: "center" });
  for (let wait = 0; wait < 3; wait += 1) await frame();
  for (const place of places) {
    await new Promise((next) => requestAnimationFrame(() => {
      // A message that is sent inside a frame arrives once the frame has been painted.
      const start = performance.now();
      channel.port1.onmessage = () => { slowest = Math.max(slowest, performance.now() - start); next(); };
      slider.value = String(low + place * (high - low));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      channel.port2.postMessage(0);
    }));
  }
  slider.value = before;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  found[slider.name] = slowest;
}
done(found);
"""


def moved(browser: Any, address: str, slug: str) -> dict[str, float]:
    """Open a lesson and move each of its sliders: name -> milliseconds of its slowest place."""
    browser.get(f"{address}/learn/{slug}?language=en")
    wait(browser, "return !!document.querySelector('section.trial :is(input, button)')")
    script = f"(async function () {{ {MOVED} }}).apply(null, arguments)"
    return dict(browser.execute_async_script(script, PLACES))


def main(commit: str, rounds: int) -> bool:
    """Measure both in turn and print the table."""
    taken: dict[tuple[str, str, str], list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        worktree(commit) as old,
        serving(old, SERVE, "serve", "--fd={fd}", database=Path(folder) / "old.db") as (first, _),
        serving(TOP, SERVE, "serve", "--fd={fd}", database=Path(folder) / "new.db") as (second, _),
    ):
        browser = open_browser(Path(folder) / "profile")
        try:
            for _ in range(rounds):
                for when, address, lessons in (("before", first, OLDER), ("now", second, LESSONS)):
                    for slug in lessons:
                        for name, time in moved(browser, address, slug).items():
                            taken.setdefault((when, slug, name), []).append(time)
        finally:
            browser.quit()
    medians = {key: statistics.median(times) for key, times in taken.items()}
    slowest = max(
        time for (when, slug, _), time in medians.items() if (when, slug) == ("before", "composition")
    )
    print(f"composition's slowest slider at {commit}: {slowest:.0f} ms (median of {rounds})")
    kept = []
    for (when, slug, name), time in medians.items():
        if when == "before":
            continue
        kept.append(told(f"{slug}: {name}", f"{time:.0f} ms", time / slowest, MOST))
        before = medians.get(("before", slug, name))
        if before is not None:
            kept.append(told(f"{slug}: {name}, before {before:.0f} ms", "", time / (before + HAIR), SAME))
    return all(kept)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5))
