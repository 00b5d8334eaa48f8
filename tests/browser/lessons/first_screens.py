"""Somebody new to the subject can answer a lesson's question after its first screen, without scrolling.

``first_screens.toml`` holds the question of each lesson, the answer as such a reader would put it, and the
words that give it.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pages import Lesson
from selenium.common.exceptions import TimeoutException

from server.language.catalogue import section
from server.lessons.pages import name

FILE = Path(__file__).with_name("first_screens.toml")
BEGINNING = 100
"""Pixels of a picture that show on a phone what it is, and that it goes on further down."""

GUESS = "fieldset.guess"
CONTROLS = "section.trial > [data-show$=controls]"
CONTROL = f"{CONTROLS} :is(input, button)"
"""What moves a picture."""

MISSING = """
const [wanted] = arguments;
const joiner = /\\u2060/g; // keeps a Korean particle on the line of the sign before it
const lean = (text) => text.replace(joiner, "").replace(/\\s+/g, " ");
const own = (node) => lean(node.innerText ?? node.textContent);
const shows = (node, x, y) => {
  const top = document.elementFromPoint(x, y);
  return Boolean(top) && ((node.closest("svg") ?? node).contains(top) || top.contains(node));
};
const seen = (node, part) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const [wide, high] = [right - left, Math.min(bottom - top, part || Infinity)];
  if (wide < 1 || high < 1 || left < 0 || top < 0) return false;
  if (right > innerWidth || top + high > innerHeight) return false;
  const shares = [0.1, 0.5, 0.9];
  return shares.every((x) => shares.every((y) => shows(node, left + x * wide, top + y * high)));
};
const visible = { opacityProperty: true, visibilityProperty: true };
const inView = ([selector, words, part]) => [...document.querySelectorAll(selector)].some((node) =>
  own(node).includes(words) && node.checkVisibility(visible) && seen(node, part));
return document.fonts.status === "loaded" ? wanted.filter((each) => !inView(each)) : ["fonts"];
"""
"""Which of these is covered or not wholly in the window: each by its selector, its words, and how many of its
first pixels are enough."""


OVER = """
const pictures = [...document.querySelectorAll("main .trial svg")];
const controls = [...document.querySelectorAll("main .trial > [data-show$=controls]")];
const found = new Set();
const shared = (one, other, [from, to]) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
for (const fold of document.querySelectorAll("main details")) fold.open = true;
for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 8) {
  scrollTo(0, y);
  for (const each of controls) {
    const box = each.getBoundingClientRect();
    for (const picture of pictures.filter((other) => !each.contains(other))) {
      const drawn = picture.getBoundingClientRect();
      const over = shared(box, drawn, ["left", "right"]) > 1 && shared(box, drawn, ["top", "bottom"]) > 1;
      if (over) found.add(each.dataset.show);
    }
  }
}
scrollTo(0, 0);
for (const fold of document.querySelectorAll("main details")) fold.open = false;
return [...found];
"""
"""Controls that stand over a picture somewhere on the way down the page."""


@dataclass(frozen=True)
class Shown:
    """What gives the answer: the words, by language, and where they stand."""

    at: str
    en: str
    ko: str


@dataclass(frozen=True)
class Screen:
    """A lesson's question, its answer in the words of somebody new, and what on the screen gives it."""

    lesson: str
    question: str
    answer: str
    picture: str
    shows: tuple[Shown, ...]

    def __str__(self) -> str:
        """Write one entry of the table."""
        shown = "\n".join(f"    {each.at}: {each.en}" for each in self.shows)
        return f"{self.lesson}: {self.question}\n  {self.answer}\n{shown}"


def screens() -> list[Screen]:
    """Read the table."""
    return [
        Screen(**each | {"shows": tuple(Shown(**shown) for shown in each["shows"])})
        for each in tomllib.loads(FILE.read_text(encoding="utf-8"))["screen"]
    ]


GIVEN_AWAY = """
const right = document.querySelector("fieldset.guess");
const words = right.querySelector(`label:has([value="${right.dataset.right}"])`).textContent;
const number = words.match(/\\d[\\d,.]*/g)?.find((each) => each !== "100");
if (!number) return false;
const read = [...document.querySelectorAll("section.trial :is(p, h3, caption, figcaption, .plot-label)")]
  .filter((node) => node.checkVisibility()).map((node) => node.textContent).join(" | ");
return new RegExp(`(?<![\\\\d.,])${number.replace(".", "\\\\.")}(?![\\\\d.,⁻])`).test(read) && read;
"""
"""What can be read beside the picture, if the number of the right guess stands there."""


TOGETHER = {
    "suspicion": ".plot",
    "spinner-and-coin": ".device",
    "spinner-only": ".pair",
    "noise": "[data-show=result] figure:last-of-type .plot",
    "choices": "[data-show=result] figure:last-of-type .plot",
    "privacy-loss": ".plot",
}
"""Lessons that have one control beside a picture which is not too high for a phone."""

PLACES = """
document.querySelector("section.trial").scrollIntoView();
return [...arguments].map((each) => {
  const { top, bottom } = document.querySelector(each).getBoundingClientRect();
  return [top, bottom];
});
"""
"""The tops and bottoms of these, once one has scrolled down to what can be tried."""


def asks_and_lets_try_on_a_phone(lesson: Lesson, screen: Screen) -> None:
    """Find the question, the guess, the picture and what moves it on one screen, and nothing over one."""
    shown = (".lede", "", 0), (GUESS, "", 0), (screen.picture, "", BEGINNING), (CONTROL, "", 0)
    assert missing(lesson, *shown) == []
    assert lesson.find(CONTROLS).size["height"] < 300  # the rest is for the picture
    assert lesson.browser.execute_script(OVER) == []
    if seen := TOGETHER.get(screen.lesson):
        control_and_picture_are_on_the_screen_together(lesson, seen)


def control_and_picture_are_on_the_screen_together(lesson: Lesson, seen: str) -> None:
    """Find the whole control above the whole picture, further down."""
    places = lesson.browser.execute_script(PLACES, seen, "[data-show=controls]", "#control-epsilon")
    picture, panel, field = places
    assert 0 <= panel[0] <= field[0] < field[1] <= panel[1]
    assert panel[1] <= picture[0] + 1 < picture[1] <= lesson.browser.execute_script("return innerHeight")
    lesson.browser.execute_script("scrollTo(0, 0)")


def asks_and_lets_guess(lesson: Lesson, screen: Screen, language: str) -> None:
    """Find question, guess and picture in the window, and nothing that gives the answer."""
    assert section(language, f"learn_{name(screen.lesson)}")["question"] == lesson.text(".lede")
    if language == "en":
        assert lesson.text(".lede") == screen.question
    assert missing(lesson, (".lede", "", 0), (GUESS, "", 0), (screen.picture, "", 0)) == []
    assert lesson.browser.execute_script(GIVEN_AWAY) is False


def answers(lesson: Lesson, screen: Screen, language: str) -> None:
    """Guess, and find in the window what gives the answer."""
    lesson.click(f"{GUESS} label")
    given = [(each.at, getattr(each, language), 0) for each in screen.shows]
    assert missing(lesson, (screen.picture, "", 0), *given) == []


def missing(lesson: Lesson, *wanted: tuple[str, str, int]) -> list[object]:
    """Look until all of it is in view, for pictures and fonts may still come; give what never is."""
    last: list[object] = []

    def whole() -> bool:
        last[:] = lesson.browser.execute_script(MISSING, wanted)
        return not last

    with suppress(TimeoutException):
        lesson.until(whole)
    return last
