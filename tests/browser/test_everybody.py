"""Everybody can use it: no violation of WCAG 2.2 AA that axe can find, nothing wider than a small phone."""

from __future__ import annotations

from conftest import PASSWORD
from pages import Respondent, Staff


def test_every_screen_of_a_respondent(site, browser, look, scheme, width):
    slug = f"everybody-{scheme}-{width}"
    site.publish(slug, ("spinner_coin", 1.0), ("spinner", 1.0), ("coin", None))
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{slug}")
    look(respondent)
    respondent.unfold("details:has(.privacy)")
    respondent.unfold("[data-total]")
    respondent.unfold(".ways details")
    look(respondent)
    respondent.unfold(".ways details")
    respondent.consent()
    look(respondent)
    respondent.act("all")
    respondent.wait_for("all")
    look(respondent)
    respondent.act("earlier")
    respondent.wait_for("question")
    for _ in range(3):
        respondent.answer(1)
        look(respondent)
    respondent.wait_for("review")
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
    assert staff.complaints() == []
