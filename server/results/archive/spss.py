"""Syntax for SPSS, and for PSPP: it reads the reports, labels them, and prints estimates and frequencies."""

from __future__ import annotations

from collections.abc import Iterator

from server.results.archive.variables import Variable, one_line, variables
from server.results.files.csv_text import BYTE_ORDER_MARK
from survey.publication import Publication

RESERVED = frozenset(("all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"))
LONGEST_NAME = 64
LONGEST_LABEL = 120
"""Bytes of a value's label that SPSS keeps. A line may have 256, even where every quote is doubled."""

HEAD = """\
* Reads the noisy reports, labels them, and prints unbiased estimates. After them it prints how often each
* report was received: those are no answers.
* Use CD first to go to the folder that this file lies in. PSPP can run it too.
* An estimate is the mean of what each report adds to it, whatever the mechanism.
* Standard errors here divide by n - 1, those in estimates.csv by n.
* For intervals, and for browsers and real coins together, see estimates.csv.

SET FORMAT=F20.10.
"""


def text(publication: Publication) -> str:
    """Write the syntax. SPSS reads it as UTF-8 only with a byte order mark."""
    return BYTE_ORDER_MARK + "".join(f"{line}\n" for line in lines(publication))


def lines(publication: Publication) -> Iterator[str]:
    """Yield the syntax line by line; a full stop at the end of a line ends a command."""
    columns = variables(publication, RESERVED, LONGEST_NAME)
    yield from HEAD.splitlines()
    yield ""
    yield "GET DATA /TYPE=TXT /FILE='reports.csv' /ARRANGEMENT=DELIMITED /DELIMITERS=','"
    yield "  /FIRSTCASE=2 /VARIABLES="
    yield from (f"  {column.name} F5.0" for column in columns)
    yield "  ."
    for column in columns:
        yield ""
        yield from label_lines(column)
        yield from estimate_lines(column)
    yield ""
    yield "DESCRIPTIVES /VARIABLES="
    yield from (f"  {estimate.name}" for column in columns for estimate in column.estimates)
    yield "  /STATISTICS=MEAN SEMEAN."
    yield "FREQUENCIES /VARIABLES="
    yield from (f"  {column.name}" for column in columns)
    yield "  /STATISTICS=NONE."


def label_lines(variable: Variable) -> Iterator[str]:
    """Yield the labels of a column, and which of its codes say nothing."""
    yield f"VARIABLE LABELS {variable.name}"
    yield f"  {quoted(variable.label)}."
    yield f"VALUE LABELS {variable.name}"
    yield from (f"  {code} {quoted(label)}" for code, label in variable.labels.items())
    yield "  ."
    if variable.silent:
        yield f"MISSING VALUES {variable.name} ({', '.join(map(str, variable.silent))})."


def estimate_lines(variable: Variable) -> Iterator[str]:
    """Yield the variables whose means are the column's estimates."""
    for each in variable.estimates:
        yield f"RECODE {variable.name}"
        yield from (f"  ({code}={adds!r})" for code, adds in each.adds.items())
        yield f"  (ELSE=SYSMIS) INTO {each.name}."
        yield f"VARIABLE LABELS {each.name} {quoted(each.label)}."
        yield f"FORMATS {each.name} (F20.10)."


def quoted(text: str) -> str:
    """Return a text as SPSS reads it back: quotes are doubled."""
    return "'" + one_line(text, LONGEST_LABEL).replace("'", "''") + "'"
