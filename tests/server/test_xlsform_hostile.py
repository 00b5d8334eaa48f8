"""Files that are no form, or that would be too much: refused in a sentence, soon, and nothing is stored."""

import random
import struct
import zipfile
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from server.xlsform import container
from server.xlsform.reader import read_xlsform
from server.xlsform.survey_file import read_file
from server.xlsform.writer import sheets, workbook, write_xlsform
from survey.fields import DefinitionError
from survey.read_definition import parse

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def definition():
    return parse((ROOT / "server/examples/workplace.toml").read_text(encoding="utf-8"), "workplace")


@pytest.fixture(scope="module")
def good(definition):
    return write_xlsform(definition)


def fault(data, name="form.xlsx"):
    with pytest.raises(DefinitionError) as caught:
        read_file(data, name)
    return "\n".join(map(str, caught.value.problems))


def replaced(data, entry, change):
    """The same workbook with one entry changed, packed as tightly as zip can."""
    packed = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        for each in old.namelist():
            content = old.read(each)
            new.writestr(each, change(content) if each == entry else content)
        if entry not in old.namelist():
            new.writestr(entry, change(b""))
    return packed.getvalue()


def edited(data, change):
    """The same workbook after somebody has changed it in a spreadsheet."""
    book = openpyxl.load_workbook(BytesIO(data))
    change(book)
    saved = BytesIO()
    book.save(saved)
    return saved.getvalue()


def test_a_file_that_is_too_long_is_not_opened(good):
    assert "the file must be at most 2097152 bytes long" in fault(good + b"\0" * container.MOST_BYTES)


def test_a_zip_bomb_is_refused_by_what_it_states(good):
    bomb = replaced(good, "xl/worksheets/sheet1.xml", lambda _: b" " * 10_000_000)
    assert len(bomb) < 30_000
    assert "the file must be packed to no less than a 100th in each part" in fault(bomb)
    larger = replaced(good, "xl/media/a", lambda _: b" " * 20_000_000)
    assert "the file must be at most 16777216 bytes long when it is unpacked" in fault(larger)


def test_a_zip_bomb_that_states_a_small_size_unpacks_to_no_more_than_that(good):
    bomb = replaced(good, "xl/worksheets/sheet1.xml", lambda content: content + b" " * 10_000_000)
    size = struct.pack(
        "<I", 10_000_000 + len(zipfile.ZipFile(BytesIO(good)).read("xl/worksheets/sheet1.xml"))
    )
    assert bomb.count(size) == 2  # before the entry and in the list at the end
    assert "a workbook in the format XLSX" in fault(bomb.replace(size, struct.pack("<I", 1000)))


def test_many_parts_and_two_of_one_name_are_refused(good):
    many = BytesIO(good)
    with zipfile.ZipFile(many, "a") as archive:
        for n in range(container.MOST_ENTRIES):
            archive.writestr(f"xl/{n}", b"")
    assert "the file must be a workbook of at most 200 parts" in fault(many.getvalue())
    twice = BytesIO(good)
    with zipfile.ZipFile(twice, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("xl/workbook.xml", b"<other/>")
    assert "the file must be a workbook whose parts have different names" in fault(twice.getvalue())


def test_a_hundred_thousand_rows_are_refused():
    stream = BytesIO()
    book = xlsxwriter.Workbook(stream, {"constant_memory": True})
    sheet = book.add_worksheet("survey")
    for row in range(100_000):
        sheet.write_number(row, 0, row)
    book.close()
    assert "at most 10000 rows and 200 columns in a sheet, and 50000 cells in all, got 'survey: row" in fault(
        stream.getvalue()
    )


def test_a_form_of_hundreds_of_questions_is_refused_in_one_sentence(definition):
    tables = sheets(definition)
    row = next(row for row in tables["survey"] if row["type"] == "select_one yes_no")
    tables["survey"] += [row | {"name": f"q{n}"} for n in range(500)]
    found = fault(workbook(tables))
    assert "sheet survey must be short enough for 100 questions, got 506" in found
    assert len(found.splitlines()) == 1


def test_a_list_of_thousands_of_options_that_every_question_has_is_refused_soon(definition):
    tables = sheets(definition)
    row = next(row for row in tables["survey"] if row["type"] == "select_one yes_no")
    labels = {name: "x" for name in row if name.startswith("label")}
    tables["choices"] += [{"list_name": "long", "name": str(n)} | labels for n in range(2000)]
    long = row | {"type": "select_one long", "ldp::mechanism": "wheel", "ldp::epsilon": 1}
    tables["survey"] += [long | {"name": f"q{n}"} for n in range(90)]
    found = fault(workbook(tables)).splitlines()
    assert len(found) == 90
    assert all("column type must be a list of 2 to 50 texts" in each for each in found)


def test_parameters_of_thousands_of_letters_are_refused_at_once(definition):
    tables = sheets(definition)
    row = next(row for row in tables["survey"] if row["type"] == "select_one yes_no")
    tables["survey"].append(row | {"type": "range", "name": "n", "parameters": "a" * 32_000})
    assert "column parameters must be such as start=0 end=10 step=1" in fault(workbook(tables))


@pytest.mark.parametrize("cell", ["A1048576", "XFD2"])
def test_one_cell_far_away_is_refused_without_walking_there(good, cell):
    def far(book):
        book["survey"][cell] = "here"

    assert "at most 10000 rows and 200 columns in a sheet" in fault(edited(good, far))


def test_cells_are_counted_over_all_sheets():
    rows = [{f"x{n}": "1" for n in range(199)}] * 90
    found = fault(workbook({"survey": rows, "choices": rows, "settings": rows}))
    assert "50000 cells in all, got 'settings: row" in found


def test_a_million_entities_are_not_expanded(good):
    laughs = b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
    assert "a workbook in the format XLSX" in fault(
        replaced(good, "xl/worksheets/sheet1.xml", lambda _: laughs)
    )
    assert "a workbook in the format XLSX" in fault(replaced(good, "xl/workbook.xml", lambda _: laughs))
    assert "a workbook in the format XLSX" in fault(replaced(good, "xl/sharedStrings.xml", lambda _: laughs))


def test_a_formula_is_named_and_never_worked_out(good):
    def formula(book):
        book["survey"]["C4"] = '=HYPERLINK("http://127.0.0.1/","x")'
        book["settings"]["B2"] = "=1/0"

    found = fault(edited(good, formula))
    assert "sheet survey, row 4, column C must be a value: formulas are not worked out" in found
    assert "got '=HYPERLINK(" in found
    assert "sheet settings, row 2, column B must be a value" in found


def test_a_text_that_looks_like_a_formula_stays_a_text(definition):
    tables = sheets(definition)
    tables["settings"][0]["form_title"] = "=1+1"
    read = read_xlsform(workbook(tables), "form.xlsx")
    assert read.definition.title["ko"] == "=1+1"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "a workbook in the format XLSX, got 'another one"),
        (b"PK\x03\x04", "a workbook in the format XLSX, got 'another one"),
        (b"type,name,label\nselect_one,a,A?\n", "a workbook in the format XLSX, got 'another one"),
        ("유형;이름".encode("cp949"), "a workbook in the format XLSX, got 'another one"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "a workbook in the format XLSX, got 'another one"),
        (b"candor = 1", "a workbook in the format XLSX, got 'another one"),
    ],
)
def test_a_foreign_file_is_told_what_it_should_be(data, told):
    assert told in fault(data)


