"""The second factor of an account: codes by time (RFC 6238), and recovery codes, each of which works once.

The server has to know the secret, so it is stored as it is. A code proves all the same that somebody has the
device: a password or a session alone never shows the secret.

Every session of an account that has a second factor has shown it: the others end when it is turned on.
"""

from __future__ import annotations

import base64
import hmac
import re
import secrets

from server.store.engine import Connection
from server.store.staff import sessions
from server.store.staff.accounts import token_hash

STEP_SECONDS = 30
"""The seconds for which a code is the present one."""

SLACK = 1
"""The steps by which a device's clock may be fast or slow."""

RECOVERY_CODES = 10
"""The number of codes of an account, each of 80 random bits in base32, so that a fast hash is enough."""

CODE = re.compile(r"\d{6}", re.ASCII)


def begin(db: Connection, account_id: int) -> str | None:
    """Store and return a new secret, which a code has to confirm; return None if one was confirmed before."""
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    stored = db.execute(
        "INSERT INTO second_factors (account_id, secret) SELECT id, ? FROM accounts WHERE id = ? "
        "ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0 "
        "WHERE second_factors.confirmed = 0",
        [secret, account_id],
    )
    return secret if stored.rowcount else None


def confirm(db: Connection, account_id: int, typed: str, now: float, token: str) -> list[str] | None:
    """Confirm the secret if a code shows that a device has it; return new recovery codes, or None.

    All sessions of the account end but that of the token, in which the code was typed.
    """
    if not take_code(db, account_id, typed, now, confirmed=0):
        return None
    db.execute("UPDATE second_factors SET confirmed = 1 WHERE account_id = ?", [account_id])
    sessions.end_others(db, account_id, token)
    return new_recovery_codes(db, account_id)


def waits_for_code(db: Connection, account_id: int, secret: str) -> bool:
    """Return whether this is the secret that a code has to confirm; the one who asks must know it already."""
    asked = "SELECT secret FROM second_factors WHERE account_id = ? AND confirmed = 0"
    row = db.execute(asked, [account_id]).fetchone()
    return row is not None and hmac.compare_digest(row[0].encode(), secret.encode())


class CodeNeeded(Exception):
    """Raised when an account has a second factor, and a password alone would start a session."""


def start_session(db: Connection, account_id: int, now: float) -> str:
    """Start a session without a code; see `sessions.start`.

    Raises
    ------
    CodeNeeded
        If a second factor is on by now.
    """
    if is_on(db, account_id):
        raise CodeNeeded
    return sessions.start(db, account_id, now)


def check(db: Connection, account_id: int, typed: str, now: float) -> str | None:
    """Use up a code.

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
    if not is_on(db, account_id):
        return None
    used = db.execute(
        "DELETE FROM recovery_codes WHERE account_id = ? AND code_hash = ?",
        [account_id, token_hash(plain(typed))],
    )
    return "recovery" if used.rowcount else None


def take_code(db: Connection, account_id: int, typed: str, now: float, *, confirmed: int) -> bool:
    """Use up a code of the device; return False if it is wrong, or one of its step or later was used."""
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
    """Return the step near a moment whose code this is, or None."""
    import pyotp  # it would slow down the start of the server, and only second factors need it

    if not CODE.fullmatch(code):
        return None
    device, present = pyotp.TOTP(secret, interval=STEP_SECONDS), int(now) // STEP_SECONDS
    steps = range(present - SLACK, present + SLACK + 1)
    return next(
        (step for step in steps if hmac.compare_digest(device.generate_otp(step), code)),
        None,
    )


def address_of(secret: str, name: str, host: str) -> str:
    """Return the address, for a QR code, from which an authenticator app takes a secret over."""
    import pyotp

    return pyotp.TOTP(secret, interval=STEP_SECONDS).provisioning_uri(name=name, issuer_name=f"Candor {host}")


def plain(typed: str) -> str:
    """Remove the spaces and hyphens that people type to make a code readable.

    Examples
    --------
    >>> plain(" 123 456 "), plain("ABCD-efgh-2345-mnop")
    ('123456', 'abcdefgh2345mnop')
    """
    return re.sub(r"[\s-]", "", typed[:100]).lower()


def new_recovery_codes(db: Connection, account_id: int) -> list[str]:
    """Draw recovery codes in place of earlier ones and return them; only their hashes are stored."""
    drawn = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    db.execute("DELETE FROM recovery_codes WHERE account_id = ?", [account_id])
    for code in drawn:
        db.execute(
            "INSERT INTO recovery_codes (account_id, code_hash) VALUES (?, ?)", [account_id, token_hash(code)]
        )
    return ["-".join(code[start : start + 4] for start in range(0, 16, 4)) for code in drawn]


def recovery_codes_left(db: Connection, account_id: int) -> int:
    """Return the number of recovery codes that were not used yet."""
    ((left,),) = db.execute(
        "SELECT count(*) FROM recovery_codes WHERE account_id = ?", [account_id]
    ).fetchall()
    return int(left)


def is_on(db: Connection, account_id: int) -> bool:
    """Return whether an account has a confirmed second factor."""
    asked = "SELECT 1 FROM second_factors WHERE account_id = ? AND confirmed = 1"
    return bool(db.execute(asked, [account_id]).fetchall())


def with_one(db: Connection) -> set[int]:
    """Return the accounts that have a confirmed second factor."""
    rows = db.execute("SELECT account_id FROM second_factors WHERE confirmed = 1").fetchall()
    return {int(account_id) for (account_id,) in rows}


def remove(db: Connection, account_id: int) -> None:
    """Remove the second factor of an account, with its recovery codes."""
    db.execute("DELETE FROM second_factors WHERE account_id = ?", [account_id])
    db.execute("DELETE FROM recovery_codes WHERE account_id = ?", [account_id])


def reset(db: Connection, account_id: int) -> None:
    """Remove the second factor of somebody who has lost it, and end all their sessions."""
    remove(db, account_id)
    sessions.end_all(db, account_id)


def is_required(db: Connection) -> bool:
    """Return whether every account must have a second factor."""
    return bool(db.execute("SELECT 1 FROM settings WHERE name = ? AND value = '1'", [REQUIRED]).fetchall())


def require(db: Connection, everybody: bool) -> None:
    """Set whether every account must have a second factor; if so, end the sessions of those without one.

    Whoever signs in with an institution's account shows there what the institution asks for.
    """
    db.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [REQUIRED, str(int(everybody))],
    )
    if everybody:
        db.execute(
            "DELETE FROM sessions "
            "WHERE account_id NOT IN (SELECT account_id FROM second_factors WHERE confirmed = 1) "
            "AND account_id NOT IN (SELECT account_id FROM identities)"
        )


REQUIRED = "second_factor_required"
