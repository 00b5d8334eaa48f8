"""Transactions that large work is done in: each takes about as long as it should, whatever the disk."""

import pytest

from server.store.sqlite import short_transactions
from server.store.sqlite.short_transactions import in_turn


@pytest.mark.parametrize(
    ("work", "commit", "rows"),
    [
        (lambda rows: 0, 0, [10, 20, 40, 80]),
        (lambda rows: 1 / rows, 0, [10, 20, 40, 80]),
        (lambda rows: rows / 16, 0, [10, 16, 16, 16]),
        (lambda rows: rows / 64, 8, [10, 20, 40, 64, 64]),
        (lambda rows: 2 * rows, 0, [10, 5, 2, 1, 1]),
    ],
    ids=["quick", "ever quicker", "by the row", "with long commits", "slow"],
)
def test_a_transaction_has_as_many_rows_as_fit_and_at_most_twice_as_many_as_the_one_before(
    monkeypatch, work, commit, rows
):
    monkeypatch.setattr(short_transactions, "AIM", 1)
    now, taken = 0.0, []

    def transaction(function, *arguments):
        nonlocal now
        now += 8  # the wait for the lock
        done = function(None, *arguments)
        now += commit
        return done

    def step(db, many):
        nonlocal now
        now += work(many)
        taken.append(many)
        return len(taken) < len(rows)

    in_turn(transaction, step, lambda: now)
    assert taken == rows


def test_a_commit_that_takes_longer_for_more_rows_leaves_less_time_for_them(monkeypatch):
    monkeypatch.setattr(short_transactions, "AIM", 1)
    now, taken = 0.0, []

    def transaction(function, *arguments):
        nonlocal now
        done = function(None, *arguments)
        now += 3 + taken[-1] / 20
        return done

    def step(db, many):
        taken.append(many)
        return len(taken) < 5

    in_turn(transaction, step, lambda: now)
    assert taken == [10, 20, 40, 26, 32]
