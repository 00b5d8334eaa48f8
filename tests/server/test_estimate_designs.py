"""Designs on paper on the command line: options in, JSON and CSV out, and refusals in words."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from server.cli.estimate import estimate
from server.cli.simulate import simulate


def run(*arguments, command=estimate):
    return CliRunner().invoke(command, list(map(str, arguments)), prog_name="candor")


def printed(*arguments, command=estimate):
    result = run(*arguments, command=command)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refusal(*arguments, command=estimate):
    result = run(*arguments, command=command)
    assert result.exit_code in (1, 2), result.stdout
    return result.stderr.splitlines()[-1].removeprefix("Error: ")


def test_forced_answers_and_dice_give_the_same_estimate():
    table = printed("--forced-yes", "1/6", "--forced-no", "1/12", "--counts", 560, 440)
    rolled = printed("--dice", 2, "--yes-on", 2, 3, 4, "--no-on", 11, 12, "--counts", 560, 440)
    assert table["options"] == rolled["options"]
    assert (table["design"], rolled["design"]) == ("forced", "dice")
    assert table["chances"] == [["5/6", "1/6"], ["1/12", "11/12"]]
    assert table["options"][0]["unbiased"] == pytest.approx((0.44 - 1 / 6) / 0.75)
    assert table["epsilon"] == pytest.approx(2.302585)


def test_a_design_without_an_epsilon_says_what_a_report_proves():
    table = printed("--mechanism", "triangular", "--prevalence", "25%", "--counts", 600, 400)
    assert table["epsilon"] is None
    assert table["protection"].endswith("The report “both no” proves that the answer is no.")
    assert table["options"][0]["unbiased"] == pytest.approx(0.2)


def test_two_samples_estimate_the_other_question_too():
    table = printed("--mechanism", "unrelated", "--truth", 0.7, 0.3, "--counts", 710, 290, 590, 410)
    sensitive, other = table["options"]
    assert (sensitive["unbiased"], other["unbiased"]) == pytest.approx((0.2, 0.5))
    assert table["protection"].startswith(
        "If the share of yes to the other question is as estimated, 0.5: epsilon 1.7"
    )
    known = printed("--mechanism", "unrelated", "--truth", 0.7, "--prevalence", 0.5, "--counts", 710, 290)
    assert known["options"][0]["unbiased"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    "text",
    [
        "answer\nsame\ndifferent\nsame\nsame\n",
        "who,answer,when\r\nann,1,x\r\nben,0,y\r\ncem,1,z\r\ndee,1,z\r\n",
    ],
)
def test_rows_are_counted_by_number_or_by_name(tmp_path, text):
    (tmp_path / "rows.csv").write_text(text)
    column = ["--column", "answer"] if "who" in text else []
    design = ["--mechanism", "crosswise", "--prevalence", "3/4"]
    from_rows = run(*design, "--reports", tmp_path / "rows.csv", *column)
    assert from_rows.stdout == run(*design, "--counts", 1, 3).stdout != ""


def test_any_matrix_is_read_from_a_file(tmp_path):
    file = tmp_path / "matrix.csv"
    file.write_text("1/2,1/4,1/4\n1/4,1/2,1/4\n1/4,1/4,1/2\n")
    table = printed("--matrix", file, "--counts", 300, 350, 350)
    assert [each["unbiased"] for each in table["options"]] == pytest.approx([0.2, 0.4, 0.4])
    assert [each["count"] for each in table["options"]] == [300, 350, 350]
    file.write_text("0.8,0.1,0.1\n0.1,0.1,0.8\n")
    table = printed("--matrix", file, "--counts", 450, 100, 450)
    assert [each["unbiased"] for each in table["options"]] == pytest.approx([0.5, 0.5])


def test_two_samples_are_simulated_with_the_truth_of_both_questions():
    samples = ("--mechanism", "unrelated", "--truth", 0.7, 0.3, "--repeats", 5, "--seed", 3)
    table = printed(*samples, "--shares", "10%", "30%", "--format", "json", command=simulate)
    for answer, truth in zip(table["answers"], (0.1, 0.3), strict=True):
        assert answer["truth"] == truth
        assert abs(answer["estimate"] - truth) < 4 * answer["standard_error"]
        assert answer["coverage"] >= 0.6
    assert refusal(*samples, command=simulate).startswith(
        "Invalid value for --shares: must be the shares of yes to both questions where --truth has two"
    )
    assert refusal(*samples, "--prevalence", "1/2", command=simulate).startswith(
        "--prevalence must be absent"
    )


def test_the_table_has_a_row_for_each_estimate():
    result = run("--mechanism", "crosswise", "--prevalence", "1/4", "--counts", 600, 400, "--format", "csv")
    yes, no = csv.DictReader(io.StringIO(result.stdout))
    assert (yes["quantity"], yes["option"], yes["count"], no["option"]) == ("proportion", "yes", "600", "no")
    assert float(yes["estimate"]) == pytest.approx(0.7)
    assert float(yes["epsilon"]) == pytest.approx(1.098612)
    number = ("--mechanism", "laplace", "--low", 0, "--high", 2, "--step", 1, "--epsilon", 2)
    result = run(*number, "--counts", 100, 200, 300, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["quantity"] for row in rows] == ["mean", *["quantile"] * 3]


def test_a_design_is_simulated_as_text_json_and_csv(tmp_path):
    design = (
        "--mechanism",
        "crosswise",
        "--prevalence",
        "1/4",
        "--shares",
        "10%",
        "--repeats",
        3,
        "--seed",
        1,
    )
    table = printed(*design, "--format", "json", command=simulate)
    assert (table["design"], table["repeats"], table["answers"][1]["truth"]) == ("crosswise", 3, 0.1)
    rows = list(csv.DictReader(io.StringIO(run(*design, "--format", "csv", command=simulate).stdout)))
    assert float(rows[1]["estimate"]) == table["answers"][1]["estimate"]
    assert f"{table['answers'][1]['estimate']:.4f}" in run(*design, command=simulate).stdout
    (tmp_path / "matrix.csv").write_text("0.8,0.1,0.1\n0.1,0.8,0.1\n")
    matrix = ("--matrix", tmp_path / "matrix.csv", "--repeats", 2, "--seed", 1)
    (tmp_path / "wide.csv").write_text("0.5,0.3,0.1,0.1\n0.1,0.1,0.3,0.5\n")
    wide = ("--matrix", tmp_path / "wide.csv", "--repeats", 2, "--seed", 1)
    assert "–" not in run(*matrix, command=simulate).stdout
    assert "–" in run(*wide, command=simulate).stdout  # no report speaks for one answer alone


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--mechanism", "crosswise", "--counts", 1, 2],
            "--prevalence is missing: crosswise needs the share",
        ),
        (
            ["--mechanism", "crosswise", "--prevalence", "1/2", "--counts", 1, 2],
            "Invalid value for --prevalence: prevalence must be other than 1/2, at which reports say nothing",
        ),
        (
            ["--mechanism", "crosswise", "--prevalence", "5/4", "--counts", 1, 2],
            "Invalid value for '--prevalence': must be a chance from 0 to 1, such as 3/4, 0.75 or 75%, got",
        ),
        (
            ["--mechanism", "crosswise", "--prevalence", "1/4", "--forced-yes", "1/4", "--counts", 1, 2],
            "--forced-yes must be absent for crosswise, got 1/4",
        ),
        (
            ["--forced-yes", "1/6", "--counts", 1, 2],
            "truth or forced_no is missing: forced needs two of truth",
        ),
        (
            ["--truth", "3/4", "--forced-yes", "1/6", "--forced-no", "1/6", "--counts", 1, 2],
            "Invalid value for --truth: truth must be such that it and the others add up to 1, got",
        ),
        (
            ["--dice", 2, "--yes-on", 1, "--counts", 1, 2],
            "Invalid value for --yes-on: yes_on must be totals",
        ),
        (
            ["--mechanism", "warner", "--truth", 0.7, 0.3, "--counts", 1, 2],
            "Invalid value for --truth: must be one chance, got 2",
        ),
        (
            ["--mechanism", "unrelated", "--truth", 0.7, 0.3, "--prevalence", "1/2", "--counts", 1, 2, 3, 4],
            "--prevalence must be absent where --truth has two chances, got 1/2",
        ),
        (
            ["--mechanism", "unrelated", "--truth", 0.7, 0.3, "--counts", 1, 2],
            "Invalid value for --counts: must be 4 numbers: no and yes of the first sample, then of the",
        ),
        (
            ["--mechanism", "unrelated", "--truth", 0.7, 0.7, "--counts", 1, 2, 3, 4],
            "truth must be two different chances, got 7/10 twice",
        ),
        (["--mechanism", "coin", "--reports", "rows.csv", "--counts", 1, 2], "--counts must be absent where"),
        (
            ["--mechanism", "coin", "--counts", "rows.csv"],
            "Invalid value for --counts: must be numbers without",
        ),
        (
            ["--mechanism", "coin", "--counts", 1, 2, "--state", "open"],
            "--state must be absent where --mechanism",
        ),
        (
            ["--mechanism", "coin", "--reports", "rows.csv"],
            "rows.csv, row 1 must name one column where none is",
        ),
        (
            ["--mechanism", "coin", "--reports", "rows.csv", "--column", "b"],
            "rows.csv, row 2, column b must be a whole number from 0 to 1, or one of no, yes, got 'x'",
        ),
        (
            ["--mechanism", "coin", "--reports", "rows.csv", "--column", "c"],
            "rows.csv, row 1 must name the column c once, got it 0 times in 'a,b'",
        ),
        (
            ["--matrix", "rows.csv", "--counts", 1, 2],
            "Invalid value for '--matrix': rows.csv: matrix, row 1, column 1 must be a chance from 0 to 1",
        ),
    ],
)
def test_a_refusal_names_the_option_the_range_and_the_value(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("a,b\n1,x\n")
    assert refusal(*arguments).startswith(sentence)
