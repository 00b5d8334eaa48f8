"""A SQLite file of a survey's reports, for any program that opens one, such as Datasette."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

Value = str | int | float | None


class ReportsFile:
    """A new SQLite file; its methods may be called from any thread, one at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def add_table(
        self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Value]], key: Sequence[str] = ()
    ) -> None:
        """Make a table and fill it.

        Parameters
        ----------
        name : str
        columns : sequence of str
            Any names: they are quoted.
        rows : iterable of sequences
        key : sequence of str
            The columns of the primary key, if there is one.
        """
        primary = f", PRIMARY KEY ({quoted(key)})" if key else ""
        self.connection.execute(f"CREATE TABLE {quoted([name])} ({quoted(columns)}{primary})")
        self.add_rows(name, rows, len(columns))

    def add_rows(self, name: str, rows: Iterable[Sequence[Value]], width: int) -> None:
        """Insert rows into a table."""
        places = ", ".join("?" * width)
        self.connection.executemany(f"INSERT INTO {quoted([name])} VALUES ({places})", rows)

    def add_reports(self, columns: Sequence[str]) -> None:
        """Make the table of the reports: a row of whole numbers for each respondent."""
        names = ", ".join(f"{quoted([name])} INTEGER NOT NULL" for name in columns)
        self.connection.execute(f"CREATE TABLE reports ({names})")

    def fill_reports(self, reports: npt.NDArray[np.unsignedinteger]) -> None:
        """Insert some of the reports into their table, in their order."""
        self.add_rows("reports", reports.tolist(), reports.shape[1])

    def add_view(self, name: str, columns: Sequence[str], label: str) -> None:
        """Make a view of the reports that shows, for each code, its words in a column of ``codebook``."""
        words = ", ".join(
            f"(SELECT {quoted([label])} FROM codebook WHERE \"column\" = '{column}' "
            f"AND code = reports.{quoted([column])}) AS {quoted([column])}"
            for column in columns
        )
        self.connection.execute(f"CREATE VIEW {quoted([name])} AS SELECT {words} FROM reports")

    def add_facts(self, facts: Mapping[str, Value]) -> None:
        """Make a table of names and values."""
        self.add_table("about", ("name", "value"), facts.items(), key=("name",))


@contextmanager
def reports_file(path: Path) -> Iterator[ReportsFile]:
    """Make a file that is on the disk when the block ends; if that fails, the file is of no use."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
        yield ReportsFile(connection)
        connection.execute("COMMIT")
    finally:
        connection.close()


def quoted(names: Sequence[str]) -> str:
    """Quote names, so that SQL takes none for a keyword."""
    return ", ".join('"' + name.replace('"', '""') + '"' for name in names)
