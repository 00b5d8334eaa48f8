"""All answers first, one press that draws and sends, and then what was sent: the way that a survey asks."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl

import pytest
from conftest import another_window, check_for_everybody, forget_files, let_move, open_tab, show_at
from pages import Respondent
from selenium.webdriver import Keys
from test_drawn_once import open_fresh_tab, outcome
from wire import MOMENTS

THREE = (("spinner_coin", 1.0), ("spinner", 0.5), ("coin", None))

CHECKED = "return Array.from(document.querySelectorAll('[data-answer]:checked'), (e) => e.dataset.answer)"
HIDE = """
Object.defineProperty(document, "hidden", { configurable: true, value: arguments[0] });
document.dispatchEvent(new Event("visibilitychange"));
"""
"""Another tab comes to the front, or this one again."""

HURRY = """
const after = window.setTimeout;
const shorter = { 5000: 50, 10000: 100, 20000: 200, 30000: 3000 };
window.setTimeout = (work, time) => after(work, shorter[time] ?? time);
"""
"""Let the waits before the first three repetitions pass at once, and soon expect no answer any more."""

TOLD = """
window.told = [];
const post = BroadcastChannel.prototype.postMessage;
BroadcastChannel.prototype.postMessage = function (message) {
  window.told.push(JSON.stringify(message));
  post.call(this, message);
};
"""
"""Note what the page tells other tabs."""

SAID = """
window.said = [];
new MutationObserver(() => said.push(document.getElementById("status")?.textContent))
  .observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Note what is announced."""


def before_loading(respondent: Respondent, source: str) -> None:
    """Run a script before those of each page that is opened from now on."""
    respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})


@pytest.fixture
def survey(site, request):
    """An open survey of its own for each test; gives its slug."""
    slug = site.fresh(request.node.name.removeprefix("test_"))
    site.publish(slug, *THREE, outcome="after")
    return slug


def test_a_whole_survey_by_clicking(site, wire, respondent):
    """Four questions take seven clicks, and one more shows the form of what is sent."""
    respondent.mouse = True
    site.publish(survey := site.fresh("clicks"), *THREE, ("spinner_coin", 1.0), outcome="after")
    clicks = "let clicks = 0; addEventListener('pointerdown', () => { clicks += 1; }, true);"
    before_loading(respondent, SAID + clicks)
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 1, 0])
    respondent.unfold("details.exact")
    empty = respondent.text("[data-form]")
    respondent.send()
    assert respondent.browser.execute_script("return clicks") == 7 + 1
    (row,), (post,) = site.rows(survey), wire.posts
    names = ["q1", "q2", "q3", "q4"]
    assert respondent.sent() == {name: [row[name]] for name in names}
    fields = parse_qsl(post.body)
    assert [name for name, _ in fields] == ["fingerprint", "receipt", *names]
    assert (fields[0][1], fields[1][1]) == (
        site.survey(survey).publication.fingerprint,
        respondent.receipt(),
    )
    assert re.sub("_", ".", empty).count(".") == 32 + 4
    assert re.fullmatch(re.sub("_", ".", empty), post.body), "the form of what was sent, as it was shown"
    assert respondent.browser.switch_to.active_element.text == "What was sent"
    said = respondent.browser.execute_script("return said.filter((words, at) => words !== said[at - 1])")
    assert [words for words in said if words and "Sen" in words] == ["Sending …", "Sent"]
    for words in (
        "Goodbye.",
        "Call 000 for help.",
        "What was sent: ",
        "may or may not be the person’s answers",
    ):
        assert words in respondent.text()
    for request in wire.requests:
        assert request.header("Cookie") is None
        assert request.target == f"/s/{survey}" or request.target.startswith("/static/")
    assert respondent.complaints() == []


def test_a_whole_survey_by_keyboard(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.find(".consent input").send_keys(Keys.SPACE)
    respondent.tab_to("[data-action=begin]", Keys.ENTER)
    for name in ("q1", "q2", "q3"):
        respondent.tab_to(f"[data-question={name}] [data-answer]", Keys.SPACE)
    respondent.tab_to("[data-action=press]", Keys.ENTER)
    respondent.wait_for("sent")
    respondent.tab_to("[data-action=hide]", Keys.ENTER)
    focus = respondent.browser.switch_to.active_element
    assert (focus.text, focus.get_attribute("aria-disabled")) == ("Hide", "true"), (
        "where somebody is stays there"
    )
    assert len(site.rows(survey)) == 1


def test_equal_reports_leave_equal_traces(wire, respondent, survey):
    """With the words scripted, wire, storage, history, messages and page tell nothing of the answers."""
    traces = []
    for answers in ([0, 0, 0], [1, 1, 1]):
        forget_files(another_window(respondent.browser))
        # Word 0 always gives report 0, whatever the answer.
        before_loading(respondent, "Crypto.prototype.getRandomValues = (array) => array.fill(0);" + TOLD)
        start = len(wire.requests)
        respondent.visit(f"{wire.address}/s/{survey}")
        respondent.mark(answers)
        assert json.loads(respondent.kept()) == [[], [], ""], "before the press nothing is kept"
        respondent.send()
        respondent.act("hide")
        sent = [(r.method, r.target, r.head, r.body) for r in wire.requests[start:] if r.method == "POST"]
        fetched = sorted(request.target for request in wire.requests[start:])
        page = respondent.browser.execute_script(
            "return [document.querySelector('main').innerText, JSON.stringify(history.state), told]"
        )
        traces.append((sent, fetched, respondent.kept(), page))
    assert traces[0] == traces[1]
    assert json.loads(respondent.kept()) == [[], [], ""]


def test_answers_are_in_their_controls_until_the_press_and_nowhere_else(site, respondent, survey):
    before_loading(respondent, TOLD)
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    told = respondent.browser.execute_script("return told")
    assert all(
        json.loads(message)["told"] == {"reports": {}, "sends": False, "ended": False} for message in told
    )
    respondent.browser.execute_script(HIDE, True)
    assert (
        respondent.browser.execute_script(
            "const { content, position } = getComputedStyle(document.body, '::after');"
            "return content !== 'none' && position"
        )
        == "fixed"
    ), "covered while the tab is hidden"
    respondent.browser.execute_script(HIDE, False)
    respondent.act("earlier")
    respondent.wait_for("welcome")
    assert respondent.find(".consent input").is_selected(), "the consent stays"
    respondent.click("#languages [lang=ko]")
    respondent.act("begin")
    respondent.wait_for("question")
    assert respondent.browser.execute_script(CHECKED) == ["1", "0", "1"]
    assert respondent.text("h1") == "솔직한 답을 골라 주세요.", "what was put away follows the language"
    respondent.click("#languages [lang=en]")
    gone = """
        const marked = [...document.querySelectorAll("input:checked")];
        dispatchEvent(new PageTransitionEvent("pagehide"));
        const { childElementCount } = document.querySelector("main");
        return [marked.length, marked.some(({ checked }) => checked), childElementCount];
    """
    assert respondent.browser.execute_script(gone) == [3, False, 0]
    respondent.browser.refresh()
    respondent.wait_for("welcome")
    assert "Your answers were not kept. Please answer again." in respondent.text()


def test_where_one_must_be_able_to_leave_nothing_says_that_one_was_there(site, respondent):
    site.publish(slug := site.fresh("exit"), *THREE, candor=2, outcome="after", quick_exit=True)
    respondent.visit(f"{site.address}/s/{slug}")
    entries = respondent.browser.execute_script("return history.length")
    respondent.mark([1, 0, 1])
    assert respondent.browser.execute_script("return history.length") == entries
    respondent.browser.refresh()
    respondent.wait_for("welcome")
    assert "not kept" not in respondent.text()
    respondent.act("leave")
    respondent.until(lambda: respondent.browser.current_url == "about:blank")
    respondent.visit(f"{site.address}/s/{slug}", "ended")
    assert respondent.text() == "This survey cannot be answered in this window."
    assert respondent.session() == {"word": "ended"}


def test_what_is_missing_has_the_focus_and_nothing_is_drawn_before(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.consent()
    respondent.choose(1, "[data-question=q1] ")
    respondent.act("press")
    assert respondent.text("#missing-q2") == "Choose an answer first."
    focus = respondent.browser.switch_to.active_element
    assert focus.get_attribute("aria-describedby") == "missing-q2"
    assert (wire.posts, json.loads(respondent.kept())) == ([], [[], [], ""])


def test_ten_presses_are_one_draw_and_one_row(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    respondent.browser.execute_script(
        "const press = document.querySelector('[data-action=press]');"
        "for (let n = 0; n < 10; n += 1) { press.click(); press.disabled = false; }"
    )
    respondent.wait_for("sent")
    assert len({post.body for post in wire.posts}) == len(site.rows(survey)) == 1


def test_more_than_six_questions_are_split_into_screens_and_back_keeps_what_is_marked(site, respondent):
    site.publish("fourteen", *[("spinner_coin", 0.2)] * 14, outcome="after")
    respondent.visit(f"{site.address}/s/fourteen")
    respondent.mark([1, 0] * 7)
    assert respondent.text("section.answers > header .eyebrow") == "Screen 3 of 3"
    for _ in range(2):
        respondent.act("earlier")
    respondent.until(lambda: respondent.text("section.answers > header .eyebrow") == "Screen 1 of 3")
    assert respondent.browser.execute_script(CHECKED) == ["1", "0"] * 3
    respondent.browser.execute_script("document.querySelector('[data-question=q4] :checked').checked = false")
    respondent.act("next")
    assert respondent.text("#missing-q4") == "Choose an answer first."
    respondent.choose(1, "[data-question=q4] ")
    for last in ("q12", "q14"):
        respondent.act("next")
        respondent.find(f"[data-question={last}]")
    respondent.send()
    assert len(site.rows("fourteen")) == 1
    assert len(respondent.sent()) == 14
    respondent.browser.back()
    respondent.browser.refresh()
    respondent.wait_for("welcome")
    assert "answer again" not in respondent.text()
    respondent.browser.back()
    respondent.wait_for("welcome")
    assert "answer again" not in respondent.text(), "what was lost was sent"


VALUES = """
const form = document.getElementById("reports");
const fields = [...form.querySelectorAll("input")].map(({ value }) => value);
const copy = document.documentElement.cloneNode(true);
copy.querySelector("#reports").remove();
for (const script of copy.querySelectorAll("script, template, iframe")) script.remove();
return [fields, copy.outerHTML, document.querySelector("main").innerText];
"""
"""The hidden form's fields, the document without them, and what can be read."""


