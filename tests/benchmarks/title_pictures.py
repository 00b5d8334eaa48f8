"""Draw the words on the pictures that chats show: the title of each page, in the font of its headings.

Usage: uv run python tests/benchmarks/title_pictures.py

They replace the pictures in server/building/titles, which git keeps; tests/server/test_cards.py says when one
is out of date. They look as the fonts of this machine do, and the cards have them wherever they are drawn.
"""

from __future__ import annotations

import io
import sys
import tempfile
from base64 import b64decode
from itertools import product
from pathlib import Path
from typing import Any

from editor import open_browser
from PIL import Image, ImageOps, PngImagePlugin
from servers import SERVE, TOP, serving

sys.path.append(str(TOP))

from server.building.titles import FOLDER, WIDEST
from server.language.catalogue import LANGUAGES
from tests.server.test_cards import PAGES, card, words

SET = """
const [words, widest] = arguments;
const heading = Object.assign(document.createElement("h1"), { textContent: words });
heading.style.cssText = `position: absolute; inset: 0 auto auto 0; z-index: 9; width: max-content;
  max-width: ${widest}px; margin: 0; padding: 8px 0; background: #fff; color: #000; font-size: 66px;
  line-height: 1.15; text-wrap: balance; word-break: keep-all`;
document.body.append(heading);

const { width, height } = heading.getBoundingClientRect();
return [Math.ceil(width), Math.ceil(height)];
"""
LEVELS = 16
"""Shades of grey that are kept: the edges of letters need no more."""


def picture(browser: Any, title: str) -> bytes:
    """Set a title on the page that is open; return what is dark of it as a PNG that says what it shows."""
    width, height = browser.execute_script(SET, title, WIDEST)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
    grey = ImageOps.invert(Image.open(io.BytesIO(b64decode(shot))).convert("L"))
    said, written = PngImagePlugin.PngInfo(), io.BytesIO()
    said.add_itxt("Title", title)
    grey.crop(grey.getbbox()).quantize(LEVELS).save(written, "PNG", optimize=True, pnginfo=said)
    return written.getvalue()


def main() -> None:
    """Draw the title of every page in every language."""
    with (
        tempfile.TemporaryDirectory() as place,
        serving(TOP, SERVE, "serve", "--fd={fd}", database=Path(place) / "candor.db") as (address, _),
    ):
        browser = open_browser(Path(place) / "profile")
        try:
            for (path, name), language in product(PAGES.items(), LANGUAGES):
                browser.get(f"{address}{path}?language={language}")
                file = FOLDER / language / f"{name}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(picture(browser, words(card(browser.page_source)["og:title"])))
                print(file.relative_to(TOP), file.stat().st_size, flush=True)
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
