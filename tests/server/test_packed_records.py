"""Records in buckets: as few bytes as their codes need, and nothing is lost."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.store.sqlite.bucket_shape import shape_of
from server.store.sqlite.packed_records import NO_CODE, PackedRecords
from survey.record import Layout


def records_of(*codes):
    return PackedRecords(Layout(tuple((f"q{place}", number) for place, number in enumerate(codes))))


@settings(max_examples=60)
@given(st.lists(st.integers(2, 65536), min_size=1, max_size=40), st.integers(0, 2**32))
def test_what_is_packed_is_unpacked_and_keeps_its_order(codes, seed):
    table = np.random.default_rng(seed).integers(0, codes, size=(5, len(codes)))
    table[0], table[1] = 0, np.array(codes) - 1
    one = records_of(*codes)
    packed = one.pack(one.layout.records(table))
    assert one.codes(packed).tolist() == table.tolist()
    assert one.unpack(packed) == one.layout.records(table)


@pytest.mark.parametrize(
    ("codes", "size"),
    [
        ([2] * 10, 2),
        ([2] * 64, 8),
        ([2] * 65, 9),
        ([2] * 128, 16),
        ([256] * 3, 3),
        ([65536] * 5, 10),
        ([3], 1),
    ],
)
def test_numbers_of_at_most_eight_bytes_are_filled(codes, size):
    assert records_of(*codes).size == size
    assert 256**size >= math.prod(codes)


def test_a_number_above_the_largest_has_no_code_in_any_column():
    one = records_of(2, 3, 300)
    assert one.codes(b"\x07\x08").tolist() == [[NO_CODE] * 3]
    assert one.codes(b"\x07\x07").tolist() == [[1, 2, 299]]
    assert one.layout.table(one.unpack(b"\x07\x08")).tolist() == [[255, 255, NO_CODE]]


def test_a_report_on_ten_yes_no_questions_takes_at_most_60_bytes_of_a_file():
    assert 4096 / shape_of(records_of(*[2] * 10).size).load <= 60
