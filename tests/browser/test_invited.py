"""A survey for those who were invited: the link works once, and leaves no trace in the address."""

from __future__ import annotations

import http.client
import secrets
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from urllib.parse import parse_qsl, urlencode

import pytest
from conftest import PASSWORD
from pages import Respondent, Staff
from test_drawn_once import open_fresh_tab, outcome

from server.store import invitation_list, invitations

CLIENTS = 40
"""Of the short form of tests/benchmarks/invitations.py."""


@pytest.fixture
def links(site):
    """Open a survey of this name, with a list, and give the links of two invitations."""

    def links(slug: str, **changes: str) -> list[str]:
        site.publish(slug, ("coin", None), candor=3, invitations="listed", **changes)
        drawn = invitations.draw(2)
        hashes = [invitations.hash_of(each) for each in drawn]
        made = site.storage.write(invitations.make, site.survey(slug).id, hashes)
        return [f"{site.address}/s/{slug}#i={token}" for token in made.tokens(drawn)]

    return links


def used(site, slug):
    return site.storage.read(invitation_list.used, site.survey(slug).id).tolist()


def test_an_invitation_works_once_and_leaves_the_address_at_once(site, browser, links, look):
    slug = site.fresh("guests")
    link, other = links(slug)
    token = link[-28:]
    respondent = Respondent(browser)
    respondent.visit(link)
    assert browser.current_url == f"{site.address}/s/{slug}"
    assert "Your invitation works once." in respondent.text()
    assert "which invitations were not used" in respondent.text()
    assert respondent.unfold("details.odds:has(.privacy)")
    learns = "return document.querySelectorAll('.privacy tbody tr:first-child td')[2].className"
    assert browser.execute_script(learns) == "yes"
    look(respondent)
    report = respondent.answer_all([1])
    assert f"&invitation-token={token}&" in respondent.body()
    respondent.send()
    assert [list(row.values())[1:] for row in site.rows(slug)] == [report]
    assert used(site, slug) == [1, 0]
    assert token not in respondent.kept()
    assert respondent.complaints() == []
    browser.switch_to.new_window("tab")
    respondent.visit(link)
    respondent.answer_all([1])
    respondent.send("used")
    assert "This invitation has been used" in respondent.text()
    browser.get(other)  # in the same tab: another person, of whom nothing is known
    respondent.wait_for("welcome")
    respondent.answer_all([1])
    respondent.send()
    assert (len(site.rows(slug)), used(site, slug)) == (2, [1, 1])


TOLD = """
window.told = [];
const post = BroadcastChannel.prototype.postMessage;
BroadcastChannel.prototype.postMessage = function (message) {
  window.told.push(this.name + JSON.stringify(message));
  post.call(this, message);
};
"""


def test_an_invitation_survives_a_reload_and_travels_in_no_message(site, wire, browser, links):
    slug = site.fresh("guests")
    token = links(slug, outcome="after")[0][-28:]
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TOLD})
    respondent = Respondent(browser)
    respondent.visit(f"{wire.address}/s/{slug}#i={token}")
    browser.refresh()
    respondent.wait_for("welcome")
    assert not respondent.has(".notice.problem")
    assert token in respondent.kept()
    respondent.mark([1])
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.find("[data-action=stop]")
    told = browser.execute_script("return told")
    browser.refresh()
    respondent.find("[data-action=stop]")
    wire.rewrites = None
    browser.refresh()
    respondent.wait_for("sent")
    told += browser.execute_script("return told")
    assert any('"sends":true' in message for message in told)
    assert not any(token in message for message in told)
    assert len({post.body for post in wire.posts}) == 1
    assert used(site, slug) == [1, 0]
    assert respondent.kept() == '[[],[],""]', "once it is sent nothing is left of it"


