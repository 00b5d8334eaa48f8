"""Each lesson names its idea, where everybody sees it, in the words of courses and papers."""

import re
from html import unescape

import pytest

from server.language.catalogue import LANGUAGES
from server.lessons.glossary import entries

TERMS = {
    "two-coins": (
        ("randomized response", "Warner 1965", "forced response", "local differential privacy"),
        ("임의화 응답", "확률화 응답", "강제 응답", "로컬 차등 정보보호", "차분 정보보호"),
    ),
    "spinner-and-coin": (
        ("randomized response", "local differential privacy", "spinner", "privacy budget"),
        ("임의화 응답", "로컬 차등 정보보호", "스피너", "돌림판", "프라이버시 예산"),
    ),
    "spinner-only": (("randomized response", "spinner", "Warner"), ("임의화 응답", "스피너")),
    "suspicion": (("differential privacy", "prior", "posterior"), ("차등 정보보호", "사전", "사후")),
    "privacy-loss": (
        ("privacy loss", "(ε, δ)-differential privacy", "approximate differential privacy"),
        ("프라이버시 손실", "(ε, δ)-차등 정보보호", "근사 차등 정보보호"),
    ),
    "composition": (("composition", "privacy budget"), ("합성", "프라이버시 예산")),
    "names-removed": (
        ("anonymization", "differential privacy", "neighbouring"),
        ("익명화", "차등 정보보호", "인접"),
    ),
    "trust": (
        ("local", "shuffle", "encode, shuffle, analyze", "central", "global"),
        ("로컬", "셔플", "셔플러", "encode, shuffle, analyze", "중앙", "전역"),
    ),
    "noise": (("Laplace mechanism", "sensitivity"), ("라플라스 메커니즘", "민감도")),
    "counts": (
        ("L1 sensitivity", "Laplace mechanism", "L2 sensitivity", "Gaussian mechanism"),
        ("L1 민감도", "라플라스 메커니즘", "L2 민감도", "가우스 메커니즘"),
    ),
    "choices": (("exponential mechanism", "utility"), ("지수 메커니즘", "효용")),
    "asked-together": (("RR-Joint", "randomized response", "linked"), ("RR-Joint", "임의화 응답", "연결")),
    "made-to-order": (
        ("subset selection", "optimal design", "designed channel"),
        ("부분집합 선택", "최적 설계", "설계한 채널"),
    ),
    "simulation": (
        ("local randomizer", "unbiased estimator", "local differential privacy"),
        ("로컬 임의화기", "불편추정량", "로컬 차등 정보보호"),
    ),
}
"""Lesson -> the terms of the field that it explains, in English and in Korean."""


SENTENCE = re.compile(r"(?<=[.?!])\s+|\n\s*\n")


def visible(page):
    """The text of a page outside of what is folded."""
    main = page[page.index("<main") : page.index("</main>")]
    folded = re.compile(r"<details(?:(?!<details|</details>).)*</details>", re.DOTALL)
    while folded.search(main):
        main = folded.sub(" ", main)
    return unescape(re.sub(r"<[^>]+>", "", main))


def place(text, term):
    """The sentence of a text in which a term stands first; None if it stands in none."""
    sentences = (" ".join(each.split()) for each in SENTENCE.split(text))
    return next((each for each in sentences if term in each), None)


@pytest.mark.parametrize("number", [0, 1], ids=["en", "ko"])
def test_each_lesson_names_its_idea_outside_of_folds(app, number):
    """``uv run tests/run tests/server/lessons/test_terms.py -s -n 0`` prints each term and its place."""
    client, missing = app.test_client(), []
    listed = re.findall(r'href="/learn/([\w-]+)"', client.get("/learn").text)
    assert set(TERMS) == set(listed) - {"glossary", "sources"}
    print()
    for slug, terms in TERMS.items():
        text = visible(client.get(f"/learn/{slug}?language={LANGUAGES[number]}").text)
        for term in terms[number]:
            sentence = place(text, term)
            print(f"{term:36}  /learn/{slug:18}  {sentence}")
            missing += [] if sentence else [(slug, term)]
    assert missing == []


@pytest.mark.parametrize("number", [0, 1], ids=["en", "ko"])
def test_the_glossary_has_every_term_among_the_names_of_its_entries(number):
    names = [name.lower() for entry in entries(LANGUAGES[number]) for name in (entry.name, *entry.forms)]
    terms = {term.lower() for named in TERMS.values() for term in named[number]} - {"warner", "warner 1965"}
    assert {term for term in terms if not any(term in name for name in names)} == set()
