"""The notation of the lessons: every letter says which it is, and a chance says what was recorded of what."""

import re

import pytest
from flask import render_template_string

from server.language.catalogue import LANGUAGES

LETTERS = {
    "p": '<mi data-letter="p">p</mi>',
    "ln": '<mi data-letter="ln">ln</mi>',
    "q′": '<mrow data-letter="q′"><mi>q</mi><mo>′</mo></mrow>',
    "ε_m": '<msub data-letter="ε_m"><mi>ε</mi><mi>m</mi></msub>',
    "Δ_1": '<msub data-letter="Δ_1"><mi>Δ</mi><mn>1</mn></msub>',
    "π̂": '<mover accent="true" data-letter="π̂"><mi>π</mi><mpadded height=".2em" depth="0" voffset="-.48em">'
    '<mo stretchy="false">ˆ</mo></mpadded></mover>',
}


@pytest.mark.parametrize(("letter", "markup"), LETTERS.items())
def test_a_letter_says_which_it_is(staff_app, letter, markup):
    assert shown(staff_app, f"m.i('{letter}')", "en") == markup


def test_older_names_of_letters_say_it_too(staff_app):
    for call, letter in (("eps", "ε"), ("pi", "π"), ("pi_hat", "π̂"), ("pi_noisy", "π_noisy")):
        assert f'data-letter="{letter}"' in shown(staff_app, f"m.{call}()", "en")
    assert re.findall(r'data-letter="(.)"', shown(staff_app, "m.E()", "en")) == ["e", "ε"]


def test_a_chance_names_what_was_recorded_and_what_was_answered(staff_app):
    call = "m.given(m.recorded(m.yes()), m.answer(m.no()))"
    words = {"en": "P(recorded Yes|answer No)", "ko": "P(기록: 예|답: 아니요)"}
    for language in LANGUAGES:
        markup = shown(staff_app, call, language)
        assert re.sub("<[^>]+>", "", markup).replace("&nbsp;", " ") == words[language]
        assert re.findall(r'class="of-(\w+)"', markup) == ["record", "answer"]


def shown(app, call, language):
    """Render a call of a macro as a lesson does."""
    template = f'{{% import "lessons/mathml.html" as m with context %}}{{{{ {call} }}}}'
    with app.test_request_context(f"/learn?language={language}"):
        return render_template_string(template)
