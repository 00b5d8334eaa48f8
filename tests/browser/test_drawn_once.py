"""One person's answers are drawn once: whatever the server says, in copies of a tab, and after thanks."""

from __future__ import annotations

import re

import pytest
from conftest import open_tab
from pages import Respondent

TWO = (("spinner_coin", 1.0), ("coin", None))
OTHER = "f" * 64
"""A fingerprint under which the same survey comes again."""


@pytest.fixture
def survey(site, request):
    """An open survey with two questions for each test; gives its slug."""
    slug = site.fresh(request.node.name.removeprefix("test_"))
    site.publish(slug, *TWO)
    return slug


def outcome(name):
    """Make a server that answers everything sent with one outcome, true or not."""
    page = (
        f'<!doctype html><body data-outcome="{name}"><section lang="en"><h1>Title</h1><p>Text</p></section>'
    )

    def rewrite(request, answer):
        if request.method != "POST":
            return answer
        return (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            f"Content-Length: {len(page)}\r\n\r\n{page}"
        ).encode()

    return rewrite


def other_fingerprint(request, answer):
    """Make a server that shows the same survey under another fingerprint."""
    return re.sub(rb'(data-fingerprint=")[0-9a-f]{64}', rb"\g<1>" + OTHER.encode(), answer)


def open_fresh_tab(browser, address):
    """Open another tab that copies nothing; go there, and return the one before."""
    here = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(address)
    return here


@pytest.mark.parametrize("name", ["stale", "refused", "different", "closed"])
def test_a_server_that_takes_nothing_gets_no_second_draw(wire, respondent, survey, name):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 0])
    wire.rewrites = outcome(name)
    respondent.send(name)
    for _ in range(5):
        respondent.browser.refresh()
        if name in ("different", "closed"):
            respondent.wait_for(name)
            assert not respondent.has("main button")
        else:
            respondent.wait_for("unknown")
            respondent.act("retry")
            respondent.wait_for(name)
    assert len({post.body for post in wire.posts}) == 1
    assert respondent.session()["body"] == wire.posts[0].body


def test_what_has_left_under_another_fingerprint_is_shown_first(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 0])
    wire.rewrites = outcome("stale")
    respondent.send("stale")
    wire.rewrites = other_fingerprint
    respondent.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    respondent.act("reload")
    respondent.wait_for("again")
    assert wire.posts[0].body in respondent.text()
    assert "add up" in respondent.text()
    respondent.act("again")
    respondent.wait_for("welcome")
    respondent.answer_all([1, 0])
    assert wire.posts[0].body in respondent.kept(), "what has left is never forgotten"


