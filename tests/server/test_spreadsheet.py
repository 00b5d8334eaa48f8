"""No text of a survey becomes a formula in a spreadsheet, and no number becomes text."""

import csv
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.results.files.csv_text import cell_text, csv_text, harmless

STARTS = ["=", "+", "-", "@", "|", "%", "\t", "\r", "\n", "＝", "＋", "－", "＠", "﹢", "﹣"]
LOOKED_THROUGH = ["", " ", "  ", "\u00a0", "\u3000", "\ufeff", "\u200b", "\x00", "\x1f"]


@given(st.sampled_from(LOOKED_THROUGH), st.sampled_from(STARTS), st.text())
def test_a_text_that_starts_a_formula_gets_an_apostrophe(before, start, rest):
    assert harmless(before + start + rest) == "'" + before + start + rest


@given(st.text(st.characters(categories=["L", "N"]), min_size=1), st.text())
def test_a_text_that_starts_with_a_letter_or_digit_is_left_alone(start, rest):
    assert harmless(start + rest) == start + rest


@given(st.text())
def test_no_guarded_text_starts_with_a_character_that_starts_a_formula(text):
    assert not harmless(text).startswith(tuple(STARTS))


@given(st.text())
def test_guarding_only_ever_adds_one_apostrophe(text):
    assert harmless(text) in (text, "'" + text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_the_same_number_also_when_negative(number):
    assert float(cell_text(number)) == number


def test_a_negative_estimate_is_a_number_and_a_text_that_looks_like_one_is_text():
    assert cell_text(-0.0125) == "-0.0125"
    assert cell_text("-0.0125") == "'-0.0125"


@pytest.mark.parametrize("number", [None, math.inf, -math.inf, math.nan])
def test_what_is_not_a_number_is_an_empty_cell(number):
    assert cell_text(number) == ""


def test_headers_are_guarded_like_cells():
    assert csv_text(["=cmd()", "answer"], [["@sum", 1]]) == "'=cmd(),answer\r\n'@sum,1\r\n"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=4))
def test_commas_quotes_and_line_breaks_stay_inside_their_cell(cells):
    (read,) = csv.reader(io.StringIO(csv_text([], [cells]).removeprefix("\r\n"), newline=""))
    assert read == [harmless(cell) for cell in cells]