def test_before_it_has_arrived_nothing_shows_what_is_sent(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.find("[data-action=stop]")
    fields, document, shown = respondent.browser.execute_script(VALUES)
    assert fields[1] == respondent.session()["receipt"]
    assert fields[1] not in document
    assert "data-report" not in document
    assert not re.search(r"\b(Yes|No)\b(?!thing)", shown), "no value is in words"
    assert set(respondent.session()) == {"reports", "receipt", "body"}
    assert "What chance chose is shown once it has arrived." in shown
    assert shown.startswith("Not confirmed yet\n"), "nothing is being sent while the page rests"
    respondent.browser.refresh()
    respondent.find("[data-action=stop]")
    wire.rewrites = None
    respondent.browser.refresh()
    respondent.wait_for("sent")
    assert not respondent.has(".cause, .cause-tools"), "after a reload only what was sent is shown"
    assert {
        name: [row] for name, row in site.rows(survey)[0].items() if name != "receipt"
    } == respondent.sent()
    assert len({post.body for post in wire.posts}) == 1
    respondent.browser.refresh()
    respondent.wait_for("welcome")
    assert json.loads(respondent.kept()) == [[], [], ""]
    assert "answer again" not in respondent.text(), "as to anybody"


@pytest.mark.parametrize("moment", MOMENTS)
def test_whenever_the_line_breaks_it_goes_out_again_by_itself_unseen_and_is_stored_once(
    site, wire, respondent, survey, moment
):
    before_loading(respondent, HURRY)
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 0])
    entries = respondent.browser.execute_script("return history.length")
    wire.breaks = moment
    respondent.send("sending")
    respondent.until(lambda: len(wire.posts) >= 3)
    assert not respondent.has("[data-report], [data-receipt]")
    wire.breaks = ""
    respondent.wait_for("sent")
    assert respondent.has(".cause"), "it is remembered for a minute"
    assert respondent.browser.execute_script("return history.length") == entries, "no step for Back to repeat"
    assert len({post.body for post in wire.posts}) == len(site.rows(survey)) == 1


