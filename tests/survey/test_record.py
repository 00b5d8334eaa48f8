"""One person's reports as bytes: packed and read back, refused unless they are whole, counted in arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.record import Layout

LAYOUT = Layout((("copied", 2), ("hours", 256), ("spent", 257)))


@given(st.integers(0, 1), st.integers(0, 255), st.integers(0, 256))
def test_a_record_reads_back_as_it_was_packed(copied, hours, spent):
    reports = {"copied": copied, "hours": hours, "spent": spent}
    record = LAYOUT.pack(reports)
    assert len(record) == LAYOUT.size == 4
    assert LAYOUT.unpack(record) == reports
    assert LAYOUT.table(record * 2).tolist() == [[copied, hours, spent]] * 2


@pytest.mark.parametrize(
    "changed",
    [
        {"copied": 2},
        {"copied": -1},
        {"copied": "1"},
        {"copied": 0.5},
        {"copied": None},
        {"hours": 256},
        {"spent": 257},
        {"spent": 2**40},
        {"other": 0},
    ],
)
def test_what_is_no_code_of_its_column_is_refused(changed):
    with pytest.raises(ValueError, match="one code of each column"):
        LAYOUT.pack({"copied": 1, "hours": 255, "spent": 256} | changed)


@pytest.mark.parametrize("missing", ["copied", "hours", "spent"])
def test_a_missing_column_is_refused_whether_or_not_another_stands_in_its_place(missing):
    reports = {"copied": 1, "hours": 255, "spent": 256}
    del reports[missing]
    for each in (reports, reports | {"other": 0}):
        with pytest.raises(ValueError, match="one code of each column"):
            LAYOUT.pack(each)


def test_counts_are_those_of_each_column_in_turn():
    rows = [(1, 0, 256), (0, 255, 256), (1, 255, 0)]
    records = b"".join(LAYOUT.pack(dict(zip(("copied", "hours", "spent"), row, strict=True))) for row in rows)
    counts = LAYOUT.count(LAYOUT.table(records))
    assert len(counts) == 2 + 256 + 257
    taken_apart = LAYOUT.by_column(counts)
    assert taken_apart["copied"] == [1, 2]
    assert {code: n for code, n in enumerate(taken_apart["hours"]) if n} == {0: 1, 255: 2}
    assert {code: n for code, n in enumerate(taken_apart["spent"]) if n} == {0: 1, 256: 2}


def test_nobody_is_counted_where_nobody_came():
    assert LAYOUT.count(LAYOUT.table(b"")).tolist() == np.zeros(515).tolist()