def test_reports_of_another_fingerprint_that_never_left_need_no_words(wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.consent()
    respondent.answer(1)
    wire.rewrites = other_fingerprint
    respondent.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    respondent.browser.refresh()
    respondent.wait_for("welcome")


def test_after_thanks_a_second_person_confirms_with_one_press(site, respondent, survey):
    address = f"{site.address}/s/{survey}"
    respondent.visit(address)
    respondent.answer_all([1, 0])
    respondent.send()
    assert respondent.session() == {"sent": True, "address": f"/s/{survey}"}
    respondent.visit(address, "again")
    assert "add up" in respondent.text()
    respondent.act("again")
    respondent.wait_for("welcome")
    respondent.answer_all([0, 1])
    respondent.send()
    assert len(site.rows(survey)) == 2
    respondent.browser.refresh()
    respondent.wait_for("again")


def test_a_copy_does_not_draw_while_its_original_lives(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.consent()
    first = respondent.answer(1)
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("elsewhere")
    assert not respondent.has("[data-answer]")
    respondent.browser.switch_to.window(original)
    second = respondent.answer(0)
    respondent.wait_for("review")
    respondent.browser.switch_to.window(copy)
    both = {"q1": first, "q2": second}
    respondent.until(lambda: respondent.session()["reports"] == both, "drawn there, known here")
    assert respondent.screen == "elsewhere"
    respondent.browser.switch_to.window(original)
    respondent.send()
    respondent.browser.switch_to.window(copy)
    respondent.wait_for("again")
    assert len(wire.posts) == 1


@pytest.mark.parametrize("choice", ["resume", "discard"])
def test_a_copy_whose_original_is_gone_asks_how_to_go_on(site, wire, respondent, survey, choice):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.consent()
    first = respondent.answer(1)
    receipt = respondent.session()["receipt"]
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(original)
    respondent.browser.close()
    respondent.browser.switch_to.window(copy)
    respondent.wait_for("copied")
    assert "add up" in respondent.text()
    respondent.act(choice)
    if choice == "resume":
        assert respondent.result() == first
        respondent.answer(0)
        respondent.wait_for("review")
        assert respondent.session()["receipt"] == receipt
        respondent.send()
        assert len(site.rows(survey)) == 1
    else:
        respondent.wait_for("discarded")
        assert respondent.session()["reports"] == {"q1": first}


def test_a_copy_that_never_met_its_original_asks_too(site, respondent, survey):
    """A copy that is loaded when the original is gone, as a browser restores it after a crash."""
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.answer(1)
    open_original = open_tab(respondent.browser, "window.open('/static/none')")
    kept = respondent.kept()
    copy = respondent.browser.current_window_handle
    respondent.browser.switch_to.window(open_original)
    assert '\\"open\\":true' in kept
    respondent.browser.close()
    respondent.browser.switch_to.window(copy)
    respondent.visit(f"{site.address}/s/{survey}", "copied")


def test_a_reload_is_no_copy(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.answer(1)
    for _ in range(3):
        respondent.browser.refresh()
        respondent.wait_for("question")
        respondent.result()
        assert respondent.screen == "question"


LATE = """
const { request } = LockManager.prototype;
LockManager.prototype.request = async function (...asked) {
  await new Promise((go) => { setTimeout(go, 60_000); });
  return request.apply(this, asked);
};
"""
"""Let a page learn in a minute whether another tab draws, and not at once."""
REFUSED = "LockManager.prototype.request = async (name, options, hold) => hold(null);"
"""Let another tab hold the lock, such as the page before a reload that has not quite gone."""


@pytest.mark.parametrize(("answers", "screen"), [([1], "question"), ([1, 0], "review")])
def test_a_reload_before_it_is_known_whether_others_draw_is_no_copy(
    site, respondent, survey, answers, screen
):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    for answer in answers:
        respondent.answer(answer)
    respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LATE})
    for _ in range(2):
        respondent.browser.refresh()
        respondent.wait_for(screen)


@pytest.mark.parametrize(("answers", "screen"), [([1], "question"), ([1, 0], "review")])
def test_a_reload_while_the_page_before_still_goes_is_no_copy(site, respondent, survey, answers, screen):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    for answer in answers:
        respondent.answer(answer)
    added = respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REFUSED})
    respondent.browser.refresh()
    respondent.wait_for("review" if screen == "review" else "elsewhere")
    respondent.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    respondent.browser.refresh()
    respondent.wait_for(screen)


def test_discarding_discards_in_copies_too(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 0])
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("review")
    reports = respondent.session()["reports"]
    respondent.browser.switch_to.window(original)
    respondent.discard()
    respondent.browser.switch_to.window(copy)
    respondent.wait_for("discarded")
    open_fresh_tab(respondent.browser, f"{wire.address}/s/{survey}")
    respondent.wait_for("discarded")  # in this browsing session nobody draws again
    respondent.act("back")
    respondent.wait_for("review")
    assert respondent.session()["reports"] == reports
    respondent.browser.switch_to.window(original)
    respondent.until(lambda: respondent.screen != "discarded")


def test_what_a_copy_sends_cannot_be_discarded_in_its_original(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 0])
    original = open_tab(respondent.browser)
    respondent.wait_for("review")
    respondent.send()
    respondent.browser.close()
    respondent.browser.switch_to.window(original)
    respondent.wait_for("unknown")
    assert respondent.session()["body"] == wire.posts[0].body
    respondent.act("retry")
    respondent.wait_for("thanks")
    assert len(site.rows(survey)) == len({post.body for post in wire.posts}) == 1


