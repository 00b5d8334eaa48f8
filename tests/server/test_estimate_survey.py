"""``candor estimate --survey``: which options go together, and what is said of files that cannot be used."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from server.cli.estimate import estimate
from survey.read_definition import from_dict


@pytest.fixture
def here(tmp_path, monkeypatch, survey_file):
    """A folder with a survey file, its reports and the same as counts."""
    monkeypatch.chdir(tmp_path)
    one = survey_file(questions=survey_file()["questions"][:1])
    (tmp_path / "health.toml").write_text(from_dict(one, "here").as_toml(), encoding="utf-8")
    (tmp_path / "reports.csv").write_text("copied\n" + "0\n" * 492 + "1\n" * 508)
    (tmp_path / "counts.csv").write_text("column,code,count\ncopied,1,508\ncopied,0,492\n")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(estimate, arguments, prog_name="candor estimate")


def printed(*arguments):
    result = run("--survey", "health.toml", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refusal(*arguments):
    result = run(*arguments)
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_reports_and_counts_give_the_same_document(here):
    document = printed("--reports", "reports.csv")
    assert document == printed("--counts", "counts.csv")
    (question,) = json.loads(document)["questions"]
    assert [each["count"] for each in question["answers"]] == [492, 508]


def test_the_table_has_a_row_for_each_quantity(here):
    table = list(csv.DictReader(io.StringIO(printed("--reports", "reports.csv", "--format", "csv"))))
    assert [row["answer"] for row in table[:2]] == ["no", "yes"]
    assert {row["state"] for row in table} == {"closed"}


def test_an_open_survey_says_so_and_what_its_steps_protect(here):
    (here / "few.csv").write_text("copied\n1\n0\n1\n")
    still_open = json.loads(printed("--reports", "few.csv", "--state", "open"))
    closed = json.loads(printed("--reports", "few.csv"))
    assert (still_open["state"], closed["state"]) == ("open", "closed")
    assert (still_open["shuffle_respondents"], closed["shuffle_respondents"]) == (10, 3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Error: Missing option '--mechanism' or '--survey'."),
        (("--survey", "health.toml"), "Error: --survey needs either --reports or --counts"),
        (
            ("--survey", "health.toml", "--reports", "reports.csv", "--counts", "counts.csv"),
            "Error: --survey needs either --reports or --counts",
        ),
        (
            ("--survey", "health.toml", "--counts", "492", "508"),
            "Error: Invalid value for --counts: must be a file with --survey, got 492, 508",
        ),
        (
            ("--survey", "health.toml", "--reports", "reports.csv", "--mechanism", "coin"),
            "Error: --mechanism must be absent where --survey is given, got 'coin'",
        ),
        (
            ("--survey", "health.toml", "--reports", "reports.csv", "--epsilon", "1"),
            "Error: --epsilon must be absent where --survey is given, got 1.0",
        ),
        (
            ("--survey", "health.toml", "--counts", "reports.csv"),
            "Error: reports.csv, row 1 must be column,code,count, got 'copied'",
        ),
        (
            ("--survey", "health.toml", "--reports", "counts.csv"),
            "Error: counts.csv, row 1 must name the column copied once, got it 0 times in 'column,code",
        ),
        (
            ("--survey", "reports.csv", "--reports", "reports.csv"),
            "Error: reports.csv: the file must be TOML",
        ),
    ],
)
def test_a_refusal_names_the_option_or_the_place_in_the_file(here, arguments, sentence):
    assert refusal(*arguments).startswith(sentence)
