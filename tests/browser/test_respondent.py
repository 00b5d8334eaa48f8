"""A respondent answers: by clicking, by keyboard, with reloads, over a wire that loses answers."""

from __future__ import annotations

import json
import re
from itertools import product
from urllib.parse import parse_qsl

import pytest
from conftest import another_window, forget_files, let_move, open_tab, read_in, show_at
from selenium.webdriver import Keys

THREE = (("spinner_coin", 1.0), ("spinner", 0.5), ("coin", None))
ENTRIES = """
const entries = [];
for (const name of ["pushState", "replaceState"]) {
  const change = history[name];
  history[name] = function (state, ...rest) {
    entries.push(name, JSON.stringify(state));
    change.call(history, state, ...rest);
  };
}
"""
"""Note what the page writes into the history."""

LEFT = """
return JSON.stringify([history.length, document.querySelector("details [data-body]").textContent,
  Array.from(document.querySelectorAll("input"), ({ checked, value }) => [checked, value])]);
"""
"""What the last screen before sending holds in its history, its bytes and its controls."""

WORDS_BEYOND_THEIR_CELLS = """
return Array.from(document.querySelectorAll(".privacy :is(th, td)")).filter((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getBoundingClientRect().right > cell.getBoundingClientRect().right;
}).map((cell) => cell.textContent);
"""
"""Those of the table of who learns what, where they run into the next cell."""


@pytest.fixture
def survey(site, request):
    """An open survey of its own for each test; gives its slug."""
    slug = site.fresh(request.node.name.removeprefix("test_"))
    site.publish(slug, *THREE)
    return slug


def test_a_whole_survey_by_clicking(site, wire, respondent):
    """Four questions take twelve clicks, one more shows the bytes, and no other source of chance is used."""
    respondent.mouse = True
    site.publish(slug := site.fresh("clicks"), *THREE, ("spinner_coin", 1.0))
    source = """
    let clicks = 0;
    addEventListener("pointerdown", () => { clicks += 1; }, true);
    Math.random = () => { throw new Error("not for this"); };
    """
    respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    respondent.visit(f"{wire.address}/s/{slug}")
    assert "A university asks." in respondent.text()
    reports = respondent.answer_all([1, 0, 1, 0])
    announced = respondent.body()
    respondent.send()
    assert respondent.browser.execute_script("return clicks") <= 12 + 1
    assert "Goodbye." in respondent.text()
    assert "Call 000 for help." in respondent.text()
    (row,) = site.rows(slug)
    assert [row[name] for name in ("q1", "q2", "q3", "q4")] == reports
    (post,) = wire.posts
    assert post.body == announced
    assert dict(parse_qsl(post.body))["receipt"] == respondent.receipt()
    assert respondent.complaints() == []


@pytest.mark.parametrize("early", [True, False])
def test_respondents_are_told_where_reports_can_be_had_before_the_survey_ends(site, respondent, early):
    slug = f"early-{early}".lower()
    site.publish(slug, *THREE, results={"step": 10, "reports_while_open": early})
    respondent.visit(f"{site.address}/s/{slug}")
    said = "The researchers can read what each person sent even before this survey ends."
    assert (said in respondent.unfold("details:has(.privacy)")) == early
    assert respondent.complaints() == []


def test_a_whole_survey_by_keyboard(site, wire, respondent, survey):
    checked = "return Array.from(document.querySelectorAll('[data-answer]:checked'), (e) => e.dataset.answer)"
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.find(".consent input").send_keys(Keys.SPACE)
    respondent.tab_to("[data-action=begin]", Keys.ENTER)
    for _ in THREE:
        respondent.tab_to("[data-answer]", Keys.SPACE)
        for arrow, answer in ((Keys.ARROW_DOWN, "0"), (Keys.ARROW_UP, "1")):
            respondent.press(arrow)
            assert respondent.browser.execute_script(checked) == [answer]
        asked = respondent.find("section.question").get_attribute("data-question")
        respondent.tab_to("[data-action=lock]", Keys.ENTER)
        respondent.find(f"[data-of={asked}]")
    respondent.wait_for("review")
    respondent.tab_to("[data-action=send]", Keys.ENTER)
    respondent.wait_for("sent")
    assert len(site.rows(survey)) == 1


