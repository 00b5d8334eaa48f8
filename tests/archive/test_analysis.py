"""The scripts in the zip give every estimate again, from the reports and the channels alone.

Python's is always run; R's where R is installed, and by tests/benchmarks/scripts.py.
"""

import ast
import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kinds
import numpy as np
import people
import pytest

from server.results.archive import analysis
from server.results.files.csv_text import csv_text
from server.results.files.expansion import expand
from survey.figures.shares import Precision
from survey.interval import METHODS
from survey.publication import publish
from survey.read_definition import parse

EXAMPLES = sorted(Path("server/examples").glob("*.toml"))
RUN = {"analysis.py": sys.executable}
if shutil.which("Rscript"):
    RUN["analysis.R"] = "Rscript"
EVERY_KIND = kinds.every_kind()


def run(script, folder):
    """Run a script of the zip; return its exit status and what it printed."""
    done = subprocess.run([RUN[script], folder / script], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def quickly(capsys):
    """Run a script; Python's in this process, which saves it the import of pandas."""

    def quickly(script, folder):
        if script != "analysis.py":
            return run(script, folder)
        status = analysis.main(folder)
        return status, capsys.readouterr().out

    return quickly


def compared(printed):
    """How many numbers a script says it has compared."""
    return int(re.search(r"(\d+) numbers compared", printed)[1])


@pytest.mark.parametrize("script", RUN)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_estimate_of_an_example_comes_out_again(file, script, tmp_path, quickly):
    publication = publish(parse(file.read_text(), file.name))
    people.write(tmp_path, publication, people.answer(publication, 600, np.random.default_rng(1)))
    status, printed = quickly(script, tmp_path)
    assert status == 0, printed
    assert compared(printed) > 10 * len(publication.columns)


@pytest.mark.parametrize("script", RUN)
@pytest.mark.parametrize("method", METHODS)
def test_so_does_every_kind_of_question_by_every_method(script, method, tmp_path, quickly):
    reports = people.answer(EVERY_KIND, 400, np.random.default_rng(2))
    precision = Precision(0.9, method, simultaneous=method == "wilson")
    people.write(tmp_path, EVERY_KIND, reports, precision)
    status, printed = quickly(script, tmp_path)
    assert status == 0, printed
    assert compared(printed) > 400


@pytest.mark.parametrize("script", RUN)
@pytest.mark.parametrize("respondents", [0, 1, 7])
def test_few_people_are_no_exception(script, respondents, tmp_path, quickly):
    reports = people.answer(EVERY_KIND, respondents, np.random.default_rng(respondents))
    people.write(tmp_path, EVERY_KIND, reports)
    status, printed = quickly(script, tmp_path)
    assert status == 0, printed


FIELDS = ("unbiased", "standard_error", "low", "high", "estimate", "count")


@pytest.mark.parametrize("script", RUN)
def test_a_figure_that_was_changed_is_named(script, tmp_path):
    """The script runs here as whoever has the zip runs it: from its folder."""
    publication = publish(parse(Path("server/examples/workplace.toml").read_text(), "workplace"))
    people.write(tmp_path, publication, people.answer(publication, 900, np.random.default_rng(6)))
    status, printed = run(script, tmp_path)
    assert (status, compared(printed) > 10 * len(publication.columns)) == (0, True), printed
    table = tmp_path / "estimates.csv"
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"), newline="")))
    inside = [row for row in rows if row["quantity"] == "proportion" and float(row["low"]) > 0]
    for row, field in zip(inside, FIELDS, strict=False):
        row[field] = repr(float(row[field]) * (1 + 1e-5))
    table.write_text(csv_text(rows[0].keys(), [row.values() for row in rows]), encoding="utf-8", newline="")
    status, printed = run(script, tmp_path)
    assert status == 1
    assert re.findall(r"(\w+) differs", printed) == list(FIELDS)


def test_it_expands_large_channels_as_the_lines_in_channels_json_do():
    columns = [EVERY_KIND.columns[name] for name in ("hours", "income", "worth", "steps", "weight")]
    for column in columns:
        generator = column.channel.form.as_dict()
        for found in (analysis.expand(generator), expand(generator)):
            np.testing.assert_array_equal(found, column.channel.weights)


def test_it_is_written_for_python_3_9():
    ast.parse(Path(analysis.__file__).read_text(), feature_version=(3, 9))
