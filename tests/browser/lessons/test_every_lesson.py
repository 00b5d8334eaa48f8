"""Each lesson in each language, opened once for what holds of all of them."""

from __future__ import annotations

import pytest
from conftest import GOOD_PRACTICE, check_for_everybody, show_at
from first_screens import answers, asks_and_lets_guess, asks_and_lets_try_on_a_phone, screens
from formulas import TOO_WIDE
from labels import words_stand_apart
from pages import Lesson
from statements import explains
from whole_lesson import (
    LONG,
    USED,
    exercises_read_as_they_were_sent,
    is_short_until_it_is_unfolded,
    paper_has_all_of_it_on_at_most_six_pages,
    set_open,
)

from server.language.catalogue import LANGUAGES
from server.lessons.pages import LESSONS

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
EXERCISES = ".exercises, .exercises details"

SET = {"en": 320, "ko": 1280}
"""How wide the window is while everything is set to its ends."""


def test_every_lesson_has_a_question_and_an_answer():
    """``uv run tests/run tests/browser/lessons/test_every_lesson.py -s -n 0`` prints the table."""
    print("", *screens(), sep="\n")
    assert [each.lesson for each in screens()] == list(LESSONS)


def test_half_of_the_lessons_have_no_more_words_than_usual():
    assert set(LONG) < set(LESSONS)
    assert len(LONG) <= len(LESSONS) / 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", screens(), ids=lambda each: each.lesson)
def test_a_lesson_asks_answers_and_can_be_read_and_printed_whatever_is_set(site, browser, screen, language):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    lesson = Lesson(browser)
    lesson.visit(site, screen.lesson, language)
    lesson.until(lambda: lesson.has(screen.picture), screen.picture)
    asks_and_lets_try_on_a_phone(lesson, screen)
    exercises_read_as_they_were_sent(lesson)

    scheme, width = USED[language]
    show_at(browser, scheme, 1280)  # without loading it again: what is drawn follows the window
    if language == "en":
        is_short_until_it_is_unfolded(lesson, screen.lesson)
        explains(lesson, screen.lesson)
    asks_and_lets_guess(lesson, screen, language)
    answers(lesson, screen, language)
    show_at(browser, scheme, width)
    set_open(lesson, EXERCISES, True)
    check_for_everybody(lesson, GOOD_PRACTICE)
    set_open(lesson, EXERCISES, False)

    show_at(browser, scheme, SET[language])
    words_stand_apart(lesson, screen.lesson)
    assert "^" not in lesson.text("main"), "powers are raised"
    show_at(browser, scheme, 1280)
    _, too_wide = browser.execute_async_script(TOO_WIDE)
    assert too_wide == []
    assert lesson.complaints() == []
    paper_has_all_of_it_on_at_most_six_pages(lesson)
