"""Every picture of chance can be read: its words stand in the picture, and none on another."""

from __future__ import annotations

import pytest
from pages import Respondent
from pictures import MOUNT, SURVEYS, TURN, faults, survey


@pytest.mark.parametrize("slug", SURVEYS)
def test_words_in_a_picture_are_inside_it_and_apart(site, browser, slug):
    site.open(survey(slug))
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/seen-{slug}")
    browser.execute_async_script(MOUNT)
    for width in (1280, 390, 320):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        assert respondent.overflow() == 0
        for language in ("en", "ko"):
            browser.execute_script("pictures.choose(arguments[0])", language)
            assert faults(browser) == [], f"at {width} px, in {language}"
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]},
    )
    browser.execute_script(TURN, 1700)
    assert faults(browser) == [], "in the middle of a turn"
    assert respondent.overflow() == 0, "a square that turns is wider than one that stands"