def test_equal_reports_leave_equal_traces(wire, respondent, survey):
    """With the words scripted, wire, storage, history and controls tell nothing of the answers."""
    traces = []
    for answers in ([0, 0, 0], [1, 1, 1]):
        forget_files(another_window(respondent.browser))
        # Word 0 always gives report 0, whatever the answer.
        source = "Crypto.prototype.getRandomValues = (array) => array.fill(0);" + ENTRIES
        respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        start = len(wire.requests)
        respondent.visit(f"{wire.address}/s/{survey}")
        assert respondent.answer_all(answers) == [0, 0, 0]
        left = respondent.browser.execute_script(LEFT)
        respondent.send()
        sent = [(r.method, r.target, r.head, r.body) for r in wire.requests[start:] if r.method == "POST"]
        fetched = sorted(request.target for request in wire.requests[start:])
        entries = respondent.browser.execute_script("return entries")
        traces.append((sent, fetched, respondent.kept(), left, entries))
    assert traces[0] == traces[1]
    assert set(json.loads(entries[-1])) == {"survey", "place", "language"}


def test_a_reload_cannot_draw_again(site, respondent, survey):
    # Whatever the answer, the first word gives report 0 and the last one report 1.
    for word in (0, 2**32 - 1):
        source = f"Crypto.prototype.getRandomValues = (array) => array.fill({word})"
        respondent.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        if word == 0:
            respondent.visit(f"{site.address}/s/{survey}")
            respondent.consent()
            assert respondent.answer(1) == 0
    for _ in range(2):
        respondent.browser.refresh()
        assert respondent.result() == 0


