"""Carry a whole installation from one database into another that is empty, and count it again there.

Either may be SQLite's or PostgreSQL's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest

import numpy as np

from server.store import counted_lists, invitations, pictures, surveys
from server.store.engine import Block, Connection, Unavailable
from server.store.lifecycle import life
from server.store.lifecycle.life import Life
from server.store.staff import audit
from server.store.surveys import Survey
from server.store.walk import parts
from survey.publication import Publication
from survey.record import layout_of

BATCH = 10_000
"""The most reports that one statement stores."""

PATIENCE = 43_200.0
"""Seconds that all of it may take: half a day."""

LEFT_BEHIND = ("sessions", "attempts", "staff_link_surveys", "staff_links")
"""Tables that stay behind: staff sign in again, and nobody's failed attempts count elsewhere."""

SETTINGS_LEFT_BEHIND = ("attempts", "moved", "head_sent", "backups")
"""Settings that mean something in one database only."""

TOKEN = ("id", "token_hash", "account_id", "name", "writes", "all_surveys", "expires", "used")

PLAIN = {
    "account_rights": ("account_id", "editor", "all_surveys"),
    "grants": ("account_id", "survey_id", "made"),
    "identities": ("account_id", "issuer", "subject", "confirmed"),
    "second_factors": ("account_id", "secret", "confirmed", "last_step"),
    "recovery_codes": ("account_id", "code_hash"),
    "audit": audit.COLUMNS,
    "leaf_sheets": counted_lists.SHEET_COLUMNS,
    "counted_lists": ("survey_id", "root", "leaves", "bits", "noted"),
    "legal_holds": ("survey_id", "who", "since", "reason"),
    "proposals": ("what", "survey_id", "subject", "account_id", "made", "confirmed_by", "asked_by"),
}
"""Tables whose rows go along as they are."""

TABLES = {
    "settings": "SELECT name, value FROM settings",
    "accounts": "SELECT id, name, role, password_hash FROM accounts",
    "surveys": "SELECT id, slug, state, saves FROM surveys",
    "publications": "SELECT survey_id, json, fingerprint FROM publications",
    "pictures": "SELECT sha256, type, width, height, length(bytes) FROM pictures",
    "survey_pictures": "SELECT survey_id, sha256 FROM survey_pictures",
    "life": f"SELECT survey_id, {', '.join(life.COLUMNS)} FROM life",
    "origins": "SELECT survey_id, origin_id, people_id FROM origins",
    "days": "SELECT survey_id, day, CAST(sum(started) AS bigint), CAST(sum(sent) AS bigint) FROM days "
    "GROUP BY survey_id, day",
    "tokens": f"SELECT {', '.join(TOKEN)} FROM tokens",
    "token_surveys": "SELECT token_id, survey_id FROM token_surveys",
    **{table: f"SELECT {', '.join(columns)} FROM {table}" for table, columns in PLAIN.items()},
    "leaf_sheets": counted_lists.SHEETS,
    "invited": "SELECT survey_id, made, sheets, withdrawn, listed FROM invited",
    "invitations": invitations.SHEETS,
}
"""Table -> the query for its rows, which both databases must hold alike. Drafts are compared one by one."""


LARGE = {"leaf_sheets": ("survey_id", "place"), "invitations": ("survey_id", "sheet")}
"""Tables that grow with the respondents, and their keys."""

AT_ONCE = 100
"""The most rows of theirs that are in memory at a time: a row has up to 32 kB."""

NUMBERED = ("surveys", "accounts")
"""Tables that number their rows, and use no number twice."""


@dataclass(frozen=True)
class CarriedTotals:
    """The numbers of accounts, surveys and reports that were carried over and counted again."""

    accounts: int
    surveys: int
    reports: int


