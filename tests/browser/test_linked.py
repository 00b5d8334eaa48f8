"""Linked questions in a real browser: all are answered, then one wheel turns for all of them."""

from __future__ import annotations

import math

import pytest
from conftest import definition

WORDS = "const words = {}; Crypto.prototype.getRandomValues = (array) => array.map(() => words.shift() ?? 7);"
KEPT = 2**31
"""At epsilon 10, a word at which the wheel keeps almost every combination."""

TEXTS = {"en": "Is it so?", "ko": "그렇습니까?"}


@pytest.fixture
def publish(site):
    """Open a survey of four linked questions; gives its slug."""

    def open_one(outcome: str = "after", waves: int = 1, **more: object) -> str:
        slug = site.fresh("linked")
        questions = [{"id": f"item_{number}", "wording": TEXTS} for number in range(4)]
        section = {"id": "together", "linked": True, "epsilon": 10.0, "questions": questions} | more
        section = {key: value for key, value in section.items() if value is not None}
        table = definition(slug, []) | {"candor": 3, "outcome": outcome, "sections": [section]}
        table["budget"] = {"waves": waves}
        del table["questions"]
        site.open(table)
        return slug

    return open_one


def test_one_press_draws_all_answers_with_one_word(site, respondent, publish):
    """Seven presses: the box, Begin, four answers, and one that draws and sends."""
    slug = publish()
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.browser.execute_script(
        "window.words = 0; const own = crypto.getRandomValues.bind(crypto);"
        "crypto.getRandomValues = (a) => { window.words += a.length; return own(a); };"
    )
    respondent.mark([1, 0, 0, 1])
    assert "all four are sent as you gave them" in respondent.text()
    respondent.send()
    # Five words of 32 bits: one for the wheel, and four for the receipt.
    assert respondent.browser.execute_script("return window.words") == 5
    assert list(respondent.sent().values()) == [[1], [0], [0], [1]]  # at this epsilon chance rarely speaks
    (row,) = site.rows(slug)
    assert [row[f"item_{number}"] for number in range(4)] == [1, 0, 0, 1]
    assert not respondent.complaints()


def test_what_is_said_of_guesses_is_what_the_wheel_allows(site, respondent, publish):
    respondent.visit(f"{site.address}/s/{publish(epsilon=1.25, waves=2)}")
    respondent.consent()
    text = respondent.unfold(".odds:not(.trying, .exact)")
    odds, combinations = math.exp(1.25), 2**4
    knows_one = odds**2 / (odds**2 + 1)  # over both waves; what is sent now is one of them
    torn = 0.5 + 0.5 * (odds - 1) / (odds + combinations - 1)
    assert f"another can be right up to {math.ceil(100 * knows_one)} times in 100" in text
    assert f"they would be right at most {math.ceil(100 * torn)} times in 100" in text


def script(browser, *words):
    """Let chance give these words first."""
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WORDS.format([*words])})


def test_chance_picks_which_questions_are_asked_and_one_wheel_turns_for_them(site, respondent, publish):
    """The first word draws the fifth of six sets of two, items 1 and 3; the second turns the wheel."""
    slug = publish(asked=2)
    script(respondent.browser, 3_000_000_000, KEPT)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.mark([1, 0])
    assert "Chance picked these 2 of 4 questions for you." in respondent.text()
    assert "both are sent as you gave them" in respondent.text()
    respondent.send()
    assert respondent.sent() == {"item_1": [1], "item_3": [0]}
    (row,) = site.rows(slug)
    assert [row[f"item_{number}"] for number in range(4)] == [2, 1, 2, 0]  # 2: not asked
    assert not respondent.complaints()


def test_all_are_left_out_together_by_one_box_which_is_one_more_answer(site, respondent, publish):
    slug = publish(skip="randomized")
    script(respondent.browser, KEPT)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    leave = respondent.find("[data-leave]")
    leave.click()
    respondent.choose(1, "[data-question=item_2] ")
    assert not leave.is_selected()
    leave.click()
    assert not respondent.has("[data-answer]:checked")
    respondent.send()
    (row,) = site.rows(slug)
    assert [row[f"item_{number}"] for number in range(4)] == [2, 2, 2, 2]  # 2: left out
    assert not respondent.complaints()


@pytest.mark.parametrize("outcome", ["after", "before"])
def test_what_real_coins_gave_is_entered_and_looks_like_what_the_wheel_gives(
    site, respondent, publish, outcome
):
    slug = publish(outcome, epsilon=None, by_hand="coin")
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    assert "toss a coin for each question" in respondent.unfold(".hand")
    respondent.choose(1, "[data-question=item_1] ")
    lines = respondent.browser.find_elements("css selector", ".hand fieldset")
    for line in lines[:3]:
        line.find_element("css selector", "[data-answer='1']").click()
    assert not respondent.has("[data-question] [data-answer]:checked")
    respondent.click("[data-action=press], [data-action=lock]")
    assert "Choose an answer first." in lines[3].text
    lines[3].find_element("css selector", "[data-answer='0']").click()
    if outcome == "before":
        respondent.act("lock")
        assert "You entered this after tossing real coins." in respondent.text(".result")
    respondent.send()
    (row,) = site.rows(slug)
    assert [row[f"item_{number}"] for number in range(4)] == [1, 1, 1, 0]
    assert not respondent.complaints()


BOXES = [{"id": "used", "kind": "boxes", "wording": TEXTS, "options": [{"en": c, "ko": c} for c in "ABCD"]}]


@pytest.mark.parametrize("outcome", ["after", "before"])
@pytest.mark.parametrize(
    ("more", "ticked", "sent"),
    [
        ({}, [1, 2], [0, 1, 1, 0]),
        ({"skip": "randomized"}, None, [2, 2, 2, 2]),  # 2: left out
        ({"asked": 2}, [0], [2, 1, 2, 0]),  # the fifth of six sets, B and D; 2: not asked
    ],
)
def test_boxes_are_answers_on_one_wheel_or_a_random_set_of_them(
    site, respondent, publish, outcome, more, ticked, sent
):
    slug = publish(outcome, questions=BOXES, **more)
    script(respondent.browser, *([3_000_000_000] if "asked" in more else []), KEPT)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    text = respondent.text()
    assert ("One spin for two answers" if "asked" in more else "One spin for four answers") in text
    assert ("Chance picked these 2 of 4 boxes for you." in text) == ("asked" in more)
    for box in ticked or []:
        respondent.click(f"[data-question=used] [data-answer='{box}']")
    if ticked is None:
        respondent.click("[data-leave]")
    if outcome == "before":
        respondent.act("lock")
    respondent.send()
    (row,) = site.rows(slug)
    assert [row[f"used_{number}"] for number in range(1, 5)] == sent
    assert not respondent.complaints()


def test_lines_on_one_scale_share_a_wheel_by_their_section(site, respondent, publish):
    scale = {"kind": "choice", "options": [TEXTS | {"en": text} for text in ("Never", "Once", "Often")]}
    lines = [scale | {"id": f"line_{n}", "matrix": "exams", "wording": TEXTS} for n in range(3)]
    lines[0]["matrix_wording"] = {"en": "How often this term?", "ko": "이번 학기에 얼마나 자주?"}
    slug = publish(questions=lines)
    script(respondent.browser, KEPT)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.mark([0, 1, 2])
    assert respondent.text(".stem") == "How often this term?"
    assert "all three are sent as you gave them" in respondent.text()
    respondent.send()
    (row,) = site.rows(slug)
    assert [row[f"line_{n}"] for n in range(3)] == [0, 1, 2]
    assert not respondent.complaints()
