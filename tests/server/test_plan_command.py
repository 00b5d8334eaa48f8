"""``candor plan`` and ``candor simulate``: what they print, and errors in words."""

import io
import json
import math
import re
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from server.cli import COMMANDS, main
from server.cli.plan import plan
from server.cli.simulate import simulate
from server.xlsform.writer import write_xlsform
from survey.read_definition import parse


def run(command, *arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def planned(*arguments):
    result = run(plan, *arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def refusal(command, *arguments):
    result = run(command, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.splitlines()[-1]


def test_both_are_commands_of_candor():
    assert {"plan", "simulate"} <= set(COMMANDS)


def test_the_published_number_of_respondents():
    found = planned("--epsilon", 1, "--share", 0.1, "--margin", 0.05)
    assert found["best"] == "spinner_coin"
    assert found["designs"][0]["respondents"] == 1553


def test_the_best_mechanism_is_named_first_in_words_and_in_the_table():
    lines = run(plan, "--kind", "choice", "--categories", 10, "--epsilon", 1).stdout.splitlines()
    assert lines[0].startswith("Best: subset")
    assert [line.split()[0] for line in lines[2:]] == ["mechanism", "subset", "wheel"]


def test_both_figures_of_a_guess_stand_beside_each_mechanism():
    """Five boxes: each tells little on average, and all of them together as much as one at epsilon 1."""
    designs = planned("--kind", "boxes", "--boxes", 5, "--epsilon", 1)["designs"]
    figures = {design["mechanism"]: (design["right"], design["telling"]) for design in designs}
    assert figures == {"sampled_box": (74, 74), "per_box": (60, 74)}


def test_a_null_adds_the_power_of_a_test():
    design = planned("--epsilon", 1, "--share", 0.2, "--null", 0.1, "--respondents", 2000)["designs"][0]
    assert 0.8 < design["power"] < 1
    assert design["respondents_for_power"] < 2000


def test_a_number_has_its_margin_in_its_own_unit():
    found = planned("--kind", "number", "--low", 0, "--high", 100, "--epsilon", 1, "--delta", 1e-6)
    assert found["margin_wanted"] == 5
    assert {design["mechanism"] for design in found["designs"]} == {
        "hybrid",
        "one_bit",
        "laplace",
        "gaussian",
    }
    assert next(d for d in found["designs"] if d["mechanism"] == "gaussian")["delta"] == 1e-6


def test_a_share_may_be_written_in_percent_wherever_there_is_one():
    tested = ("--epsilon", 1, "--share", 0.2, "--null", 0.1, "--margin", 0.03, "--power", 0.9)
    percent = ("--epsilon", 1, "--share", "20%", "--null", "10%", "--margin", "3%", "--power", "90%")
    level = ("--confidence-level", "99%")
    assert planned(*percent, *level) == planned(*tested, "--confidence-level", 0.99)
    options = ("--kind", "choice", "--categories", 3, "--epsilon", 1, "--share")
    assert planned(*options, "50%", "30%", "20%") == planned(*options, 0.5, 0.3, 0.2)
    played = ("--mechanism", "coin", "--repeats", 2, "--seed", 1)
    one = run(simulate, *played, "--shares", "10%", "--confidence-level", "90%")
    assert one.stdout == run(simulate, *played, "--shares", 0.1, "--confidence-level", 0.9).stdout


def test_the_mean_of_ordered_options_has_a_best_mechanism_of_its_own():
    settings = ("--kind", "choice", "--categories", 10, "--epsilon", 1, "--ordered")
    assert planned(*settings)["best"] == "subset"
    assert planned(*settings, "--mean")["best"] == "hybrid"
    assert run(plan, *settings, "--mean").stdout.endswith('as a number: they need kind = "number".\n')


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing option '--epsilon'."),
        (("--epsilon", 0), "epsilon must be a number above 0 and at most 10, got 0.0"),
        (("--epsilon", 1, "--null", 0.1), "--null needs a yes_no question and its --share"),
        (("--epsilon", 1, "--share", 1.5), "must be a share from 0 to 1, such as 0.05 or 5%, got '1.5'"),
        (("--epsilon", 1, "--share", "150%"), "must be a share from 0 to 1, such as 0.05 or 5%, got '150%'"),
        (("--epsilon", 1, "--share", "nan"), "must be a share from 0 to 1, such as 0.05 or 5%, got 'nan'"),
        (
            ("--epsilon", 1, "--margin", 3),
            "--margin: must be a share above 0 and below 1, such as 0.05 or 5%, got '3'",
        ),
        (
            ("--epsilon", 1, "--margin", 0),
            "--margin: must be a share above 0 and below 1, such as 0.05 or 5%, got '0'",
        ),
        (
            ("--kind", "number", "--epsilon", 1, "--margin", "3%"),
            "--margin: must be a number above 0, in the unit of the mean, got '3%'",
        ),
        (
            ("--kind", "number", "--epsilon", 1, "--margin", "inf"),
            "above 0, in the unit of the mean, got",
        ),
        (("--epsilon", 1, "--mean"), "--mean needs --kind choice --ordered"),
        (
            ("--kind", "choice", "--categories", 3, "--epsilon", 1, "--share", 0.5, 0.5),
            "proportions must be 3",
        ),
        (("--kind", "number", "--step", 3, "--epsilon", 1), "step must be a number that divides"),
    ],
)
def test_plans_that_cannot_be_made_say_why(arguments, words):
    assert words in refusal(plan, *arguments)


HEAD = """
candor = 1
slug = "two"
languages = ["en"]
title = { en = "-" }
information = { en = "-" }
consent = { en = "-" }
"""
QUESTION = """
[[questions]]
id = "{name}"
mechanism = "spinner"
epsilon = 1.0
wording = {{ en = "?" }}
"""


@pytest.fixture
def file(tmp_path):
    """A survey file with ten yes/no questions."""
    path = tmp_path / "ten.toml"
    path.write_text(HEAD + "".join(QUESTION.format(name=f"q{n}") for n in range(10)))
    return path


def test_a_whole_survey_is_planned_for_one_total_and_written(file):
    other = file.with_name("planned.toml")
    settings = (file, "--total", 2, "--respondents", 1000, "--share", "20%", "--apart")
    found = planned(*settings, "--output", other)
    assert (found["way"], found["asked"], found["drawn"]) == ("some", 2, 10)
    assert (found["right"], found["telling"]) == (74, 89)
    (first, *_) = found["questions"]
    assert first["now"] == {"epsilon": 1.0, "asked": 1000, "margin": pytest.approx(0.0645, abs=1e-4)}
    assert first["planned"] == {"epsilon": 1.0, "asked": 200, "margin": pytest.approx(0.144, abs=5e-4)}
    assert [each["people"] for each in found["plans"]] == sorted(each["people"] for each in found["plans"])
    written = parse(other.read_text(), "planned.toml")
    assert (written.format, written.asked, written.limit) == (2, 2, 2)
    assert {question.epsilon for question in written.questions} == {1}
    # The planned file is its own plan.
    again = planned(other, *settings[1:])["questions"][0]
    assert again["now"] == again["planned"] == first["planned"]
    lines = run(plan, *settings).stdout.splitlines()
    assert lines[0].startswith("Ask each person 2 of the 10 sections: total epsilon 2, 1000 respondents")
    assert lines[3].split() == ["q0", "share", "1", "1", "1000", "200", "0.0644", "0.144"]
    assert lines[15].split()[-5:] == ["2", "74", "74", "89", str(found["plans"][0]["people"])]


def test_random_sets_on_one_wheel_are_planned_where_they_need_the_fewest_people(file):
    """Ten questions under both limits: n times the variance of a share is 2.23, in sets of four."""
    other = file.with_name("planned.toml")
    settings = (file, "--respondents", 5000)
    found = planned(*settings, "--output", other)
    best, apart = found["plans"][0], found["apart"]
    assert (best["way"], best["linked"][0]["asked"], best["total"]) == ("sets", 4, 2.9444)
    assert best["people"] == pytest.approx(2.23 * (1.96 / 0.05) ** 2, rel=0.01)
    assert best["people"] < apart["people"]
    margin = found["questions"][0]["planned"]["margin"]
    assert margin == pytest.approx(0.05 * (best["people"] / 5000) ** 0.5, rel=0.01)
    (section,) = parse(other.read_text(), "planned.toml").sections
    assert (section.linked.asked, section.epsilon, len(section.questions)) == (4, 2.9444, 10)
    assert planned(other, *settings[1:])["plans"][0] == best | {"linked": [best["linked"][0]]}
    lines = run(plan, *settings).stdout
    assert lines.startswith("Ask each person 4 of 10 questions on one wheel: total epsilon 2.9444")
    assert "link nothing that others know" in " ".join(lines.split())


def test_who_knows_one_linked_answer_guesses_another_from_its_wheel_and_not_from_all_that_is_sent(file):
    """Two questions on one wheel, and a number, which no wheel takes."""
    number = (
        QUESTION.format(name="n").replace('"spinner"', '"hybrid"')
        + 'kind = "number"\nlow = 0\nhigh = 9\nstep = 1\n'
    )
    file.write_text(HEAD + QUESTION.format(name="q0") + QUESTION.format(name="q1") + number)
    other = file.with_name("planned.toml")
    best = planned(file, "--want", "q0,q1=both", "--output", other)["plans"][0]
    (wheel,) = [
        section.epsilon for section in parse(other.read_text(), "planned.toml").sections if section.linked
    ]
    assert best["knows_one"] == math.ceil(100 / (1 + math.exp(-wheel))) < best["telling"]
    assert f"up to {best['knows_one']} times" in run(plan, file, "--want", "q0,q1=both").stdout.replace(
        "\n", " "
    )


def test_over_waves_who_knows_one_linked_answer_sees_the_wheel_turn_as_often(file):
    file.write_text(HEAD + "budget = { waves = 2 }\n" + "".join(QUESTION.format(name=f"q{n}") for n in "01"))
    other = file.with_name("planned.toml")
    best = planned(file, "--want", "q0,q1=both", "--output", other)["plans"][0]
    (section,) = parse(other.read_text(), "planned.toml").sections
    assert best["total"] == pytest.approx(2 * section.epsilon)
    assert best["knows_one"] == math.ceil(100 / (1 + math.exp(-2 * section.epsilon))) == best["telling"]


ASKED = """
[[sections]]
id = "work"
linked = true
epsilon = 1.0
[[sections.questions]]
id = "copied"
wording = { en = "?" }
[[sections.questions]]
id = "helped"
wording = { en = "?" }
[[sections]]
id = "rest"
[[sections.questions]]
id = "spent"
kind = "number"
low = 0
high = 9
step = 1
mechanism = "hybrid"
epsilon = 1.0
wording = { en = "?" }
[[sections.questions]]
id = "mood"
kind = "choice"
options = [{ en = "bad" }, { en = "good" }, { en = "no answer" }]
mechanism = "wheel"
epsilon = 1.0
wording = { en = "?" }
[[sections.questions]]
id = "tossed"
mechanism = "coin"
wording = { en = "?" }
"""
"""Sections of every kind that a plan sets the epsilon of, and coins, which have their own."""


def of_workbook(text, path, *lacking):
    """Write a survey as an XLSForm without the cells of some columns."""
    book = openpyxl.load_workbook(io.BytesIO(write_xlsform(parse(text, "complete"))))
    for column in book["survey"].iter_cols():
        if column[0].value in lacking:
            for cell in column[1:]:
                cell.value = None
    book.save(path)
    return path


def test_a_file_without_epsilons_and_mechanisms_is_planned_as_the_complete_one(file):
    complete = HEAD.replace("candor = 1", "candor = 3") + ASKED
    lines = [line for line in complete.splitlines() if not re.match("epsilon|mechanism = .[^c]", line)]
    workbook = of_workbook(complete, file.with_name("a.xlsx"), "ldp::epsilon")
    file.write_text(complete)
    expected = planned(file, "--output", file.with_name("complete.toml"))
    file.write_text("\n".join(lines))
    for name, each in (("text.toml", file), ("form.toml", workbook)):
        found = planned(each, "--output", file.with_name(name))
        assert [question.pop("now") for question in found["questions"][:4]] == [
            {"epsilon": None, "asked": 1000, "margin": None}
        ] * 4
        assert found["questions"][4] == expected["questions"][4], "coins have no epsilon to lack"
        assert [found["plans"], found["apart"]] == [expected["plans"], expected["apart"]]
        assert file.with_name(name).read_text() == file.with_name("complete.toml").read_text()
    assert run(plan, file).stdout.splitlines()[3].split()[:3] == ["copied", "share", "-"]


def test_what_a_plan_does_not_set_is_still_demanded(file):
    grid = 'kind = "number"\nlow = 0\nhigh = 9\nstep = 1\n'
    for settings, said in (
        ('kind = "choice"', "questions[0].options is missing"),
        (grid + 'mechanism = "gaussian"', "questions[0].delta is missing"),
        (grid + 'mechanism = "designed"', "questions[0].wants is missing"),
        ("epsilon = -1", "questions[0].epsilon must be"),
        ('kind = "colour"', "questions[0].kind must be"),
    ):
        file.write_text(f'{HEAD}[[questions]]\nid = "q"\nwording = {{ en = "?" }}\n{settings}')
        ended = run(plan, file)
        assert (ended.exit_code, said in ended.stderr) == (1, True), ended.stderr


def test_pairs_that_are_wanted_and_questions_that_others_know(file):
    file.write_text(HEAD + "".join(QUESTION.format(name=f"q{n}") for n in range(3)))
    settings = (file, "--total", 2, "--right", 99, "--telling", 99, "--want", "q0,q1=odds_ratio:0.5")
    linked, known = planned(*settings)["plans"][0], planned(*settings, "--known", "q0")["plans"][0]
    assert linked["linked"]
    assert not known["linked"]
    assert known["people"] > 3 * linked["people"]


def test_a_total_that_is_another_limit_than_the_survey_had_is_told(file):
    file.write_text(HEAD + "budget = { limit = 12.0 }\n" + QUESTION.format(name="q"))
    assert planned(file, "--total", 1)["limit"] == 12
    told = run(plan, file, "--total", 1).stdout.splitlines()[-1]
    assert told == "The planned survey's limit is 1, and no longer 12."
    limited = run(plan, file).stdout
    assert limited.startswith("Ask each person everything: total epsilon 1.38")
    file.write_text(file.read_text().replace("12.0", "1.0"))
    assert "The planned survey's limit" not in run(plan, file, "--total", 1).stdout


def test_a_question_that_matters_more_is_more_precise(file):
    found = planned(file, "--total", 2, "--asked", 10, "--weight", "q3=2")
    margins = [question["planned"]["margin"] for question in found["questions"]]
    assert margins[0] == pytest.approx(2 * margins[3], rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--right", 50), "50 is not in the range 51<=x<=99"),
        (("--total", 0), "total must be a number above 0, got 0.0"),
        (("--want", "copied,copied=both"), "or two and one of"),
        (("--total", "nan"), "total must be a number above 0, got nan"),
        (("--total", 2, "--respondents", 29), "respondents must be at least 30: an estimate needs 30 people"),
        (("--total", 2, "--asked", 11), "asked must be a whole number from 1 to 10, got 11"),
        (("--total", 0.001), "total must be at least 0.01: the questions cost no less"),
        (("--total", 2, "--share", "30%", "70%"), "--share must be one share with FILE, got 2"),
        (("--total", 2, "--weight", "q3"), "must be a question and a number above 0, such as copied=2, got"),
        (("--total", 2, "--weight", "z=2"), "--weight must name one of the questions q0, q1, q2, q3, q4, q5"),
        (
            ("--want", "q0=median"),
            "must be a question and one of shares, mean, curve, or two and one of both,",
        ),
        (("--want", "q0,z=both"), "--want must name questions among q0, q1, q2, q3, q4, q5"),
        (("--known", "z"), "--known must name questions among q0, q1, q2, q3, q4, q5"),
        (("--total", 2, "--epsilon", 1), "--epsilon must be absent with FILE: it is for one question"),
        (("--total", 2, "--kind", "number"), "--kind must be absent with FILE: it is for one question"),
    ],
)
def test_plans_of_a_survey_that_cannot_be_made_say_why(file, arguments, words):
    assert words in refusal(plan, file, *arguments)


