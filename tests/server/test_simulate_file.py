"""``candor simulate FILE``: a whole survey, each question estimated from those who were asked it."""

import re

import pytest
from click.testing import CliRunner

from server.cli.simulate import simulate

HEAD = """
candor = 2
slug = "many"
languages = ["en"]
asked = {asked}
title = {{ en = "-" }}
information = {{ en = "-" }}
consent = {{ en = "-" }}
"""
SECTION = """
[[sections]]
id = "part{n}"
{more}
[[sections.questions]]
id = "q{n}"
wording = {{ en = "?" }}
{question}
"""
YES_NO = 'mechanism = "spinner_coin"\nepsilon = 1.0'
NUMBER = 'kind = "number"\nmechanism = "laplace"\nepsilon = 2.0\nlow = 0\nhigh = 10\nstep = 1'


@pytest.fixture
def write(tmp_path):
    """Write a survey file of some sections, of which some are asked."""

    def write(sections, asked):
        path = tmp_path / "many.toml"
        texts = (SECTION.format(n=n, more=more, question=each) for n, (each, more) in enumerate(sections))
        path.write_text(HEAD.format(asked=asked) + "".join(texts))
        return path

    return write


def run(*arguments):
    return CliRunner().invoke(simulate, list(map(str, arguments)))


def table(result):
    """Question -> how many were asked in the first play, and the numbers after it."""
    assert result.exit_code == 0, result.stderr
    rows = (line.split() for line in result.stdout.splitlines() if re.match(r"q\d", line))
    return {name: (answer, int(asked), *map(float, rest)) for name, answer, asked, *rest in rows}


def test_intervals_of_a_survey_of_20_sections_of_which_3_are_asked_hold_the_truth_as_stated(write):
    file = write([(YES_NO, "")] * 20, asked=3)
    result = run(file, "--shares", "20%", "--respondents", 2000, "--repeats", 30, "--seed", 1)
    assert result.stdout.startswith(
        "The first of 30 simulations with 2000 respondents, each asked 3 of 20 sections."
    )
    found = table(result)
    assert len(found) == 20
    assert sum(asked for _, asked, *_ in found.values()) == 3 * 2000
    # Exact intervals miss at most 5 times in 100, and seldom fewer than 3; of 600 the standard error is .009.
    together = float(result.stdout.split()[-1])
    assert 0.92 < together < 0.99
    assert together == pytest.approx(sum(row[-1] for row in found.values()) / 20, abs=1e-4)


def test_everybody_is_asked_what_is_always_asked_and_every_kind_is_played(write):
    file = write([(YES_NO, "always = true"), (NUMBER, ""), (YES_NO, ""), (YES_NO, "")], asked=1)
    found = table(run(file, "--respondents", 900, "--repeats", 2, "--seed", 3))
    assert found["q0"][:2] == ("yes", 900)
    assert (found["q1"][0], found["q1"][2]) == ("mean", 5.0)
    drawn = [found[name][1] for name in ("q1", "q2", "q3")]
    assert sum(drawn) == 900
    assert all(abs(asked - 300) < 60 for asked in drawn)  # four standard deviations of 14


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing option '--mechanism'."),
        (("FILE", "--epsilon", 1), "--epsilon must be absent where FILE is given, got 1.0"),
        (("FILE", "--shares", 0.2, 0.8), "must be one number where FILE is given, the share of yes, got 2"),
        (
            ("FILE", "--respondents", 100),
            "respondents must be at least 200, so that 30 are asked a section, got 100",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_in_words(write, arguments, words):
    file = write([(YES_NO, "")] * 20, asked=3)
    result = run(*(file if argument == "FILE" else argument for argument in arguments))
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
