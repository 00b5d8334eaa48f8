"""The reports of an open survey: rows of a fixed size, each with the records of one bucket, in key order.

Which bucket holds a record, where in its row it stands, and how many rows there are: all this is a function
of the set of records and the survey's key. A row is overwritten in place. So nothing shows who came when.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from sqlite_utils import Database

from server.runtime.sort_rows import in_order
from server.store.engine import Block, MissingBucket
from server.store.sqlite.bucket_shape import (
    COUNT,
    RECEIPT,
    Shape,
    bucket_of,
    divided_since,
    hash_of,
    source_bucket,
)

NUMBER = 4
"""Bytes of the number of a bucket."""

AT_ONCE = 8192
"""Records that are taken apart at a time."""


def buckets_name(survey_id: int) -> str:
    """Name the table of an open survey's buckets."""
    return f"buckets_{survey_id:d}"


def create_buckets(db: Database, survey_id: int, shape: Shape) -> None:
    """Make the table of a survey that opens, with its first bucket."""
    create_table_of_buckets(db, survey_id)
    insert(db, survey_id, 0, row_of(shape, b""))


def create_table_of_buckets(db: Database, survey_id: int) -> None:
    """Make the table with its triggers, and nothing in it."""
    table = buckets_name(survey_id)
    state = f"(SELECT state FROM surveys WHERE id = {survey_id:d})"
    db.execute(
        f"CREATE TABLE {table} (\n"
        "bucket INTEGER PRIMARY KEY CHECK (bucket >= 0),\n"
        "records BLOB NOT NULL CHECK (typeof(records) = 'blob')\n)"
    )
    db.execute(
        f"CREATE TRIGGER {table}_come_once BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE bucket = NEW.bucket) OR {state} IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'a bucket comes once, while the survey is open'); END"
    )
    db.execute(
        f"CREATE TRIGGER {table}_change_while_open BEFORE UPDATE ON {table} "
        f"WHEN NEW.bucket IS NOT OLD.bucket OR {state} IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'a bucket keeps its number, and changes while the survey is open'); END"
    )
    db.execute(
        f"CREATE TRIGGER {table}_stay_until_copied BEFORE DELETE ON {table} "
        f"WHEN (SELECT key FROM counts WHERE survey_id = {survey_id:d}) IS NOT NULL "
        "BEGIN SELECT RAISE(ABORT, 'buckets stay until all reports are in a table'); END"
    )