def test_what_plans_a_survey_needs_its_file(file):
    assert "--total must be absent without FILE" in refusal(plan, "--epsilon", 1, "--total", 2)
    nowhere = Path(file.parent, "nowhere", "x.toml")
    ended = run(main, "plan", file, "--total", 2, "--output", nowhere)
    assert ended.exit_code == 1
    assert ended.stderr == f"Error: {nowhere} cannot be used: No such file or directory\n"
    file.write_text("candor = 9")
    ended = run(plan, file, "--total", 2)
    assert (ended.exit_code, "ten.toml: candor must be 1, 2 or 3" in ended.stderr) == (1, True)


def test_a_play_shows_truth_noise_estimate_interval_and_coverage():
    question = ("--mechanism", "subset", "--categories", 3, "--epsilon", 1, "--shares", 0.5, 0.3, 0.2)
    result = run(simulate, *question, "--respondents", 300, "--repeats", 20, "--seed", 1)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[3].split() == ["answer", "truth", "noisy", "estimate", "error", "low", "high", "coverage"]
    for line, truth in zip(lines[4:], (0.5, 0.3, 0.2), strict=True):
        _, shown, _, _, _, low, high, covered = map(float, line.split())
        assert shown == truth
        assert 0 <= low < high <= 1
        assert covered > 0.7
    assert "Simulating" in result.stderr


