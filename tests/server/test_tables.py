"""Every table has a name: whoever listens to a page and goes from table to table hears it, and no heading."""

import re

import pytest

from server.web.files.assets import folder

TEMPLATES = folder("templates")
TABLE = re.compile(r"<table\b([^>]*)>\s*(<caption)?")

WITH_TABLES = [path for path in sorted(TEMPLATES.rglob("*.html")) if TABLE.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", WITH_TABLES, ids=lambda path: path.relative_to(TEMPLATES).as_posix())
def test_every_table_of_a_page_has_a_name(path):
    for attributes, caption in TABLE.findall(path.read_text("utf-8")):
        assert caption or "aria-label" in attributes


def test_what_names_the_tables_of_results_is_there_once(publish_exams, browse):
    publish_exams()
    for address in ("/results/exams", "/results/exams/codebook.html"):
        page = browse("researcher").get(address).text
        named = re.findall(r'<table[^>]* aria-labelledby="([^"]+)"', page)
        assert named
        assert all(page.count(f' id="{name}"') == 1 for name in named)