def test_a_text_document_is_no_workbook():
    docx = BytesIO()
    with zipfile.ZipFile(docx, "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    assert "the file must be a workbook in the format XLSX, got 'word/document.xml'" in fault(docx.getvalue())


@pytest.mark.parametrize("data", [b"PK\x03\x04 = 1", 'candor = 1\nslug = "가"'.encode("utf-16")])
def test_a_survey_file_in_another_encoding_is_refused(data):
    assert fault(data, "survey.toml")


def test_an_encrypted_part_is_refused(good):
    flagged = bytearray(good)
    start = flagged.index(b"PK\x01\x02")
    flagged[start + 8] |= 1
    assert "the file must be a workbook without a password" in fault(bytes(flagged))


def test_nothing_that_the_reader_would_pass_over_is_passed_over(good):
    def beyond(book):
        book["survey"]["A200"] = "select_one yes_no"
        book["survey"]["Z3"] = "no heading"

    found = fault(edited(good, beyond))
    assert "sheet survey, row 200 must be empty: a sheet ends where more than 60 rows" in found
    assert "sheet survey, row 3, column Z must be empty: its column has no heading in row 1" in found

    def apart(book):
        book["survey"]["BZ1"] = "ldp::delta"

    assert "sheet survey, row 1 must be a heading above each column" in fault(edited(good, apart))


def test_pictures_and_comments_are_named(good):
    def comment(book):
        book["survey"]["A2"].comment = openpyxl.comments.Comment("ask again", "somebody")

    assert "the workbook must be without comments on cells" in fault(edited(good, comment))
    assert "the workbook must be without pictures" in fault(
        replaced(good, "xl/media/image1.png", lambda _: b"x")
    )


def test_two_sheets_of_one_name_are_named(good):
    def second(book):
        book.create_sheet("Survey!").append(["type", "name"])

    data = replaced(
        edited(good, second), "xl/workbook.xml", lambda text: text.replace(b'"Survey!"', b'"Survey"')
    )
    assert "sheet Survey must be the only sheet of this name" in fault(data)


def test_damaged_bytes_are_refused_in_words_wherever_they_are_damaged(good, definition):
    luck, refused = random.Random(11), []
    for _ in range(150):
        damaged = bytearray(good)
        for _ in range(luck.choice((1, 8))):
            damaged[luck.randrange(len(damaged))] = luck.randrange(256)
        try:
            assert read_xlsform(bytes(damaged[: luck.choice((None, -1, 3000))]), "form.xlsx", leave_out=True)
        except DefinitionError as error:
            refused.append(error.problems)
    assert len(refused) > 50
    assert all(refused)


def test_damaged_xml_is_refused_in_words(good):
    luck, refused = random.Random(12), []
    parts = ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml")
    for turn in range(60):

        def damage(content):
            bytes_ = bytearray(content)
            for _ in range(3):
                bytes_[luck.randrange(len(bytes_))] = luck.choice(b'<>"&/ 09aZ\xff')
            return bytes(bytes_)

        data = replaced(good, parts[turn % len(parts)], damage)
        try:
            assert read_xlsform(data, "form.xlsx", leave_out=True)
        except DefinitionError as error:
            refused.append(error.problems)
    assert len(refused) > 10
    assert all(refused)
