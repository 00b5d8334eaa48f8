"""The schema of a database beside that which this version makes, for the surveys that it holds.

The server makes both, and writes both down: what it should hold is made as temporary tables, in a transaction
that is undone. So it does not matter how its version words a definition.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files

from server.store.postgresql.connection import PostgreSQL
from server.store.upkeep import versions
from server.store.upkeep.deviation import Deviation, Part, compare
from survey.record import ONE_BYTE

AS_TEMPORARY = (
    (r"CREATE SCHEMA candor_closed;", ""),
    (r"\bcandor_closed\.(\w)", r"pg_temp.candor_closed_\1"),
    (r"\bALL TABLES IN SCHEMA candor_closed\b", "pg_temp.candor_closed_surveys"),
    (r"\bcandor\.(\w)", r"pg_temp.\1"),
    (r"\bIN SCHEMA candor\b", "IN SCHEMA pg_temp"),
    (r"\bEXECUTE FUNCTION (\w)", r"EXECUTE FUNCTION pg_temp.\1"),
)
"""Replacements that make temporary tables and functions of those of a script. The name alone of a temporary
function does not find it."""

OURS = (r"\bcandor_closed\.", "candor_closed_"), (r"\bcandor\.", "")
TEMPORARY = r"\bpg_temp(?:_\d+)?\.", ""
"""Replacements in definitions: what is made stands in another schema than what is there. In the latter, a
temporary schema stays as it is, for nothing of Candor's is looked up there."""

NO_GRANTS = re.compile(r"--[^\n]*|DO \$\$.*?\$\$;|REVOKE [^;]*;|GRANT USAGE [^;]*;", re.DOTALL)
"""Parts of ``roles.sql`` that give nobody rights on tables and functions."""

APPLICATION, READER = "pg_signal_backend", "pg_read_all_stats"
"""Roles that every server has: they stand for those of ``roles.sql``."""

AT_ALL = {"candor": APPLICATION, "candor_closed": READER}
"""The schema that each of them may use, by which it is known whatever its name."""

LATER = {
    APPLICATION: {f"{right} on later tables of schema candor" for right in ("SELECT", "INSERT")},
    READER: {"SELECT on later tables of schema candor_closed"},
}
"""Rights that they are given on the tables of surveys before those are made."""

CLOSED = "candor_closed."
OF_CLOSED = re.compile(rf"{CLOSED}reports_\d+")

OF_A_SURVEY = re.compile(
    r"(?:SELECT|INSERT) on (?:arrivals_\d+(?:_\d)?|reports_\d+)|SELECT on candor_closed\.reports_\d+"
)
"""Rights on the tables of surveys, which a role of ours has or not: they may have been made before it was."""

OPENED = """
    WITH opened AS (
        SELECT tallies.survey_id AS number, state = 'open', rewritten, coalesce(removed, 0) = 1, codes, ARRAY(
            SELECT CASE
                WHEN name IN ('tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid') THEN name || '__' ELSE name
            END FROM unnest(columns) AS name
        ) AS names
        FROM candor.surveys JOIN candor.tallies ON tallies.survey_id = id
        LEFT JOIN candor.life ON life.survey_id = id
    )
    SELECT opened.*, ARRAY(SELECT quote_ident(name) FROM unnest(names) AS name) FROM opened
"""
"""Every survey that was opened, with its columns as ``column_name`` names them."""

PARTS = 8
"""Tables in which the reports of an open survey arrive."""

SETTINGS = """
    SET LOCAL search_path = pg_temp; SET LOCAL check_function_bodies = off; SET LOCAL jit = off
"""
"""Without the last, compiling the query can take a hundred times as long as running it."""

SHARED = "SELECT count(nspacl) FROM pg_namespace WHERE nspname IN ('candor', 'candor_closed')"
"""Counts the schemas that another role may use: if there is none, no rights are those of ``roles.sql``."""

SOUND = {15: "5afd04e1a2a915f85b1afab04557c6cb962b09ee9ae05e3c61fb9ca7d49d6081"}
"""Version of PostgreSQL -> the hash of all definitions that this version of Candor makes there, without those
of surveys. A schema with this hash is as it should be; of another, and in versions that are not listed, the
tables are made to be compared, which takes three times as long. A test says the hash after a change."""

