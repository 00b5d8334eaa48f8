"""Reports in PostgreSQL: a table for each survey, in which they arrive, and another once it is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

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

FREE_PART = """
    SELECT part, counts FROM tally_parts WHERE survey_id = ? ORDER BY part LIMIT 1 FOR UPDATE SKIP LOCKED
"""
NEW_PART = """
    INSERT INTO tally_parts (survey_id, counts)
    SELECT survey_id, decode(repeat('00', octet_length(counts)), 'hex')
    FROM tallies JOIN surveys ON id = survey_id WHERE id = ? AND state = 'open'
    RETURNING part, counts
"""
ALL_PARTS = """
    SELECT counts FROM tallies WHERE survey_id = ?
    UNION ALL SELECT counts FROM tally_parts WHERE survey_id = ?
"""


@dataclass(frozen=True)
class PostgreSQLReports:
    """The reports of surveys within one transaction; see `server.store.engine.Reports`.

    Notes
    -----
    Whoever writes to several surveys takes their rows in the order of their numbers (`PostgreSQL.hold`), and
    then of each survey its receipts in their order. So no two wait for each other. Counts are kept in parts:
    each transaction adds to one that nobody else holds, and waits for none.
    """

    pause: ClassVar = 1.0

    db: PostgreSQL

    def create(self, survey_id: int, publication: Publication) -> None:
        """Publish a survey and make room for its reports; every count starts at zero."""
        layout = layout_of(publication)
        self.db.execute(
            "SELECT open_survey(?, ?, ?, ?, ?, ?)",
            [
                survey_id,
                publication.json,
                publication.fingerprint,
                [name for name, _ in layout.codes],
                [codes for _, codes in layout.codes],
                int(layout.ends[-1]),
            ],
        )

    def put(self, survey_id: int, publication: Publication, records: Mapping[bytes, bytes]) -> set[bytes]:
        """Store records whose receipts are new, and count them."""
        if not records:
            return set()
        layout = layout_of(publication)
        receipts = list(records)
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
            part, counts = self.take_part(survey_id)
            counts += layout.count(layout.table(b"".join(records[receipt] for receipt in stored)))
            self.db.execute(
                "UPDATE tally_parts SET counts = ? WHERE survey_id = ? AND part = ?",
                [pack_counts(counts), survey_id, part],
            )
        return stored

    def take_part(self, survey_id: int) -> tuple[int, npt.NDArray[np.int64]]:
        """Take a part of an open survey's tally that nobody holds; 0 and nothing if it is not open."""
        for take in (FREE_PART, NEW_PART):
            for part, counts in self.db.execute(take, [survey_id]).fetchall():
                self.db.parts[survey_id] = part
                return part, unpack_counts(counts)
        return 0, unpack_counts(b"")

    def count_alone(self, survey_id: int) -> None:
        """Wait for those who count alone, and let nobody else do so until the transaction ends."""
        self.db.execute("SELECT FROM tallies WHERE survey_id = ? FOR UPDATE", [survey_id])

    def add_to_day(self, survey_id: int, day: str, started: int, sent: int) -> None:
        """Add to the totals of a UTC day; a survey that is gone is passed over."""
        part = self.db.parts.get(survey_id) or self.take_part(survey_id)[0]
        self.db.execute(
            """
            INSERT INTO days (survey_id, day, part, started, sent)
            SELECT id, ?, ?, ?, ? FROM surveys WHERE id = ?
            ON CONFLICT (survey_id, day, part)
            DO UPDATE SET started = days.started + excluded.started, sent = days.sent + excluded.sent
            """,
            [day, part, started, sent, survey_id],
        )

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
        counts = self.counts(survey_id, publication)
        return int(counts[: layout_of(publication).ends[0]].sum())  # everybody has a code in every column

    def counts(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts of all that is stored, as they are at one moment."""
        rows = self.db.execute(ALL_PARTS, [survey_id, survey_id]).fetchall()
        total: npt.NDArray[np.int64] = np.sum([unpack_counts(counts) for (counts,) in rows], axis=0)
        return total

    def published(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts that may be shown."""
        ((published,),) = self.db.execute(
            "SELECT published FROM tallies WHERE survey_id = ?", [survey_id]
        ).fetchall()
        return unpack_counts(published)

    def may_publish(self, survey_id: int) -> bool:
        """Let nobody else publish until the transaction ends, unless somebody does."""
        lock = "SELECT survey_id FROM tallies WHERE survey_id = ? FOR UPDATE SKIP LOCKED"
        return self.db.execute(lock, [survey_id]).fetchone() is not None

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

    def arrivals_mark(self) -> object:
        """Return a hash of the counts of all open surveys."""
        counts = "SELECT sha256(string_agg(counts, '' ORDER BY survey_id, part)) FROM tally_parts"
        return self.db.execute(counts).fetchone()

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
    return counts.astype(">i8").tobytes()


def unpack_counts(stored: bytes) -> npt.NDArray[np.int64]:
    """Read stored counts."""
    return np.frombuffer(stored, ">i8").astype(np.int64)
