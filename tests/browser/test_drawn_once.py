"""One person's answers are drawn once: in copies of a tab, and in other tabs."""

from __future__ import annotations

import pytest
from conftest import another_window, open_tab
from pages import Respondent

TWO = (("spinner_coin", 1.0), ("coin", None))


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


def open_fresh_tab(browser, address):
    """Open another tab that copies nothing; go there, and return the one before."""
    here = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(address)
    return here


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
    respondent.wait_for("arrived")
    assert not respondent.has("[data-report]")
    assert len(wire.posts) == 1


def test_a_copy_whose_original_is_gone_goes_on_with_its_draw(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    first = respondent.answer(1)
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(original)
    respondent.browser.close()
    respondent.browser.switch_to.window(copy)
    assert respondent.result() == first
    second = respondent.answer(0)
    respondent.wait_for("review")
    respondent.send()
    assert respondent.sent() == {"q1": [first], "q2": [second]}
    assert len(site.rows(survey)) == 1


REFUSED = "LockManager.prototype.request = async (name, options, hold) => hold(null);"
"""Let another tab hold the lock, such as the page before a reload that has not quite gone."""


def test_a_reload_while_the_page_before_still_goes_waits_for_it(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    for screen in ("question", "review"):
        respondent.answer(1)
        respondent.wait_for(screen)
        added = respondent.browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": REFUSED}
        )
        respondent.browser.refresh()
        respondent.wait_for("elsewhere")
        respondent.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
        respondent.browser.refresh()
        respondent.wait_for(screen)


def test_discarding_ends_it_in_other_tabs_too(wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 0])
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(original)
    respondent.discard()
    respondent.browser.switch_to.window(copy)
    respondent.wait_for("ended")
    assert respondent.session() == {"word": "ended"}
    open_fresh_tab(respondent.browser, f"{wire.address}/s/{survey}")
    respondent.wait_for("ended")  # in this browsing session nobody draws again
    assert wire.posts == []


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
    respondent.wait_for("arrived")
    respondent.browser.refresh()
    respondent.answer_all([1, 1])  # as anybody
    respondent.send()
    respondent.browser.switch_to.window(original)
    assert respondent.screen == "sent"
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
    respondent.wait_for("review")
    respondent.send()
    assert len(site.rows(survey)) == 1


def test_what_tabs_tell_each_other_is_reports(site, browser, survey):
    """Two answers that give the same reports leave the same messages, in the same order."""
    heard = []
    for answers in ([0, 0], [1, 1]):
        respondent = Respondent(another_window(browser))
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
