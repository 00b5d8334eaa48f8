"""How heavy pages are: what travels, compressed, until all can be answered or tried."""

import json
import re
from urllib.parse import urljoin

import pytest

from server.lessons.pages import LESSONS
from server.respond.rendering import messages
from server.store import surveys
from server.web.files.assets import collected, folder
from server.web.files.survey_scripts import ROOMS
from survey.read_definition import from_dict

WORDING = {
    "en": "In the past twelve months, have you done the thing that this question asks about?",
    "ko": "지난 열두 달 동안 이 질문에서 묻는 일을 한 적이 있습니까?",
}
PARAGRAPH = {
    "en": "This study asks about things that people rarely talk about. " * 4,
    "ko": "평소에 말하기 어려운 일을 묻습니다. " * 6,
}
OPTIONS = [{"en": f"The answer of the number {n}", "ko": f"{n}번 답변"} for n in range(1, 7)]
CHOICE = {"kind": "choice", "options": OPTIONS}
BOXES = {"kind": "boxes", "options": OPTIONS}
NUMBER = {"kind": "number", "low": 0, "high": 100, "step": 1, "unit": {"en": "hours", "ko": "시간"}}
KINDS = ("choice", "boxes", "number")
YES_NO = [{"mechanism": "spinner_coin"}, {"mechanism": "spinner"}, {"mechanism": "coin", "epsilon": None}]
EVERY_KIND = [
    *YES_NO,
    {"mechanism": "spinner_coin", "skip": "randomized"},
    {"mechanism": "spinner_coin", "skip": "apart", "by_hand": "coin"},
    {**CHOICE, "mechanism": "wheel"},
    {**CHOICE, "mechanism": "subset", "size": 2},
    {**CHOICE, "mechanism": "exponential", "ordered": True},
    {**BOXES, "mechanism": "per_box"},
    {**BOXES, "mechanism": "sampled_box"},
    {**NUMBER, "mechanism": "one_bit"},
    {**NUMBER, "mechanism": "laplace"},
    {**NUMBER, "mechanism": "gaussian", "delta": 1e-6},
    {**NUMBER, "mechanism": "hybrid"},
]
DESIGNED = [
    {**CHOICE, "mechanism": "designed", "ordered": True, "wants": {"shares": 1, "curve": 1}},
    {**CHOICE, "mechanism": "cyclic", "options": OPTIONS * 3},
    {**NUMBER, "mechanism": "designed", "high": 8, "wants": {"curve": 1}},
]
"""Questions whose reports are sets, which a script of their own shows."""

LINKED = "ten linked questions of yes and no"

SURVEYS = {
    "ten questions of yes and no": YES_NO[:1] * 10,
    LINKED: [{"epsilon": None}] * 10,
    **{f"every {kind}": [each for each in EVERY_KIND if each.get("kind") == kind] for kind in KINDS},
    "every kind": EVERY_KIND,
    "every kind, and sets": [*EVERY_KIND, *DESIGNED],
}
MOST = dict.fromkeys(SURVEYS, 60_000) | {
    "ten questions of yes and no": 36_000,
    LINKED: 42_000,
    "every kind, and sets": 66_000,
}
"""Bytes."""

FIRST = "js/respond/results_first.js"

MOST_REQUESTS = dict.fromkeys(SURVEYS, 5) | {
    "ten questions of yes and no": 4,
    "every kind, and sets": 6,
}


def definition(questions, linked=False, **more):
    """Return a survey in two languages, with texts of the usual length."""
    tables = [
        {"id": f"question_{index}", "wording": WORDING, "epsilon": 1.0} | question
        for index, question in enumerate(questions)
    ]
    texts = {"title": WORDING} | dict.fromkeys(("information", "consent", "help", "closing"), PARAGRAPH)
    table = {"candor": 1, "slug": "heavy", "languages": ["en", "ko"], **texts, **more}
    asked = [{key: value for key, value in each.items() if value is not None} for each in tables]
    return from_dict(table | (sections(asked) if linked else {"questions": asked}), "heavy")


def sections(asked):
    """Link questions by fives, as one wheel has no more than eight of yes and no."""
    wheel = {"linked": True, "epsilon": 1.0}
    fives = [{"id": f"section_{n}", "questions": asked[n : n + 5], **wheel} for n in range(0, len(asked), 5)]
    return {"candor": 3, "sections": fives}


def bodies(client, address):
    """Fetch a page and everything that it names, as a browser does: address -> bytes that travel."""

    def fetch(address):
        with client.get(address, headers={"Accept-Encoding": "gzip, deflate, br"}) as answer:
            assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "br")
            return len(answer.data)

    named = re.findall(r'(?:src|href)="([^"]+\.(?:js|css|svg))"', client.get(address).text)
    return {each: fetch(each) for each in {address, *(urljoin(address, name) for name in named)}}


@pytest.mark.parametrize("survey", SURVEYS)
def test_what_travels_to_a_respondent_is_light(app, survey, capsys):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.import_definition, definition(SURVEYS[survey], survey == LINKED))
    storage.write(surveys.open_survey, draft.id)
    found = bodies(app.test_client(), "/s/heavy")
    with capsys.disabled():
        print(
            f"\n{survey}: {sum(found.values()):,} of at most {MOST[survey]:,} bytes in {len(found)} answers"
        )
        for address, size in sorted(found.items(), key=lambda item: -item[1]):
            print(f"{size:8,}  {re.sub('^/static/[^/]+/', '', address)}")
    assert sum(found.values()) <= MOST[survey]
    assert len(found) <= MOST_REQUESTS[survey]


def test_words_that_only_results_first_says_travel_with_no_other_survey():
    files = collected()
    said = {path: {*re.findall(rb'"([a-z]+\.[a-z_.]+)"', content)} for path, content in files.items()}
    others = set().union(*(keys for path, keys in said.items() if path.startswith(ROOMS) and path != FIRST))
    alone = {key.decode() for key in said[FIRST] - others}
    travelling = {
        outcome: alone & {*json.loads(messages(definition(YES_NO, outcome=outcome)))[1]}
        for outcome in ("before", "after")
    }
    assert len(travelling["before"]) > 8
    assert not travelling["after"]


FOR_EVERYBODY = ["/", "/try", "/learn", *(f"/learn/{slug}" for slug in LESSONS)]
MOST_FOR_EVERYBODY = 120_000
"""Bytes, with the font of formulas, which the stylesheet names."""


@pytest.mark.parametrize("address", FOR_EVERYBODY)
def test_what_travels_to_somebody_who_wants_to_understand_is_light(constant_app, address):
    client = constant_app.test_client()
    found = bodies(client, address)
    if any("lessons.css" in each for each in found):
        found["font"] = (folder("static") / "fonts" / "math.woff2").stat().st_size
    assert len(found) > 3
    assert sum(found.values()) <= MOST_FOR_EVERYBODY, sorted(found.items(), key=lambda each: -each[1])[:8]
