"""The threat model: each line of it names tests that exist, or says that and why it is not held."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEOPLE = ("neighbour", "researcher", "admin", "operator", "host", "network", "forger", "coercer", "court")
CITED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def text_of(page):
    return (ROOT / ".github" / page).read_text(encoding="utf-8")


def rows(page):
    """The cells of each line of the tables, without their headings."""
    lines = re.findall(r"^\| (.+) \|$", text_of(page), re.MULTILINE)
    return [line.split(" | ") for line in lines if not line.startswith(("sees or does", "requirement"))]


def test_it_goes_through_everybody():
    headings = re.findall(r"^## (.+)$", text_of("THREATS.md"), re.MULTILINE)
    assert len(headings) == len(PEOPLE)
    assert all(person in heading for person, heading in zip(PEOPLE, headings, strict=True))


def test_every_line_names_a_test_or_why_it_is_not_held():
    held = rows("THREATS.md")
    assert len(held) > 40
    said = re.compile(r"`tests/|\bnot held\b.*(: |, because )")
    assert [cells for cells in held if not said.search(cells[1])] == []


def test_every_requirement_has_a_test_or_a_gap():
    asked = rows("ASVS.md")
    assert len(asked) > 100
    assert [cells for cells in asked if len(cells) != 3 or cells[1:] == ["–", "–"]] == []


@pytest.mark.parametrize("page", ["THREATS.md", "ASVS.md"])
def test_every_test_that_is_named_exists(page):
    cited = CITED.findall(text_of(page))
    assert cited
    assert [f"{path}::{name}" for path, name in cited if not exists(path, name)] == []


def exists(path, name):
    file = ROOT / path
    return file.exists() and (not name or name in functions(file))


@cache
def functions(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