@pytest.mark.parametrize(
    "settings",
    [
        ("--mechanism", "coin", "--shares", 0.1),
        ("--mechanism", "sampled_box", "--boxes", 4, "--epsilon", 1),
        ("--mechanism", "gaussian", "--low", 0, "--high", 3, "--step", 1, "--epsilon", 1, "--delta", 1e-5),
    ],
)
def test_every_kind_of_question_can_be_played(settings):
    result = run(simulate, *settings, "--respondents", 200, "--repeats", 3, "--seed", 2)
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--mechanism", "wheel", "--epsilon", 1),
            "--categories is missing: wheel needs the number of options",
        ),
        (("--mechanism", "coin", "--shares", 0.5, 0.6), "shares must be 2 numbers with sum 1, got 0.5, 0.6"),
        (("--mechanism", "coin", "--repeats", 0), "0 is not in the range x>=1."),
        (
            ("--mechanism", "exponential", "--categories", 50, "--epsilon", 0.02),
            "channel must have a condition",
        ),
    ],
)
def test_surveys_that_cannot_be_played_say_why(arguments, words):
    assert words in refusal(simulate, *arguments)


def test_people_for_an_odds_ratio_between_two_questions_linked_and_apart():
    pair = ("--epsilon", 2, "--share", 0.2, 0.3)
    plans = planned(*pair, "--odds-ratio", 2)["plans"]
    assert [(each["people"], each["right"]) for each in plans] == [(1986, 81), (15626, 74), (4551, 81)]
    assert [each["total"] for each in plans] == [2, 2, pytest.approx(2.868, abs=1e-3)]
    shown = run(plan, *pair, "--difference", 0.2).stdout
    assert "difference 0.2: power 0.8 at significance 0.05" in shown
    assert re.search(r"both on one wheel +2 +81 +1,196", shown)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.2, 0.3, "--odds-ratio", -1), "odds_ratio must be a number above 0, got -1.0"),
        ((0.2, 0.3, "--odds-ratio", 1), "--odds-ratio must not be 1, nor --difference 0"),
        ((0.2, 0.3, "--difference", 0.9), "difference must leave every share of the table above 0, got 0.9"),
        (
            (0.2, 0.3, "--difference", 0.1, "--odds-ratio", 2),
            "--difference must be absent",
        ),
        ((0.2, "--odds-ratio", 2), "--share must be two shares here, of yes to each question"),
    ],
)
def test_two_questions_that_cannot_be_planned_are_refused(arguments, words):
    assert words in refusal(plan, "--epsilon", 2, "--share", *arguments)
