"""The front page: for everybody, in two languages, and unable to send anything."""

import re
import string

import numpy as np
import pytest

from server.language.catalogue import LANGUAGES, section
from server.public import example_results
from server.public.example_results import REPORTS, figures
from server.web.files.assets import folder
from survey.randomize import randomize_many

SEED, SHARES = 1965, [0.5, 0.25, 0.17, 0.08]
"""What the counts of the example were drawn with: Warner's year, and the truth of each option."""


def test_nothing_can_be_sent_from_it_and_it_leaves_no_cookie(app):
    client = app.test_client()
    for language in LANGUAGES:
        answer = client.get("/", headers={"Accept-Language": language})
        policy = answer.headers["Content-Security-Policy"].split("; ")
        assert {"connect-src 'none'", "form-action 'none'", "script-src 'self'"} <= set(policy)
        assert "<form" not in answer.text
        assert "Set-Cookie" not in answer.headers
        assert f'<html lang="{language}"' in answer.text


def test_the_database_is_not_asked(app, monkeypatch):
    monkeypatch.setattr(type(app.extensions["candor"].storage), "read", lambda *_: pytest.fail("asked"))
    assert app.test_client().get("/").status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_leads_first_to_a_survey_to_try_then_to_the_lessons_and_staff_sign_in_at_the_corner(app, language):
    page = app.test_client().get(f"/?language={language}").text
    header, main = page.split("<main", 1)
    assert re.findall(r'<nav class="corner".*?</nav>', header, re.DOTALL)
    assert re.findall(r'href="(/[a-z]+)"', header) == ["/results", "/admin"]
    assert re.findall(r'class="button[^"]*" href="([^"]+)"', main) == [f"/try?language={language}", "/learn"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_in_words_what_its_script_shows(app, language):
    page = app.test_client().get(f"/?language={language}").text
    words = section(language, "home")
    for key in (
        "lede",
        "spin.question",
        "spin.how",
        "many.close",
        "answer.text",
        "chance.text",
        "share.text",
    ):
        assert words[key] in page


def placeholders(message):
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def test_every_message_is_asked_for_and_both_languages_say_the_same():
    english, korean = (section(language, "home") for language in LANGUAGES)
    template = (folder("templates") / "public" / "home.html").read_text(encoding="utf-8")
    scripts = "".join(path.read_text() for path in (folder("static") / "js" / "public").rglob("*.js"))
    assert set(english) == set(korean)
    for key, message in english.items():
        assert placeholders(message) == placeholders(korean[key]), key
        said = key.removeprefix("script.")
        composed = re.fullmatch(r"many\.(sent_)?(yes|no)", said) and "`many.${what}" in scripts
        assert f"'home.{key}'" in template or f'"{said}"' in scripts or composed, key


def test_the_counts_of_the_example_are_a_draw_of_the_product_s_own_mechanism():
    channel = figures().publication.channels["copied"]
    random = np.random.default_rng(SEED)
    people = sum(REPORTS)
    answers = random.choice(channel.answers, size=people, p=SHARES)
    words = random.integers(0, 2**32, people, dtype=np.uint32)
    drawn = np.bincount(randomize_many(channel, answers, words), minlength=channel.reports)
    assert drawn.tolist() == list(REPORTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_says_what_it_is_of(app, language):
    page = app.test_client().get(f"/?language={language}").text
    shares = figures().questions[0].first.best.shares
    shown = [float(value) for value in re.findall(r'class="number strong" data-value="([^"]+)"', page)]
    assert shown == pytest.approx([share.estimate for share in shares])
    caption = re.search(r"<figcaption>(.*?)</figcaption>", page)[1]
    assert all(part in caption for part in ("3,000", "ε\u00a0=\u00a01"))
    assert caption.startswith({"en": "Simulated", "ko": "가상의"}[language])
    assert page.count('class="chart-dot"') == len(REPORTS)


def test_it_is_estimated_once(app, monkeypatch):
    app.test_client().get("/")
    monkeypatch.setattr(example_results, "figures_of", lambda *_: pytest.fail("estimated again"))
    assert app.test_client().get("/?language=ko").status_code == 200
