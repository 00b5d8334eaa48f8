"""The list of the invitations that were not used: as of the last step of the results, or of the close.

Only a survey that says so keeps one. It is taken with the same snapshots as what is published: see
`publishing`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from server.store.engine import Connection
from server.store.invitations import HASH, invitation_totals

Bits = npt.NDArray[np.uint8]
"""One for each invitation, in the order in which they were made: whether it was used."""


def used(db: Connection, survey_id: int) -> Bits:
    """Return which invitations of an open survey were used, in the order of their numbers."""
    rows = db.execute(
        f"SELECT used, length(hashes) / {HASH} FROM invitations WHERE survey_id = ? ORDER BY sheet",
        [survey_id],
    ).fetchall()
    bits = np.array([used for used, _ in rows], ">i8").view(np.uint8).reshape(len(rows), 8)
    lowest_first = np.unpackbits(bits, axis=1)[:, ::-1]
    there = np.arange(64) < np.array([length for _, length in rows], int)[:, None]
    return lowest_first[there]


def listed(db: Connection, survey_id: int, made: int) -> Bits:
    """Return who is noted as having used an invitation: as of the last step, or of the close."""
    row = db.execute("SELECT listed FROM invited WHERE survey_id = ?", [survey_id]).fetchone()
    bits = np.unpackbits(np.frombuffer(bytes(row[0]) if row else b"", np.uint8))[:made]
    return np.pad(bits, (0, made - len(bits)))


def note(db: Connection, survey_id: int, bits: Bits) -> None:
    """Store who has used an invitation, as the list will show it."""
    db.execute("UPDATE invited SET listed = ? WHERE survey_id = ?", [np.packbits(bits).tobytes(), survey_id])


def not_used(db: Connection, survey_id: int) -> list[int]:
    """Return the numbers of the invitations that the list shows as not used, from 1."""
    made = invitation_totals(db, survey_id).made
    return [int(number) + 1 for number in np.flatnonzero(listed(db, survey_id, made) == 0)]


def settle(db: Connection, survey_id: int) -> None:
    """Make the list of a survey that closes final; see `surveys.close_survey`."""
    if invitation_totals(db, survey_id).made:
        note(db, survey_id, used(db, survey_id))
