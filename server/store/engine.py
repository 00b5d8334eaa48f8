"""The demands of the store on a database engine: transactions, a little SQL, and a place for reports.

SQLite and PostgreSQL each have a room beside this file. Everything else in the store is written once, in SQL
that both understand, with ``?`` for a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from server.store.upkeep.deviation import Deviation
from survey.publication import Publication

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Unavailable(Exception):
    """The database cannot be used now: locked, full, read-only, gone or not ours. Nothing was stored."""


class Rearranged(Exception):
    """The reports of a survey have been written anew since somebody began to read them: begin again."""


class MissingBucket(LookupError):
    """A part of a survey's reports is not there."""


Block = list[tuple[bytes, bytes]]
"""Receipts with their records."""

Place = Any
"""A place among the reports of a survey that an engine has returned, or None for their beginning."""


@dataclass(frozen=True)
class Condition:
    """The state of a database as an operator wants to know it, read without changing anything.

    Attributes
    ----------
    engine : str
        Name and version.
    steps : list of str
        What bringing it up to date would do, by the names of the migrations; empty if it is up to date.
    damage : list of str
        What the engine finds wrong with its files, a sentence each.
    durability : str or None
        What makes a commit last, where that is set for the whole server.
    risks : list of str
        Settings that do not, a sentence each.
    clock : float or None
        Its own clock, in seconds since 1970, if it has one.
    leaks : tuple of str
        Settings that write down when something was stored, a sentence each.
    """

    engine: str
    steps: list[str]
    damage: list[str]
    durability: str | None
    risks: list[str]
    clock: float | None
    leaks: tuple[str, ...] = ()


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement has changed."""

    def fetchone(self) -> Any:
        """Return the next row as a tuple, or None."""

    def fetchall(self) -> list[Any]:
        """Return the other rows as tuples."""


class ReportStore(Protocol):
    """The reports and counts of surveys, within one transaction.

    A receipt has 16 bytes; a record is what `survey.record.Layout.pack` writes. Counts are arrays of shape
    (codes of all columns,), as `survey.record.Layout.count` gives them.

    Attributes
    ----------
    pause : float
        Seconds for which a process leaves all counts of a survey alone after it has read them to publish.
    """

    pause: ClassVar[float]

    def create(self, survey_id: int, publication: Publication) -> None:
        """Publish a draft, which opens it, and make room for its reports; every count starts at zero."""

    def put(self, survey_id: int, publication: Publication, records: Mapping[bytes, bytes]) -> set[bytes]:
        """Store records (receipt -> record) whose receipts are new, and count them; return those receipts."""

    def fill(
        self,
        survey_id: int,
        publication: Publication,
        counts: npt.NDArray[np.int64],
        read: Callable[[], Iterable[Block]],
    ) -> None:
        """Store all reports of a survey that has none yet.

        Parameters
        ----------
        survey_id : int
        publication : Publication
        counts : ndarray of int
            How often each code comes in them.
        read : callable
            Yields them part by part, all of them whenever it is called.
        """

    def count_alone(self, survey_id: int) -> None:
        """Wait for those who count reports of a survey, and let nobody else until the transaction ends."""

    def add_to_day(self, survey_id: int, day: str, started: int, sent: int) -> None:
        """Add to the totals of a UTC day; a survey that is gone is passed over."""

    def find(self, survey_id: int, publication: Publication, receipts: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under receipts: receipt -> record, for those that are known."""

    def respondents(self, survey_id: int, publication: Publication) -> int:
        """Return how many records are stored."""

    def counts(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return how often each code came."""

    def published(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts that may be shown."""

    def may_publish(self, survey_id: int) -> bool:
        """Let nobody else publish until the transaction ends, unless somebody does; return whether it may.

        Whoever reads the counts, and what is published, after that reads what everybody before has left.
        """

    def publish(self, survey_id: int, publication: Publication, published: npt.NDArray[np.int64]) -> None:
        """Set the counts that may be shown of an open survey; see `server.store.publishing`."""

    def count(self, survey_id: int, publication: Publication, counts: npt.NDArray[np.int64]) -> None:
        """Set how often each code came to an open survey whose reports were removed elsewhere."""

    def records(self, survey_id: int, publication: Publication) -> Iterator[tuple[bytes, bytes]]:
        """Return every receipt with its record, in no order that means anything."""

    def part(
        self, survey_id: int, publication: Publication, place: Place, most: int
    ) -> tuple[Block, Place | None]:
        """Return about so many reports from a place on, and the next place; None if that was the end.

        Read from the beginning, in as many transactions as one likes, every report that was there at first
        comes once, and each that was stored meanwhile at most once. Those of a survey that is finished come
        in the order of their receipts.

        Raises
        ------
        Rearranged
            If the place is none any more.
        MissingBucket
            If it is not there.
        """

    def close(self, survey_id: int, publication: Publication) -> None:
        """Close a survey and publish its exact counts; `Storage.finish` does the rest."""

    def arrivals_mark(self) -> object:
        """Return a value that is another one after reports of an open survey have come."""

    def finished(self, survey_id: int) -> bool:
        """Return whether `Storage.finish` has done what a closed survey needs before its rows are read."""

    def remove(self, survey_id: int) -> None:
        """Note that the reports of a closed survey go, for good; `Storage.finish` does the rest."""

    def drop(self, survey_id: int) -> None:
        """Remove a survey with everything that belongs to it."""


class Connection(Protocol):
    """A connection within a transaction: what the store's functions are given as ``db``."""

    @property
    def reports(self) -> ReportStore:
        """The reports of surveys, within the transaction of this connection."""

    @property
    def alone(self) -> str:
        """The end of a SELECT whose rows nobody else may change until the transaction is over."""

    def execute(self, sql: str, parameters: Sequence[Any] = ...) -> Cursor:
        """Run a statement whose parameters are written ``?``."""

    def hold(self, survey_ids: Iterable[int], *, alone: bool = False) -> None:
        """Keep surveys from being closed or removed by others until the transaction ends.

        Whoever wants them `alone` waits until nobody holds them, and keeps others from recording reports.
        """

    def touch(self) -> None:
        """Let the commit wait for the disk, and for standbys, also if nothing was changed; after `hold`."""

    def patiently(self, seconds: float, *, between: bool = False) -> None:
        """Allow the rest of the transaction at least so many seconds: nobody waits for it.

        With `between` it may also wait as long between two of its statements, while another database is read.
        """

    def insert_numbered(self, table: str, columns: Sequence[str], row: Sequence[Any]) -> None:
        """Add a row whose number is its first value, in a table that otherwise numbers its rows itself."""

    def last_number(self, table: str) -> int:
        """Return the highest number that a table has ever used, as far as it can be read; 0 if none."""

    def number_after(self, table: str, last: int) -> None:
        """Let a table never use a number up to this one again."""


class Transactions(Protocol):
    """Whole transactions, away from the event loop."""

    def read(
        self,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` on one state of the database.

        Raises
        ------
        Unavailable
            If the database cannot be read now.
        """

    def write(
        self,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` in one transaction, durable when this returns; undone if it raises.

        Nobody else writes meanwhile but with `write_until`: the function may look first and write then.

        Raises
        ------
        Unavailable
            If the database cannot be written now; nothing was stored.
        """


class Storage(Transactions, Protocol):
    """The database as the views use it."""

    @property
    def name(self) -> str:
        """The name of the database in messages."""

    @property
    def shows_together(self) -> bool:
        """Return whether a copy of the database tells which rows of an open survey share a transaction."""

    def write_until(
        self,
        deadline: float,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, but wait no longer than up to a moment of `time.monotonic`.

        Others may write meanwhile, if the engine can do that: the function takes its locks itself.
        """

    def write_here(
        self,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, in the thread that calls: for a process that will fork."""

    def deadline(self) -> float:
        """Return the moment, by `time.monotonic`, up to which a transaction that begins now may wait."""

    def create(self) -> None:
        """Make the database where there is none, and bring it up to date.

        Raises
        ------
        Unavailable
            If it cannot be made, or holds something else.
        """

    def migrate(self) -> None:
        """Bring the database up to date.

        Raises
        ------
        Unavailable
            If there is none, or it cannot be used.
        """

    def check(self) -> None:
        """See whether the database can be read now, by this version.

        Raises
        ------
        Unavailable
            With what is wrong with it.
        """

    def warnings(self) -> list[str]:
        """Return what an operator should know about how the database is set up, a sentence each."""

    def condition(self) -> Condition:
        """Look at the database as it is, also one that is not up to date.

        Raises
        ------
        Unavailable
            If there is none, it cannot be read, or it is not one that this version can bring up to date.
        """

    def deviations(self) -> list[Deviation]:
        """Compare the schema with the one that this version makes; the database stays as it is.

        Raises
        ------
        Unavailable
            If it cannot be looked at.
        """

    def finish(self, gently: bool = False) -> None:
        """Do what closing and deleting surveys has left to do, so that nobody waits for it long.

        Parameters
        ----------
        gently : bool
            Whether to rest between them, as others use the database.

        Raises
        ------
        Unavailable
            If the database goes away meanwhile. What is done stays done, and the next call goes on.
        """

    def close(self) -> None:
        """Close the connections that are not in use."""
