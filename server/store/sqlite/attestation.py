"""The schema of a file beside that which this version makes in memory, for the surveys that it holds."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from server.store.sqlite.buckets import buckets_name, create_table_of_buckets
from server.store.sqlite.connection import SQLite
from server.store.sqlite.deleting import GONE
from server.store.sqlite.migrations import migrate
from server.store.sqlite.report_table import create_table, seal_table, table_name
from server.store.upkeep.deviation import Deviation, Part, compare
from survey.publication import question_tables
from survey.read_publication import load

SCHEMA = """
    SELECT type, CASE WHEN name = tbl_name THEN name ELSE tbl_name || '.' || name END, sql FROM sqlite_master
    WHERE sql IS NOT NULL AND (type, sql) NOT IN (VALUES
        ('table', 'CREATE TABLE sqlite_sequence(name,seq)'),
        ('table', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'),
        ('table', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)')
    )
"""
"""Every part with its definition; an index of a constraint has none of its own. SQLite opens no file in which
a kind or a name is not that of the definition. Tables that it makes itself are left out, as it makes them:
with ``writable_schema``, a trigger can have such a name too."""

PUBLISHED = """
    SELECT id, state, key IS NOT NULL, coalesce(removed, 0), length(counted) / 8
    FROM surveys LEFT JOIN counts ON counts.survey_id = id LEFT JOIN life ON life.survey_id = id
    WHERE state <> 'draft'
"""
"""Every survey that was opened: whether its reports are looked up in buckets, and how many counts it has."""

DELETED = re.compile(rf"{GONE}(?:buckets|reports)_(\d+)")
CODES = re.compile(r" BETWEEN 0 AND (\d+)\)")

UNKNOWN = [("unknown", 1)]
"""Columns of no survey."""


def deviations(db: SQLite) -> list[Deviation]:
    """List what is more, less or different in the schema of a file, in the caller's transaction."""
    held = schema(db)
    with reference() as made:
        surveys = db.execute(PUBLISHED).fetchall()
        for survey_id, state, in_buckets, removed, counts in surveys:
            if in_buckets or ("table", buckets_name(survey_id)) in held:
                create_table_of_buckets(made, survey_id)
            if state == "closed" and (
                ("table", table_name(survey_id)) in held or not (in_buckets or removed)
            ):
                create_table(made, survey_id, columns(db, survey_id, held, counts))
                if not in_buckets:
                    seal_table(made, survey_id)
                stay = f"{table_name(survey_id)}_stay_once_closed"
                if removed and ("trigger", f"{table_name(survey_id)}.{stay}") not in held:
                    made.execute(f"DROP TRIGGER {stay}")
        expected = schema(made)
    living = {str(survey_id) for survey_id, *_ in surveys}
    for part in held:
        deleted = DELETED.fullmatch(part[1])
        if part[0] == "table" and deleted and deleted[1] not in living:
            expected[part] = held[part]
    return compare(expected, held)


@contextmanager
def reference() -> Iterator[SQLite]:
    """Make an empty database of this version in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(SQLite(connection, execute_plugins=False)) as made:
        migrate(made, create=True)
        yield made


def schema(db: SQLite) -> dict[Part, str]:
    """Return the definition of every part of a schema."""
    return {(kind, name): sql for kind, name, sql in db.execute(SCHEMA).fetchall()}


def columns(db: SQLite, survey_id: int, held: dict[Part, str], counts: int) -> list[tuple[str, int]]:
    """Return the columns of a closed survey with their numbers of codes; `UNKNOWN` if they do not agree.

    To read a publication whole takes up to a second. So the names are those that it lists, and the numbers
    those of the table, which add up to the length of the counts. Answers of linked questions are counted
    together, so a publication that links any is read.
    """
    row = db.execute("SELECT json FROM publications WHERE survey_id = ?", [survey_id]).fetchone()
    try:
        table = json.loads(row[0])
        if any(section.get("linked") for section in table.get("sections", ())):
            return [(name, column.codes) for name, column in load(row[0]).columns.items()]
        questions = question_tables(table)
        names = [column["name"] for question in questions for column in question["columns"]]
    except (TypeError, ValueError, KeyError):
        return UNKNOWN
    codes = [int(last) + 1 for last in CODES.findall(held.get(("table", table_name(survey_id)), ""))]
    return (
        list(zip(names, codes, strict=True)) if (len(codes), sum(codes)) == (len(names), counts) else UNKNOWN
    )
