"""A do-file for Stata, never run: it reads and labels the reports, and prints estimates and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from server.results.archive.variables import Variable, one_line, variables
from survey.publication import Publication

RESERVED = frozenset(
    ["byte", "double", "float", "if", "in", "int", "long", "strl", "using", "with"]
    + [f"str{length}" for length in range(1, 2046)]
)
LONGEST_NAME = 32
LONGEST_LABEL = 80
COMMENT = re.compile(r"(?<=/)(?=\*)|(?<=\*)(?=/)|(?<=(?<!:)/)(?=/)")
"""Places between two characters that begin or end a comment; an address may keep its two slashes."""

MISSING = {"skip": ".a", "not_asked": ".b", "not_sampled": ".c"}

HEAD = """\
* NOT RUN BY US: we have no Stata. Its authors checked it by reading alone.
* analysis.py and analysis.R are tested with every release; compare what you get with estimates.csv.
*
* Reads the noisy reports, labels them, and prints unbiased estimates. After them it prints how often each
* report was received: those are no answers.
* Use cd first to go to the folder that this file lies in. Needs Stata 14 or newer.
* An estimate is the mean of what each report adds to it, whatever the mechanism.
* Standard errors here divide by n - 1, those in estimates.csv by n.
* For intervals, and for browsers and real coins together, see estimates.csv.
* Missing values: .a skipped, .b not asked, .c not sampled.

version 14
import delimited using "reports.csv", delimiters(",") varnames(nonames) rowrange(2) clear
"""


def text(publication: Publication) -> str:
    """Write the do-file."""
    return "".join(f"{line}\n" for line in lines(publication))


def lines(publication: Publication) -> Iterator[str]:
    """Yield the do-file line by line. It goes by places, as a heading may be no name in Stata."""
    columns = variables(publication, RESERVED, LONGEST_NAME)
    yield from HEAD.splitlines()
    for place, column in enumerate(columns, start=1):
        yield ""
        yield f"rename v{place} {column.name}"
        yield f"label variable {column.name} {quoted(column.label)}"
        yield from estimate_lines(column)
        yield from label_lines(column, f"codes{place}")
    yield ""
    yield from (f"mean {estimate.name}" for column in columns for estimate in column.estimates)
    yield from (f"tabulate {column.name}, missing" for column in columns)


def label_lines(variable: Variable, labels: str) -> Iterator[str]:
    """Yield the labels of a column; codes that say nothing become missing values with a label."""
    for code, label in variable.labels.items():
        value = MISSING[variable.silent[code]] if code in variable.silent else code
        yield f"label define {labels} {value} {quoted(label)}, add"
    for code, meaning in variable.silent.items():
        yield f"replace {variable.name} = {MISSING[meaning]} if {variable.name} == {code}"
    yield f"label values {variable.name} {labels}"


def estimate_lines(variable: Variable) -> Iterator[str]:
    """Yield the variables whose means are the column's estimates."""
    for each in variable.estimates:
        yield f"generate double {each.name} = ."
        yield f"label variable {each.name} {quoted(each.label)}"
        for code, adds in each.adds.items():
            yield f"replace {each.name} = {adds!r} if {variable.name} == {code}"


def quoted(text: str) -> str:
    r"""Return a text in quotes, with other signs for $, ` and quotes, which Stata would take for its own.

    A space parts the two characters that begin or end a comment: Stata finds comments within quotes, too.

    Examples
    --------
    >>> quoted("and/*/ or /// not at http://a.example")
    '"and/ * / or / / / not at http://a.example"'
    >>> quoted('the "best" $ of `all`')
    '"the \'best\' ＄ of \'all\'"'
    """
    plain = COMMENT.sub(" ", one_line(text, LONGEST_LABEL))
    plain = plain[:LONGEST_LABEL].replace('"', "'").replace("`", "'")
    return '"' + plain.replace("$", "\N{FULLWIDTH DOLLAR SIGN}") + '"'