def test_only_reports_are_kept_and_only_until_they_are_sent(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.choose(1)
    assert "reports" not in respondent.kept()
    respondent.use()
    kept = respondent.session()
    assert re.fullmatch(r"[0-9a-f]{32}", kept.pop("receipt"))
    assert kept.pop("reports") in ({"q1": 0}, {"q1": 1})
    assert kept == {}
    for answer in (0, 0):
        respondent.answer(answer)
    respondent.wait_for("review")
    respondent.send()
    assert json.loads(respondent.kept()) == [[], [], ""]
    respondent.browser.refresh()
    respondent.wait_for("welcome")


def test_what_is_discarded_is_gone_for_good(site, wire, respondent, survey):
    respondent.visit(f"{wire.address}/s/{survey}")
    respondent.answer_all([1, 1, 1])
    respondent.discard()
    for _ in range(2):
        assert respondent.text() == "This survey cannot be answered in this window."
        assert respondent.session() == {"word": "ended"}
        respondent.browser.get(f"{wire.address}/s/{survey}")
        respondent.wait_for("ended")
    assert (wire.posts, site.rows(survey)) == ([], [])


def test_how_a_result_came_about_is_seen_until_the_next_press(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.answer(1)
    assert "This explanation disappears when you go on." in respondent.text(".result .how")
    respondent.click("#languages [lang=ko]")
    respondent.click("#languages [lang=en]")
    assert "This explanation disappears" in respondent.text(".result .how"), "a language is no press"
    respondent.choose(1)
    assert not respondent.has(".result :is(.how, .device)"), "the choice of the next answer is one"
    respondent.use()
    respondent.act("hide")
    assert not respondent.has(".result :is(.how, .device)")
    respondent.answer(0)
    respondent.browser.execute_script(
        "Object.defineProperty(document, 'hidden', { configurable: true, value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    assert not respondent.has(".result :is(.how, .device)")
    assert "Will be sent: " in respondent.text(".result")


def test_whoever_comes_to_a_tab_that_was_hidden_while_the_wheel_turned_sees_no_cause(
    site, respondent, survey
):
    let_move(respondent.browser)
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.choose(1)
    respondent.use_and_stop()
    respondent.browser.execute_script(
        "Object.defineProperty(document, 'hidden', { configurable: true, value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    assert "Will be sent: " in respondent.text(".result")
    assert not respondent.has(".cause, .result .device")


def test_back_leads_to_what_is_not_fixed_and_to_nothing_else(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    entries = respondent.browser.execute_script("return history.length")
    report = respondent.answer(1)
    held = "return Object.keys(history.state).sort()"
    assert respondent.browser.execute_script(held) == ["language", "place", "survey"]
    respondent.act("earlier")
    respondent.wait_for("welcome")
    assert respondent.browser.execute_script(held) == ["language", "place", "survey"]
    respondent.browser.forward()
    respondent.wait_for("question")
    assert respondent.find("section.question").get_attribute("data-question") == "q2"
    assert respondent.result() == report
    for answer in (0, 0):
        respondent.answer(answer)
    respondent.wait_for("review")
    assert respondent.browser.execute_script("return history.length") == entries
    respondent.browser.back()
    respondent.browser.refresh()
    respondent.wait_for("review")


def test_korean_readers_get_korean_and_a_reload_goes_on_in_the_language_chosen(site, respondent, survey):
    read_in(respondent.browser, "ko")
    language = "return document.documentElement.lang"
    respondent.visit(f"{site.address}/s/{survey}")
    assert "대학에서 묻습니다." in respondent.text()
    assert respondent.browser.execute_script(language) == "ko"
    respondent.click("#languages [lang=en]")
    respondent.consent()
    for question in (1, 2, 3):
        respondent.browser.refresh()
        respondent.wait_for("question")
        assert respondent.text("h1") == f"Did you do thing {question}?"
        respondent.answer(1)
    respondent.wait_for("review")
    respondent.browser.refresh()
    respondent.wait_for("review")
    assert respondent.browser.execute_script(language) == "en"
    respondent.click("#languages [lang=ko]")
    assert respondent.screen == "review"
    assert "1번 일을 한 적이 있습니까?" in respondent.text()


def test_back_shows_an_empty_form(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.choose(1)
    respondent.browser.get(f"{site.address}/login")
    respondent.browser.back()
    respondent.wait_for("question")
    assert not respondent.browser.execute_script("return Boolean(document.querySelector('input:checked'))")


def test_a_tab_copied_before_sending_waits_for_its_original(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.answer_all([1, 0, 0])
    original = open_tab(respondent.browser)
    respondent.wait_for("elsewhere")
    respondent.browser.close()
    respondent.browser.switch_to.window(original)
    respondent.send()
    assert len(site.rows(survey)) == 1


def test_locking_twice_draws_once(site, respondent, survey):
    # The first word gives report 0 whatever the answer, any later one gives report 1.
    respondent.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": """
            let drawn = 0;
            Crypto.prototype.getRandomValues = (array) => array.fill(drawn++ ? 2 ** 32 - 1 : 0);
            """
        },
    )
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    respondent.choose(1)
    respondent.browser.execute_script(
        "const lock = document.querySelector('[data-action=lock]');"
        "const radio = document.querySelector('[data-answer=\"1\"]');"
        "lock.click(); radio.checked = true; lock.click();"
    )
    assert respondent.result() == 0


def test_names_that_scripts_know_are_names_like_others(site, respondent):
    questions = [
        {"id": name, "mechanism": "coin", "wording": {"en": f"{name}?", "ko": f"{name}?"}}
        for name in ("constructor", "id", "submit", "target")
    ]
    site.publish("names", questions=questions)
    respondent.visit(f"{site.address}/s/names")
    reports = respondent.answer_all([1, 1, 1, 1])
    respondent.send()
    (row,) = site.rows("names")
    assert [row[question["id"]] for question in questions] == reports


def test_weights_weaker_than_stated_are_refused(site, wire, respondent, survey):
    # As if the server had sent a channel that gives more away than the loss beside it.
    respondent.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": """
            const parse = JSON.parse;
            JSON.parse = (text) => {
              const value = parse(text);
              const column = value?.questions?.[0]?.columns?.[0];
              if (column) column.weights = [[4294967295, 1], [1, 4294967295]];
              return value;
            };
            """
        },
    )
    respondent.visit(f"{wire.address}/s/{survey}", "refused")
    assert not respondent.has("[data-answer]")
    assert wire.posts == []


def test_before_answering_everything_together_is_put_in_words_and_found_again_before_sending(
    site, respondent, survey
):
    respondent.visit(f"{site.address}/s/{survey}")
    # .7876 over all eight ways in which three results can come; of the coin alone 3 in 4.
    expected = ("(ε = 2.5986)", "would be right at most 75 times in 100.")
    assert "at most 79" in respondent.text(".guess .seen")
    shown = respondent.unfold("[data-total='79']")
    for words in expected:
        assert words in shown
    bar = respondent.find(".guess .seen .bar-right").get_attribute("width")
    assert bar == "79"
    respondent.answer_all([1, 0, 1])
    shown = respondent.unfold("[data-total]")
    for words in expected:
        assert words in shown


def test_every_question_shows_its_odds_and_its_bound_before_it_is_answered(site, respondent, survey):
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.consent()
    assert "be right at most 74 times in 100." in respondent.text(".odds .bound")
    assert len(respondent.browser.find_elements("css selector", ".shares .dots")) == 2
    assert respondent.has("[data-answer]")
    assert respondent.has("[data-total='79']"), "and what all of it shows is never far"


def test_the_hundred_of_a_sharp_wheel_say_what_the_words_beside_them_say(site, respondent):
    site.publish("sharp", ("spinner_coin", 8.0))
    respondent.visit(f"{site.address}/s/sharp")
    respondent.consent()
    assert "about 99.97 send Yes" in respondent.text(".shares")
    filled = (
        "return Array.from(document.querySelectorAll('.shares .dots'), "
        "(each) => each.querySelector('.filled').getAttribute('d').split('M').length - 1)"
    )
    assert respondent.browser.execute_script(filled) == [99, 1]


def test_a_total_that_protects_little_says_so_in_every_language(site, respondent):
    site.publish("little", ("spinner_coin", 3.0), ("coin", None), budget={"limit": 13, "waves": 3})
    respondent.visit(f"{site.address}/s/little")
    assert respondent.text(".promise") == "This survey protects you little."
    assert "asked 3 times" in respondent.text(".aside")
    shown = respondent.unfold("[data-total='100']")
    assert "stay within ε = 13 in all" in shown
    assert "question alone" not in shown  # over all waves 99 times or more: that would sound like protection
    respondent.click("[lang=ko]")
    assert respondent.text(".promise") == "이 설문은 내 답을 거의 보호하지 못합니다."
    assert "모두 합해 ε = 13 이하를 약속합니다" in respondent.text("[data-total]")


def test_a_survey_beyond_its_own_limit_is_refused(site, wire, respondent, survey):
    # As if the server had sent a limit that its questions do not keep.
    respondent.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": """
            const parse = JSON.parse;
            JSON.parse = (text) => {
              const value = parse(text);
              if (value?.questions) value.budget = { limit: 2.5985 };
              return value;
            };
            """
        },
    )
    respondent.visit(f"{wire.address}/s/{survey}", "refused")
    assert not respondent.has("[data-answer]")
    assert wire.posts == []


def test_nothing_scrolls_sideways(site, browser, respondent, survey):
    def check():
        for width in (320, 1280):
            show_at(browser, "light", width, 700)
            assert (width, respondent.overflow()) == (width, 0)

    respondent.visit(f"{site.address}/s/{survey}")
    respondent.unfold("details:has(.privacy)")
    respondent.unfold("[data-total]")
    check()
    for width, language in product((320, 1280), ("ko", "en")):
        show_at(browser, "light", width, 700)
        respondent.click(f"#languages [lang={language}]")
        assert respondent.browser.execute_script(WORDS_BEYOND_THEIR_CELLS) == []
    respondent.consent()
    check()
    for answer in (1, 1, 1):
        respondent.answer(answer)
    respondent.wait_for("review")
    check()
    respondent.send()
    check()


ENDS = """
const ends = (selector) => Array.from(document.querySelectorAll(selector),
  (node) => Math.round(node.getBoundingClientRect().bottom));
return [ends(".answer .choice"), ends("[data-action=lock]"),
  ends(".question [data-part]:not([data-part=answer], [hidden], :empty)")];
"""
"""How far down the window the answers, the button, and the parts of a question end."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 568)])
def test_answers_are_in_view_without_scrolling(site, browser, respondent, width, height):
    """Under a wording of two lines, at the first question and where a result stands above the question."""
    slug = f"in-view-{width}"
    wording = {"en": "How often did you do the thing in question?", "ko": "그 일을 얼마나 자주 했습니까?"}
    options = [{"en": each, "ko": each} for each in ("Never", "Once", "Twice", "Often", "Always")]
    question = {
        "wording": wording,
        "kind": "choice",
        "mechanism": "wheel",
        "epsilon": 1.0,
        "options": options,
    }
    site.publish(slug, questions=[{"id": name, **question} for name in ("one", "two", "three")])
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True},
    )
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    for _ in range(2):
        answers, (button,), parts = browser.execute_script(ENDS)
        print(f"{width} x {height}: answers end at {answers}, the button at {button}")
        assert answers[1] <= height
        if height == 844:
            assert max(*answers, button) <= height
        assert parts == sorted(parts), "the picture of chance comes last"
        respondent.answer(0)


LONGEST = """
document.querySelectorAll(".result .reports li").forEach((box) => {
  box.textContent = box.textContent.replace(/: .*/, arguments[0]);
});
"""
"""Let every box's report be the longer word, as chance does now and then."""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_two_answers_or_a_number_and_its_button_are_in_view_after_a_long_result_on_a_small_phone(
    site, browser, respondent, language
):
    wording = {"en": "How often did you do the thing in question?", "ko": "그 일을 얼마나 자주 했습니까?"}
    options = {
        "options": [
            {"en": en, "ko": ko} for en, ko in (("Never", "전혀"), ("Once", "한 번"), ("Often", "자주"))
        ]
    }
    grid = {"low": 0, "high": 50, "step": 5, "unit": {"en": "hours", "ko": "시간"}, "skip": "apart"}
    asked = {
        "boxes": {"kind": "boxes", "mechanism": "per_box", **options},
        "choice": {"kind": "choice", "mechanism": "wheel", **options},
        "more_boxes": {"kind": "boxes", "mechanism": "per_box", **options},
        "number": {"kind": "number", "mechanism": "one_bit", **grid},
    }
    questions = [{"id": name, "wording": wording, "epsilon": 1.0, **kind} for name, kind in asked.items()]
    site.publish(slug := site.fresh("small"), questions=questions)
    size = {"width": 320, "height": 568, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.click(f"#languages [lang={language}]")
    respondent.consent()
    respondent.choose(0)
    respondent.use()
    answers, _, _ = browser.execute_script(ENDS)
    assert answers[1] <= 568
    for _ in range(2):
        respondent.choose(0)
        respondent.use()
    browser.execute_script(LONGEST, {"en": ": No", "ko": ": 아니요"}[language])
    _, (button,), _ = browser.execute_script(ENDS)
    print(f"\n{language}: the second answer ends at {answers[1]}, the button of a number at {button}")
    assert button <= 568


FROZEN = """
for (const animation of document.getAnimations()) {
  animation.pause();
  animation.currentTime = arguments[0];
}
return Array.from(document.querySelectorAll(".second, .second *, .chip, .halo"), (node) => {
  const { opacity, transform, filter } = getComputedStyle(node);
  const still = transform.replace("matrix(1, 0, 0, 1, 0, 0)", "none");
  return [node.getAttribute("class"), opacity, still, filter].join(" ");
});
"""
"""Stop all motion at a moment, and describe what follows from the wheel or the first coin."""


def test_nothing_shows_what_came_out_before_the_wheel_has_stopped(site, browser, respondent):
    """The picture turns and can be skipped, and looks the same until it stops whatever chance has decided."""
    boxes = {"kind": "boxes", "options": [{"en": "A", "ko": "A"}, {"en": "B", "ko": "B"}], "epsilon": 1.0}
    kinds = {"spinner_coin": {"epsilon": 1.0}, "coin": {}, "per_box": boxes}
    asked = [
        {"id": name, "mechanism": name, "wording": {"en": "Q?", "ko": "Q?"}} | kind
        for name, kind in kinds.items()
    ]
    let_move(browser)
    seen = {}
    # Of an answer yes the first words give a record no that chance decided, the last ones one that is kept.
    for word in (0, 2**32 - 1):
        site.publish(slug := site.fresh("waits"), questions=asked)
        source = f"Crypto.prototype.getRandomValues = (array) => array.fill({word})"
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        respondent.visit(f"{site.address}/s/{slug}")
        respondent.consent()
        for name in kinds:
            respondent.choose(1)
            assert respondent.use_and_stop()
            assert not respondent.has(f"[data-of={name}][data-report]")
            stop = 3600 if name == "per_box" else 2900
            seen[name, word] = [browser.execute_script(FROZEN, moment) for moment in (0, stop / 2, stop - 20)]
            assert any(seen[name, word])
            respondent.act("skip")
            respondent.codes(f"[data-of={name}]")
            assert "This explanation disappears" in respondent.text(".result .how")
    for name in kinds:
        assert seen[name, 0] == seen[name, 2**32 - 1], name
