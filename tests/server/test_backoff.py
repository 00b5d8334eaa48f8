"""Guessing gets slower and slower, on all servers together; nobody is locked out for longer than a minute."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.staff import attempts
from server.store.staff.attempts import FORGET_AFTER, LONGEST_WAIT, MOST_KEYS, seconds_to_wait


def key(text):
    return hashlib.sha256(text.encode()).hexdigest()


ADA, PLACE = key("ada"), key("192.0.2.1")


@pytest.fixture
def begin(storage):
    """Attempt something; a name may fail four times for nothing, an address as often as one likes."""
    return lambda now=1000.0, name=ADA: storage.write(attempts.begin, {name: 4, PLACE: 10**6}, now)


@pytest.fixture
def kept(storage):
    """What is remembered: key -> failures."""
    return lambda: dict(
        storage.read(lambda db: db.execute('SELECT "key", failures FROM attempts').fetchall())
    )


def test_the_first_failures_cost_nothing():
    assert seconds_to_wait(3, free=4, last=0, now=0) == 0


def test_the_wait_doubles_up_to_a_minute():
    waits = [seconds_to_wait(failures, free=4, last=0, now=0) for failures in range(4, 13)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_the_wait_runs_down_with_the_clock():
    waits = [seconds_to_wait(8, free=4, last=100, now=now) for now in (100, 110, 116, 500)]
    assert waits == [16, 6, 0, 0]


@given(st.integers(0, 10**6), st.floats(-1e6, 1e6))
def test_no_number_of_failures_and_no_other_clock_locks_anybody_out(failures, last):
    assert 0 <= seconds_to_wait(failures, free=4, last=last, now=0) <= LONGEST_WAIT


def test_a_wait_from_a_clock_that_runs_ahead_ends_by_ours(storage, begin):
    for _ in range(10):
        storage.write(attempts.begin, {ADA: 10**6}, 9_000.0)
    assert begin(now=1000.0) == LONGEST_WAIT
    assert begin(now=1000.0 + LONGEST_WAIT) == 0


def test_an_attempt_counts_until_it_is_taken_back_and_one_that_waits_does_not(begin, kept):
    assert [begin() for _ in range(7)] == [0, 0, 0, 0, 1, 1, 1]
    assert kept() == {ADA: 4, PLACE: 4}


def test_other_names_do_not_wait(begin):
    for _ in range(9):
        begin()
    assert begin(name=key("ben")) == 0


def test_a_quiet_hour_forgets_and_removes_earlier_failures(begin, kept, storage):
    for _ in range(3):
        begin()
    storage.write(attempts.tidy, 1000.0 + FORGET_AFTER - 1)
    assert kept() == {ADA: 3, PLACE: 3}
    storage.write(attempts.tidy, 1000.0 + FORGET_AFTER)
    assert kept() == {}


def test_a_reading_forgets_them_too(begin, storage):
    for _ in range(4):
        begin()
    waits = [storage.read(attempts.wait, {ADA: 4}, 1000.0 + later) for later in (0, FORGET_AFTER)]
    assert waits == [1, 0]


def test_success_clears_the_name_but_takes_only_its_own_attempt_from_the_address(begin, kept, storage):
    for now in (0, 0, 0, 0):
        begin(1000.0 + now)
    storage.write(attempts.succeeded, ADA, PLACE, 1000.0)
    assert kept() == {PLACE: 3}


def test_success_at_the_first_attempt_leaves_nothing(begin, kept, storage):
    begin()
    storage.write(attempts.succeeded, ADA, PLACE, 1000.0)
    assert kept() == {}


def test_what_is_remembered_is_bounded_and_keeps_what_was_used_last(begin, kept, storage):
    def fill(db):
        for number in range(MOST_KEYS):
            db.execute("INSERT INTO attempts VALUES (?, 1, ?)", [key(f"name {number}"), 900 + number / 1e6])

    storage.write(fill)
    begin()
    remembered = kept()
    assert len(remembered) == MOST_KEYS
    assert {ADA, PLACE, key(f"name {MOST_KEYS - 1}")} <= remembered.keys()
    assert key("name 0") not in remembered
