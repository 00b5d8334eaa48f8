"""Transactions that large work is done in: each takes about as long as it should, whatever the disk."""

import random

import pytest

from server.store.sqlite import short_transactions
from server.store.sqlite.short_transactions import in_turn


class Disk:
    """A disk by a clock that nothing else moves: it works on rows, and takes its time for a commit."""

    def __init__(self, work, commit):
        self.work, self.commit, self.now, self.taken = work, commit, 0.0, []

    def transaction(self, function, *arguments):
        self.now += 8  # the wait for the lock
        done = function(None, *arguments)
        self.now += self.commit(self.taken[-1])
        return done

    def until(self, enough):
        """Return the rows of each transaction, until they are enough."""

        def step(db, rows):
            self.now += self.work(rows)
            self.taken.append(rows)
            return not enough(self.taken)

        in_turn(self.transaction, step, lambda: self.now)
        return self.taken


def none(rows):
    return 0


@pytest.mark.parametrize(
    ("work", "commit", "rows"),
    [
        (none, none, [10, 20, 40, 80]),
        (lambda rows: 1 / rows, none, [10, 20, 40, 80]),
        (lambda rows: rows / 16, lambda rows: 8 if rows == 10 else 0, [10, 16, 16, 16]),
        (lambda rows: 2 * rows, none, [10, 5, 2, 1, 1]),
        (lambda rows: rows / 64, lambda rows: 8, [10, 20, 40, 64, 64]),
        (none, lambda rows: 3 + rows / 20, [10, 20, 40, 26, 32]),
    ],
    ids=["quick", "ever quicker", "by the row", "slow", "with long commits", "with commits by the row"],
)
def test_a_transaction_has_as_many_rows_as_fit_and_at_most_twice_as_many_as_the_one_before(
    monkeypatch, work, commit, rows
):
    monkeypatch.setattr(short_transactions, "AIM", 1)
    assert Disk(work, commit).until(lambda taken: len(taken) == len(rows)) == rows


@pytest.mark.parametrize("longest", [12, 30, 60])
def test_commits_that_take_now_more_and_now_less_leave_many_rows(monkeypatch, longest):
    monkeypatch.setattr(short_transactions, "AIM", 5)
    draw = random.Random(longest)
    disk = Disk(lambda rows: rows / 50, lambda rows: draw.uniform(1, longest))
    assert len(disk.until(lambda taken: sum(taken) >= 100_000)) < 2 * 100_000 / 250
