"""Staff accounts, their roles and their passwords."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.store.engine import Connection, Cursor
from server.store.staff import second_admin

Role = Literal["admin", "editor", "researcher"]
ROLES: tuple[Role, ...] = ("admin", "editor", "researcher")

LONGEST_NAME = 64
NAME = re.compile(rf"[\w.@-]{{1,{LONGEST_NAME}}}")
SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 1000
"""Argon2 reads the whole password, and a very long one would take minutes."""

LEAST_ADMINS_OF_TWO = 2
"""The fewest admins where one alone neither opens nor deletes."""

LARGEST_NUMBER = 2**63 - 1
"""The largest number that SQLite counts to."""

ARGON2 = PasswordHasher()
"""argon2id with the parameters of RFC 9106 for machines with little memory; about 50 ms a hash."""


@dataclass(frozen=True)
class Account:
    """An account of somebody who may sign in.

    Attributes
    ----------
    id : int
    name : str
        Unique, upper and lower case being the same.
    role : Role
        ``admin`` may do everything, ``editor`` whatever concerns surveys of their own, ``researcher`` may
        read results: see `server.staff.rights`.
    password_hash : str
        Argon2id with its salt and parameters.
    """

    id: int
    name: str
    role: Role
    password_hash: str = field(repr=False)


class AccountError(ValueError):
    """Raised when an account cannot be made or changed as asked.

    Attributes
    ----------
    code : str
        ``name``, ``name_taken``, ``password``, ``role``, ``last_admin``, ``last_two_admins`` or
        ``owner``; the catalogue has
        ``account.error.<code>``.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class AccountGone(LookupError):
    """Raised when an account was removed while it was used."""


