"""``candor.read``: a folder or a zip becomes estimates, tables, frames and charts."""

import shutil
import subprocess
import sys

import candor
import numpy as np
import pytest

from survey.analysis import Unusable, read_files
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.results import Reached, Results

PEOPLE = 400


@pytest.fixture
def expected(publication, codes):
    """The figures of the same counts, without any file."""
    counts = {
        name: np.bincount(codes[name], minlength=column.codes).tolist()
        for name, column in publication.columns.items()
    }
    leisure = int((codes["drinks"] < publication.columns["drinks"].not_asked_code).sum())
    asked = {"first": PEOPLE, "leisure": leisure, "habits": PEOPLE - leisure}
    sections = {name: Reached(number, PEOPLE) for name, number in asked.items()}
    results = Results(PEOPLE, counts, final=True, prepared=True, sections=sections)
    return figures_of("work", "closed", publication, results, Precision(0.9, "wilson", True))


def test_a_folder_and_a_zip_give_the_figures_of_the_server(folder, expected, publication, tmp_path):
    packed = shutil.make_archive(tmp_path / "packed", "zip", folder.parent, folder.name)
    for path in (folder, packed):
        analysis = candor.read(path)
        assert analysis.publication == publication
        assert analysis.results.respondents == PEOPLE
        figures = analysis.figures(confidence_level=0.9, method="wilson", simultaneous=True)
        assert rows(figures) == rows(expected)


def test_the_estimates_are_rows_and_a_frame_with_the_headings_of_the_download(folder, expected):
    analysis = candor.read(folder)
    settings = {"confidence_level": 0.9, "method": "wilson", "simultaneous": True}
    table = analysis.rows(**settings)
    assert [tuple(row) for row in table] == [header(expected)] * len(rows(expected))
    frame = analysis.estimates(**settings)
    assert list(frame.columns) == list(header(expected))
    yes = frame[(frame.column == "copied") & (frame.answer == "yes") & (frame.stratum == "device")]
    assert yes.estimate.item() == expected.questions[0].first.shares.yes.estimate


def test_the_reports_come_back_as_they_were(folder, codes):
    analysis = candor.read(folder)
    assert np.array_equal(analysis.table(), np.column_stack(list(codes.values())))
    frame = analysis.reports()
    assert {name: frame[name].tolist() for name in frame} == {k: v.tolist() for k, v in codes.items()}


def test_a_table_of_two_columns_counts_pairs_of_people(folder, codes):
    cross = candor.read(folder).cross("sector", "copied", answer="2", groups=("no", "yes"))
    pairs = [(a, b) for a, b in zip(codes["sector"], codes["copied"], strict=True) if a < 3 and b < 2]
    assert cross.table.sum() == len(pairs)
    assert cross.table[2, 1] == pairs.count((2, 1))
    assert (cross.choice.answer, cross.choice.group, cross.choice.other) == (2, 0, 1)
    assert cross.left_out == PEOPLE - len(pairs)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("drinks", "copied"), "a column must be one of copied, sector, habit_1.*, got 'drinks'"),
        (("copied", "copied"), "row and column must be two columns of fewer answers, got 'copied', 'copied'"),
    ],
)
def test_a_table_that_cannot_be_had_is_refused(folder, arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        candor.read(folder).cross(*arguments)


def test_an_answer_that_is_none_is_refused(folder):
    with pytest.raises(ValueError, match="answer must be one of 0, 1, 2, got 'yes'"):
        candor.read(folder).cross("sector", "copied", answer="yes")


def test_counts_alone_give_the_same_figures_and_no_reports(folder, expected, codes, publication):
    lines = ["column,code,count"]
    for name, column in publication.columns.items():
        times = np.bincount(codes[name], minlength=column.codes)
        lines += [f"{name},{code},{count}" for code, count in enumerate(times) if count]
    (folder / "counts.csv").write_text("\n".join(lines) + "\n")
    analysis = read_files(folder / "survey.toml", counts=folder / "counts.csv")
    assert rows(analysis.figures(0.9, "wilson", True)) == rows(expected)
    with pytest.raises(Unusable, match="reports must be given for this, got counts alone"):
        analysis.table()


def test_the_state_comes_with_the_estimates(folder, publication):
    text = f"survey,fingerprint,state\r\nwork,{publication.fingerprint},open\r\n"
    (folder / "estimates.csv").write_text("\ufeff" + text, encoding="utf-8")
    assert candor.read(folder).state == "open"


def test_to_import_the_package_costs_nothing_that_only_reading_needs():
    lines = "import sys, survey; print(any(name.startswith(('numpy', 'survey.')) for name in sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", lines], text=True) == "False\n"
    with pytest.raises(AttributeError, match="has no attribute 'write'"):
        candor.write  # noqa: B018


@pytest.mark.parametrize("library", ["pandas", "matplotlib"])
def test_without_the_extra_an_error_names_it_and_the_rest_works(folder, monkeypatch, library):
    for name in (library, f"{library}.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    analysis = candor.read(folder)
    assert analysis.rows()
    calls = {"pandas": analysis.estimates, "matplotlib": lambda: analysis.plot("copied")}
    with pytest.raises(ImportError, match=f"{library} is needed for this: pip install {library}"):
        calls[library]()
