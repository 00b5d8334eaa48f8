"""Everybody can use it: no violation of WCAG 2.2 AA that axe can find, nothing wider than a small phone."""

from __future__ import annotations

import time

import pytest
from conftest import PASSWORD, serving
from editing import draft
from pages import Respondent, Staff

from server.store import surveys
from server.store.lifecycle import legal_hold, proposals, second_admin_rule
from server.store.lifecycle.legal_hold import LegalHold
from server.store.staff import accounts, rights, second_admin


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


def test_pages_of_what_is_kept_proposed_and_handed_over(site, browser, look):
    site.publish("kept", ("spinner_coin", 1.0))
    kept, ada = site.survey("kept"), site.storage.read(accounts.by_name, "ada")
    asked = site.storage.write(surveys.create_draft, draft("asked") | {"kept_until": "2040-12-31"})
    dan, eve = (
        site.storage.write(accounts.insert, name, ada.password_hash, role)
        for name, role in (("dan", "admin"), ("eve", "editor"))
    )
    for slug in ("one", "two"):
        site.storage.write(rights.owned(surveys.create_draft, eve.id), {"slug": slug})
    site.storage.write(legal_hold.put, kept.id, LegalHold("dan", 1_777_885_200, "a court asks for it"))
    site.storage.write(second_admin_rule.require, ada.id, time.time())
    try:
        for survey, what, subject in (
            (kept, "delete", kept.publication.fingerprint),
            (asked, "open", "0" * 64),
            (asked, "delete", ""),
        ):
            site.storage.write(proposals.propose, survey.id, what, subject, dan.id, time.time())
        site.storage.write(second_admin_rule.propose_stop, dan.id, time.time())
        staff = Staff(browser)
        staff.sign_in(site.address, "ada", PASSWORD)
        of_surveys = ("kept/life", "kept/delete", "kept/proposals", "asked/proposals", "asked/delete")
        pages = ["", "/people", f"/people/{eve.id}/remove", *(f"/surveys/{page}" for page in of_surveys)]
        for page in pages:
            browser.get(f"{site.address}/admin{page}")
            look(staff)
        assert staff.complaints() == []
    finally:
        site.storage.write(second_admin.store, required=False)
