"""Every kind of question in a real browser: answered with native controls, drawn once, stored as codes."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from conftest import definition, let_move, read_in, show_at
from pages import Respondent
from selenium.webdriver import Keys

OPTIONS = [{"en": f"Thing {n}", "ko": f"일 {n}"} for n in range(1, 6)]
GRID = {"low": 0, "high": 50, "step": 5, "unit": {"en": "hours", "ko": "시간"}}
QUESTIONS = {
    "wheel": {"kind": "choice", "mechanism": "wheel", "options": OPTIONS},
    "subset": {"kind": "choice", "mechanism": "subset", "options": OPTIONS, "epsilon": 0.5, "size": 2},
    "ordered": {"kind": "choice", "mechanism": "exponential", "options": OPTIONS, "ordered": True},
    "rather_not": {"kind": "yes_no", "mechanism": "spinner_coin", "skip": "randomized"},
    "left_out": {"kind": "choice", "mechanism": "wheel", "options": OPTIONS * 4, "skip": "apart"},
    "boxes": {"kind": "boxes", "mechanism": "per_box", "options": OPTIONS, "epsilon": 3.0},
    "sampled": {"kind": "boxes", "mechanism": "sampled_box", "options": OPTIONS},
    "one_bit": {"kind": "number", "mechanism": "one_bit", **GRID},
    "laplace": {"kind": "number", "mechanism": "laplace", "low": -1, "high": 1, "step": 0.1},
    "gaussian": {"kind": "number", "mechanism": "gaussian", **GRID, "delta": 1e-6},
    "hybrid": {"kind": "number", "mechanism": "hybrid", "low": 0, "high": 1000, "step": 1},
    "plain": {"kind": "yes_no", "mechanism": "coin", "skip": "apart", "by_hand": "coin"},
    "coins": {"kind": "yes_no", "mechanism": "spinner_coin", "by_hand": "coin"},
}
"""A question of every kind and mechanism; the name is its id."""

LINKED = {
    "id": "together",
    "linked": True,
    "by_hand": "coin",
    "questions": [{"id": f"item_{n}", "wording": {"en": f"And {n}?", "ko": f"{n}?"}} for n in (1, 2)],
}


def questions(*names: str) -> list[dict]:
    """Give the tables of some of them, or of all."""
    tables = []
    for name in names or QUESTIONS:
        table = {
            "id": name,
            "wording": {"en": f"About {name}?", "ko": f"{name}?"},
            "epsilon": 1.0,
        } | QUESTIONS[name]
        if table["mechanism"] == "coin":
            del table["epsilon"]
        tables.append(table)
    return tables


@pytest.fixture
def publish(site):
    """Open a survey of its own for each test; gives its slug."""

    def open_one(*names: str, outcome: str = "before") -> str:
        slug = site.fresh("kinds")
        site.publish(slug, ("coin", None), questions=questions(*names), outcome=outcome)
        return slug

    return open_one


def answer(respondent: Respondent, name: str, among: str = "") -> None:
    """Mark some answer to a question by clicking; `among` finds it where there are several."""
    if QUESTIONS[name]["kind"] == "number":
        respondent.enter({"laplace": "-0.3", "hybrid": "412"}.get(name, "15"), among)
    elif QUESTIONS[name]["kind"] == "boxes":
        respondent.choose(1, among)
        respondent.choose(3, among)
    else:
        respondent.choose(1, among)


def columns(site, slug: str, name: str) -> list:
    """Give the published columns of a question."""
    question = next(q for q in site.survey(slug).publication.definition.questions if q.id == name)
    return [site.survey(slug).publication.columns[column] for column in question.column_names]


def test_every_kind_by_clicking_and_no_reload_draws_again(site, wire, respondent, publish):
    respondent.mouse = True
    slug = publish()
    respondent.visit(f"{wire.address}/s/{slug}")
    respondent.consent()
    recorded: dict[str, int] = {}
    unfolded: list[str] = []
    for name in QUESTIONS:
        if respondent.has(".odds[open]:not([data-total])"):
            unfolded.append(name)
        else:
            respondent.unfold(".aside > .odds:not([data-total])")
        for part in (".wheel-figure", ".share:nth-child(2) .dots", ".odds .bound"):
            respondent.find(part)
        answer(respondent, name)
        for column, code in zip(columns(site, slug, name), respondent.use(), strict=True):
            assert 0 <= code < column.channel.reports
            recorded[column.name] = code
        assert "kind." not in respondent.text()
    respondent.wait_for("review")
    # Where the kind of device changes: wheel, cards, strip, wheel, small wheels, wheel, strip, coins, both.
    new = ["wheel", "subset", "ordered", "rather_not", "boxes", "one_bit", "laplace", "plain", "coins"]
    assert unfolded == new
    for _ in range(5):
        respondent.browser.refresh()
        respondent.wait_for("review")
        assert respondent.session()["reports"] == recorded
    announced = respondent.body()
    assert "About sampled?\nThing 1: " in respondent.text()
    respondent.send()
    (row,) = site.rows(slug)
    assert {name: row[name] for name in recorded} == recorded
    assert wire.posts[0].body == announced
    assert re.search(r"&gaussian=\d{2,3}&", announced), "every code is as wide as the largest"
    assert respondent.complaints() == []


def test_every_kind_at_once(site, wire, respondent, publish):
    slug = publish(outcome="after")
    respondent.visit(f"{wire.address}/s/{slug}")
    respondent.consent()
    for screen in range(3):
        for name in list(QUESTIONS)[6 * screen : 6 * screen + 6]:
            among = f"[data-question={name}] "
            answer(respondent, name, among)
            if name == "left_out":  # the one that comes last counts
                respondent.click(f"{among}label:has([data-action=pass])")
                assert not respondent.has(f"{among}[data-answer]:checked")
            if name == "coins":
                respondent.unfold(f"{among}.hand")
                respondent.choose(1, f"{among}.hand ")
                assert not respondent.has(f"{among}[data-part=controls] :checked")
        for fold in respondent.browser.find_elements("css selector", "section.question .aside summary"):
            fold.click()
        assert "kind." not in respondent.text()
        if screen < 2:
            respondent.act("next")
            respondent.find(f"[data-question={list(QUESTIONS)[6 * screen + 6]}]")
    respondent.send()
    assert not re.search(r"kind\.|skip\.|hand\.", respondent.text())
    (row,) = site.rows(slug)
    sent = respondent.sent()
    for name in QUESTIONS:
        assert [row[column.name] for column in columns(site, slug, name)] == sent[name]
    skipped = {name: row[name] == columns(site, slug, name)[0].skip_code for name in ("left_out", "plain")}
    assert skipped == {"left_out": True, "plain": False}
    (column,) = columns(site, slug, "coins")
    counts = [0] * column.codes
    counts[row["coins"]] += 1
    assert column.split(counts).by_hand == (0, 1)
    for name in ("left_out", "coins"):
        assert not respondent.has(f"li[data-of={name}] .device"), "it is listed without a wheel"
    assert respondent.complaints() == []


def test_korean_readers_answer_every_kind_by_keyboard(site, respondent, publish):
    read_in(respondent.browser, "ko")
    show_at(respondent.browser, "light", 400)
    slug = publish()
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.find(".consent input").send_keys(Keys.SPACE)
    respondent.tab_to("[data-action=begin]", Keys.ENTER)
    for name, question in QUESTIONS.items():
        number = question["kind"] == "number"
        respondent.tab_to("[data-answer]", "0" if number else Keys.SPACE)
        respondent.tab_to("[data-action=lock]", Keys.ENTER)
        respondent.find(f"[data-of='{name}']")
        assert not re.search(r"[{}]|kind\.|skip\.|mechanism\.", respondent.text())
    respondent.wait_for("review")
    assert "뽑히지 않음" in respondent.text()
    respondent.tab_to("[data-action=send]", Keys.ENTER)
    respondent.wait_for("sent")
    assert len(site.rows(slug)) == 1


def typed(respondent, *keys):
    """Type into the field of the question, key by key as on a keyboard."""
    field = respondent.find("input.number")
    field.clear()
    field.send_keys(*keys)


def test_a_number_that_is_none_of_the_answers_or_may_be_another_is_refused_at_its_field(
    site, respondent, publish
):
    respondent.visit(f"{site.address}/s/{publish('one_bit', 'hybrid')}")
    respondent.consent()
    for number in ("", "-5", "55", "7", "1e9"):
        respondent.enter(number)
        respondent.act("lock")
        wrong = number and f" “{number}” is not one of them."
        assert respondent.text("#missing") == "Enter a number from 0 to 50 hours, in steps of 5." + wrong
        field = respondent.find("input.number")
        assert field.get_attribute("aria-invalid") == "true"
        assert "missing" in field.get_attribute("aria-describedby")
        assert respondent.browser.switch_to.active_element == field
        assert "one_bit" not in respondent.kept()
    respondent.enter(50)
    respondent.use()
    typed(respondent, *"12,5")  # 125 where the comma is lost
    respondent.act("lock")
    assert "“12,5” is not one of them" in respondent.text("#missing")
    typed(respondent, "1,000")  # a thousand, or a thousandth of it
    respondent.act("lock")
    assert "“1,000” can be read in two ways" in respondent.text("#missing")
    assert "hybrid" not in respondent.kept()
    typed(respondent, "1000")
    respondent.use()


@pytest.mark.parametrize("languages", ["en", "de"])
def test_a_decimal_step_is_taken_with_a_comma_and_what_was_read_is_shown(
    site, respondent, publish, languages
):
    read_in(respondent.browser, languages)
    respondent.visit(f"{site.address}/s/{publish('laplace')}")
    respondent.consent()
    for refused in ("0.05", "1.1"):
        respondent.enter(refused)
        respondent.act("lock")
        expected = f"Enter a number from -1 to 1, in steps of 0.1. “{refused}” is not one of them."
        assert respondent.text("#missing") == expected
    typed(respondent, *"0,7")
    assert "Your answer: 0.7" in respondent.text(".echo")
    respondent.use()
    assert "0,7" not in respondent.kept()
    assert "0.7" not in respondent.kept()
    assert not respondent.has(".echo"), "it is gone with the result"


def test_a_skip_that_is_counted_apart_says_so_and_is_recorded_as_it_is(site, respondent, publish):
    names = ("left_out", "plain")
    slug = publish(*names)
    respondent.visit(f"{site.address}/s/{slug}")
    assert "A skip is sent as it is." in respondent.text()
    respondent.consent()
    for name in names:
        assert "A skip is sent as it is." in respondent.text()
        respondent.click("label:has([data-action=pass])")
        assert respondent.text("[data-action=lock]") == "Use this (final)"
        respondent.browser.execute_script("document.querySelector('[data-answer]').focus()")
        respondent.press(Keys.ARROW_DOWN)
        assert not respondent.find("[data-action=pass]").is_selected(), "what came last is used"
        respondent.click("label:has([data-action=pass])")
        respondent.use()
        assert "Will be sent: skipped" in respondent.text(f".result[data-of={name}]")
    respondent.wait_for("review")
    respondent.send()
    (row,) = site.rows(slug)
    for name in names:
        (column,) = columns(site, slug, name)
        assert row[name] == column.skip_code


def test_what_real_coins_gave_is_entered_and_has_codes_of_its_own(site, respondent, publish):
    entered = {"coins": 1, "plain": 0}
    slug = publish(*entered)
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    for answer in entered.values():
        shown = respondent.unfold(".hand")
        assert "Heads: toss the second coin. Enter Yes if it shows heads and No if it shows tails." in shown
        assert "whose answer is Yes, about 75 send Yes" in shown
        assert "be right at most 75 times in 100." in shown
        respondent.choose(answer, ".hand ")
        respondent.use()
        assert f"Will be sent: {['No', 'Yes'][answer]}, with real coins" in respondent.text(".result")
    respondent.send()
    (row,) = site.rows(slug)
    for name, answer in entered.items():
        (column,) = columns(site, slug, name)
        counts = [0] * column.codes
        counts[row[name]] += 1
        assert column.split(counts).by_hand == (1 - answer, answer)


def test_chance_may_also_have_the_last_word_on_not_saying(site, respondent, publish):
    respondent.visit(f"{site.address}/s/{publish('rather_not')}")
    respondent.consent()
    labels = [
        label.text.split("\n")[-1]
        for label in respondent.browser.find_elements("css selector", ".answer .choice")
    ]
    assert labels == ["Yes", "No", "I would rather not say"]
    shares = respondent.text(".shares")
    assert "whose answer is Yes" in shares  # the odds are of what is sensitive, against its opposite
    assert "whose answer is No" in shares
    assert "send Yes" in shares
    assert respondent.answer(2) in (0, 1, 2)


TAMPERINGS = [
    ("wheel", "column.form.windows[0][2] += 400; column.form.windows[0][3] -= 100"),
    ("wheel", "column.form.answers -= 1"),
    ("subset", "column.form.masks[0] = 1"),
    ("ordered", "column.form.rows[0][0] += column.form.rows[0][4] - 1; column.form.rows[0][4] = 1"),
    ("boxes", "columns[4].form.rows = [[4294967295, 1], [1, 4294967295]]"),
    ("sampled", "question.box.weights = [[4294967295, 1], [1, 4294967295]]"),
    ("sampled", "question.sampled = 5"),
    ("one_bit", "column.form.windows = [[2, 1, 4294967295, 1]]"),
    ("laplace", "column.form.tails[20] = 0"),
    ("gaussian", "column.delta_weight -= 1; column.delta /= 2"),
    ("gaussian", "column.epsilon /= 2"),
    ("gaussian", "delete column.ratio"),
    ("hybrid", "column.epsilon -= 1e-6"),
    ("wheel", "delete column.loss"),
    ("boxes", "columns[4].epsilon = 0"),
    ("boxes", "delete columns[4].loss"),
    ("coins", "column.by_hand.loss = [1, 1]; column.by_hand.epsilon = 0"),
    ("coins", "columns.push({ name: 'other', loss: [1, 4294967295], epsilon: -22 })"),
]
"""What a server could change of a question of each name, for its channel to tell more than is said."""

TAMPERED = """
const parse = JSON.parse;
JSON.parse = (text) => {
  const value = parse(text);
  const question = value?.questions?.[0];
  if (question) {
    const columns = question.columns;
    const column = columns[0];
    TAMPERING;
  }
  return value;
};
"""


def test_a_channel_weaker_than_stated_is_refused(site, respondent, publish):
    slugs = {name: publish(name) for name, _ in TAMPERINGS}
    for name, tampering in TAMPERINGS:
        source = TAMPERED.replace("TAMPERING", tampering)
        added = respondent.browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": source}
        )
        respondent.browser.get(f"{site.address}/s/{slugs[name]}")
        respondent.until(lambda: respondent.screen)
        assert (tampering, respondent.screen) == (tampering, "refused")
        assert not respondent.has("[data-answer]")
        respondent.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_boxes_cannot_hide_what_they_cost_from_the_limit(site, respondent):
    slug = site.fresh("kinds")
    boxes = questions("boxes")[0] | {"scope": "box", "epsilon": 1.0}
    site.publish(slug, questions=[boxes], budget={"limit": 5})
    respondent.visit(f"{site.address}/s/{slug}")
    assert "(ε = 5.0000)" in respondent.unfold("[data-total]")
    respondent.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": """
            const parse = JSON.parse;
            JSON.parse = (text) => {
              const value = parse(text);
              if (value?.questions) value.budget.limit = 4.9;
              return value;
            };
            """
        },
    )
    respondent.visit(f"{site.address}/s/{slug}", "refused")


def test_a_number_tells_little_on_average_and_more_after_rare_results(site, respondent):
    site.publish(
        slug := site.fresh("kinds"),
        questions=questions("gaussian")[:1],
        budget={"limit": 4, "waves": 3},
    )
    respondent.visit(f"{site.address}/s/{slug}")
    assert "at most 59" in respondent.text(".guess .seen")
    # E = e^3: E/(E + 1) is a little more than 95 in 100, further above than fits into a fold.
    assert "96 times in 100" in respondent.text(".telling")
    shown = respondent.unfold("[data-total='59']")
    assert "(ε = 3.0000, δ = 0.000003)" in shown
    respondent.consent()
    bound = respondent.text(".odds .bound")
    # On average far less: 53, and 74 only after a record that hardly anybody gets.
    assert "the right one at most 55 times in 100." in bound
    assert bound.endswith("could raise that to 74 times. (ε = 1.0000, δ = 0.000001)")
    assert "more than that" not in shown + bound


def test_the_odds_of_a_trial_are_those_of_the_channel(site, respondent, publish):
    """A hundred spins with a made-up answer: within six standard deviations of what the page says."""
    slug = publish("wheel")
    respondent.visit(f"{site.address}/s/{slug}")
    respondent.consent()
    respondent.click(".try summary")
    respondent.browser.find_elements("css selector", ".try button")[0].click()
    count = int(re.search(r"Thing 1 came out (\d+) times", respondent.text(".trial"))[1])
    share = columns(site, slug, "wheel")[0].channel.probabilities[0, 0]
    assert f"about {round(100 * share)} send Thing 1" in respondent.text(".shares")
    assert abs(count - 100 * share) <= 6 * math.sqrt(100 * share * (1 - share))


def test_the_picture_takes_the_same_time_and_can_be_skipped(site, respondent, publish):
    let_move(respondent.browser)
    respondent.visit(
        f"{site.address}/s/{publish('wheel', 'subset', 'ordered', 'boxes', 'sampled', 'one_bit', 'laplace')}"
    )
    respondent.consent()
    for name in ("wheel", "subset", "ordered", "boxes", "sampled", "one_bit", "laplace"):
        answer(respondent, name)
        assert max(respondent.use_and_stop()) == 4300
        assert not respondent.has("[data-report]")
        respondent.act("skip")
        respondent.codes()


def test_everybody_can_use_every_kind(site, respondent, look, publish):
    respondent.visit(f"{site.address}/s/{publish()}")
    respondent.consent()
    for name in QUESTIONS:
        look(respondent)
        answer(respondent, name)
        respondent.use()
    respondent.wait_for("review")
    look(respondent)
    respondent.send()
    look(respondent)


def test_a_page_names_every_script_that_it_loads_and_plain_questions_take_one(site, respondent, publish):
    site.publish("light", *[("spinner_coin", 1.0)] * 10, outcome="after")

    def fetched():
        return set(
            respondent.browser.execute_script(
                "return performance.getEntriesByType('resource').map((entry) => entry.name)"
            )
        )

    respondent.visit(f"{site.address}/s/light")
    assert {address.rpartition("/")[2] for address in fetched()} == {"respond.js", "candor.css"}
    linked = definition(site.fresh("linked"), ()) | {"candor": 3, "sections": [LINKED]}
    del linked["questions"]
    site.open(linked)
    for slug in (publish(), linked["slug"]):
        respondent.visit(f"{site.address}/s/{slug}")
        named = respondent.browser.execute_script(
            "return [...document.querySelectorAll('link[rel=modulepreload], script')]"
            ".map((each) => each.href || each.src).filter(Boolean)"
        )
        respondent.until(
            lambda named=named: sorted(named) == sorted(each for each in fetched() if each.endswith(".js"))
        )


def test_words_of_other_kinds_do_not_travel(site, respondent):
    site.publish("words", ("coin", None))
    respondent.visit(f"{site.address}/s/words")
    keys = respondent.browser.execute_script(
        "return JSON.parse(document.getElementById('messages').textContent)[1]"
    )
    assert any(key.startswith("mechanism.coin.") for key in keys)
    assert not any(key.startswith(("kind.choice.", "mechanism.spinner", "skip.", "budget.")) for key in keys)


def test_forms_and_boxes_give_in_the_browser_what_the_vectors_say(site, browser, publish):
    vectors = Path(__file__).parents[1] / "vectors"
    forms = json.loads((vectors / "form.json").read_text())["forms"]
    boxes = json.loads((vectors / "boxes.json").read_text())["cases"]
    browser.get(f"{site.address}/s/{publish('sampled')}")
    said = browser.execute_async_script(
        """
        const [forms, boxes, done] = arguments;
        const script = document.querySelector("script[type=module][src]").src;
        const load = (name) => import(new URL(`js/chance/${name}.js`, script).href);
        Promise.all([load("compact_form"), load("sample"), load("set_forms")]).then(([one, several]) => done([
          forms.map(({ form, cells }) => cells.map(({ answer, word }) => (
            one.randomizeForm(form, answer, word)))),
          boxes.map(({ box, sampled, answers, words }) => (
            several.randomizeBoxes(box, sampled, answers, words).reports)),
        ]));
        """,
        forms,
        boxes,
    )
    assert said[0] == [[cell["report"] for cell in form["cells"]] for form in forms]
    assert said[1] == [case["reports"] for case in boxes]