Row = tuple[bool, str, str, str]
"""A row of ``catalog.sql``."""

Definitions = dict[Part, str]
Grants = dict[str, set[str]]
"""Role -> rights, as ``SELECT on surveys``."""


def deviations(db: PostgreSQL) -> list[Deviation]:
    """List what is more, less or different in the schema of a database, in a transaction that is undone."""
    for _ in range(2):  # a survey may have been closed or deleted while it was looked at
        db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE")
        listed = compared(db)
        db.execute("ROLLBACK")
        if not any(deviation.refused for deviation in listed):
            break
    return listed


def compared(db: PostgreSQL) -> list[Deviation]:
    """Compare what should be there with what is there; make it first, unless its hash is known."""
    db.execute("SET LOCAL search_path = pg_catalog; SET LOCAL jit = off", prepare=False)
    ((version,),) = db.execute("SELECT current_setting('server_version_num')::int / 10000").fetchall()
    held, given = parts(db.execute(text("catalog")).fetchall())
    of_surveys: Definitions = {}
    for survey in db.execute(OPENED).fetchall():
        of_surveys |= of_survey(held, *survey)
    agree = all(held.pop(part, None) == definition for part, definition in of_surveys.items())
    if agree and not given and hash_of(held) == SOUND.get(version):
        return []
    return compared_with_made(db)


def hash_of(definitions: Definitions) -> str:
    """Hash the definitions of parts."""
    return hashlib.sha256(repr(sorted(definitions.items())).encode()).hexdigest()


def compared_with_made(db: PostgreSQL) -> list[Deviation]:
    """Make what should be there, and compare it with what is there."""
    scripts = [versions.TABLE, *(versions.script("postgresql", step.name) for step in versions.STEPS)]
    db.execute(SETTINGS, prepare=False)
    ((shared,),) = db.execute(SHARED).fetchall()
    db.execute(as_temporary(";".join([*scripts, *([rights()] if shared else [])])), prepare=False)
    db.execute("SET LOCAL search_path = pg_catalog")
    rows = db.execute(text("catalog")).fetchall()
    opened = db.execute(OPENED).fetchall()
    made, due = parts(row for row in rows if row[0])
    held, given = parts(row for row in rows if not row[0])
    for survey in opened:
        made |= of_survey(held, *survey)
    return compare(made, held) + compare_grants(due, given)


def text(name: str) -> str:
    """Read a file of SQL beside the tables."""
    return files(__package__).joinpath(f"schema/{name}.sql").read_text("utf-8")


def rights() -> str:
    """Return the statements that give roles their rights on tables and functions."""
    return NO_GRANTS.sub("", text("roles")).format(application=APPLICATION, reader=READER)


def as_temporary(script: str) -> str:
    """Turn a script for Candor's schemas into one for temporary tables and functions."""
    for pattern, replacement in AS_TEMPORARY:
        script = re.sub(pattern, replacement, script)
    return script


def parts(rows: Iterable[Row]) -> tuple[Definitions, Grants]:
    """Return the definition of every part, and the rights of every role."""
    definitions: Definitions = {}
    grants: Grants = defaultdict(set)
    for made, kind, name, definition in rows:
        if kind == "grant":
            grants[definition].add(name)
            continue
        for pattern, replacement in (*OURS, TEMPORARY) if made else OURS:
            definition = re.sub(pattern, replacement, definition)
        if OF_CLOSED.fullmatch(name):  # later versions leave out the table before each column
            table = name.removeprefix(CLOSED)
            definition = re.sub(rf"\b{table}\.|\s+(?= )|\n", "", definition)
        definitions[kind, name] = definition
    return definitions, grants


