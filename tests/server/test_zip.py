"""The zip of a survey: whole, described, the same for everybody who asks, and sent while it is made."""

import csv
import hashlib
import io
import json
import os
import re
import secrets
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from html import unescape

import candor
import frictionless
import numpy as np
import pytest

from server.results.archive import contents
from server.results.archive.contents import files
from server.results.archive.datapackage import package
from server.results.archive.hashed_file import HashedFile
from server.results.archive.zip_stream import zip_pieces
from server.results.downloads.gather_material import count_reports
from server.results.files.material import Material
from server.results.files.sqlite_file import write_sqlite
from server.runtime import offload
from server.store import surveys
from server.store.results.sorted_reports import SortedReports
from server.store.submissions import Submission
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.publication import publish
from survey.read_definition import from_dict, parse

SLUGS = ["exam-honesty", "student-life", "undeclared-work", "workplace"]


def packed(material):
    return b"".join(zip_pieces(material.folder, files(material)))


def opened(data):
    """The files of a zip: name without the folder -> bytes."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.testzip() is None
    (folder,) = {name.partition("/")[0] for name in archive.namelist()}
    return {name.removeprefix(f"{folder}/"): archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module", params=SLUGS)
def material(request, examples):
    return examples[request.param]


@pytest.fixture(scope="module")
def found(material):
    return opened(packed(material))


def table(text):
    return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline="")))


def test_every_file_stands_in_the_checksums_but_they_themselves(found):
    lines = found["checksums.txt"].decode().splitlines()
    assert [line.split("  ")[1] for line in lines] == [name for name in found if name != "checksums.txt"]
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256(found[name]).hexdigest() == digest


def test_the_reports_are_those_of_every_respondent_and_the_codebook_explains_each_code(material, found):
    rows = table(found["reports.csv"])
    assert [[int(code) for code in row.values()] for row in rows] == material.reports.between(0, 200).tolist()
    known = {(row["column"], row["code"]) for row in table(found["codebook.csv"])}
    assert {(name, code) for row in rows for name, code in row.items()} <= known


def test_the_mean_of_a_number_follows_from_the_reports_and_the_codebook(examples):
    found = opened(packed(examples["student-life"]))
    adds = {(row["column"], row["code"]): row["adds_to_mean"] for row in table(found["codebook.csv"])}
    kinds = ("mean", "number")
    means = [row for row in table(found["estimates.csv"]) if (row["quantity"], row["kind"]) == kinds]
    assert means
    for row in means:
        name = row["column"]
        codes = [each[name] for each in table(found["reports.csv"])]
        values = [float(adds[name, code]) for code in codes if adds[name, code]]
        assert np.mean(values) == pytest.approx(float(row["unbiased"]))
        assert float(row["low"]) <= float(row["estimate"]) <= float(row["high"])


def test_the_survey_file_makes_the_same_survey_again(material, found):
    again = publish(parse(found["survey.toml"].decode(), "survey.toml"))
    assert again.fingerprint == material.publication.fingerprint


def test_it_is_read_back_with_the_same_estimates(material, tmp_path):
    (tmp_path / "all.zip").write_bytes(packed(material))
    analysis = candor.read(tmp_path / "all.zip")
    assert (analysis.publication, analysis.state) == (material.publication, material.figures.state)
    assert np.array_equal(analysis.table(), material.reports.between(0, 200))
    again = analysis.figures(material.figures.confidence_level, material.figures.method)
    assert rows(again) == rows(material.figures)


@pytest.fixture
def unpacked(material, found, tmp_path):
    for name, data in found.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_the_description_holds_for_the_files(unpacked, found):
    description = json.loads(found["datapackage.json"])
    about = {"datapackage.json", "checksums.txt"}
    assert {each["path"] for each in description["resources"]} == found.keys() - about
    report = frictionless.Package(str(unpacked / "datapackage.json")).validate()
    assert report.flatten(["title", "note"]) == []
    assert report.stats["tasks"] == len(found) - len(about)


@pytest.mark.parametrize(("language", "words"), [("en", "The lower end of"), ("ko", "신뢰구간의 아래 끝")])
def test_the_description_says_of_each_column_what_it_holds(examples, language, words):
    material = examples["student-life"]
    definition = material.publication.definition
    languages = (language, *(each for each in definition.languages if each != language))
    publication = replace(material.publication, definition=replace(definition, languages=languages))
    spoken = replace(material, figures=replace(material.figures, publication=publication))
    made = {name: HashedFile([]) for name in ("estimates.csv", "codebook.csv")}
    for resource in package(spoken, made)["resources"]:
        said = {field["name"]: field["description"] for field in resource["schema"]["fields"]}
        assert all(said.values())
        assert said["low"].startswith(words) == (resource["path"] == "estimates.csv")
        assert "\N{WORD JOINER}" not in "".join(said.values())  # it only tells a page where a line may end


def test_the_description_says_which_tables_begin_with_a_byte_order_mark(examples):
    found = opened(packed(examples["student-life"]))
    description = json.loads(found["datapackage.json"])
    said = {each["path"]: each["description"] for each in description["resources"] if "schema" in each}
    assert said.keys() == {"estimates.csv", "reports.csv", "codebook.csv"}
    for path, words in said.items():
        marked = found[path].startswith(b"\xef\xbb\xbf")
        assert ("begins with a byte order mark" in words) == marked
        assert ("begins without the byte order mark" in words) == (not marked)
        assert marked or found[path].isascii()


def test_where_nobody_reported_each_estimate_says_that_nothing_is_known(examples):
    publication = examples["student-life"].publication
    nobody = count_reports(publication, SortedReports.of(np.zeros((0, len(publication.columns)))))
    figures = figures_of("student-life", "closed", publication, nobody, Precision(0.95, "exact"))
    every = [dict(zip(header(figures), row, strict=True)) for row in rows(figures)]
    estimates = [row for row in every if row["quantity"] in ("proportion", "mean", "quantile")]
    assert {row["quantity"] for row in estimates} == {"proportion", "mean"}
    for row in estimates:
        assert (row["reported"], row["standard_error"]) == (0, None)
        assert row["warnings"].startswith("Nobody has answered yet, so nothing is known.")
        assert row["quantity"] != "proportion" or (row["low"], row["high"]) == (0, 1)
    spent = publication.definition.questions[-1]
    (mean,) = [row for row in estimates if (row["column"], row["quantity"]) == (spent.id, "mean")]
    assert (mean["low"], mean["high"]) == (spent.low, spent.high)


def test_whoever_reads_by_the_description_sees_codes_without_an_answer_as_missing(unpacked, material):
    resource = frictionless.Package(str(unpacked / "datapackage.json")).get_resource("reports")
    missing = dict.fromkeys(material.publication.columns, 0)
    for row in resource.read_rows():
        for name, value in row.items():
            missing[name] += value is None
    for place, (name, column) in enumerate(material.publication.columns.items()):
        codes = {column.skip_code, column.not_asked_code} - {None}
        if column.channel.reports == 3 and column.channel.answers == 2:
            codes.add(2)  # not sampled
        assert missing[name] == np.isin(material.reports.between(0, 200)[:, place], list(codes)).sum()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("estimates.csv", b"copied", b"cobied"),  # a column that the codebook does not know
        ("reports.csv", b"\r\n1,", b"\r\n9,"),  # a code that does not exist
        ("codebook.csv", b"report,1", b"report,x"),  # no number
    ],
)
def test_the_description_does_not_hold_for_others(examples, tmp_path, name, old, new):
    for each, data in opened(packed(examples["exam-honesty"])).items():
        assert each != name or old in data
        (tmp_path / each).write_bytes(data.replace(old, new) if each == name else data)
    description = json.loads((tmp_path / "datapackage.json").read_text())
    assert not frictionless.Package(str(tmp_path / "datapackage.json")).validate().valid
    for each in description["resources"]:
        del each["hash"], each["bytes"]  # not only because the bytes are others
    (tmp_path / "datapackage.json").write_text(json.dumps(description))
    assert not frictionless.Package(str(tmp_path / "datapackage.json")).validate().valid


def test_the_same_reports_give_the_same_bytes_with_no_time_in_them(material):
    first, again = packed(material), packed(material)
    assert first == again
    entries = zipfile.ZipFile(io.BytesIO(first)).infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {stat.filemode(entry.external_attr >> 16) for entry in entries} == {"?rw-r--r--"}


def test_other_programs_open_it(examples, tmp_path):
    path = tmp_path / "all.zip"
    path.write_bytes(packed(examples["exam-honesty"]))
    subprocess.run([sys.executable, "-m", "zipfile", "-t", path], check=True, timeout=600)
    assert zipfile.ZipFile(path).infolist()[0].create_version < 45  # no Zip64 where nothing is that large


def test_a_file_that_may_pass_two_gigabytes_is_written_so_that_it_can(examples):
    material = examples["exam-honesty"]
    assert contents.names_of_huge(material) == frozenset()
    many = SortedReports(np.zeros((1, 1), np.uint8), np.array([2**31 // 5 + 1]))
    assert contents.names_of_huge(replace(material, reports=many)) == {"reports.csv"}
    pieces = zip_pieces("folder", [("reports.csv", [b"a"])], {"reports.csv"})
    assert opened(b"".join(pieces)) == {"reports.csv": b"a"}


def test_it_is_sent_while_it_is_made(monkeypatch):
    taken, calls = [], []
    monkeypatch.setattr(offload, "run", lambda function, *args: calls.append(function) or function(*args))

    def pieces():
        for number in range(20):
            taken.append(number)
            yield os.urandom(100_000)

    sent = zip_pieces("folder", [("noise", pieces())])
    assert len(next(sent)) > 0
    assert len(taken) == 1
    lengths = [len(next(sent)) for _ in range(10)]
    assert max(lengths) < 300_000
    assert len(taken) < 20
    assert len(calls) == len(taken)  # each is packed in a thread
    rest = sum(map(len, sent))
    assert rest > 0


def test_while_the_reports_are_kept_back_everything_else_comes(examples):
    material = replace(examples["student-life"], reports=None)
    whole = opened(packed(examples["student-life"])).keys()
    assert whole - opened(packed(material)).keys() >= {"reports.csv"}
    assert opened(packed(material)).keys() == whole - contents.FROM_REPORTS
    assert "reports" not in {
        each["name"] for each in json.loads(opened(packed(material))["datapackage.json"])["resources"]
    }


@pytest.fixture
def exams(storage, survey_file, one_by_one):
    """A survey with 43 respondents, open or closed."""

    def exams(close=True, **results):
        draft = storage.write(surveys.create_draft, survey_file(results={"step": 10} | results))
        survey = storage.write(surveys.open_survey, draft.id)
        fingerprint = survey.publication.fingerprint
        batch = [
            Submission(survey.id, fingerprint, secrets.token_hex(16), {"copied": n % 2, "data": n % 3 == 0})
            for n in range(43)
        ]
        assert set(storage.write(one_by_one, batch, "2026-05-04")) == {"stored"}
        if close:
            survey = storage.write(surveys.close_survey, survey.id)
        return survey

    return exams


def test_a_closed_survey_gives_everything_and_the_estimates_of_the_single_file(exams, storage, browse):
    survey, staff = exams(), browse("researcher")
    storage.finish()
    answer = staff.get("/results/exams/all.zip?confidence_level=0.9&method=wilson")
    folder = f"exams-{survey.publication.fingerprint[:8]}"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{folder}.zip"'
    assert answer.headers["Content-Type"] == "application/zip"
    found = opened(answer.data)
    single = staff.get("/results/exams/estimates.csv?confidence_level=0.9&method=wilson")
    assert found["estimates.csv"] == single.data
    for name in ("reports.csv", "codebook.csv", "channels.json", "survey.toml"):
        assert found[name] == staff.get(f"/results/exams/{name}").data
    assert len(table(found["reports.csv"])) == 43


def test_while_they_are_prepared_it_answers_as_the_reports_do(exams, browse):
    exams()
    answer = browse("researcher").get("/results/exams/all.zip")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_an_open_survey_gives_no_reports(exams, browse):
    exams(close=False)
    found = opened(browse("researcher").get("/results/exams/all.zip").data)
    assert "reports.csv" not in found
    assert {row["respondents"] for row in table(found["estimates.csv"])} == {"30"}  # a step late


def test_where_an_open_survey_gives_its_rows_the_estimates_are_those_of_the_rows(exams, browse):
    exams(close=False, reports_while_open=True)
    found = opened(browse("researcher").get("/results/exams/all.zip").data)
    assert len(table(found["reports.csv"])) == 43
    assert {row["respondents"] for row in table(found["estimates.csv"])} == {"43"}


def test_a_wrong_level_is_named_and_nothing_is_sent(exams, browse):
    exams(close=False)
    answer = browse("researcher").get("/results/exams/all.zip?confidence_level=2")
    assert answer.status_code == 400
    assert "confidence_level must be one of" in answer.text


def links(staff, address="/results/exams"):
    """The downloads that the page offers: id -> address."""
    part = staff.get(address).text.split('id="downloads"')[1].split("</section>")[0]
    return {name: unescape(link) for name, link in re.findall(r'<a [^>]*id="([^"]+)" href="([^"]+)"', part)}


def test_every_download_of_the_page_comes_as_a_file_with_its_level(exams, storage, browse):
    exams()
    storage.finish()
    staff = browse("researcher")
    offered = links(staff, "/results/exams?confidence_level=0.9")
    assert {
        "all-zip",
        "estimates-xlsx",
        "reports-sqlite",
        "reports-parquet",
        "codebook-html",
    } <= offered.keys()
    for name, address in offered.items():
        answer = staff.get(address)
        assert (name, answer.status_code) == (name, 200)
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
    for name in ("all-zip", "estimates-csv", "estimates-json", "estimates-xlsx", "reports-sqlite"):
        assert "confidence_level=0.9" in offered[name]


def test_the_page_offers_no_reports_before_they_can_be_had(exams, storage, browse, monkeypatch):
    survey, staff = exams(close=False), browse("researcher")
    offered = links(staff).keys()
    assert {"all-zip", "estimates-csv", "survey-toml"} <= offered
    assert not [name for name in offered if name.startswith("reports")]
    storage.write(surveys.close_survey, survey.id)
    assert 'id="preparing"' in staff.get("/results/exams").text
    assert "all-zip" not in links(staff)  # it would have to wait for the reports
    storage.finish()
    monkeypatch.setattr("server.results.files.parquet_file.INSTALLED", False)
    offered = links(staff).keys()
    assert ("reports-parquet" in offered, "reports-sqlite" in offered) == (False, True)


HOSTILE = [
    '=cmd|\' /C calc\'!A0", "two"\r\nlines',
    "한국어, “인용”\n둘째 줄",
    "+1",
    "@a",
    "{{ x }} <script>|`*",
]


@pytest.fixture(scope="module")
def hostile():
    """What comes of a survey whose every text is meant to be something else."""
    said = [{"en": text, "ko": text} for text in HOSTILE]
    choice = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": said}
    boxes = {"kind": "boxes", "mechanism": "sampled_box", "epsilon": 1.0, "options": said}
    number = {"kind": "number", "mechanism": "laplace", "epsilon": 5.0, "low": 0, "high": 5, "step": 1}
    asked = [choice, boxes, number | {"unit": said[0]}]
    questions = [
        {"id": f"q{place}", "wording": said[place]} | question for place, question in enumerate(asked)
    ]
    texts = dict.fromkeys(("title", "information", "consent"), said[0])
    table = {"candor": 1, "slug": "hostile", "languages": ["en", "ko"], "questions": questions, **texts}
    return publish(from_dict(table, "the test"))


def answered_by(publication, respondents):
    """The files of a survey that was answered at random."""
    chance = np.random.default_rng(1)
    columns = [chance.integers(0, column.codes, respondents) for column in publication.columns.values()]
    reports = SortedReports.of(np.column_stack(columns))
    results = count_reports(publication, reports)
    figures = figures_of("hostile", "closed", publication, results, Precision(0.95, "exact"))
    return Material(figures, reports, "0.9")


@pytest.mark.parametrize("respondents", [0, 1, 60])
def test_whatever_the_words_and_however_few_the_people_every_file_holds(hostile, tmp_path, respondents):
    found = opened(packed(answered_by(hostile, respondents)))
    for name, data in found.items():
        (tmp_path / name).write_bytes(data)
    report = frictionless.Package(str(tmp_path / "datapackage.json")).validate()
    assert report.flatten(["title", "note"]) == []
    assert len(table(found["reports.csv"])) == respondents
    assert publish(parse(found["survey.toml"].decode(), "")).fingerprint == hostile.fingerprint
    named = {row["answer"]: row for row in table(found["codebook.csv"]) if row["column"] == "q0"}
    for place, text in enumerate(HOSTILE):
        assert named[str(place)]["label_ko"].removeprefix("'") == text
    assert named["0"]["label_en"] == "'" + HOSTILE[0]
    (resource,) = [
        each for each in json.loads(found["datapackage.json"])["resources"] if each["name"] == "reports"
    ]
    labels = [each["label"] for each in resource["schema"]["fields"][0]["categories"]]
    assert labels == HOSTILE  # JSON needs no guard
    assert b"<script" not in found["codebook.html"]


def test_downloads_together_take_one_thread(examples, tmp_path, monkeypatch):
    """Ten that pack at once would make every respondent wait for ten turns of the interpreter."""
    in_turn = set()

    def compute(function, *args):
        in_turn.add(function.__name__)
        return function(*args)

    monkeypatch.setattr(offload, "compute", compute)
    material = examples["exam-honesty"]
    packed(material)
    write_sqlite(material, material.reports, tmp_path / "reports.sqlite")
    assert in_turn >= {"write", "lines", "fill_reports"}
