"""Guessing gets slower and slower, on all servers together; nobody is locked out for longer than a minute."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.staff.backoff import FREE_FOR_AN_ADDRESS
from server.store.staff import attempts
from server.store.staff.attempts import LONGEST_WAIT, MOST_KEYS, ROOM, seconds_to_wait

BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
PASSWORD = "a long enough password"
HOUR = 3600.0


def key(text):
    return hashlib.sha256(text.encode()).hexdigest()


ADA, PLACE = key("ada"), key("192.0.2.1")


@pytest.fixture
def begin(storage):
    """Attempt something; a name may fail four times for nothing, an address as often as one likes."""
    places = {PLACE: 10**6}
    return lambda now=1000.0, name=ADA: storage.write(attempts.begin, {name: 4}, places, now)[0]


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
        storage.write(attempts.begin, {ADA: 10**6}, {}, 9_000.0)
    assert begin(now=1000.0) == LONGEST_WAIT
    assert begin(now=1000.0 + LONGEST_WAIT) == 0


def test_an_attempt_counts_until_it_is_taken_back_and_one_that_waits_does_not(begin, kept):
    assert [begin() for _ in range(7)] == [0, 0, 0, 0, 1, 1, 1]
    assert kept() == {ADA: 4, PLACE: 4}


def test_an_attempt_that_nothing_went_before_does_not_wait(storage):
    assert storage.write(attempts.begin, {ADA: 1}, {}, 1000.0) == (0.0, [])
    assert storage.write(attempts.begin, {ADA: 1}, {}, 1000.0) == (1.0, [])


def test_a_place_that_has_used_up_what_is_free_is_the_last_for_which_an_attempt_counts(storage):
    wider = key("192.0.2.0/24")
    tried = [storage.write(attempts.begin, {}, {PLACE: 1, wider: 4}, now) for now in (1000.0, 1010.0)]
    assert tried == [(0.0, [PLACE, wider]), (0.0, [PLACE])]


def test_other_names_do_not_wait(begin):
    for _ in range(9):
        begin()
    assert begin(name=key("ben")) == 0


def test_a_quiet_hour_forgets_and_removes_earlier_failures(begin, kept, storage):
    for _ in range(3):
        begin()
    storage.write(attempts.tidy, 1000.0 + HOUR - 1)
    assert kept() == {ADA: 3, PLACE: 3}
    storage.write(attempts.succeeded, key("ben"), [], 1000.0 + HOUR)
    assert kept() == {}


def test_a_reading_forgets_them_too(begin, storage):
    for _ in range(4):
        begin()
    waits = [storage.read(attempts.wait, {ADA: 4}, 1000.0 + later) for later in (0, HOUR)]
    assert waits == [1, 0]


def test_success_clears_the_name_but_takes_only_its_own_attempt_from_the_address(begin, kept, storage):
    for now in (0, 0, 0, 0):
        begin(1000.0 + now)
    storage.write(attempts.succeeded, ADA, [PLACE], 1000.0)
    assert kept() == {PLACE: 3}


def test_success_at_the_first_attempt_leaves_nothing(begin, kept, storage):
    begin()
    storage.write(attempts.succeeded, ADA, [PLACE], 1000.0)
    assert kept() == {}


def test_what_is_remembered_is_bounded_and_keeps_what_was_used_last(begin, kept, storage):
    def fill(db):
        for number in range(MOST_KEYS):
            db.execute("INSERT INTO attempts VALUES (?, 1, ?)", [key(f"name {number}"), 900 + number / 1e6])

    storage.write(fill)
    begin()
    remembered = kept()
    assert MOST_KEYS - ROOM < len(remembered) <= MOST_KEYS
    assert {ADA, PLACE, key(f"name {MOST_KEYS - 1}")} <= remembered.keys()
    assert key("name 0") not in remembered


def sign_in_from(browse, address, name="ada", password="guessed password"):
    return browse(address=address).sign_in(name, password).status_code


@BOTH
def test_sixty_addresses_of_one_network_guess_like_one(browse):
    answers = [sign_in_from(browse, f"2001:db8:1:2::{n:x}", f"nobody{n}") for n in range(60)]
    assert answers == [403] * FREE_FOR_AN_ADDRESS + [429] * (60 - FREE_FOR_AN_ADDRESS)
    assert sign_in_from(browse, "2001:db8:1:3::1") == 403


WIDE = {"of 56 bits": (4, "2001:db8:1:2{:02x}::1"), "of 48 bits": (16, "2001:db8:1:{:x}00::1")}


@pytest.mark.parametrize(("share", "addresses"), WIDE.values(), ids=WIDE)
def test_many_networks_of_a_wide_one_guess_like_a_few(browse, share, addresses):
    allowance = share * FREE_FOR_AN_ADDRESS
    answers = [sign_in_from(browse, addresses.format(n % 30), f"nobody{n}") for n in range(allowance + share)]
    assert answers == [403] * allowance + [429] * share
    assert sign_in_from(browse, "2001:db8:2::1") == 403


def test_who_goes_on_guessing_from_one_network_slows_down_no_neighbour(browse, clock):
    for n in range(100):
        clock.forward(60)
        assert sign_in_from(browse, "2001:db8:1:2::1", f"nobody{n}") == 403
    assert sign_in_from(browse, "2001:db8:1:2::2") == 429
    assert sign_in_from(browse, "2001:db8:1:3::1") == 403


def test_signing_in_takes_back_no_more_than_it_was_counted_for(browse, kept):
    for n in range(FREE_FOR_AN_ADDRESS - 1):
        sign_in_from(browse, "2001:db8:1:2::1", f"nobody{n}")
    before = kept()
    assert sorted(before.values())[-3:] == [FREE_FOR_AN_ADDRESS - 1] * 3
    assert sign_in_from(browse, "2001:db8:1:2::1", password=PASSWORD) == 302
    assert kept() == before
