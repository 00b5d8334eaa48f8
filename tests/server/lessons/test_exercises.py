"""The exercises: every solution, in every set of numbers, is what Python works out from the question."""

import json
import math
import re
import subprocess
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from inspect import signature
from itertools import pairwise

import pytest
import worked_exercises

from server.language.catalogue import LANGUAGES
from server.lessons.exercises import FIRST_NUMBERS, exercises
from server.lessons.pages import LESSONS, name
from server.web.files.assets import folder

WHICH = ("one", "two", "three")
NAMES = [(name(slug), which) for slug in LESSONS for which in WHICH]
CHANCES = {
    "low",
    "high",
    "p",
    "few_p",
    "r",
    "sure",
    "once",
    "agrees",
    "right",
    "wheel",
    "drawn",
    "best",
    "alone",
    "any",
} | {
    *(
        "yes_yes",
        "yes_no",
        "no_no",
        "no_yes",
        "recorded",
        "few_recorded",
        "part",
        "delta",
        "tail",
        "estimate",
    ),
}
"""Shares and percentages, and numbers of people among others, which are neither none nor all."""


@cache
def shown():
    """What the scripts show: lesson -> exercise -> for each set, name -> value and digits."""
    run = ["node", "exercises.js"]
    place = folder("static").parent / "tests" / "js"
    return json.loads(subprocess.run(run, cwd=place, capture_output=True, text=True, check=True).stdout)


def written(value, digits):
    """A number as pages write it."""
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def file_text():
    """What the file of first numbers must hold."""
    lines = ["# The first numbers of the exercises, which tests/server/lessons/test_exercises.py writes.\n"]
    for lesson in dict.fromkeys(lesson for lesson, _ in NAMES):
        lines.append(f"\n[{lesson}]\n")
        for which in WHICH:
            numbers = (f'{key} = "{written(*pair)}"' for key, pair in shown()[lesson][which][0].items())
            lines.append(f"{which} = {{ {', '.join(numbers)} }}\n")
    return "".join(lines)


def test_a_page_without_script_shows_the_first_numbers_of_the_script():
    assert FIRST_NUMBERS.read_text(encoding="utf-8") == file_text(), f"run python {__file__}"


def test_every_lesson_has_three_exercises():
    assert {(lesson, which) for lesson, table in shown().items() for which in table} == set(NAMES)


@pytest.mark.parametrize(("lesson", "which"), NAMES)
def test_every_solution_is_worked_out_again_from_the_question(lesson, which):
    solve = getattr(worked_exercises, f"{lesson}_{which}")
    asked = signature(solve).parameters
    distinct = {tuple(numbers[key][0] for key in asked): numbers for numbers in shown()[lesson][which]}
    for values, numbers in distinct.items():
        posed = dict(zip(asked, values, strict=True))
        expected = posed | {key: float(value) for key, value in solve(**posed).items()}
        assert set(numbers) == set(expected)
        for key, (value, digits) in numbers.items():
            assert math.isfinite(value)
            # Chances of the product are whole numbers of parts of 2^32; all else agrees to twelve digits.
            assert value == pytest.approx(expected[key], rel=1e-7, abs=1e-9), (key, posed)
            assert written(value, digits) not in {"0", "−0"} or key.startswith("u_"), (key, posed)
            whole = numbers["people"][0] if key == "estimate" and value > 1 else 100 if value > 1 else 1
            assert key not in CHANCES or 0 < value < whole, (key, posed)


@pytest.mark.parametrize(("lesson", "which"), NAMES)
def test_the_next_numbers_are_always_others(lesson, which):
    posed = signature(getattr(worked_exercises, f"{lesson}_{which}")).parameters
    sets = shown()[lesson][which]
    assert len(sets) == 100
    for before, after in pairwise(sets):
        assert all(before[key] != after[key] for key in posed)


EQUATION = re.compile(r"(?<![\w\u1d64^(/·−+√.,)])([\d(√][\d.,()√²+−·/ ]*?) = (−?[\d.,]*\d)(%(?!p))?")
"""An expression of plain numbers, what a solution says it is, and whether it says so in percent."""


def equations(text):
    """Each expression with a sign and all its brackets, what a text says it is, and to how many digits."""
    for expression, result, percent in EQUATION.findall(text):
        if re.search("[+−·/√²]", expression) and expression.count("(") == expression.count(")"):
            worth = float(result.replace(",", "").replace("−", "-"))
            yield (
                expression,
                worth / (100 if percent else 1),
                len(result.partition(".")[2]) + 2 * bool(percent),
            )


def value_of(expression):
    """Work out what a solution writes: its signs are those of print."""
    for sign, code in ((",", ""), ("−", "-"), ("·", "*"), ("²", "**2")):
        expression = expression.replace(sign, code)
    expression = re.sub(r"√([\d.]+)", r"math.sqrt(\1)", expression)
    return eval(expression, {"math": math})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("lesson", "which"), NAMES)
def test_what_a_solution_reckons_with_shown_numbers_comes_out_as_shown(lesson, which, language):
    exercise = next(each for each in exercises(language, lesson) if each.name == which)
    for numbers in shown()[lesson][which][:30]:
        texts = {key: written(*pair) for key, pair in numbers.items()}
        assert "{" not in exercise.ask.format(**texts)
        for paragraph in exercise.solution:
            text = paragraph.format(**texts, formula="")
            for expression, stated, places in equations(text):
                # Its numbers are rounded themselves: so the last digit shown may be off by a few.
                room = max(0.006 * abs(stated), 1.5 * 10**-places)
                assert value_of(expression) == pytest.approx(stated, abs=room), (expression, text)


def test_equations_are_found_in_solutions():
    said = "p = 2r − 1 = 0.5: 72 − 50 = 22, 2,000 · (1 − 0.4621)/2 = 537.9; √2 · 16 = 22.63, 1/2 = 50%."
    assert [value_of(each) for each, *_ in equations(said)] == pytest.approx([22, 537.9, 22.63, 0.5], 1e-3)
    assert [stated for _, stated, _ in equations(said)] == [22, 537.9, 22.63, 0.5]


if __name__ == "__main__":
    FIRST_NUMBERS.write_text(file_text(), encoding="utf-8")
