"""Guessing gets slower and slower; nobody is locked out for longer than a minute."""

from hypothesis import given
from hypothesis import strategies as st

from server.staff.backoff import FORGET_AFTER, LONGEST_WAIT, MOST_KEYS, Backoff


def after_failures(failures: int, now: float = 0.0) -> Backoff:
    backoff = Backoff()
    for _ in range(failures):
        backoff.failed(["ada", "192.0.2.1"], now)
    return backoff


def test_the_first_failures_cost_nothing():
    assert after_failures(3).wait("ada", free=4, now=0) == 0


def test_the_wait_doubles_up_to_a_minute():
    waits = [after_failures(failures).wait("ada", free=4, now=0) for failures in range(4, 13)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_the_wait_runs_down_with_the_clock():
    backoff = after_failures(8, now=100)
    assert [backoff.wait("ada", free=4, now=now) for now in (100, 110, 116, 500)] == [16, 6, 0, 0]


@given(st.integers(0, 10**6))
def test_no_number_of_failures_locks_anybody_out(failures):
    backoff = Backoff()
    backoff.failed(["ada"], 0)
    backoff.attempts["ada"].failures = failures
    assert backoff.wait("ada", free=4, now=0) <= LONGEST_WAIT


def test_other_names_do_not_wait():
    assert after_failures(50).wait("ben", free=4, now=0) == 0


def test_a_quiet_hour_forgets_earlier_failures():
    backoff = after_failures(8)
    backoff.failed(["ada"], FORGET_AFTER)
    assert backoff.attempts["ada"].failures == 1


def test_success_clears_the_name_but_takes_only_its_own_attempt_from_the_address():
    backoff = after_failures(8)
    backoff.failed(["ada", "192.0.2.1"], 0)
    backoff.succeeded("ada", "192.0.2.1")
    assert backoff.wait("ada", free=4, now=0) == 0
    assert backoff.attempts["192.0.2.1"].failures == 8


def test_memory_is_bounded_and_keeps_what_was_used_last():
    backoff = Backoff()
    for number in range(MOST_KEYS + 5):
        backoff.failed([f"name {number}"], 0)
    assert len(backoff.attempts) == MOST_KEYS
    assert "name 0" not in backoff.attempts
    assert f"name {MOST_KEYS + 4}" in backoff.attempts