def test_two_invitations_in_one_browser_share_nothing(site, wire, browser, links):
    slug = site.fresh("guests")
    tokens = [link[-28:] for link in links(slug, outcome="after")]
    respondent = Respondent(browser)
    respondent.visit(f"{wire.address}/s/{slug}#i={tokens[0]}")
    respondent.mark([1])
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.find("[data-action=stop]")
    first = open_fresh_tab(browser, f"{wire.address}/s/{slug}#i={tokens[1]}")
    wire.rewrites = None
    respondent.mark([0])
    respondent.send()
    browser.switch_to.window(first)
    respondent.act("stop")
    respondent.wait_for("ended")
    assert tokens[0] not in respondent.kept()
    browser.refresh()
    respondent.wait_for("ended")
    receipts = {dict(parse_qsl(post.body))["receipt"]: post.body[-40:] for post in wire.posts}
    assert len(receipts) == 2
    browser.get(f"{wire.address}/s/{slug}#i={tokens[1]}")  # in a tab in which it ended for another
    respondent.wait_for("welcome")


def test_the_page_of_invitations_says_what_was_made_once_it_is_downloaded(site, browser, tmp_path):
    slug = site.fresh("made-by-hand")
    site.publish(slug, ("coin", None), candor=3, invitations=True)
    staff = Staff(browser)
    staff.sign_in(site.address, "ada", PASSWORD)
    saving = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", saving)
    browser.get(f"{site.address}/admin/surveys/{slug}/invitations")
    staff.replace("[name=number]", "none")
    staff.find("[data-makes]").click()
    staff.until(lambda: staff.has("#number-error"))
    staff.replace("[name=number]", "12")
    staff.find("[data-makes]").click()
    staff.until(lambda: "The file with the new links is in your downloads" in staff.text())
    assert "Invitations made\n12" in staff.text(".facts")
    assert "shown in steps of 50: it stays at 0 until 50 have been used" in staff.text(".facts")
    assert not staff.has("#number-error")
    assert site.storage.read(invitations.invitation_totals, site.survey(slug).id).made == 12
    staff.until(lambda: [*tmp_path.glob("*.csv")])
    (links,) = tmp_path.glob("*.csv")
    assert len(links.read_text().splitlines()) == 1 + 12


def test_without_an_invitation_the_page_says_what_is_missing_and_nothing_is_lost(site, browser, links, look):
    slug = site.fresh("guests")
    link, _ = links(slug)
    respondent = Respondent(browser)
    for address in (link.partition("#")[0], link[:-1]):  # none, and one that was cut off
        browser.get("about:blank")
        respondent.visit(address)
        assert "You need a link from an invitation" in respondent.text(".notice.problem")
        respondent.click(".consent label")
        respondent.act("begin")
        respondent.wait_for("uninvited")
    look(respondent)
    browser.get(link)  # only the fragment differs: the page begins anew with it
    respondent.until(lambda: respondent.screen == "welcome" and not respondent.has(".notice.problem"))
    reports = respondent.answer_all([1])
    browser.refresh()  # as when a phone has put the tab away
    respondent.wait_for("review")
    respondent.send()
    assert [list(row.values())[1:] for row in site.rows(slug)] == [reports]


def test_clients_that_send_at_the_same_moment_store_one_report_for_each_invitation(site):
    slug = site.fresh("at once")
    fingerprint = site.publish(slug, ("coin", None), candor=3, invitations=True)
    drawn = invitations.draw(CLIENTS)
    hashes = [invitations.hash_of(each) for each in drawn]
    tokens = site.storage.write(invitations.make, site.survey(slug).id, hashes).tokens(drawn)
    (question,) = site.survey(slug).publication.columns
    barrier = threading.Barrier(2 * CLIENTS)

    def send(token: str) -> int:
        receipt = secrets.token_hex(16)
        fields = {"fingerprint": fingerprint, "receipt": receipt, "invitation-token": token, question: "1"}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
            connection.connect()
            barrier.wait(60)
            connection.request("POST", f"/s/{slug}", urlencode(fields), headers)
            with connection.getresponse() as answer:
                return answer.status

    with ThreadPoolExecutor(2 * CLIENTS) as pool:  # each invitation twice
        assert Counter(pool.map(send, tokens * 2)) == {200: CLIENTS, 409: CLIENTS}
    assert (len(site.rows(slug)), sum(used(site, slug))) == (CLIENTS, CLIENTS)
