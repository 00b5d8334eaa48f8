"""What can be read in a plot: for the tests of the lessons."""

from __future__ import annotations

from itertools import combinations

from pages import Page

LAID_OUT = """
const [done] = arguments;
const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
frame().then(() => document.fonts.ready).then(frame).then(() => done());
"""
"""A frame draws what is drawn for its width, and asks for the fonts of its words; the next one has them."""

WORDS = """
return [...document.querySelectorAll("figure.plot-figure")].map((figure) =>
  [...figure.querySelectorAll(".plot .plot-label:not([transform]), .plot .tick")].map((node) => {
    const { x, y, width, height } = node.getBBox();
    return [node.textContent, x, y, width, height];
  }));
"""
CAPTIONS = """
return [...document.querySelectorAll(".plot-table")].map((fold) => {
  if (!fold.open && fold.querySelector("table")) throw new Error("a table that nobody sees is drawn");
  fold.open = true;
  fold.dispatchEvent(new Event("toggle"));
  return fold.querySelector("caption")?.textContent;
}).filter(Boolean);
"""
"""The captions of all tables, unfolded: until then, none is drawn, so that no slider waits for one."""
INSTRUCTIONS = ("Move the", "rag it", "Bars", "Dots", "bright", "Filled", "끌", "옮", "막대", "밝은")


def laid_out(lesson: Page) -> None:
    """Wait until every picture that can be seen is drawn for its width: when the page is loaded none is."""
    lesson.browser.execute_async_script(LAID_OUT)


def collisions(lesson: Page) -> list[tuple[str, str]]:
    """Words of one plot that stand on each other: more than a hair of their boxes is shared."""
    return [
        (one[0], other[0])
        for words in lesson.browser.execute_script(WORDS)
        for one, other in combinations(words, 2)
        if shared(one[1::2], other[1::2]) > 2 and shared(one[2::2], other[2::2]) > 4
    ]


def shared(one: list[float], other: list[float]) -> float:
    """How much of two stretches, each a start and a length, is common."""
    return min(one[0] + one[1], other[0] + other[1]) - max(one[0], other[0])


def commands(lesson: Page) -> list[str]:
    """Captions of tables that speak of the drawing or of what can be done with it."""
    captions = lesson.browser.execute_script(CAPTIONS)
    assert captions
    return [caption for caption in captions if any(word in caption for word in INSTRUCTIONS)]