def of_survey(
    held: Definitions,
    number: int,
    is_open: bool,
    rewritten: bool,
    removed: bool,
    codes: list[int],
    names: list[str],
    quoted: list[str],
) -> Definitions:
    """Return what the functions in ``tables.sql`` make for a survey that was opened.

    While it is written anew after it was closed, both tables are there.
    """
    made: Definitions = {}
    if not rewritten:
        made |= arrivals(number, codes)
    if rewritten and not removed:
        made |= view(number, quoted)
    if (rewritten and not removed) or (not is_open and ("table", f"reports_{number}") in held):
        made |= reports(number, names)
    return made


def arrivals(number: int, codes: list[int]) -> Definitions:
    """Return the table in which reports arrive, with its parts: see ``open_survey``."""
    whole, widths = f"arrivals_{number}", [1 if width <= ONE_BYTE else 2 for width in codes]
    tests = [f"(octet_length(record) = {sum(widths)})"]
    for place, width in enumerate(codes):
        first = sum(widths[:place])
        code = f"get_byte(record, {first})"
        if widths[place] == 2:
            code = f"(({code} << 8) | get_byte(record, {first + 1}))"
        tests.append(f"({code} < {width})")
    made = {("table", whole): "p HASH (receipt)"}
    for part in range(PARTS):
        bounds = f"FOR VALUES WITH (modulus {PARTS}, remainder {part})"
        made["table", f"{whole}_{part}"] = f"r {bounds} {whole}"
    for _, table in tuple(made):
        made |= {
            ("column", f"{table}.receipt"): "bytea NOT NULL",
            ("column", f"{table}.record"): "bytea NOT NULL",
            ("constraint", f"{table}.{table}_pkey"): "PRIMARY KEY (receipt)",
            ("constraint", f"{table}.{whole}_receipt_check"): "CHECK ((octet_length(receipt) = 16))",
            ("constraint", f"{table}.{whole}_record_check"): f"CHECK (({' AND '.join(tests)}))",
            **trigger(table, "come_while_open", "INSERT", f"refuse_arrivals('{number}')"),
            **trigger(table, "stay", "DELETE OR UPDATE OR TRUNCATE", "refuse('a report cannot change')"),
        }
    return made


def reports(number: int, names: list[str]) -> Definitions:
    """Return the table of a closed survey: see ``write_anew``."""
    table, changes = f"reports_{number}", "INSERT OR DELETE OR UPDATE OR TRUNCATE"
    return {
        ("table", table): "r",
        ("column", f"{table}.receipt"): "bytea NOT NULL",
        **{("column", f"{table}.{name}"): "integer NOT NULL" for name in names},
        ("constraint", f"{table}.{table}_pkey"): "PRIMARY KEY (receipt)",
        **trigger(table, "stay", changes, "refuse('the reports of a closed survey are final')"),
    }


def trigger(table: str, name: str, changes: str, function: str) -> Definitions:
    """Return a trigger that is asked once for each statement, as PostgreSQL writes it down."""
    on = f"CREATE TRIGGER {name} BEFORE {changes} ON {table} FOR EACH STATEMENT"
    return {("trigger", f"{table}.{name}"): f"{on} EXECUTE FUNCTION {function}O"}


def view(number: int, quoted: list[str]) -> Definitions:
    """Return the view of a closed survey, without its receipts: see ``forget_arrivals``."""
    select = f"SELECT {', '.join(quoted)} FROM reports_{number} ORDER BY {', '.join(quoted)};"
    return {("view", f"candor_closed.reports_{number}"): f"v {{security_barrier=true}} {select}"}


def compare_grants(made: Grants, held: Grants) -> list[Deviation]:
    """List the rights that roles have beyond those of ``roles.sql``, and those of them that they lack."""
    listed = []
    for role, rights in held.items():
        due: set[str] = set()
        for schema, stand_in in AT_ALL.items():
            if f"USAGE on schema {schema}" in rights:
                due |= {right for right in made[stand_in] if (CLOSED in right) == (schema + "." == CLOSED)}
                due |= LATER[stand_in] | {f"USAGE on schema {schema}"}
        more = {right for right in rights - due if not (due and OF_A_SURVEY.fullmatch(right))}
        listed += [Deviation("grant", f"{right} to {role}", "more") for right in sorted(more)]
        listed += [Deviation("grant", f"{right} to {role}", "less") for right in sorted(due - rights)]
    return listed
