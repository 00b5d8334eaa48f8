"""A survey with marks in its texts, help with a question, and questions on one scale, on a phone."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from conftest import check_for_everybody, definition, show_at


def texts(english, korean):
    return {"en": english, "ko": korean}


SCALE = [texts("Agree", "동의함"), texts("Neither", "어느 쪽도 아님"), texts("Disagree", "동의하지 않음")]
ITEMS = {
    "fair": "The exams are *fair*.",
    "clear": "The rules are clear.",
    "asked": "Staff ask what we think.",
}
STEM = texts("How much do you **agree**?", "얼마나 **동의**하십니까?")


def item(name, wording):
    scale = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": SCALE, "matrix": "exams"}
    return {"id": name, "wording": texts(wording, f"{wording} (한국어)"), **scale}


@pytest.fixture
def survey(publish):
    return publish()


@pytest.fixture
def publish(site):
    return lambda **changes: published(site, **changes)


def published(site, **changes):
    """Open the survey, and give its slug."""
    slug = site.fresh("texts")
    link = "[our page](https://example.org/study?a=1&b=2)"
    first = {
        "id": "copied",
        "mechanism": "coin",
        "wording": texts("Have you *ever* copied?", "*한 번이라도* 베낀 적이 있습니까?"),
        "help": texts(
            "Copying means:\n\n- whole answers\n- **any** part", "베낀다는 것은:\n\n- 답 전체\n- 일부"
        ),
    }
    items = [item(*each) for each in ITEMS.items()]
    items[0]["matrix_wording"] = STEM
    around = definition(slug, ()) | {
        "candor": 3,
        "information": texts(f"Read {link} first.\n\n1. Think\n2. Answer", f"먼저 {link}를 읽으세요."),
        "questions": [first, *items],
    }
    site.open(around | changes)
    return slug


def test_marks_help_and_a_scale_are_read_on_a_phone(site, wire, respondent, survey):
    show_at(respondent.browser, "light", 390)
    respondent.visit(f"{wire.address}/s/{survey}")
    link = respondent.find("main a[href^=https]")
    assert link.get_dom_attribute("href") == "https://example.org/study?a=1&b=2"
    assert (link.get_dom_attribute("target"), link.get_dom_attribute("rel")) == (
        "_blank",
        "noopener noreferrer",
    )
    assert "our page (opens outside the survey)" in respondent.text()
    assert respondent.has("main ol > li")
    check_for_everybody(respondent)
    respondent.click("#languages [lang=ko]")
    assert "our page (설문 밖에서 열립니다)" in respondent.text()
    respondent.click("#languages [lang=en]")

    respondent.consent()
    assert respondent.text("h1 em") == "ever"
    assert "whole answers" not in respondent.text()
    assert "whole answers" in respondent.unfold(".help-with")
    check_for_everybody(respondent)
    respondent.answer(1)

    # The group has one screen: what stands above it, and each question with the scale.
    respondent.until(lambda: respondent.has(".matrix"))
    assert respondent.text(".matrix > header h1") == "How much do you agree?"
    assert "Questions 2 to 4 of 4" in respondent.text().replace("QUESTIONS", "Questions").replace("TO", "to")
    assert len(respondent.browser.find_elements("css selector", ".matrix fieldset[role=radiogroup]")) == 3
    assert len(respondent.browser.find_elements("css selector", ".matrix .device")) == 1
    check_for_everybody(respondent)
    for name, answer in zip(ITEMS, (0, 1), strict=False):
        respondent.choose(answer, f"[data-question={name}] ")
    respondent.act("lock")
    assert "Choose" in respondent.text("[data-question=asked] .error")
    respondent.choose(2, "[data-question=asked] ")
    show_at(respondent.browser, "dark", 1280)
    check_for_everybody(respondent)
    respondent.act("lock")
    respondent.wait_for("review")
    reports = respondent.session()["reports"]
    assert set(reports) == {"copied", *ITEMS}
    assert [term.text for term in respondent.browser.find_elements("css selector", ".result dt")] == [
        wording.replace("*", "") for wording in ITEMS.values()
    ]
    check_for_everybody(respondent)
    respondent.send()
    sent = dict(parse_qsl(wire.posts[0].body))
    assert {name: int(sent[name]) for name in reports} == reports
    assert len(site.rows(survey)) == 1
    assert respondent.complaints() == []


def test_a_scale_is_one_of_the_questions_of_a_screen(site, respondent, publish):
    survey = publish(outcome="after")
    respondent.visit(f"{site.address}/s/{survey}")
    respondent.mark([1, 0, 1, 2])
    assert respondent.text(".matrix > header h1") == "How much do you agree?"
    respondent.unfold(".matrix .chance details")
    check_for_everybody(respondent)
    respondent.send()
    (row,) = site.rows(survey)
    assert respondent.sent() == {name: [row[name]] for name in ("copied", *ITEMS)}
