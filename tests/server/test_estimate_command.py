"""``candor estimate``: the published surveys, the shape of its JSON, and errors in words."""

import json
import math

import pytest
from click.testing import CliRunner

from server.cli.estimate import estimate
from survey.interval import METHODS


def run(*arguments):
    return CliRunner().invoke(
        estimate, [str(argument) for argument in arguments], prog_name="candor estimate"
    )


def printed(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def refusal(*arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_a_published_forced_response_survey():
    table = printed("--mechanism", "spinner_coin", "--epsilon", 1.3862943611198906, "--counts", 492, 508)
    yes, no = table["options"]
    assert (round(yes["unbiased"], 6), round(yes["standard_error"], 6)) == (0.513333, 0.026349)
    assert (yes["option"], yes["count"], no["option"], no["count"]) == ("yes", 508, "no", 492)
    assert yes["low"] < yes["estimate"] < yes["high"]
    assert table["respondents"] == 1000
    assert table["epsilon"] == pytest.approx(math.log(4), abs=1e-6)
    assert table["epsilon"] <= 1.3862943611198906
    assert (table["method"], table["confidence_level"], table["warnings"]) == ("exact", 0.95, [])


def test_a_published_warner_survey():
    yes = printed("--mechanism", "spinner", "--epsilon", math.log(7 / 3), "--counts", 65, 60)["options"][0]
    assert (round(yes["unbiased"], 6), round(yes["standard_error"], 4)) == (0.45, 0.1117)


@pytest.mark.parametrize("method", METHODS)
def test_the_method_and_the_level_can_be_chosen(method):
    table = printed("--mechanism", "coin", "--counts", 49, 51, "--method", method, "--confidence-level", 0.5)
    assert (table["method"], table["confidence_level"]) == (method, 0.5)
    assert 0 < table["options"][0]["high"] - table["options"][0]["low"] < 0.3


def test_the_shape_is_the_documented_one():
    table = printed("--mechanism", "coin", "--counts", 49, 51)
    documented = {"respondents", "epsilon", "options", "method", "confidence_level", "warnings"}
    option = {"option", "count", "unbiased", "standard_error", "low", "high", "estimate"}
    assert set(table) == documented | {"weights"}
    assert all(set(entry) == option | {"noisy_share", "people"} for entry in table["options"])


def test_no_respondents_have_no_standard_error_and_a_warning_in_words():
    table = printed("--mechanism", "coin", "--counts", 0, 0)
    yes = table["options"][0]
    assert (yes["standard_error"], yes["low"], yes["high"], yes["unbiased"]) == (None, 0, 1, 0.5)
    assert yes["noisy_share"] is None
    assert table["warnings"][0].startswith("Nobody has answered yet")


def test_what_is_odd_is_said_once_each():
    table = printed("--mechanism", "coin", "--counts", 100, 0, "--method", "wald")
    assert [warning.split()[0] for warning in table["warnings"]] == ["All", "The", "The"]
    assert len(set(table["warnings"])) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--mechanism", "spinner", "--counts", 1, 2],
            "--epsilon is missing: spinner needs a number above 0 and at most 10",
        ),
        (
            ["--mechanism", "coin", "--epsilon", 1, "--counts", 1, 2],
            "--epsilon must be absent for coin, got 1.0: it is ln 3",
        ),
        *(
            (
                ["--mechanism", "spinner_coin", "--epsilon", epsilon, "--counts", 1, 2],
                f"--epsilon: epsilon must be a number above 0 and at most 10, got {epsilon}",
            )
            for epsilon in ("0.0", "10.1", "nan", "inf", "-1.0")
        ),
        (
            ["--mechanism", "coin", "--counts", 1, -2],
            "Invalid value for '--counts': must be a whole number of 0 or more, got '-2'",
        ),
        (
            ["--mechanism", "coin", "--counts", 1],
            "counts must be 2 whole numbers, one for each report, got 1",
        ),
        (["--mechanism", "coin"], "Missing option '--counts'."),
        (
            ["--mechanism", "coin", "--counts", 1, 2, "--confidence-level", 95],
            "'--confidence-level': must be a share above 0 and below 1, such as 0.05 or 5%, got '95'",
        ),
        (
            ["--mechanism", "coin", "--counts", 1, 2, "--confidence-level", "nan"],
            "'--confidence-level': must be a share above 0 and below 1, such as 0.05 or 5%, got 'nan'",
        ),
        (
            ["--mechanism", "spinner", "--epsilon", 1e-5, "--counts", 1, 2],
            "channel must have a condition number of at most 10000 to be inverted",
        ),
    ],
)
def test_errors_name_the_option_what_it_may_be_and_what_it_is(arguments, words):
    assert words in refusal(*arguments)


@pytest.mark.parametrize(("option", "allowed"), [("--mechanism", "spinner_coin"), ("--method", "wilson")])
def test_a_choice_that_does_not_exist_is_answered_by_those_that_do(option, allowed):
    last = refusal("--mechanism", "coin", "--counts", 1, 2, option, "magic")
    assert "'magic'" in last
    assert allowed in last