def carry(target: Connection, source: Connection) -> CarriedTotals:
    """Carry all tables but those `LEFT_BEHIND` over, in the caller's transactions.

    Parameters
    ----------
    target : Connection
        With the tables of this version and nothing in them.
    source : Connection
        One state of it, as a transaction shows it.

    Raises
    ------
    Unavailable
        If the target is not empty, cannot hold what the source holds, or does not hold it in the end.
    """
    for db in (source, target):
        db.patiently(PATIENCE, between=True)  # one waits while the other works
    refuse_unless_empty(target)
    refuse_names_that_meet(source)
    for name, value in settings_to_carry(source).items():
        target.execute(
            "INSERT INTO settings (name, value) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [name, value],
        )
    for row in source.execute(TABLES["accounts"]).fetchall():
        target.insert_numbered("accounts", ("id", "name", "role", "password_hash"), row)
    reports = sum(carry_survey(target, source, survey) for survey in surveys.all_surveys(source))
    for row in source.execute(TABLES["days"]).fetchall():
        target.execute("INSERT INTO days (survey_id, day, started, sent) VALUES (?, ?, ?, ?)", row)
    for row in source.execute(TABLES["origins"]).fetchall():
        target.execute("INSERT INTO origins (survey_id, origin_id, people_id) VALUES (?, ?, ?)", row)
    carry_tokens(target, source)
    for table, columns in PLAIN.items():
        marks = ", ".join("?" * len(columns))
        for row in all_rows(source, table):
            target.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)
    for table in NUMBERED:
        if last := source.last_number(table):
            target.number_after(table, last)
    compare(target, source)
    accounts, found = (len(source.execute(TABLES[table]).fetchall()) for table in ("accounts", "surveys"))
    return CarriedTotals(accounts, found, reports)


def carry_tokens(target: Connection, source: Connection) -> None:
    """Carry the tokens of programs over, with the surveys that each may see."""
    tokens = source.execute(TABLES["tokens"]).fetchall()
    for row in tokens:
        target.insert_numbered("tokens", TOKEN, row)
    if tokens:
        target.number_after("tokens", max(number for number, *_ in tokens))
    for row in source.execute(TABLES["token_surveys"]).fetchall():
        target.execute("INSERT INTO token_surveys (token_id, survey_id) VALUES (?, ?)", row)


def refuse_unless_empty(target: Connection) -> None:
    """Refuse a database that holds surveys or accounts."""
    ((held, staff),) = target.execute(
        "SELECT (SELECT count(*) FROM surveys), (SELECT count(*) FROM accounts)"
    ).fetchall()
    if held or staff:
        raise Unavailable(f"it must be empty, and it has surveys ({held}) or accounts ({staff})")


def refuse_names_that_meet(source: Connection) -> None:
    """Refuse names of accounts that only SQLite tells apart: for PostgreSQL É is é."""
    first: dict[str, str] = {}
    for _, name, *_ in source.execute(TABLES["accounts"]).fetchall():
        other = first.setdefault(name.lower(), name)
        if other != name:
            raise Unavailable(f"the names of accounts must differ by more than case, got {other} and {name}")


def settings_to_carry(db: Connection) -> dict[str, str]:
    """Return the settings that go along: name -> value."""
    rows = db.execute(TABLES["settings"]).fetchall()
    return {name: value for name, value in rows if name not in SETTINGS_LEFT_BEHIND}


def carry_survey(target: Connection, source: Connection, survey: Survey) -> int:
    """Carry a survey over with its reports, and what is published of them; return how many reports."""
    ((draft, saves),) = source.execute(
        "SELECT draft, saves FROM surveys WHERE id = ?", [survey.id]
    ).fetchall()
    row = [survey.id, survey.slug, "draft", draft or "{}"]
    target.insert_numbered("surveys", ("id", "slug", "state", "draft"), row)
    if saves is not None:
        target.execute("UPDATE surveys SET saves = ? WHERE id = ?", [saves, survey.id])
    carry_pictures(target, source, survey.id)
    held = carry_life(target, source, survey)
    publication = survey.publication
    if publication is None:
        return 0
    target.reports.create(survey.id, publication)
    invitations.carry(target, source, survey.id)
    if held.removed:
        carry_counts(target, source, survey, publication)
        return 0
    counts = source.reports.counts(survey.id, publication)
    target.reports.fill(survey.id, publication, counts, lambda: blocks(source, survey.id, publication))
    if survey.state == "closed":
        target.reports.close(survey.id, publication)
    else:
        target.reports.publish(survey.id, publication, source.reports.published(survey.id, publication))
    if held.paused or held.closed_by:
        life.note(target, survey.id, paused=int(held.paused), closed_by=held.closed_by)
    return target.reports.respondents(survey.id, publication)


