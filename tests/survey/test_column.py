"""One column: which codes may stand in it, and taking its counts apart."""

import pytest

from survey.column import Column, Strata
from survey.mechanisms import coin, sampled_box, spinner, wheel


@pytest.mark.parametrize(
    ("column", "codes", "skip_code"),
    [
        (Column("a", coin()), 2, None),
        (Column("a", coin(), skip_apart=True), 3, 2),
        (Column("a", spinner(1.0), by_hand=coin()), 4, None),
        (Column("a", spinner(1.0), by_hand=coin(), skip_apart=True), 5, 4),
        (Column("a", wheel(7, 1.0), skip_apart=True), 8, 7),
        (Column("a_1", sampled_box(5, 1.0)), 3, None),
    ],
)
def test_reports_come_first_then_those_by_hand_and_last_the_skip(column, codes, skip_code):
    assert (column.codes, column.skip_code) == (codes, skip_code)


def test_counts_are_taken_apart_in_that_order():
    column = Column("a", wheel(3, 1.0), by_hand=coin(), skip_apart=True)
    assert column.split([1, 2, 3, 4, 5, 6]) == Strata(device=(1, 2, 3), by_hand=(4, 5), skipped=6)
    assert Column("a", coin()).split([8, 9]) == Strata(device=(8, 9), by_hand=None, skipped=0)


@pytest.mark.parametrize("counts", [[], [1], [1, 2, 3]])
def test_counts_of_the_wrong_length_are_refused(counts):
    with pytest.raises(ValueError, match=f"counts must be 2 numbers, one for each code, got {len(counts)}"):
        Column("a", coin()).split(counts)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_weaker_of_two_ways_is_what_a_person_may_lose(epsilon):
    weakest = Column("a", spinner(epsilon), by_hand=coin()).weakest
    assert weakest == (spinner(epsilon) if epsilon > 1.1 else coin())