def test_options_come_in_their_order_with_the_reports_that_speak_for_them():
    table = printed("--mechanism", "subset", "--categories", 4, "--size", 2, "--epsilon", 1,
                    "--counts", 10, 20, 30, 40, 50, 60)  # fmt: skip
    assert [option["option"] for option in table["options"]] == [0, 1, 2, 3]
    # Report y is the set with the bits of the y-th mask: 3, 5, 6, 9, 10, 12.
    assert [option["count"] for option in table["options"]] == [70, 90, 110, 150]
    assert sum(option["unbiased"] for option in table["options"]) == pytest.approx(1)


def test_intervals_may_hold_together_and_show_their_level():
    counts = ("--mechanism", "wheel", "--categories", 5, "--epsilon", 1, "--counts", 1, 2, 3, 4, 5)
    table = printed(*counts, "--simultaneous")
    assert table["confidence_level"] == 0.95
    assert table["interval_confidence_level"] == pytest.approx(0.99)
    assert "interval_confidence_level" not in printed(*counts)


def test_a_sampled_box_is_estimated_from_those_who_reported_on_it():
    table = printed("--mechanism", "sampled_box", "--boxes", 10, "--epsilon", 1, "--counts", 60, 40, 900)
    assert (table["respondents"], table["reported"]) == (1000, 100)
    assert table["options"][0]["noisy_share"] == 0.4
    assert table["epsilon"] == pytest.approx(1, abs=1e-6)


def test_boxes_show_the_loss_of_a_box_and_of_the_question():
    table = printed("--mechanism", "per_box", "--boxes", 4, "--epsilon", 2, "--counts", 60, 40)
    assert (table["epsilon"], table["box_epsilon"]) == pytest.approx((2, 0.5), abs=1e-6)
    each = printed(
        "--mechanism", "per_box", "--boxes", 4, "--epsilon", 2, "--scope", "box", "--counts", 60, 40
    )
    assert (each["epsilon"], each["box_epsilon"]) == pytest.approx((8, 2), abs=1e-6)


def test_a_number_has_a_mean_and_quartiles():
    table = printed("--mechanism", "laplace", "--low", 0, "--high", 3, "--step", 1, "--epsilon", 4,
                    "--counts", 100, 200, 300, 100)  # fmt: skip
    assert table["mean"]["low"] < table["mean"]["mean"] < table["mean"]["high"]
    assert [each["probability"] for each in table["quantiles"]] == [0.25, 0.5, 0.75]


def test_a_number_of_one_bit_has_a_mean_alone_and_the_gaussian_a_delta():
    grid = ("--low", 0, "--high", 10, "--step", 5, "--epsilon", 1)
    table = printed("--mechanism", "one_bit", *grid, "--counts", 480, 520)
    assert (table["quantiles"], table["mean"]["method"]) == ([], "exact")
    refused = refusal("--mechanism", "gaussian", *grid, "--delta", 1e-5, "--counts", 480, 520)
    assert "counts must be" in refused


def test_ordered_options_have_a_mean_position_from_1_on():
    table = printed(
        "--mechanism", "exponential", "--categories", 3, "--epsilon", 1, "--counts", 300, 400, 300
    )
    assert table["mean"]["mean"] == pytest.approx(2)
    assert table["method"] == "likelihood_ratio"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mechanism", "wheel", "--epsilon", 1], "--categories is missing: wheel needs"),
        (["--mechanism", "coin", "--boxes", 3], "--boxes must be absent for coin, got 3"),
        (["--mechanism", "subset", "--categories", 13, "--epsilon", 1], "the wheel takes more"),
        (["--mechanism", "subset", "--categories", 4, "--epsilon", 1, "--size", 4],
         "Invalid value for --size: size must be a whole number from 1 to 3, got 4"),
        (["--mechanism", "gaussian", "--low", 0, "--high", 1, "--step", 1, "--epsilon", 1],
         "--delta is missing: gaussian needs a number above 0 and below 1"),
        (["--mechanism", "gaussian", "--low", 0, "--high", 1, "--step", 1, "--epsilon", 1, "--delta", 1],
         "Invalid value for --delta: delta must be a number above 0 and below 1, got 1.0"),
        (["--mechanism", "laplace", "--low", 0, "--high", 1, "--step", 0.3, "--epsilon", 1],
         "Invalid value for --step: step must be a number that divides"),
        (["--mechanism", "laplace", "--low", 5, "--high", 1, "--step", 1, "--epsilon", 1],
         "Invalid value for --low: low must be a number below high"),
        (["--mechanism", "wheel", "--categories", 3, "--epsilon", 1], "counts must be 3 whole numbers"),
    ],
)  # fmt: skip
def test_settings_of_every_mechanism_are_checked(arguments, words):
    assert words in refusal(*arguments, "--counts", 1, 2)


def test_counts_may_be_written_with_commas():
    spaced = printed("--mechanism", "wheel", "--categories", 3, "--epsilon", 1, "--counts", 5, 6, 7)
    assert printed("--mechanism", "wheel", "--categories", 3, "--epsilon", 1, "--counts", "5,6,7") == spaced


def test_a_count_that_is_no_number_is_refused():
    refused = refusal("--mechanism", "coin", "--counts", "5,x")
    assert refused.endswith("must be a whole number of 0 or more, got 'x'")