def carry_pictures(target: Connection, source: Connection, survey_id: int) -> None:
    """Carry the pictures of a survey over while it is a draft there; those of two surveys are stored once."""
    for (name,) in source.execute(
        "SELECT sha256 FROM survey_pictures WHERE survey_id = ? ORDER BY sha256", [survey_id]
    ).fetchall():
        picture = pictures.stored(source, name)
        if picture is None or picture.sha256 != name:
            raise Unavailable(f"the bytes of the picture {name} are not those of its name")
        pictures.put(target, survey_id, picture)


def carry_life(target: Connection, source: Connection, survey: Survey) -> Life:
    """Carry over what is noted of a survey, as far as its row can have it while it is a draft there."""
    held = life.of(source, survey.id)
    if source.execute("SELECT 1 FROM life WHERE survey_id = ?", [survey.id]).fetchone():
        later = dict.fromkeys(("paused", "removed"), 0) | {"closed_by": None}
        columns = {name: getattr(held, name) for name in life.COLUMNS} | later
        flags = {name: int(columns[name]) for name in life.FLAGS}
        life.note(target, survey.id, **columns | flags)
    return held


def carry_counts(target: Connection, source: Connection, survey: Survey, publication: Publication) -> None:
    """Carry over the counts of a survey whose reports were removed."""
    target.reports.count(survey.id, publication, source.reports.counts(survey.id, publication))
    target.reports.close(survey.id, publication)
    life.note(target, survey.id, closed_by=life.of(source, survey.id).closed_by)
    target.reports.remove(survey.id)


def compare(target: Connection, source: Connection) -> None:
    """Refuse a target that does not hold what the source holds."""
    if settings_to_carry(target) != settings_to_carry(source):
        raise Unavailable("the settings that arrived are not those that were sent")
    for table in TABLES:
        here, there = all_rows(target, table), all_rows(source, table)
        if table in LARGE:
            alike = all(one == other for one, other in zip_longest(here, there))
        else:
            alike = table == "settings" or Counter(here) == Counter(there)
        if not alike:
            raise Unavailable(f"the {table} that arrived are not those that were sent")
    for survey in surveys.all_surveys(source):
        if surveys.get(target, survey.id) != survey or recount_survey(target, survey) != recount_survey(
            source, survey
        ):
            raise Unavailable(f"what arrived of {survey.slug} is not what was sent")


def all_rows(db: Connection, table: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table; of a large one in order, and only some are in memory at a time."""
    if table not in LARGE:
        yield from map(tuple, db.execute(TABLES[table]).fetchall())
        return
    survey, place = LARGE[table]
    select = f"{TABLES[table]} AND ({survey}, {place}) > (?, ?) ORDER BY {survey}, {place} LIMIT {AT_ONCE}"
    columns = TABLES[table].removeprefix("SELECT ").partition(" FROM ")[0].split(", ")
    ends = [columns.index(survey), columns.index(place)]
    last: list[object] = [0, -1]
    while rows := db.execute(select, last).fetchall():
        yield from map(tuple, rows)
        last = [rows[-1][at] for at in ends]


def recount_survey(db: Connection, survey: Survey) -> tuple[object, ...]:
    """Count a survey again: the sum of its reports, how often each code came, and what is published.

    Raises
    ------
    Unavailable
        If the counts that are stored are not those of the reports.

    Notes
    -----
    The sum of a SHA-256 of each receipt with its record is the same in whatever order they come, and no
    accident changes a record without changing it.
    """
    publication = survey.publication
    if publication is None:
        return ()
    if life.of(db, survey.id).removed:
        stored = db.reports.counts(survey.id, publication), db.reports.published(survey.id, publication)
        return tuple(each.tolist() for each in stored)
    layout, total = layout_of(publication), 0
    counts = np.zeros(int(layout.ends[-1]), np.int64)
    for block in blocks(db, survey.id, publication):
        counts += layout.count(layout.table(b"".join(record for _, record in block)))
        total += sum(int.from_bytes(sha256(key + record).digest()) for key, record in block)
    if not np.array_equal(counts, db.reports.counts(survey.id, publication)):
        raise Unavailable(f"the counts of {survey.slug} are not those of its reports")
    return total, counts.tolist(), db.reports.published(survey.id, publication).tolist()


def blocks(db: Connection, survey_id: int, publication: Publication) -> Iterator[Block]:
    """Yield the reports of a survey in parts that fit into memory."""
    return parts(lambda place: db.reports.part(survey_id, publication, place, BATCH))
