"""What somebody signs in with besides a password: codes by time (RFC 6238), or recovery codes, each once.

The secret has to be known to the server, so it is stored as it is. A code proves that somebody has the device
even so, because whoever knows the password alone, or a session alone, never sees the secret.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets

from server.store.engine import Connection
from server.store.staff.accounts import token_hash

STEP_SECONDS = 30
"""How long a code is the present one."""

SLACK = 1
"""Steps by which a device's clock may be early or late."""

RECOVERY_CODES = 10
RECOVERY = re.compile(r"[a-z2-7]{16}")
"""80 random bits in base32: enough for a fast hash."""

CODE = re.compile(r"\d{6}", re.ASCII)


def begin(db: Connection, account_id: int) -> str | None:
    """Store a new secret, which counts once a code has confirmed it; None if one counts already."""
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    stored = db.execute(
        "INSERT INTO second_factors (account_id, secret) SELECT id, ? FROM accounts WHERE id = ? "
        "ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0 "
        "WHERE second_factors.confirmed = 0",
        [secret, account_id],
    )
    return secret if stored.rowcount else None


def confirm(db: Connection, account_id: int, typed: str, now: float) -> list[str] | None:
    """Let the secret count if a code shows that a device has it; return new recovery codes, or None."""
    if not take_code(db, account_id, typed, now, confirmed=0):
        return None
    db.execute("UPDATE second_factors SET confirmed = 1 WHERE account_id = ?", [account_id])
    return new_recovery_codes(db, account_id)


def waits_for_code(db: Connection, account_id: int, secret: str) -> bool:
    """Return whether this is the secret that a code has to confirm; whoever asks must know it already."""
    asked = "SELECT secret FROM second_factors WHERE account_id = ? AND confirmed = 0"
    row = db.execute(asked, [account_id]).fetchone()
    return row is not None and hmac.compare_digest(row[0].encode(), secret.encode())


def check(db: Connection, account_id: int, typed: str, now: float) -> str | None:
    """Take a code, which is good for nothing afterwards.

    Parameters
    ----------
    db : Connection
    account_id : int
    typed : str
        A code of the device or a recovery code; spaces and hyphens do not matter.
    now : float
        Seconds since 1970.

    Returns
    -------
    str or None
        ``code`` or ``recovery``; None if it is neither, or was used.
    """
    if take_code(db, account_id, typed, now, confirmed=1):
        return "code"
    recovery = plain(typed)
    if not RECOVERY.fullmatch(recovery) or not is_on(db, account_id):
        return None
    used = db.execute(
        "DELETE FROM recovery_codes WHERE account_id = ? AND code_hash = ?",
        [account_id, token_hash(recovery)],
    )
    return "recovery" if used.rowcount else None


def take_code(db: Connection, account_id: int, typed: str, now: float, *, confirmed: int) -> bool:
    """Return whether a code is right, and none of its step or a later one was taken before."""
    asked = "SELECT secret FROM second_factors WHERE account_id = ? AND confirmed = ?"
    row = db.execute(asked, [account_id, confirmed]).fetchone()
    step = None if row is None else step_of(row[0], plain(typed), now)
    if step is None:
        return False
    taken = db.execute(
        "UPDATE second_factors SET last_step = ? WHERE account_id = ? AND last_step < ?",
        [step, account_id, step],
    )
    return bool(taken.rowcount)


def step_of(secret: str, code: str, now: float) -> int | None:
    """Return the step whose code this is, of those around a moment, or None."""
    import pyotp  # only who has a second factor needs it, and the start of the server is measured

    if not CODE.fullmatch(code):
        return None
    device, present = pyotp.TOTP(secret, interval=STEP_SECONDS), int(now) // STEP_SECONDS
    steps = range(present - SLACK, present + SLACK + 1)
    return next(
        (step for step in steps if hmac.compare_digest(device.generate_otp(step), code)),
        None,
    )


def address_of(secret: str, name: str, host: str) -> str:
    """Return the address by which an authenticator app takes a secret over, as its QR code holds it."""
    import pyotp

    return pyotp.TOTP(secret, interval=STEP_SECONDS).provisioning_uri(name=name, issuer_name=f"Candor {host}")


def plain(typed: str) -> str:
    """Drop what people type into a code for their eyes.

    Examples
    --------
    >>> plain(" 123 456 "), plain("ABCD-efgh-2345-mnop")
    ('123456', 'abcdefgh2345mnop')
    """
    return re.sub(r"[\s-]", "", typed[:100]).lower()


def new_recovery_codes(db: Connection, account_id: int) -> list[str]:
    """Draw recovery codes in place of those before, and return them; only their hashes are kept."""
    drawn = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    db.execute("DELETE FROM recovery_codes WHERE account_id = ?", [account_id])
    for code in drawn:
        db.execute(
            "INSERT INTO recovery_codes (account_id, code_hash) VALUES (?, ?)", [account_id, token_hash(code)]
        )
    return ["-".join(code[start : start + 4] for start in range(0, 16, 4)) for code in drawn]


def recovery_codes_left(db: Connection, account_id: int) -> int:
    """Return how many recovery codes were not used yet."""
    ((left,),) = db.execute(
        "SELECT count(*) FROM recovery_codes WHERE account_id = ?", [account_id]
    ).fetchall()
    return int(left)


def is_on(db: Connection, account_id: int) -> bool:
    """Return whether an account has a second factor that counts."""
    asked = "SELECT 1 FROM second_factors WHERE account_id = ? AND confirmed = 1"
    return bool(db.execute(asked, [account_id]).fetchall())


def with_one(db: Connection) -> set[int]:
    """Return the accounts that have a second factor that counts."""
    return {
        int(each)
        for (each,) in db.execute("SELECT account_id FROM second_factors WHERE confirmed = 1").fetchall()
    }


def remove(db: Connection, account_id: int) -> None:
    """Take the second factor from an account, with its recovery codes."""
    db.execute("DELETE FROM second_factors WHERE account_id = ?", [account_id])
    db.execute("DELETE FROM recovery_codes WHERE account_id = ?", [account_id])


def is_required(db: Connection) -> bool:
    """Return whether everybody has to have a second factor."""
    return bool(db.execute("SELECT 1 FROM settings WHERE name = ? AND value = '1'", [REQUIRED]).fetchall())


def require(db: Connection, everybody: bool) -> None:
    """Set whether everybody has to have a second factor."""
    db.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [REQUIRED, str(int(everybody))],
    )


def is_lacking(db: Connection, account_id: int) -> bool:
    """Return whether an account has to get a second factor before anything else."""
    return is_required(db) and not is_on(db, account_id)


REQUIRED = "second_factor_required"
