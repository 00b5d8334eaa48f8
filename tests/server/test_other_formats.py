"""The workbook, the SQLite file and Parquet: the same numbers as the CSV, and nothing in them runs."""

import io
import re
import secrets
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import closing
from xml.etree import ElementTree

import numpy as np
import pyarrow.parquet as pq
import pytest

from server.results.downloads import temporary_files
from server.results.downloads.gather_material import count_reports
from server.results.downloads.temporary_files import temporary_file
from server.results.files import codebook
from server.results.files.material import Material
from server.results.files.parquet_file import write_parquet
from server.results.files.sqlite_file import write_sqlite
from server.results.files.workbook import write_workbook
from server.store import surveys
from server.store.results.reports_file import reports_file
from server.store.results.sorted_reports import SortedReports
from server.store.submissions import Submission
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.publication import publish
from survey.read_definition import from_dict

NAMESPACE = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "http://a.example",
    "{=1}",
    "한국어\t\x01\n둘",
]


def cells(sheet, data):
    """What a sheet holds: row by row, (kind, text) of each cell that is there."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    shared = []
    if "xl/sharedStrings.xml" in archive.namelist():
        shared = ElementTree.fromstring(archive.read("xl/sharedStrings.xml")).findall("x:si", NAMESPACE)
    tree = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{sheet}.xml"))
    found = []
    for row in tree.iterfind(".//x:row", NAMESPACE):
        found.append({})
        for cell in row.iterfind("x:c", NAMESPACE):
            assert cell.find("x:f", NAMESPACE) is None  # a formula
            kind, place = cell.get("t", "n"), re.match("[A-Z]+", cell.get("r"))[0]
            text = "".join((shared[int(cell[0].text)] if kind == "s" else cell).itertext())
            found[-1][place] = (kind, text)
    return found


def made(make, *args):
    return b"".join(temporary_file(lambda path: make(*args, path)))


def test_the_workbook_holds_every_estimate_as_a_number_and_every_code(examples):
    figures = examples["student-life"].figures
    data = made(write_workbook, figures)
    heading, *table = cells(1, data)
    assert [text for _, text in heading.values()] == list(header(figures))
    estimates = rows(figures)
    assert len(table) == len(estimates)
    place = list(heading)[header(figures).index("estimate")]
    for found, expected in zip(table, estimates, strict=True):
        value = expected[header(figures).index("estimate")]
        if value is not None:
            assert (found[place][0], float(found[place][1])) == ("n", pytest.approx(value, rel=1e-15))
    assert len(cells(2, data)) == 1 + len(list(codebook.rows(figures.publication)))


def test_a_wording_in_the_workbook_is_a_text_whatever_it_begins_with(survey_file):
    options = [{"en": text} for text in FORMULAS]
    question = {"id": "q", "kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": options}
    publication = publish(
        from_dict(survey_file(questions=[question | {"wording": {"en": "=1+1"}}]), "the test")
    )
    results = count_reports(publication, SortedReports(np.zeros((1, 1), np.uint8), np.array([3])))
    figures = figures_of("exams", "closed", publication, results, Precision(0.95, "exact"))
    data = made(write_workbook, figures)
    heading, *table = cells(1, data)
    names = dict(zip(header(figures), heading, strict=True))
    assert {row[names["wording"]] for row in table if names["wording"] in row} == {("inlineStr", "=1+1")}
    labels = [row[names["label"]] for row in table if names["label"] in row]
    assert [kind for kind, _ in labels] == ["inlineStr"] * len(FORMULAS)
    assert [text for _, text in labels][:7] == FORMULAS[:7]
    assert made(write_workbook, figures) == data  # no time in it


@pytest.fixture
def database(examples, tmp_path):
    """Make the SQLite file of an example, and open it as a stranger does."""

    def database(slug):
        material = examples[slug]
        path = tmp_path / "reports.sqlite"
        path.write_bytes(made(write_sqlite, material, material.reports))
        return material, sqlite3.connect(path)

    return database


def test_a_sqlite_file_takes_keywords_as_names_is_filled_from_any_thread_and_closed_at_its_end(tmp_path):
    with reports_file(tmp_path / "reports.sqlite") as file:
        filling = threading.Thread(target=file.add_facts, args=({"respondents": 2},))
        filling.start()
        filling.join()
        words = [("select", 0, "No"), ("select", 1, "Yes"), ("from", 0, "None"), ("from", 1, "Some")]
        file.add_table("codebook", ("column", "code", 'in "en"'), words)
        file.add_reports(["select", "from"])
        file.fill_reports(np.array([[0, 1], [1, 0]], np.uint8))
        file.add_view("order", ["select", "from"], 'in "en"')
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        file.connection.execute("SELECT 1")
    with closing(sqlite3.connect(tmp_path / "reports.sqlite")) as opened:
        found = opened.execute('SELECT "select", "from" FROM "order"').fetchall()
        assert found == [("No", "Some"), ("Yes", "None")]
        assert opened.execute("SELECT * FROM about").fetchall() == [("respondents", 2)]
        keys = {
            table: opened.execute("SELECT name FROM pragma_table_info(?) WHERE pk", [table]).fetchall()
            for table in ("about", "codebook")
        }
    assert keys == {"about": [("name",)], "codebook": []}


@pytest.mark.parametrize("slug", ["exam-honesty", "student-life", "undeclared-work", "workplace"])
def test_the_sqlite_file_holds_the_reports_and_all_that_explains_them(database, slug):
    material, opened = database(slug)
    found = opened.execute("SELECT * FROM reports")
    assert [name for name, *_ in found.description] == list(material.publication.columns)
    assert [list(row) for row in found] == material.reports.between(0, 200).tolist()
    assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert opened.execute("SELECT COUNT(*) FROM codebook").fetchone()[0] == sum(
        column.codes for column in material.publication.columns.values()
    )
    facts = dict(opened.execute("SELECT * FROM about"))
    assert (facts["fingerprint"], facts["respondents"]) == (material.publication.fingerprint, 200)
    assert opened.execute("SELECT COUNT(*) FROM estimates").fetchone()[0] == len(rows(material.figures))


def test_its_channels_can_be_worked_with_in_sql(database):
    material, opened = database("exam-honesty")
    (weight,) = opened.execute(
        "SELECT json_extract(matrix, '$[1][0]') FROM channels WHERE \"column\" = ? AND stratum = ?",
        ("copied", "device"),
    ).fetchone()
    assert weight == material.publication.columns["copied"].channel.weights[1, 0]


def test_a_view_for_each_language_says_what_the_codes_mean(database):
    material, opened = database("undeclared-work")
    assert {name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'view'")} == {
        "reports_en",
        "reports_ko",
    }
    words = {"en": {"No", "Yes", "Not asked"}, "ko": {"아니요", "예", "묻지 않음"}}
    for language, expected in words.items():
        found = {word for (word,) in opened.execute(f"SELECT undeclared FROM reports_{language}")}
        assert found == expected
    count = opened.execute("SELECT COUNT(*) FROM reports_en WHERE undeclared = 'Not asked'").fetchone()[0]
    column = material.publication.columns["undeclared"]
    assert count == (material.reports.between(0, 200)[:, 0] == column.not_asked_code).sum() > 0


def test_parquet_holds_the_reports_and_the_fingerprint(examples, tmp_path):
    material = examples["student-life"]
    path = tmp_path / "reports.parquet"
    path.write_bytes(made(write_parquet, material, material.reports))
    table = pq.read_table(path)
    assert table.column_names == list(material.publication.columns)
    codes = np.column_stack([column.to_numpy() for column in table.columns])
    assert codes.tolist() == material.reports.between(0, 200).tolist()
    assert table.schema.metadata[b"fingerprint"].decode() == material.publication.fingerprint


def test_the_server_loads_what_writes_workbooks_and_parquet_only_when_asked():
    code = (
        "import server.results.downloads.single_files, sys; "
        "print(sys.modules.keys() & {'pyarrow', 'xlsxwriter'})"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"


def test_nothing_is_left_behind_when_a_file_is_sent_or_nobody_takes_it(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sent = temporary_file(lambda path: path.write_bytes(b"a" * 100_000) and None)
    assert list(tmp_path.iterdir()) == []
    assert b"".join(sent) == b"a" * 100_000

    def fails(path):
        path.write_bytes(b"half")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        temporary_file(fails)
    assert list(tmp_path.iterdir()) == []


def test_files_are_made_one_at_a_time():
    begun, most = [], []

    def make(path):
        begun.append(path)
        most.append(len(begun))
        time.sleep(0.02)
        path.write_bytes(b"a")
        begun.remove(path)

    threads = [threading.Thread(target=lambda: temporary_file(make).close()) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1, 1]


def test_there_is_room_for_a_few_files_until_they_are_sent_or_given_up(exams, storage, browse):
    exams(close=True)
    storage.finish()
    staff = browse("researcher")

    def get(name="reports.sqlite"):
        return staff.client.get(f"/results/exams/{name}", headers={"Accept-Language": "en"}, buffered=False)

    held = [get() for _ in range(temporary_files.MOST_FILES)]
    assert {answer.status_code for answer in held} == {200}
    for name in ("reports.sqlite", "reports.parquet", "estimates.xlsx"):
        refused = get(name)
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert "eight are being made or sent" in refused.text
    assert get("reports.csv").status_code == 200
    held.pop().close()
    assert get().data[:4] == b"SQLi"
    with pytest.raises(ZeroDivisionError):
        temporary_file(lambda path: 1 / 0)
    held.append(get("estimates.xlsx"))
    assert held[-1].status_code == 200
    for answer in held:
        answer.close()


NAMES = ["reports.sqlite", "reports.parquet"]


@pytest.fixture
def exams(storage, survey_file, one_by_one):
    def exams(close):
        survey = storage.write(surveys.open_survey, storage.write(surveys.create_draft, survey_file()).id)
        fingerprint = survey.publication.fingerprint
        batch = [
            Submission(survey.id, fingerprint, secrets.token_hex(16), {"copied": n % 2, "data": n % 3 == 0})
            for n in range(43)
        ]
        storage.write(one_by_one, batch, "2026-05-04")
        return storage.write(surveys.close_survey, survey.id) if close else survey

    return exams


@pytest.mark.parametrize("name", NAMES)
def test_they_answer_as_the_csv_does(exams, storage, browse, name):
    staff = browse("researcher")
    survey = exams(close=False)
    assert staff.get(f"/results/exams/{name}").status_code == 409
    storage.write(surveys.close_survey, survey.id)
    assert staff.get(f"/results/exams/{name}").status_code == 503
    storage.finish()
    answer = staff.get(f"/results/exams/{name}")
    assert answer.status_code == 200
    named = f"exams-{survey.publication.fingerprint[:12]}-{name}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{named}"'
    assert answer.data[:4] in (b"SQLi", b"PAR1")
    assert staff.get(f"/results/none/{name}").status_code == 404


def test_without_the_package_parquet_is_refused_in_one_sentence(exams, storage, browse, monkeypatch):
    exams(close=True)
    storage.finish()
    monkeypatch.setattr("server.results.files.parquet_file.INSTALLED", False)
    answer = browse("researcher").get("/results/exams/reports.parquet")
    assert answer.status_code == 501
    assert "Ask whoever runs the server to install candor-survey[parquet]" in answer.text


def test_the_workbook_comes_at_the_level_that_is_asked_for(exams, browse):
    exams(close=False)
    answer = browse("researcher").get("/results/exams/estimates.xlsx?confidence_level=0.9")
    heading, first, *_ = cells(1, answer.data)
    (place,) = [place for place, (_, text) in heading.items() if text == "confidence_level"]
    assert first[place] == ("n", "0.9")
    assert browse("researcher").get("/results/exams/estimates.xlsx?confidence_level=2").status_code == 400


def test_a_survey_that_nobody_answered_gives_tables_without_rows(survey_file, tmp_path):
    publication = publish(from_dict(survey_file(), "the test"))
    reports = SortedReports.of(np.zeros((0, 2)))
    results = count_reports(publication, reports)
    figures = figures_of("exams", "closed", publication, results, Precision(0.95, "exact"))
    material = Material(figures, reports, "0.9")
    for name, make in {"sqlite": write_sqlite, "parquet": write_parquet}.items():
        (tmp_path / name).write_bytes(made(make, material, reports))
    opened = sqlite3.connect(tmp_path / "sqlite")
    assert opened.execute("SELECT COUNT(*) FROM reports_en").fetchone() == (0,)
    table = pq.read_table(tmp_path / "parquet")
    assert (table.num_rows, table.column_names) == (0, ["copied", "data"])
    assert len(cells(1, made(write_workbook, figures))) == 1 + len(rows(figures))