def hash_password(password: str) -> str:
    """Hash a password with argon2id, which takes about 50 ms: never call it inside a transaction.

    Raises
    ------
    AccountError
        If the password has fewer than 12 characters, or more than 1000.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise AccountError(
            "password",
            f"password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters, got {len(password)}",
        )
    return ARGON2.hash(password)


def password_matches(account: Account | None, password: str) -> bool:
    """Return whether a password opens an account; an account that does not exist takes as long."""
    stored = nobody() if account is None else account.password_hash
    try:
        ARGON2.verify(stored, password[: LONGEST_PASSWORD + 1])
    except (VerificationError, InvalidHashError):
        return False
    return account is not None


@cache
def nobody() -> str:
    """Return a hash whose password nobody knows, to be checked for accounts that do not exist."""
    return ARGON2.hash(secrets.token_urlsafe())


def new_password() -> str:
    """Draw a password of 120 random bits, 20 characters."""
    return secrets.token_urlsafe(15)


def insert(db: Connection, name: str, password_hash: str, role: Role) -> Account:
    """Store a new account with a password that was hashed before.

    Raises
    ------
    AccountError
        If the name or the role is not allowed, or the name is taken.
    """
    if not NAME.fullmatch(name):
        raise AccountError(
            "name",
            f"name must be 1 to {LONGEST_NAME} letters, digits and the signs . _ - @ without spaces, "
            f"got {name!r}",
        )
    if role not in ROLES:
        raise AccountError("role", f"role must be one of {', '.join(ROLES)}, got {role!r}")
    inserted = db.execute(
        "INSERT INTO accounts (name, role, password_hash) VALUES (?, ?, ?) "
        "ON CONFLICT DO NOTHING RETURNING id",
        [name, stored_role(role), password_hash],
    ).fetchone()
    if inserted is None:
        raise AccountError("name_taken", f"name must be one that nobody has yet, got {name!r}")
    account = Account(int(inserted[0]), name, role, password_hash)
    if role == "editor":
        mark(db, account.id, editor=True)
    return account


def stored_role(role: Role) -> str:
    """Return the role that the table of accounts stores: it knows two, and `mark` stores who is an editor."""
    return "admin" if role == "admin" else "researcher"


def mark(db: Connection, account_id: int, *, editor: bool = False, all_surveys: bool = False) -> None:
    """Store whether an account is an editor's, and whether it reads all surveys.

    Parameters
    ----------
    db : Connection
    account_id : int
    editor : bool
        Whether it is an editor's.
    all_surveys : bool
        Whether a researcher reads every survey, also those made later.
    """
    db.execute(
        "INSERT INTO account_rights (account_id, editor, all_surveys) VALUES (?, ?, ?) "
        "ON CONFLICT (account_id) DO UPDATE SET editor = excluded.editor, all_surveys = excluded.all_surveys",
        [account_id, int(editor), int(all_surveys)],
    )


def create(db: Connection, name: str, password: str, role: Role) -> Account:
    """Hash a password and store a new account; for the command line, where a slow transaction delays nobody.

    Raises
    ------
    AccountError
        As `hash_password` and `insert` do.
    """
    return insert(db, name, hash_password(password), role)


def create_first(db: Connection, name: str, password: str) -> bool:
    """Store the first admin unless there is an account; return whether it was stored.

    Raises
    ------
    AccountError
        As `create` does.
    """
    if count(db):
        return False
    create(db, name, password, "admin")
    return True


def all_accounts(db: Connection) -> list[Account]:
    """Return every account, by name."""
    return [Account(*row) for row in db.execute(f"{ACCOUNTS} ORDER BY lower(name)").fetchall()]


def count(db: Connection) -> int:
    """Return the number of accounts."""
    ((number,),) = db.execute("SELECT count(*) FROM accounts").fetchall()
    return int(number)


def by_name(db: Connection, name: str) -> Account | None:
    """Return the account of a name, in upper or lower case, or None; no other text is looked up."""
    if not NAME.fullmatch(name):
        return None
    return read_account(db.execute(f"{ACCOUNTS} WHERE lower(name) = lower(?)", [name]))


def by_id(db: Connection, account_id: int) -> Account | None:
    """Return the account of a number, or None."""
    if account_id > LARGEST_NUMBER:
        return None
    return read_account(db.execute(f"{ACCOUNTS} WHERE id = ?", [account_id]))


def numbered(db: Connection, account_id: int) -> Account:
    """Return the account of a number.

    Raises
    ------
    AccountGone
        If there is none any more.
    """
    account = by_id(db, account_id)
    if account is None:
        raise AccountGone(f"no account has the number {account_id}")
    return account


def admins(db: Connection) -> int:
    """Return the number of admins."""
    return sum(account.role == "admin" for account in all_accounts(db))


def set_password_hash(db: Connection, account_id: int, password_hash: str) -> None:
    """Change a password to one that was hashed before, and end every session of the account.

    Links to a new password end too: somebody who finds one later could undo the change.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    """
    update = db.execute("UPDATE accounts SET password_hash = ? WHERE id = ?", [password_hash, account_id])
    if not update.rowcount:
        raise AccountGone(f"no account has the number {account_id}")
    db.execute("DELETE FROM sessions WHERE account_id = ?", [account_id])
    db.execute("DELETE FROM staff_links WHERE account_id = ?", [account_id])


def issue_password_hash(db: Connection, account_id: int, password_hash: str) -> None:
    """Set somebody else's password as `set_password_hash` does, and end their tokens and invitations.

    An intruder who is to be locked out could come back by a token, or by an invitation to another account.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    """
    set_password_hash(db, account_id, password_hash)
    db.execute("DELETE FROM tokens WHERE account_id = ?", [account_id])
    db.execute("DELETE FROM staff_links WHERE made_by = ?", [account_id])


def set_password(db: Connection, account_id: int, password: str) -> None:
    """Hash and change a password, and end every session of the account; for the command line.

    Raises
    ------
    AccountError
        As `hash_password` does.
    """
    set_password_hash(db, account_id, hash_password(password))


def delete(db: Connection, account_id: int) -> None:
    """Remove an account with its sessions, its tokens and its links.

    Raises
    ------
    AccountError
        If it is the last admin: nobody could make another. If it owns a survey: see `leaving.remove`.
    """
    refuse_last_admin(db, account_id)
    if db.execute("SELECT 1 FROM grants WHERE account_id = ? AND made = 1", [account_id]).fetchall():
        raise AccountError("owner", "its surveys need another owner first")
    db.execute("DELETE FROM accounts WHERE id = ?", [account_id])


def refuse_last_admin(db: Connection, account_id: int) -> None:
    """Refuse to take the last admin away, or one of the last two where each needs another."""
    admins = [account.id for account in all_accounts(db) if account.role == "admin"]
    if admins == [account_id]:
        raise AccountError("last_admin", "the last admin cannot be removed: nobody could add another")
    if account_id in admins and len(admins) <= LEAST_ADMINS_OF_TWO and second_admin.is_required(db):
        raise AccountError("last_two_admins", "two admins are needed while opening and deleting need both")


ACCOUNTS = """
    SELECT id, name, CASE
        WHEN role = 'researcher' AND EXISTS (
            SELECT 1 FROM account_rights WHERE account_rights.account_id = accounts.id AND editor = 1
        ) THEN 'editor' ELSE role END, password_hash
    FROM accounts
"""


def read_account(rows: Cursor) -> Account | None:
    """Return the account in the next row of a query, or None."""
    row = rows.fetchone()
    return None if row is None else Account(*row)


def token_hash(token: str) -> str:
    """Hash the token of a session or a program; it has 256 random bits, so a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