def test_a_storage_that_fails_after_the_press_undoes_nothing_that_was_sent(site, wire, respondent, survey):
    before_loading(respondent, HURRY)
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 0])
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.browser.execute_script(
        MISSING["storage"] + "Storage.prototype.removeItem = () => { throw 0; };"
    )
    wire.rewrites = None
    respondent.wait_for("sent")
    assert len({post.body for post in wire.posts}) == len(site.rows(survey)) == 1


def test_to_stop_trying_erases_the_draw_unseen_and_ends_taking_part(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 0])
    wire.breaks = "answer"
    respondent.send("sending")
    respondent.act("stop")
    respondent.wait_for("ended")
    assert respondent.text() == "This survey cannot be answered in this window.\nIt may already have arrived."
    assert respondent.session() == {"word": "ended"}
    sent = len(wire.posts)
    respondent.browser.refresh()
    respondent.wait_for("ended")
    assert respondent.text() == "This survey cannot be answered in this window."
    open_fresh_tab(respondent.browser, f"{wire.address}/s/{survey}")
    respondent.wait_for("ended")  # told by the tab before
    assert len(wire.posts) == sent


@pytest.mark.parametrize("name", ["stale", "refused", "different", "closed"])
def test_what_the_server_will_never_take_is_erased_and_a_reload_says_the_same(wire, respondent, survey, name):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 0])
    wire.rewrites = outcome(name)
    respondent.send(name)
    assert not respondent.has("#reports input")
    assert respondent.session() == {"word": name}
    respondent.browser.refresh()
    respondent.wait_for(name)
    assert "kept" not in respondent.text()
    assert "outcome." not in respondent.text()
    assert len(wire.posts) == 1