@dataclass
class Buckets:
    """The buckets of one survey within one transaction, each read and written at most once.

    Attributes
    ----------
    survey_id : int
    shape : Shape
    key : bytes
    respondents : int
        How many records there are.
    held : dict[int, bytes]
        Bucket -> its records as they stand in the row, for those that were read or made.
    """

    db: Database
    survey_id: int
    shape: Shape
    key: bytes
    respondents: int
    held: dict[int, bytes] = field(default_factory=dict, repr=False)

    def find(self, receipts: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under receipts: receipt -> record, for those that are known."""
        buckets, width = self.shape.buckets(self.respondents), self.shape.width
        known = {}
        for receipt in receipts:
            records = self.read(bucket_of(hash_of(receipt, self.key), buckets))
            place = self.place(records, receipt)
            if records[place : place + RECEIPT] == receipt:
                known[receipt] = records[place + RECEIPT : place + width]
        return known

    def put(self, new: Mapping[bytes, bytes]) -> None:
        """Store records whose receipts are new: first there are as many buckets as they will need."""
        before = self.shape.buckets(self.respondents)
        self.respondents += len(new)
        after = self.shape.buckets(self.respondents)
        changed = set(range(before, after))
        for bucket in range(before, after):
            changed.add(self.divide(bucket))
        for receipt, record in new.items():
            bucket = bucket_of(hash_of(receipt, self.key), after)
            records = self.read(bucket)
            place = self.place(records, receipt)
            self.held[bucket] = records[:place] + receipt + record + records[place:]
            changed.add(bucket)
        for bucket in sorted(changed):  # new rows in order, so that the tree grows alike whoever came first
            store = update if bucket < before else insert
            store(self.db, self.survey_id, bucket, row_of(self.shape, self.held[bucket]))

    def fill(self, read: Callable[[], Iterable[Block]]) -> None:
        """Store all records at once, in the order of the buckets, of which only the first is there."""
        buckets, width = self.shape.buckets(self.respondents), NUMBER + self.shape.width

        def pieces() -> Iterator[bytes]:
            for block in read():
                yield b"".join(
                    bucket_of(hash_of(receipt, self.key), buckets).to_bytes(NUMBER) + receipt + record
                    for receipt, record in block
                )

        rows = (row for some in in_order(pieces, width, AT_ONCE) for row in split_records(some, width))
        filled = groupby(rows, key=lambda row: int.from_bytes(row[:NUMBER]))
        number, records = next(filled, (buckets, iter(())))
        for bucket in range(buckets):
            row = row_of(self.shape, b"")
            if bucket == number:
                row = row_of(self.shape, b"".join(record[NUMBER:] for record in records))
                number, records = next(filled, (buckets, iter(())))
            (insert if bucket else update)(self.db, self.survey_id, bucket, row)

    def divide(self, new: int) -> int:
        """Fill a new bucket from the one that it divides; return that one."""
        old = source_bucket(new)
        parts: dict[int, list[bytes]] = {old: [], new: []}
        for record in split_records(self.read(old), self.shape.width):
            parts[bucket_of(hash_of(record[:RECEIPT], self.key), new + 1)].append(record)
        self.held |= {bucket: b"".join(records) for bucket, records in parts.items()}
        return old

    def read(self, bucket: int) -> bytes:
        """Return the records of a bucket, as they stand in its row."""
        if bucket not in self.held:
            select = f"SELECT records FROM {buckets_name(self.survey_id)} WHERE bucket = ?"
            row = self.db.conn.execute(select, [bucket]).fetchone()
            if row is None:
                raise MissingBucket(f"bucket {bucket} is missing of {self.shape.buckets(self.respondents)}")
            self.held[bucket] = records_in(row[0], self.shape.width)
        return self.held[bucket]

    def all_in(self, first: int, end: int, before: int, buckets: int) -> Block:
        """Return the reports in neighbouring buckets and in those that were divided from them since."""
        return [
            (record[:RECEIPT], record[RECEIPT:])
            for bucket in range(first, end)
            for one in (bucket, *divided_since(bucket, before, buckets))
            for record in split_records(self.read(one), self.shape.width)
        ]

    def place(self, records: bytes, receipt: bytes) -> int:
        """Return where a receipt stands among sorted records, or would."""
        width = self.shape.width
        return width * bisect_left(
            range(0, len(records), width), receipt, key=lambda start: records[start : start + RECEIPT]
        )


def records_in(row: bytes, width: int) -> bytes:
    """Return the records of a row, without its count and the zeros after them."""
    return row[COUNT : COUNT + width * int.from_bytes(row[:COUNT])]


def row_of(shape: Shape, records: bytes) -> bytes:
    """Return the row for records that follow each other."""
    count = len(records) // shape.width
    return (count.to_bytes(COUNT) + records).ljust(shape.length(count), b"\0")


def split_records(records: bytes, width: int) -> Iterator[bytes]:
    """Yield records that follow each other, one by one."""
    return (records[start : start + width] for start in range(0, len(records), width))


def update(db: Database, survey_id: int, bucket: int, row: bytes) -> None:
    """Overwrite a row; one of the same length stays where it is in the file."""
    db.conn.execute(f"UPDATE {buckets_name(survey_id)} SET records = ? WHERE bucket = ?", [row, bucket])


def insert(db: Database, survey_id: int, bucket: int, row: bytes) -> None:
    """Add a row."""
    db.conn.execute(f"INSERT INTO {buckets_name(survey_id)} VALUES (?, ?)", [bucket, row])


def rows_between(db: Database, survey_id: int, first: int, end: int) -> list[bytes]:
    """Return the rows of neighbouring buckets, in the order of their numbers."""
    select = f"SELECT records FROM {buckets_name(survey_id)} WHERE bucket >= ? AND bucket < ? ORDER BY bucket"
    return [row for (row,) in db.conn.execute(select, [first, end]).fetchall()]
