"""Broken, changed, foreign and hostile files: one sentence that names the file, the place and the value."""

import csv
import hashlib
import shutil
import zipfile
import zlib
from contextlib import suppress

import candor
import numpy as np
import pytest

from survey.analysis import Unusable, archive, read_files, reports_file
from survey.fields import DefinitionError

HEADING = "copied,sector,drinks,habit_1,habit_2,habit_3"
ROW = "0,0,11,0,0,0"
"""Somebody who was asked about habits, not about drinks."""


@pytest.fixture
def longest_field():
    """Python's own limit, which other libraries raise for the whole process."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


def refused(path):
    with pytest.raises(Unusable) as caught:
        candor.read(path)
    return str(caught.value).replace(str(path), "PATH")


def packed(path, *members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "row 1 must name the column copied once, got it 0 times in ''"),
        (f"{HEADING};x\n".replace(",", ";"), "row 1 must name the column copied once, got it 0 times in"),
        (
            f"{HEADING},copied\n",
            f"row 1 must name the column copied once, got it 2 times in '{HEADING},copied'",
        ),
        (f"{HEADING}\n{ROW}\n0,0,11,0,0\n", "row 3 must have 6 cells like the heading, got 5"),
        (f"{HEADING}\n{ROW}\n\n{ROW}\n", "row 3 must have 6 cells like the heading, got 0"),
        (f"{HEADING}\n0,7,11,0,0,0\n", "row 2, column sector must be a whole number from 0 to 3, got '7'"),
        (f"{HEADING}\n{ROW}\n0,,11,0,0,0", "row 3, column sector must be a whole number from 0 to 3, got ''"),
        (f"{HEADING}\n{ROW}\nyes,0,11,0,0,0", "row 3, column copied must be a whole number from 0 to 3"),
        (f"{HEADING}\n{ROW}\n=1+1,0,11,0,0,0", "row 3, column copied must be a whole number from 0 to 3"),
        (f"{HEADING}\n{ROW}\n1.0,0,11,0,0,0", "row 3, column copied must be a whole number from 0 to 3"),
        (f"{HEADING}\n{ROW}\n０,0,11,0,0,0", "row 3, column copied must be a whole number from 0 to 3"),
        (
            f"{HEADING}\n{ROW}\n0,0,11,0,2,0\n",
            "column habit_2 must hold 2 people who were asked the section habits, like habit_1, got 1",
        ),
        (
            f'{HEADING}\n"{ROW}\n' + f"{ROW}\n" * 20_000,
            "line 10084 must be a row of a CSV file (field larger",
        ),
        (HEADING + "," * 20_000, "must have lines of less than 20000 characters, got a longer one"),
    ],
)
def test_reports_that_are_none(folder, text, sentence, longest_field):
    (folder / "reports.csv").write_text(text, encoding="utf-8")
    assert sentence in refused(folder)
    assert refused(folder).startswith("PATH/reports.csv")


def test_rows_are_numbered_across_blocks(folder, monkeypatch):
    monkeypatch.setattr(reports_file, "BLOCK", 3)
    (folder / "reports.csv").write_text("\n".join([HEADING, *[ROW] * 7, "0,9,11,0,0,0"]))
    assert "row 9, column sector" in refused(folder)
    (folder / "reports.csv").write_text("\n".join([HEADING, *[ROW] * 7]))
    assert candor.read(folder).results.respondents == 7


def test_what_spreadsheets_make_of_the_file_is_read_all_the_same(folder):
    text = "\ufeff" + f"note,{HEADING}\r\n" + f'"mine",{ROW}\r\n' + '"","1","1","11","1","1","1"\r\n'
    (folder / "reports.csv").write_bytes(text.encode())
    assert candor.read(folder).table().tolist() == [[0, 0, 11, 0, 0, 0], [1, 1, 11, 1, 1, 1]]


@pytest.mark.parametrize("encoding", ["utf-16", "cp949"])
def test_another_encoding_is_named(folder, encoding):
    (folder / "reports.csv").write_bytes(f"메모,{HEADING}\n".encode(encoding))
    assert refused(folder).startswith("PATH/reports.csv must be a CSV file in UTF-8, got 0x")
    (folder / "survey.toml").write_bytes("# 설문\n".encode(encoding))
    assert refused(folder).startswith("PATH/survey.toml must be UTF-8, got 0x")


def test_no_reports_are_reports_of_nobody(folder):
    (folder / "reports.csv").write_text(HEADING + "\n")
    analysis = candor.read(folder)
    assert analysis.results.respondents == 0
    assert analysis.table().shape == (0, 6)
    assert analysis.rows()


def test_a_survey_file_that_is_none_names_the_key(folder):
    text = (folder / "survey.toml").read_text(encoding="utf-8").replace("epsilon = 2.0", "epsilon = 20.0")
    (folder / "survey.toml").write_text(text, encoding="utf-8")
    with pytest.raises(
        DefinitionError, match=r"survey\.toml: sections\[0\]\.questions\[1\]\.epsilon must be"
    ):
        candor.read(folder)


def test_a_file_that_is_missing_is_named(folder, tmp_path):
    (folder / "reports.csv").unlink()
    assert refused(folder) == "PATH must hold reports.csv, and does not"
    assert refused(tmp_path / "nowhere") == "PATH must be a folder or a zip, and is not there"
    (tmp_path / "a.zip").write_bytes(b"no zip")
    assert refused(tmp_path / "a.zip") == "PATH must be a folder or a zip (File is not a zip file)"


def test_a_file_that_was_changed_after_the_download_is_named(folder):
    sums = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in folder.iterdir()]
    (folder / "checksums.txt").write_text("".join(sums))
    assert candor.read(folder)
    with (folder / "reports.csv").open("a") as file:
        file.write(ROW + "\n")
    assert refused(folder).startswith(
        "PATH/reports.csv was changed after it was downloaded: its SHA-256 must be"
    )


def test_estimates_of_another_survey_are_named(folder):
    (folder / "estimates.csv").write_text("survey,fingerprint,state\nwork,0123,closed\n")
    assert "estimates.csv, row 2, column fingerprint must be" in refused(folder)
    assert refused(folder).endswith("that of survey.toml, got '0123'")
    (folder / "estimates.csv").write_bytes("survey\n설문\n".encode("cp949"))
    assert "estimates.csv, row 2 must be a row of a CSV file in UTF-8" in refused(folder)


def test_a_damaged_zip_is_refused(folder, tmp_path):
    data = "\n".join([HEADING, *[ROW] * 5000]).encode()
    path = packed(
        tmp_path / "a.zip", ("w/survey.toml", (folder / "survey.toml").read_bytes()), ("w/reports.csv", data)
    )
    assert candor.read(path).results.respondents == 5000
    whole = path.read_bytes()
    at = whole.index(zlib.compress(data, wbits=-15)[:20]) + 25
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
    assert refused(path).startswith("PATH, reports.csv: the zip is damaged (")
    path.write_bytes(whole[: len(whole) // 2])
    assert refused(path) == "PATH must be a folder or a zip (File is not a zip file)"


def test_a_zip_with_any_byte_changed_is_read_or_refused(folder, tmp_path):
    whole = packed(
        tmp_path / "a.zip",
        ("w/survey.toml", (folder / "survey.toml").read_bytes()),
        ("w/reports.csv", "\n".join([HEADING, *[ROW] * 9])),
    ).read_bytes()
    random = np.random.default_rng(1)
    for place in random.choice(len(whole), 300, replace=False):
        data = bytearray(whole)
        data[place] = random.integers(256)
        (tmp_path / "a.zip").write_bytes(data)
        with suppress(Unusable, DefinitionError):
            assert candor.read(tmp_path / "a.zip").results.respondents == 9


def test_a_zip_that_expands_beyond_all_measure_is_refused_before_it_is_read(folder, tmp_path, monkeypatch):
    definition = (folder / "survey.toml").read_bytes()
    path = packed(
        tmp_path / "a.zip", ("survey.toml", definition + b"#" * 2_000_000), ("reports.csv", HEADING)
    )
    assert refused(path).startswith("PATH, survey.toml must be packed at most 200 to 1, got 20")
    path = packed(tmp_path / "b.zip", ("survey.toml", b"#" * 3_000_000), ("reports.csv", HEADING))
    assert refused(path) == "PATH, survey.toml must be at most 2097152 bytes long, got 3000000"
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    path = packed(tmp_path / "c.zip", ("survey.toml", definition), ("reports.csv", "0\n" * 1000))
    assert refused(path) == "PATH, reports.csv must be at most 1000 bytes long, got 2000"
    monkeypatch.setattr(archive, "MOST_MEMBERS", 3)
    path = packed(tmp_path / "d.zip", *[(f"{n}.txt", "") for n in range(4)])
    assert refused(path) == "PATH must hold at most 3 files, got 4"


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_a_zip_with_more_than_one_survey_is_refused(folder, tmp_path):
    definition = (folder / "survey.toml").read_bytes()
    path = packed(tmp_path / "a.zip", ("a/survey.toml", definition), ("b/survey.toml", definition))
    assert refused(path) == "PATH must hold one survey.toml, got 2"
    path = packed(tmp_path / "b.zip", ("survey.toml", definition), ("reports.csv", "a"), ("reports.csv", "b"))
    assert refused(path) == "PATH must hold each file once, got reports.csv twice"
    path = packed(tmp_path / "c.zip", ("a/survey.toml", definition), ("b/reports.csv", HEADING))
    assert refused(path) == "PATH must hold reports.csv, and does not"


def test_a_path_in_a_zip_leads_nowhere(folder, tmp_path):
    definition = (folder / "survey.toml").read_bytes()
    path = packed(
        tmp_path / "a.zip", ("../../survey.toml", definition), ("../../reports.csv", f"{HEADING}\n{ROW}\n")
    )
    assert candor.read(path).results.respondents == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.zip", folder.name]


def test_another_way_of_packing_is_refused(folder, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as made:
        made.write(folder / "survey.toml", "survey.toml")
        made.write(folder / "reports.csv", "reports.csv")
    assert refused(tmp_path / "a.zip") == "PATH, survey.toml must be stored or deflated, without a password"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("code,count\n", "row 1 must be column,code,count, got 'code,count'"),
        ("column,code,count\nx,0,1\n", "row 2, column must be one of copied, sector, drinks, habit_1"),
        (
            "column,code,count\ncopied,4,1\n",
            "row 2, code of copied must be a whole number from 0 to 3, got '4'",
        ),
        (
            "column,code,count\ncopied,0,-1\n",
            "row 2, count must be a whole number from 0 to 9007199254740992",
        ),
        (
            "column,code,count\ncopied,0,1\ncopied,0,2\n",
            "row 3 must list each code once, got code 0 of copied",
        ),
        ("column,code,count\ncopied,0\n", "row 2 must have 3 cells, got 2"),
        ("column,code,count\ncopied,0,9\n", "column sector must hold 9 people, like copied, got 0"),
    ],
)
def test_counts_that_are_none(folder, text, sentence):
    path = folder / "counts.csv"
    path.write_text(text)
    with pytest.raises(Unusable) as caught:
        read_files(folder / "survey.toml", counts=path)
    assert str(caught.value).startswith(f"{path}, ")
    assert sentence in str(caught.value)


def test_an_unusual_end_of_a_zip_is_no_surprise(folder, tmp_path):
    path = shutil.make_archive(tmp_path / "a", "zip", folder.parent, folder.name)
    with open(path, "ab") as file:  # noqa: PTH123
        file.write(b"\0" * 10)
    assert candor.read(path).results.respondents == 400
