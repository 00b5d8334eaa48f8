"""Somebody new to the subject can answer a lesson's question after its first screen, without scrolling.

``first_screens.toml`` holds the question of each lesson, the answer as such a reader would put it, and the
words that give it. ``uv run tests/run tests/browser/test_first_screens.py -s`` prints the table.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from pages import Lesson
from selenium.common.exceptions import TimeoutException

from server.language.catalogue import LANGUAGES, section
from server.lessons.pages import LESSONS, name

FILE = Path(__file__).with_name("first_screens.toml")
DESK, PHONE = (1280, 900), (390, 844)

BEGINNING = 100
"""Pixels of a picture that show on a phone what it is, and that it goes on further down."""

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


def test_every_lesson_has_a_question_and_an_answer():
    print("", *screens(), sep="\n")
    assert [each.lesson for each in screens()] == list(LESSONS)


GUESS = "fieldset.guess"

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


@pytest.fixture
def visit(site, browser):
    """Open a lesson in a window of some size and wait for its picture; gives it, and what is not in view."""

    def open_one(screen, language, size):
        width, height = size
        device = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", device)
        lesson = Lesson(browser)
        lesson.visit(site, screen.lesson, language)
        lesson.until(lambda: lesson.has(screen.picture), screen.picture)

        def missing(*wanted):
            """Look until all of it is in view, for pictures and fonts may still come; give what never is."""
            last: list[object] = []

            def whole() -> bool:
                last[:] = browser.execute_script(MISSING, wanted)
                return not last

            with suppress(TimeoutException):
                lesson.until(whole)
            return last

        return lesson, missing

    return open_one


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", screens(), ids=lambda each: each.lesson)
def test_the_first_screen_asks_lets_guess_shows_and_then_answers(visit, screen, language):
    lesson, missing = visit(screen, language, DESK)
    assert section(language, f"learn_{name(screen.lesson)}")["question"] == lesson.text(".lede")
    if language == "en":
        assert lesson.text(".lede") == screen.question
    assert missing((".lede", "", 0), (GUESS, "", 0), (screen.picture, "", 0)) == [], "before a guess"
    assert lesson.browser.execute_script(GIVEN_AWAY) is False
    lesson.find(f"{GUESS} label").click()
    answers = [(each.at, getattr(each, language), 0) for each in screen.shows]
    assert missing((screen.picture, "", 0), *answers) == [], "after a guess"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", screens(), ids=lambda each: each.lesson)
def test_a_phone_shows_the_question_the_guess_the_picture_and_what_moves_it(visit, screen, language):
    lesson, missing = visit(screen, language, PHONE)
    shown = (".lede", "", 0), (GUESS, "", 0), (screen.picture, "", BEGINNING), (CONTROL, "", 0)
    assert missing(*shown) == []
    assert lesson.find(CONTROLS).size["height"] < 300  # of 844: the rest is for the picture
