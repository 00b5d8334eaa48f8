"""The engine of Safari and of browsers on an iPhone: a walk through each demo, a lesson, all pictures."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from formulas import SIZE, accent_gap
from pages import Lesson, Respondent
from pictures import MOUNT, SURVEYS, TURN, faults, survey
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

PRESS_AND_PAUSE = """
document.querySelector("[data-action=once]").click();
const turning = document.getAnimations();
for (const each of turning) each.pause();
return turning.length;
"""
"""Spin once, and stop everything in its first moment, so that however slow the machine is it still turns."""


def launched(
    options: Options, environment: dict[str, str], attempts: int = 4
) -> tuple[Service, webdriver.Remote]:
    """Launch a driver and its browser; again if that fails, for others may take the driver's port."""
    service = Service("/usr/bin/WebKitWebDriver", env=environment)
    try:
        service.start()
        connection = RemoteConnection(client_config=ClientConfig(service.service_url))
        return service, webdriver.Remote(connection, options=options)
    except WebDriverException:
        service.stop()
        if attempts == 1:
            raise
        return launched(options, environment, attempts - 1)


@pytest.fixture(scope="session")
def browser() -> Iterator[webdriver.Remote]:
    """Open WebKit on a screen that nobody sees."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1400x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as display:
            environment = os.environ | {"DISPLAY": f":{display.readline().strip()}"}
        options = Options()
        options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")))
        options.add_argument("--automation")
        service, browser = launched(options, environment)
        browser.set_script_timeout(60)
        browser.set_window_size(1300, 1300)
        yield browser
        browser.quit()
        service.stop()
    finally:
        screen.terminate()
        screen.wait(timeout=60)


@pytest.mark.parametrize("slug", SURVEYS[1:])
def test_a_walk_through_each_demo(site, browser, slug):
    table = survey(slug)
    site.open(table | {"slug": f"webkit-{slug}"})
    respondent = Respondent(browser)
    respondent.mouse = True
    respondent.visit(f"{site.address}/s/webkit-{slug}")
    respondent.consent()
    asked = [
        question.get_dom_attribute("data-question")
        for question in browser.find_elements("css selector", "section.question")
    ]
    for name in asked:
        among = f"[data-question={name}] "
        if respondent.has(f"{among}input.number"):
            respondent.enter(0, among)
        else:
            respondent.choose(1, among)
    respondent.send()
    assert list(respondent.sent()) == asked
    assert len(site.rows(f"webkit-{slug}")) == 1


def test_a_wheel_turns_in_a_lesson(site, browser):
    lesson = Lesson(browser)
    lesson.visit(site, "spinner-and-coin")
    assert browser.execute_script(PRESS_AND_PAUSE) > 1
    assert not lesson.has("[data-value=spun]:not(:empty)")
    browser.execute_script("for (const each of document.getAnimations()) each.finish()")
    assert "Recorded: " in lesson.text("[data-value=spun]:not(:empty)")


@pytest.mark.parametrize("slug", ["pictures", "student-life"])
def test_words_in_a_picture_are_inside_it_and_apart(site, browser, slug):
    site.open(survey(slug) | {"slug": f"drawn-{slug}"})
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/drawn-{slug}")
    browser.execute_async_script(MOUNT)
    for width in (320, 390, 1280):
        # No window can be as narrow as a phone here.
        browser.execute_script("document.body.style.width = `${arguments[0]}px`", width)
        for language in ("en", "ko"):
            browser.execute_script("pictures.choose(arguments[0])", language)
            assert faults(browser)[:20] == [], f"at {width} px, in {language}"
    browser.execute_script(TURN, 1700)
    assert faults(browser)[:20] == [], "in the middle of a turn"


@pytest.mark.parametrize("slug", ["two-coins", "noise"])
def test_one_sees_between_a_letter_and_its_hat_or_bar(site, browser, slug):
    browser.get(f"{site.address}/learn/{slug}")
    assert 0.05 * SIZE < accent_gap(browser) < 0.16 * SIZE
