"""Film the opening of every lesson: five frames of its first picture while it moves, in one image.

Usage: uv run python tests/benchmarks/lessons_filmed.py FOLDER [WORD ...]

FOLDER gets LESSON-LANGUAGE-WIDTH-SCHEME.png for each lesson, in both languages, at 1280 and 390 pixels,
light and dark. Words leave out what does not have them in its name: `noise en 390`. The first frame is the
picture as it is found; then its first button is pressed and filmed three times; for the last frame its first
slider is moved. Without a button the slider is moved four times, and without a slider other choices are made.
It is an error if less than three frames differ.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
import time
from base64 import b64decode
from itertools import product
from pathlib import Path
from typing import Any

from editor import open_browser, wait
from PIL import Image
from servers import SERVE, TOP, serving

from server.lessons.pages import LESSONS

LANGUAGES = ("en", "ko")
SIZES = ((1280, 900), (390, 844))
SCHEMES = ("light", "dark")
MOMENTS = (0.1, 0.5, 1.5)
"""Seconds after the press at which a frame is taken."""

PLACES = (0.1, 0.4, 0.7, 0.95)
SHOWN = 520
"""Pixels: the width of a frame of a wide window, so that five can be looked at together."""

FEWEST = 3

BEGIN = """
const trial = document.querySelector("main section.trial");
scrollTo(0, trial.getBoundingClientRect().top + scrollY - 8);
return [...trial.querySelectorAll("button")].findIndex((each) => each.checkVisibility() && !each.disabled);
"""
PRESS = 'document.querySelectorAll("main section.trial button")[arguments[0]].click();'
MOVE = """
const trial = document.querySelector("main section.trial");
const slider = trial.querySelector("input[type=range]");
const others = [...trial.querySelectorAll("input[type=radio]")];
if (!slider) return others[Math.floor(arguments[0] * others.length)]?.click();
slider.value = String(Number(slider.min) + arguments[0] * (Number(slider.max) - Number(slider.min)));
slider.dispatchEvent(new Event("input", { bubbles: true }));
"""


def frame(browser: Any) -> Image.Image:
    """Take a frame of what can be seen."""
    data = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    return Image.open(io.BytesIO(b64decode(data))).convert("RGB")


def film(browser: Any) -> list[Image.Image]:
    """Film the first picture of the lesson that is open."""
    button = browser.execute_script(BEGIN)
    time.sleep(0.3)
    frames = [frame(browser)]
    if button >= 0:
        browser.execute_script(PRESS, button)
        start = time.perf_counter()
        for moment in MOMENTS:
            time.sleep(max(0, start + moment - time.perf_counter()))
            frames.append(frame(browser))
    for place in PLACES[len(frames) - 1 :]:
        browser.execute_script(MOVE, place)
        time.sleep(0.3)
        frames.append(frame(browser))
    return frames


def strip(frames: list[Image.Image]) -> Image.Image:
    """Put frames beside each other."""
    width = min(frames[0].width, SHOWN)
    height = round(frames[0].height * width / frames[0].width)
    whole = Image.new("RGB", (len(frames) * width, height))
    for index, each in enumerate(frames):
        whole.paste(each.resize((width, height)), (index * width, 0))
    return whole


def main(folder: Path, words: list[str]) -> bool:
    """Film all that have the words in their names; say what stood still."""
    folder.mkdir(parents=True, exist_ok=True)
    moved = True
    with (
        tempfile.TemporaryDirectory() as place,
        serving(TOP, SERVE, "serve", "--fd={fd}", database=Path(place) / "candor.db") as (address, _),
    ):
        browser = open_browser(Path(place) / "profile")
        try:
            for slug, language, (width, height), scheme in product(LESSONS, LANGUAGES, SIZES, SCHEMES):
                name = f"{slug}-{language}-{width}-{scheme}"
                if not all(re.search(rf"(^|-){re.escape(word)}(-|$)", name) for word in words):
                    continue
                size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
                browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
                browser.get(f"{address}/learn/{slug}?language={language}")
                wait(browser, "return !!document.querySelector('section.trial :is(input, button)')")
                frames = film(browser)
                strip(frames).save(folder / f"{name}.png")
                different = len({each.tobytes() for each in frames})
                moved &= different >= FEWEST
                print(f"{name}: {different} of {len(frames)} frames differ", flush=True)
        finally:
            browser.quit()
    return moved


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]), sys.argv[2:]))