def test_no_other_tab_draws_while_a_copy_can_send(respondent, site, survey):
    address = f"{site.address}/s/{survey}"
    respondent.visit(address)
    respondent.answer_all([1, 0])
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("review")
    respondent.browser.switch_to.window(original)
    respondent.browser.close()
    respondent.browser.switch_to.window(copy)
    held = "return navigator.locks.query().then(({ held }) => held.length === 1)"
    respondent.until(lambda: respondent.browser.execute_script(held))
    open_fresh_tab(respondent.browser, address)
    respondent.wait_for("elsewhere")


def test_a_second_tab_waits_for_the_first(site, respondent, survey):
    address = f"{site.address}/s/{survey}"
    respondent.visit(address)
    original = open_fresh_tab(respondent.browser, address)
    second = respondent.browser.current_window_handle
    respondent.wait_for("welcome")
    respondent.browser.switch_to.window(original)
    respondent.consent()
    respondent.answer(1)
    respondent.browser.switch_to.window(second)
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(original)
    respondent.answer(0)
    respondent.wait_for("review")
    respondent.send()
    respondent.browser.switch_to.window(second)
    respondent.wait_for("again")
    respondent.act("again")
    respondent.wait_for("welcome")
    respondent.answer_all([1, 1])
    respondent.send()
    respondent.browser.switch_to.window(original)
    assert respondent.screen == "thanks"
    assert len(site.rows(survey)) == 2


DEAF = "Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} });"


def test_a_tab_that_hears_nothing_draws_nothing_while_another_draws(site, respondent, survey):
    address, browser = f"{site.address}/s/{survey}", respondent.browser
    respondent.visit(address)
    respondent.consent()
    respondent.answer(1)
    browser.switch_to.new_window("tab")
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": DEAF})
    respondent.visit(address)
    respondent.consent()
    respondent.choose(1)
    respondent.act("lock")
    respondent.wait_for("elsewhere")
    assert "reports" not in respondent.kept()


PATIENT = "const after = setTimeout; setTimeout = (work, time) => after(work, time === 1000 ? 5000 : time);"
"""Let a tab that asks the others wait for five seconds: on a busy machine one may not answer in a second."""


def test_without_locks_tabs_ask_each_other(site, open_browser, survey):
    """Over plain http from another machine a browser has no Web Locks: tabs have nothing but messages."""
    browser = open_browser(
        "--force-prefers-reduced-motion",
        "--window-size=1000,1200",
        f"--host-resolver-rules=MAP lan.example 127.0.0.1:{site.port}",
    )
    respondent, address = Respondent(browser), f"http://lan.example/s/{survey}"
    respondent.visit(address)
    assert browser.execute_script("return navigator.locks === undefined")
    respondent.consent()
    respondent.answer(1)
    original = open_tab(browser, "window.open()")  # it copies what this one keeps
    copy = browser.current_window_handle
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PATIENT})
    respondent.visit(address, "elsewhere")
    browser.switch_to.new_window("tab")
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PATIENT})
    respondent.visit(address, "elsewhere")
    browser.close()
    browser.switch_to.window(original)
    respondent.answer(0)
    respondent.wait_for("review")
    browser.close()
    browser.switch_to.window(copy)
    respondent.wait_for("copied")
    respondent.act("resume")
    respondent.wait_for("review")
    respondent.send()
    assert len(site.rows(survey)) == 1


def test_what_tabs_tell_each_other_is_reports(site, open_browser, survey):
    """Two answers that give the same reports leave the same messages, in the same order."""
    heard = []
    for answers in ([0, 0], [1, 1]):
        browser = open_browser("--force-prefers-reduced-motion", "--window-size=1000,1200")
        respondent = Respondent(browser)
        source = """
        window.told = [];
        const post = BroadcastChannel.prototype.postMessage;
        BroadcastChannel.prototype.postMessage = function (message) {
          window.told.push(JSON.stringify(message));
          post.call(this, message);
        };
        Crypto.prototype.getRandomValues = (array) => array.fill(0);
        """
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        respondent.visit(f"{site.address}/s/{survey}")
        assert respondent.answer_all(answers) == [0, 0]
        respondent.send()
        heard.append(browser.execute_script("return window.told"))
    assert heard[0] == heard[1]
    assert len(heard[0]) > len(TWO)
