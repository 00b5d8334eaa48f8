"""The first minutes of somebody new: from signing in to a survey, an answer, an estimate and the zip.

    uv run tests/run tests/browser/test_first_minutes.py -s -n 0

prints the table. tests/benchmarks/first_minutes.py measures what comes before it, the installation.
"""

from __future__ import annotations

from time import monotonic
from urllib.parse import urlsplit

import pytest
from conftest import PASSWORD
from pages import Respondent

ASKED = "return [...document.querySelectorAll('section.question')].map((each) => each.dataset.question)"


FIRST_BYTES = """
const [address, done] = arguments;
fetch(address).then((answer) => answer.text()).then((text) => done(text.slice(0, 2)));
"""


class Stranger(Respondent):
    """Counts presses, links that are followed among them, fields and seconds up to each goal."""

    def __init__(self, browser):
        super().__init__(browser)
        self.begun, self.pressed, self.filled = monotonic(), 0, 0
        self.reached = {}

    def click(self, selector):
        super().click(selector)
        self.pressed += 1

    def fill(self, selector, text):
        self.find(selector).send_keys(text)
        self.filled += 1

    def visit(self, address, screen="welcome"):
        super().visit(address, screen)
        self.pressed += 1

    def reach(self, goal):
        now = monotonic()
        self.reached[goal] = (self.pressed, self.filled, now - self.begun)
        self.begun, self.pressed, self.filled = now, 0, 0


@pytest.fixture
def stranger(site, browser):
    browser.get(f"{site.address}/admin")
    return Stranger(browser)


def test_ten_minutes_lead_from_signing_in_to_the_zip(site, stranger):
    stranger.fill("#name", "ada")
    stranger.fill("#password", PASSWORD)
    stranger.click("main form button")
    stranger.click("a[href$='/admin/new']")
    for field, text in (
        ("organisation", "Hillside University"),
        ("contact", "Ada Kim, ada@hillside.example"),
        ("kept_until", "12312030"),
        ("help", "Call 000."),
    ):
        stranger.fill(f"[name={field}]", text)
    stranger.click("[name=starter][value=exam-cheating]")
    stranger.click(".save-bar [href$='/open']")
    stranger.click("main form button")
    stranger.until(lambda: "/open" not in stranger.browser.current_url)
    stranger.reach("own survey opened")

    slug = urlsplit(stranger.browser.current_url).path.rpartition("/")[2]
    stranger.visit(f"{site.address}/s/{slug}")
    stranger.consent()
    for question in stranger.browser.execute_script(ASKED):
        stranger.choose(0, f"[data-question={question}] ")
    stranger.send()
    stranger.reach("first answer sent")

    stranger.browser.get(f"{site.address}/admin/surveys/{slug}")
    stranger.click("main [href$='/close']")
    stranger.click("main form button")
    stranger.until(lambda: "/close" not in stranger.browser.current_url)
    stranger.click(f"main [href$='/results/{slug}']")
    assert "95% interval" in stranger.text()
    stranger.reach("first estimate")

    zip_file = stranger.find("a[href*='/all.zip']").get_property("href")
    stranger.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "deny"})
    stranger.click("a[href*='/all.zip']")
    assert stranger.browser.execute_async_script(FIRST_BYTES, zip_file) == "PK"
    stranger.reach("zip with everything")

    print(f"\n{'':<22}{'presses':>9}{'fields':>9}{'seconds':>9}")
    for goal, (presses, fields, seconds) in stranger.reached.items():
        print(f"{goal:<22}{presses:9}{fields:9}{seconds:9.1f}")
    most = {"own survey opened": 5, "first answer sent": 7, "first estimate": 3, "zip with everything": 1}
    assert all(presses <= most[goal] for goal, (presses, _, _) in stranger.reached.items())
    assert sum(fields for _, fields, _ in stranger.reached.values()) <= 6
