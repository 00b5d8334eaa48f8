"""Take the pictures of three screens that the README and the documentation begin with.

Usage: uv run python tests/benchmarks/screens.py

They replace those in .docs/pictures, which git keeps: what a respondent, a researcher and an ethics
board see of the study that the documentation works with.
"""

from __future__ import annotations

import io
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from editor import open_browser, sign_in
from PIL import Image
from servers import SERVE, TOP, serving

sys.path[:0] = [str(TOP), str(TOP / "tests/browser"), str(TOP / ".docs")]

from pages import Respondent  # noqa: E402
from study import make  # noqa: E402

FOLDER = TOP / ".docs/pictures"
WIDTH, HEIGHT = 480, 640
"""Of the window, in pixels of CSS."""

SHARP = 1.5
"""Pixels of the picture for each of these."""


def answering(browser: Any, address: str) -> None:
    """Choose an answer, beside the wheel that will decide over it."""
    respondent = Respondent(browser)
    respondent.visit(f"{address}/s/exam-honesty")
    respondent.consent()
    respondent.choose(1)


def results(browser: Any, address: str) -> None:
    """Look at the estimates of the closed survey."""
    browser.get(f"{address}/results/undeclared-work")


def reviewing(browser: Any, address: str) -> None:
    """Read what anybody can learn."""
    browser.get(f"{address}/results/undeclared-work/ethics")
    browser.execute_script("[...document.querySelectorAll('h2')][1].scrollIntoView()")


SCREENS: Mapping[str, Callable[[Any, str], None]] = {
    "answering": answering,
    "results": results,
    "reviewing": reviewing,
}


def picture(browser: Any) -> bytes:
    """Return what the window shows as WebP."""
    top = browser.execute_script("return scrollY")
    clip = {"x": 0, "y": top, "width": WIDTH, "height": HEIGHT, "scale": SHARP}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
    written = io.BytesIO()
    Image.open(io.BytesIO(b64decode(shot))).convert("RGB").save(written, "WebP", quality=60, method=6)
    return written.getvalue()


def main() -> None:
    """Take every picture."""
    with tempfile.TemporaryDirectory() as place:
        make(Path(place))
        with serving(TOP, SERVE, "serve", "--fd={fd}", database=Path(place) / "candor.db") as (address, _):
            browser = open_browser(Path(place) / "profile")
            try:
                metrics = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
                browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
                reduced = {"name": "prefers-reduced-motion", "value": "reduce"}
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [reduced]})
                sign_in(browser, address)
                for name, show in SCREENS.items():
                    show(browser, address)
                    file = FOLDER / f"{name}.webp"
                    file.write_bytes(picture(browser))
                    print(file.relative_to(TOP), file.stat().st_size, flush=True)
            finally:
                browser.quit()


if __name__ == "__main__":
    main()
