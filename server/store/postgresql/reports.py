"""Reports in PostgreSQL: a table for each survey, in which they arrive, and another once it is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from server.store.engine import Block, Place
from server.store.lifecycle import life
from server.store.walk import whole
from survey.publication import Publication
from survey.record import layout_of

if TYPE_CHECKING:
    from server.store.postgresql.connection import PostgreSQL

PATIENCE = 600.0
"""Seconds that reading all of a survey's reports may take."""


@dataclass(frozen=True)
class PostgreSQLReports:
    """The reports of surveys within one transaction; see `server.store.engine.Reports`.

    Notes
    -----
    Whoever writes to several surveys takes their rows in the order of their numbers (`PostgreSQL.hold`), and
    then of each survey its receipts in their order and its tally. So no two wait for each other.
    """

    db: PostgreSQL

    def create(self, survey_id: int, publication: Publication) -> None:
        """Publish a survey and make room for its reports; every count starts at zero."""
        layout = layout_of(publication)
        self.db.execute(
            "SELECT open_survey(?, ?, ?, ?, ?)",
            [
                survey_id,
                publication.json,
                publication.fingerprint,
                [name for name, _ in layout.codes],
                [codes for _, codes in layout.codes],
            ],
        )

    def put(self, survey_id: int, publication: Publication, records: Mapping[bytes, bytes]) -> set[bytes]:
        """Store records whose receipts are new, and count them."""
        if not records:
            return set()
        layout = layout_of(publication)
        receipts = sorted(records)
        rows = self.db.execute(
            f"""
            INSERT INTO arrivals_{survey_id:d} (receipt, record)
            SELECT receipt, record FROM unnest(?::bytea[], ?::bytea[]) AS given (receipt, record)
            ORDER BY receipt
            ON CONFLICT DO NOTHING RETURNING receipt
            """,
            [receipts, [records[receipt] for receipt in receipts]],
        ).fetchall()
        stored = {receipt for (receipt,) in rows}
        if stored:
            counts = self.counts(survey_id, publication)
            counts += layout.count(layout.table(b"".join(records[receipt] for receipt in stored)))
            self.db.execute(
                "UPDATE tallies SET counts = ? WHERE survey_id = ?", [pack_counts(counts), survey_id]
            )
        return stored

    def fill(
        self,
        survey_id: int,
        publication: Publication,
        counts: npt.NDArray[np.int64],
        read: Callable[[], Iterable[Block]],
    ) -> None:
        """Store all reports of a survey that has none yet."""
        arrivals = f"COPY arrivals_{survey_id:d} (receipt, record) FROM STDIN (FORMAT BINARY)"
        with self.db.cursor().copy(arrivals.encode()) as copy:
            copy.set_types(["bytea", "bytea"])
            for block in read():
                for row in block:
                    copy.write_row(row)
        self.count(survey_id, publication, counts)

    def find(self, survey_id: int, publication: Publication, receipts: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under receipts, for those that are known."""
        wanted = list(receipts)
        if not wanted:
            return {}
        source = self.source(survey_id)
        if source.startswith("reports") and life.of(self.db, survey_id).removed:
            return {}  # nobody knows a receipt that was removed
        rows = self.db.execute(f"SELECT * FROM {source} WHERE receipt = ANY (?)", [wanted]).fetchall()
        return {receipt: self.record(source, publication, codes) for receipt, *codes in rows}

    def record(self, source: str, publication: Publication, codes: list[Any]) -> bytes:
        """Return the record of a row of a table, without its receipt."""
        return (
            bytes(codes[0]) if source.startswith("arrivals") else layout_of(publication).fields.pack(*codes)
        )

    def respondents(self, survey_id: int, publication: Publication) -> int:
        """Return how many records are stored."""
        counts = unpack_counts(self.tally(survey_id, "counts"))
        return int(counts[: layout_of(publication).ends[0]].sum())  # everybody has a code in every column

    def counts(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts of all that is stored; who counts on, in this transaction, goes on alone."""
        return unpack_counts(self.tally(survey_id, "counts"))

    def published(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts that may be shown."""
        return unpack_counts(self.tally(survey_id, "published"))

    def publish(self, survey_id: int, publication: Publication, published: npt.NDArray[np.int64]) -> None:
        """Set the counts that may be shown of an open survey."""
        self.db.execute(
            "UPDATE tallies SET published = ? WHERE survey_id = ?", [pack_counts(published), survey_id]
        )

    def count(self, survey_id: int, publication: Publication, counts: npt.NDArray[np.int64]) -> None:
        """Set how often each code came."""
        self.db.execute("UPDATE tallies SET counts = ? WHERE survey_id = ?", [pack_counts(counts), survey_id])

    def records(self, survey_id: int, publication: Publication) -> Iterator[tuple[bytes, bytes]]:
        """Return every receipt with its record."""
        self.db.patiently(PATIENCE)
        return whole(self, survey_id, publication)

    def part(
        self, survey_id: int, publication: Publication, place: Place, most: int
    ) -> tuple[Block, Place | None]:
        """Return so many reports after a receipt, in the order of receipts, and the last one."""
        source = self.source(survey_id)
        rows = self.db.execute(
            f"SELECT * FROM {source} WHERE receipt > ? ORDER BY receipt LIMIT {most:d}", [place or b""]
        ).fetchall()
        block = [(receipt, self.record(source, publication, codes)) for receipt, *codes in rows]
        return block, block[-1][0] if len(block) == most else None

    def close(self, survey_id: int, publication: Publication) -> None:
        """Close a survey and publish its exact counts."""
        self.db.execute("SELECT close_survey(?)", [survey_id])

    def remove(self, survey_id: int) -> None:
        """Remove the reports of a closed survey, whose counts stay."""
        self.db.execute("SELECT remove_reports(?)", [survey_id])

    def drop(self, survey_id: int) -> None:
        """Remove a survey with everything that belongs to it."""
        self.db.execute("SELECT delete_survey(?)", [survey_id])

    def tally(self, survey_id: int, column: str) -> bytes:
        """Return a column of a survey's tally; locked, in a transaction that writes, until it ends."""
        lock = "FOR UPDATE" if self.db.writing else ""
        ((value,),) = self.db.execute(
            f"SELECT {column} FROM tallies WHERE survey_id = ? {lock}", [survey_id]
        ).fetchall()
        return bytes(value)

    def finished(self, survey_id: int) -> bool:
        """Return whether the reports of a survey were written anew after it was closed."""
        ((rewritten,),) = self.db.execute(
            "SELECT rewritten FROM tallies WHERE survey_id = ?", [survey_id]
        ).fetchall()
        return bool(rewritten)

    def source(self, survey_id: int) -> str:
        """Name the table that holds a survey's reports now."""
        return f"reports_{survey_id:d}" if self.finished(survey_id) else f"arrivals_{survey_id:d}"


def pack_counts(counts: npt.NDArray[np.int64]) -> bytes:
    """Write counts as they are stored."""
    return counts.astype("<i8").tobytes()


def unpack_counts(stored: bytes) -> npt.NDArray[np.int64]:
    """Read stored counts."""
    return np.frombuffer(stored, "<i8").astype(np.int64)