def test_a_survey_that_was_closed_meanwhile_says_so(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([0, 0, 0])
    site.close(survey)
    respondent.send("closed")
    assert "nothing was stored" in respondent.text()
    assert site.rows(survey) == []


def test_how_it_came_about_is_seen_until_it_is_hidden(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    respondent.send()
    respondent.find(".how")
    assert len(respondent.browser.find_elements("css selector", "li .device")) == 3
    respondent.unfold(".ways details")
    respondent.click("#languages [lang=ko]")
    assert respondent.text("h1") == "보낸 값"
    assert "보낸 값만으로는" in respondent.text(".how"), "what came later follows the language too"
    respondent.click("#languages [lang=en]")
    assert respondent.has(".how"), "folds, help and languages do not end it"
    respondent.act("hide")
    respondent.until(lambda: not respondent.has(".cause, .device, [data-action=hide]:not([aria-disabled])"))
    assert "The explanation is hidden." in respondent.browser.execute_script(
        "return document.getElementById('status').textContent"
    )
    assert len(respondent.sent()) == 3, "what was sent stays"
    respondent.act("clear")
    respondent.wait_for("cleared")
    assert not respondent.has("[data-report], [data-receipt]")
    respondent.browser.refresh()
    respondent.wait_for("welcome")


FIRST_LINE = """
addEventListener("DOMContentLoaded", () => new MutationObserver((_, observer) => {
  if (!document.querySelector(".turned")) return;
  observer.disconnect();
  HIDE
}).observe(document.getElementById("main"), { subtree: true, childList: true }));
"""
"""Another tab comes to the front as the first device appears, before the others do."""


def test_a_tab_that_is_hidden_while_devices_come_shows_no_more_of_them(site, respondent, survey):
    before_loading(respondent, FIRST_LINE.replace("HIDE", HIDE.replace("arguments[0]", "true")))
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    respondent.send()
    assert len(respondent.sent()) == 3
    assert not respondent.has(".cause, .device")


@pytest.mark.parametrize("ends", ["hidden", "link"])
def test_a_hidden_tab_or_a_link_to_another_hides_how_it_came_about(site, respondent, survey, ends):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    respondent.send()
    respondent.find(".how")
    if ends == "hidden":
        respondent.browser.execute_script(HIDE, True)
    else:
        respondent.browser.execute_script(
            "const link = document.querySelector('.ways > a'); link.target = '_blank';"
            "link.addEventListener('click', (event) => event.preventDefault()); link.click()"
        )
    respondent.until(lambda: not respondent.has(".cause, .device"))
    assert len(respondent.sent()) == 3


def test_a_tab_that_was_hidden_while_it_sent_shows_no_cause(site, wire, respondent, survey):
    before_loading(respondent, HURRY)
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    wire.breaks = "answer"
    respondent.send("sending")
    respondent.browser.execute_script(HIDE, True)
    respondent.browser.execute_script(HIDE, False)
    wire.breaks = ""
    respondent.wait_for("sent")
    assert not respondent.has(".cause")


def test_the_wheels_turn_beside_what_was_sent_and_can_be_skipped(site, respondent, survey):
    let_move(respondent.browser)
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.unfold("details.trying")
    respondent.act("try")
    respondent.until(lambda: "This would be sent: " in respondent.text("details.trying"))
    assert json.loads(respondent.kept()) == [[], [], ""]
    for name, answer in (("q1", 1), ("q2", 0), ("q3", 1)):
        respondent.choose(answer, f"[data-question={name}] ")
    respondent.send()
    assert len(respondent.sent()) == 3, "at once"
    assert not respondent.browser.execute_script("return document.querySelector('.how:not([hidden])')")
    respondent.act("skip")
    respondent.find(".how")
    assert not respondent.has("[data-action=skip]")


def mark_in_two_tabs(respondent, address):
    """Mark other answers in a second tab, and go back to the first; give both."""
    respondent.visit(address)
    respondent.mark([1, 0, 1])
    first = open_fresh_tab(respondent.browser, address)
    second = respondent.browser.current_window_handle
    respondent.mark([0, 1, 0])
    respondent.browser.switch_to.window(first)
    return first, second


def test_a_second_tab_goes_on_with_the_draw_of_the_first_without_showing_it(site, wire, respondent, survey):
    first, second = mark_in_two_tabs(respondent, f"{wire.address}/s/{survey}")
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.until(lambda: wire.posts)
    respondent.browser.switch_to.window(second)
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(first)
    respondent.browser.close()
    respondent.browser.switch_to.window(second)
    wire.rewrites = None
    respondent.wait_for("arrived")
    assert not respondent.has("[data-report], [data-receipt]")
    assert len({post.body for post in wire.posts}) == len(site.rows(survey)) == 1


def test_two_tabs_send_one_draw_and_the_second_hears_that_it_has_arrived(site, wire, respondent, survey):
    _, second = mark_in_two_tabs(respondent, f"{wire.address}/s/{survey}")
    respondent.send()
    respondent.browser.switch_to.window(second)
    respondent.wait_for("arrived")
    assert len(wire.posts) == len(site.rows(survey)) == 1
    respondent.browser.refresh()
    respondent.wait_for("welcome")  # as to anybody


def test_a_tab_copied_while_it_sends_sends_the_same_bytes_and_never_shows_them(
    site, wire, respondent, survey
):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.mark([1, 0, 1])
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    original = open_tab(respondent.browser)
    copy = respondent.browser.current_window_handle
    respondent.wait_for("elsewhere")
    respondent.browser.switch_to.window(original)
    respondent.browser.close()
    respondent.browser.switch_to.window(copy)
    wire.rewrites = None
    respondent.wait_for("arrived")
    assert not respondent.has("[data-report], [data-receipt]")
    assert len({post.body for post in wire.posts}) == len(site.rows(survey)) == 1


MISSING = {
    "any storage": "Object.defineProperty(window, 'sessionStorage',"
    " { get() { throw new DOMException('no', 'SecurityError'); } });",
    "storage": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "locks": "LockManager.prototype.request = () => Promise.reject(new DOMException('no', 'SecurityError'));",
    "words": "delete Crypto.prototype.getRandomValues;",
}


@pytest.mark.parametrize("missing", MISSING)
def test_where_something_is_missing_a_sentence_says_so_and_nothing_is_sent(
    site, wire, respondent, survey, missing
):
    before_loading(respondent, MISSING[missing])
    respondent.browser.get(f"{wire.address}/s/{survey}")
    respondent.until(lambda: respondent.screen in ("welcome", "refused"))
    if respondent.screen == "welcome":
        respondent.mark([1, 0, 1])
        respondent.send("refused")
    assert "Nothing was sent." in respondent.text()
    assert (wire.posts, site.rows(survey)) == ([], [])


def test_every_screen_fits_and_everybody_can_use_it(site, browser, wire, look):
    site.publish(slug := site.fresh("fits"), *THREE, outcome="after")
    respondent = Respondent(browser)
    respondent.visit(f"{wire.address}/s/{slug}")
    respondent.mark([1, 0, 1])
    look(respondent)
    respondent.unfold("details.trying")
    respondent.unfold("details.trying + details")
    respondent.unfold("details.exact")
    look(respondent)
    wire.rewrites = outcome("busy")
    respondent.send("sending")
    respondent.find("[data-action=stop]")
    look(respondent)
    wire.rewrites = None
    respondent.browser.refresh()
    respondent.wait_for("sent")
    look(respondent)
    show_at(browser, "light", 320, 568)
    check_for_everybody(respondent)
