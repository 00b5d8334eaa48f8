"""Transactions that large work is done in: each takes about as long as it should, whatever the disk."""

import pytest

from server.store.sqlite import short_transactions
from server.store.sqlite.short_transactions import in_turn


class Disk:
    """A disk that takes its time for so many rows, by a clock that nothing else moves."""

    def __init__(self, seconds_for):
        self.seconds_for, self.now, self.rows, self.pauses = seconds_for, 0.0, [], 0

    def transaction(self, function, *arguments):
        self.now += 8  # the wait for the lock
        done = function(None, *arguments)
        self.now += self.seconds_for(self.rows[-1])
        return done

    def work(self, transactions):
        """Do what takes so many transactions; return the rows of each."""

        def step(db, rows):
            self.rows.append(rows)
            return len(self.rows) < transactions

        def pause(seconds):
            self.pauses += 1

        in_turn(self.transaction, step, lambda: self.now, pause)
        return self.rows


@pytest.mark.parametrize(
    ("seconds_for", "rows"),
    [
        (lambda rows: 0, [10, 20, 40, 80]),
        (lambda rows: 1 / rows, [10, 20, 40, 80]),
        (lambda rows: rows / 16, [10, 16, 16, 16]),
        (lambda rows: rows / 64 + 1 / 2, [10, 15, 30, 60, 64, 64]),
        (lambda rows: 2 * rows, [10, 5, 2, 1, 1]),
    ],
    ids=["quick", "ever quicker", "by the row", "with long commits", "slow"],
)
def test_a_transaction_has_as_many_rows_as_fit_and_at_most_twice_as_many_as_the_one_before(
    monkeypatch, seconds_for, rows
):
    monkeypatch.setattr(short_transactions, "AIM", 1)
    disk = Disk(seconds_for)
    assert disk.work(len(rows)) == rows
    assert disk.pauses == len(rows) - 1
