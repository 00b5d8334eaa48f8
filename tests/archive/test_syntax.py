"""The syntax for SPSS and Stata: every estimate as a mean, names and texts that the programs can read.

PSPP runs it where it is installed, and in tests/benchmarks/scripts.py. Nobody here has Stata.
"""

import re
import shutil
from pathlib import Path

import kinds
import numpy as np
import people
import pspp
import pytest

from server.results.archive import spss, stata
from server.results.archive.variables import variables
from survey.figures.shares import Precision
from survey.publication import publish
from survey.read_definition import from_dict, parse

EVERY_KIND = kinds.every_kind()
HOSTILE = 'It\'s "25 %" of `all`, $path.\r\nEXECUTE. 한국어 ' + "가" * 100


def played(publication, respondents, seed):
    reports = people.answer(publication, respondents, np.random.default_rng(seed))
    return reports, people.figures(publication, reports, Precision(0.95, "wald"))


def test_the_mean_of_what_reports_add_is_every_estimate_that_is_not_pooled():
    reports, figures = played(EVERY_KIND, 300, seed=1)
    found = []
    for codes, variable in zip(reports.T, variables(EVERY_KIND, (), 64), strict=True):
        for each in variable.estimates:
            adds = np.array([each.adds[code] for code in codes.tolist() if code in each.adds])
            found.append((len(adds), adds.mean(), adds.std(ddof=1) / np.sqrt(len(adds))))
    np.testing.assert_allclose(found, pspp.expected(figures), rtol=1e-9, atol=1e-12)


def published(*names, wording=HOSTILE):
    questions = [{"id": name, "mechanism": "coin", "wording": {"en": wording}} for name in names]
    texts = {key: {"en": wording} for key in ("title", "information", "consent")}
    table = {"candor": 1, "slug": "names", "languages": ["en"], "questions": questions, **texts}
    return publish(from_dict(table, "the test"))


@pytest.mark.parametrize("program", [spss, stata])
def test_names_are_ones_that_the_program_allows_and_no_two_the_same(program):
    names = ["to", "to_1", "by", "if", "long", "str7", "a" * 40, "a" * 39 + "b", "a__yes", "a"]
    found = variables(published(*names), program.RESERVED, program.LONGEST_NAME)
    given = [each.name for each in found] + [one.name for each in found for one in each.estimates]
    assert len({name.lower() for name in given}) == 2 * len(names)
    assert not program.RESERVED & set(given)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in given)
    assert max(map(len, given)) <= program.LONGEST_NAME


@pytest.mark.parametrize("program", [spss, stata])
def test_a_text_stays_on_its_line_and_within_its_quotes(program):
    plain = program.text(published("copied", wording="Copied?")).splitlines()
    lines = program.text(published("copied")).splitlines()
    assert len(lines) == len(plain)
    assert max(len(line.encode()) for line in lines) <= 256
    (label,) = [line for line in lines if "한국어" in line]
    if program is spss:
        assert "'Reported: It''s \"25 %\" of `all`, $path. EXECUTE. 한국어 " in label
    else:
        assert "\"Reported: It's '25 %' of 'all', ＄path. EXECUTE. 한국어 " in label
    assert not re.search("[`$]", label) or program is spss


@pytest.mark.parametrize(
    ("program", "mean", "frequencies"),
    [(spss, "DESCRIPTIVES", "FREQUENCIES"), (stata, "\nmean", "\ntabulate")],
)
def test_estimates_come_first_and_what_was_received_is_said_to_be_reported(program, mean, frequencies):
    text = program.text(published("copied", wording="Copied?"))
    assert 0 < text.index(mean) < text.index(frequencies)
    assert "Reported: Copied?" in text
    assert "Estimate of copied: yes" in text


def test_codes_that_say_nothing_are_missing_values():
    in_spss, in_stata = spss.text(EVERY_KIND), stata.text(EVERY_KIND)
    assert "MISSING VALUES tried_1 (2, 3)." in in_spss
    assert "replace tried_1 = .c if tried_1 == 2\nreplace tried_1 = .b if tried_1 == 3\n" in in_stata
    assert "replace hurt = .a if hurt == 4\n" in in_stata


def test_the_do_file_says_first_that_it_was_not_run():
    assert stata.text(EVERY_KIND).startswith("* NOT RUN BY US")


if shutil.which("pspp"):
    EXAMPLES = sorted(Path("server/examples").glob("*.toml"))
    SURVEYS = {file.stem: publish(parse(file.read_text(), file.name)) for file in EXAMPLES}

    @pytest.mark.parametrize("name", ["every-kind", *SURVEYS])
    def test_pspp_reads_it_and_prints_the_estimates(name, tmp_path):
        publication = SURVEYS.get(name, EVERY_KIND)
        reports, figures = played(publication, 400, seed=2)
        people.write(tmp_path, publication, reports)
        printed, found = pspp.run(tmp_path)
        np.testing.assert_allclose(found, pspp.expected(figures), atol=1e-9)
        assert printed.count("Percent,Valid Percent") == len(publication.columns)

    def test_pspp_reads_hostile_texts(tmp_path):
        publication = published("copied", "to", "by")
        reports, _ = played(publication, 50, seed=3)
        people.write(tmp_path, publication, reports)
        printed, found = pspp.run(tmp_path)
        assert len(found) == 3
        assert "It's" in printed
        assert "$path. EXECUTE. 한국어" in printed
