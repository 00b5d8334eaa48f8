"""What is said of engines that spread a database names statements that Candor sends, where it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STORE = ROOT / "server/store/postgresql"
PAGE = (ROOT / ".github/ENGINES.md").read_text(encoding="utf-8")
ROWS = [line.strip("|").split(" | ")[:2] for line in PAGE.splitlines() if line.startswith("| `")]


def test_every_statement_that_they_lack_or_change_is_listed():
    assert len(ROWS) == 10


@pytest.mark.parametrize(("statements", "places"), ROWS)
def test_each_statement_stands_where_the_table_says(statements, places):
    texts = [(STORE / place).read_text(encoding="utf-8") for place in re.findall("`([^`]+)`", places)]
    named = re.findall("`([^`]+)`", statements)
    assert all(any(each in text for text in texts) for each in named)
    assert all(any(each in text for each in named) for text in texts)


def test_no_statement_locks_a_table_or_reads_a_column_of_the_system():
    files = (path for ending in ("py", "sql") for path in STORE.rglob(f"*.{ending}"))
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    assert len(sources) >= 8
    assert not [path for path, text in sources.items() if "LOCK TABLE" in text]
    reads = re.compile(r"(SELECT|WHERE|BY|AND|,)\s+(\w+\.)?(xmin|xmax|cmin|cmax|ctid)\b")
    assert not [path for path, text in sources.items() if reads.search(text)]
