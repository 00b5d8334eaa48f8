"""Everybody can use it: no violation of WCAG 2.2 AA that axe can find, nothing wider than a small phone."""

from __future__ import annotations

import pytest
from conftest import PASSWORD, serving
from editing import draft
from pages import Respondent, Staff

from server.store import surveys


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of its own: the lists of staff show what these tests have made, and nothing else."""
    with serving(tmp_path_factory.mktemp("everybody")) as site:
        yield site


def test_every_screen_of_a_respondent(site, browser, look):
    slug = "everybody"
    site.publish(slug, ("spinner_coin", 1.0), ("spinner", 1.0), ("coin", None))
    respondent = Respondent(browser)
    respondent.visit(f"{site.address}/s/{slug}")
    look(respondent)
    respondent.unfold("details:has(.privacy)")
    assert respondent.find(".privacy").accessible_name == "Who learns what"
    respondent.unfold("[data-total]")
    respondent.unfold(".ways details")
    look(respondent)
    respondent.unfold(".ways details")
    respondent.consent()
    look(respondent)
    for _ in range(3):
        respondent.answer(1)
        look(respondent)
    respondent.wait_for("review")
    respondent.send()
    look(respondent)


def test_every_page_of_staff(site, browser, look):
    slug = "staff"
    site.publish(slug, ("spinner_coin", 1.0), ("coin", None), candor=3, invitations="listed")
    staff = Staff(browser)
    browser.get(f"{site.address}/login")
    look(staff)
    staff.sign_in(site.address, "ada", PASSWORD)
    pages = ["/", "/style", "/admin", "/admin/new", "/admin/import", "/admin/people", "/account", "/results"]
    pages += ["/admin/people/1", "/admin/audit", "/account/factor", "/join"]
    part = {"id": "home", "title": {"en": "At home"}, "questions": draft("")["questions"]}
    table = {key: value for key, value in draft(f"{slug}-draft").items() if key != "questions"}
    site.storage.write(surveys.create_draft, table | {"candor": 2, "sections": [part]})
    drafts = (f"/admin/surveys/{slug}-draft", f"/admin/surveys/{slug}-draft/plan")
    share = f"/admin/surveys/{slug}/share"
    published = (
        f"/admin/surveys/{slug}",
        f"/admin/surveys/{slug}/invitations",
        share,
        f"{share}/poster",
        f"/results/{slug}",
        f"/results/{slug}/ethics",
    )
    for path in (*pages, *drafts, *published):
        browser.get(site.address + path)
        look(staff)
    assert staff.complaints() == []
