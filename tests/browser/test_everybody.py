"""Everybody can use it: no violation of WCAG 2.2 AA that axe can find, nothing wider than a small phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PASSWORD
from pages import Respondent, Staff

AXE = (Path(__file__).parents[1] / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture(params=[320, 1280])
def width(request):
    return request.param


@pytest.fixture
def look(browser, scheme, width):
    """Set window and colours, and give a check of what is on the page."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )

    def check(page):
        browser.execute_script(AXE)
        violations = browser.execute_async_script(
            "const [rules, done] = arguments; axe.run({ runOnly: rules }).then((r) => done(r.violations.map("
            "(v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`)))",
            RULES,
        )
        assert violations == []
        assert page.overflow() == 0

    return check


def test_every_screen_of_a_respondent(site, browser, look, scheme, width):
    slug = f"everybody-{scheme}-{width}"
    site.publish(slug, ("spinner_coin", 1.0), ("spinner", 1.0), ("coin", None))
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{slug}")
    look(respondent)
    respondent.consent()
    for _ in range(3):
        look(respondent)
        respondent.lock(1)
        look(respondent)
        respondent.act("spin")
        respondent.result()
        look(respondent)
        respondent.act("next")
    respondent.wait_for("review")
    look(respondent)
    respondent.send()
    look(respondent)


def test_every_page_of_staff(site, browser, look, scheme, width):
    slug = f"staff-{scheme}-{width}"
    site.publish(slug, ("spinner_coin", 1.0), ("coin", None))
    staff = Staff(browser)
    browser.get(f"{site.address}/login")
    look(staff)
    staff.sign_in(site.address, "ada", PASSWORD)
    pages = ["/", "/style", "/admin", "/admin/new", "/admin/import", "/admin/people", "/account", "/results"]
    for path in (*pages, f"/admin/surveys/{slug}", f"/results/{slug}"):
        browser.get(site.address + path)
        look(staff)
