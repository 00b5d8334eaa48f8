"""Every statement about differential privacy that Candor explains, and where a visitor reads or sees it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pages import Lesson
from plots import laid_out
from whole_lesson import set_open

FOLDER = Path(__file__).with_name("statements")
FOLDS = "details:not(.plot-table)"
NEAR = 60
"""The most characters between words and the figure that they give a meaning."""

SHOWN = """
const [selector] = arguments;
return [...document.querySelectorAll(selector)].filter((node) => {
  const { width, height } = node.getBoundingClientRect();
  return width * height > 0 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}).map((node) => (node.innerText ?? node.textContent).replace(/\\s+/g, " "));
"""
"""What can be read in everything that a selector finds and that can be seen."""


@dataclass(frozen=True)
class Statement:
    """What is said, and what shows it on which page: words, with few others between where ` … ` stands."""

    number: int
    says: str
    page: str
    selector: str
    reads: tuple[str, ...] = ()
    unfold: bool = False


def statements() -> list[Statement]:
    """Read all files, one for each page that shows some."""
    found = [
        Statement(**each | {"reads": tuple(each.get("reads", ()))})
        for file in sorted(FOLDER.glob("*.toml"))
        for each in tomllib.loads(file.read_text(encoding="utf-8"))["statement"]
    ]
    return sorted(found, key=lambda each: each.number)


def reads(text: str, words: str) -> bool:
    """Return whether a text has the words, and those after a ` … ` close behind."""
    return bool(re.search(rf".{{0,{NEAR}}}?".join(map(re.escape, words.split(" … "))), text))


def explains(lesson: Lesson, slug: str) -> None:
    """Find each statement of a lesson on its page, which is folded before and after."""
    missing = []
    here = [each for each in statements() if each.page == f"/learn/{slug}"]
    for unfold in (False, True):
        set_open(lesson, FOLDS, unfold)
        laid_out(lesson)
        for each in (each for each in here if each.unfold == unfold):
            texts = lesson.browser.execute_script(SHOWN, each.selector)
            if not any(all(reads(text, words) for words in each.reads) for text in texts):
                missing.append(each)
            print(f"{each.number:3}  {each.says:60.60}  {slug:16}  {each.selector}")
    set_open(lesson, FOLDS, False)
    assert missing == []
