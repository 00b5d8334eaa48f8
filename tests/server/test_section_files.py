"""Files whose sections cannot be used: told with file, key, range and value, and nothing is stored."""

from html import unescape

import pytest
from click.testing import CliRunner

from server.cli import main
from server.store import surveys
from server.store.sqlite.storage import SQLiteStorage

HEAD = """
candor = 2
slug = "work"
languages = ["en"]
title = { en = "Work" }
information = { en = "A university asks." }
consent = { en = "I take part." }
budget = { limit = 2.5 }
"""


def section(name, *questions, more=""):
    """A section with yes/no questions of epsilon 1 each."""
    written = (
        f'[[sections.questions]]\nid = "{each}"\nmechanism = "spinner"\nepsilon = 1\n'
        'wording = { en = "?" }\n'
        for each in questions
    )
    return f'[[sections]]\nid = "{name}"\n{more}\n{"".join(written)}'


MANY = [f"q{n}" for n in range(60)]
PAIR = section("pay", "late") + section("hours", "nights")
BAD = {
    "none is asked": ("asked = 0", PAIR, "asked must be a whole number from 1 to 2, got 0"),
    "more are asked than there are": ("asked = 3", PAIR, "asked must be a whole number from 1 to 2, got 3"),
    "a word": ("asked = 'all'", PAIR, "asked must be a whole number from 1 to 2, got 'all'"),
    "too many sets": (
        "asked = 30",
        "".join(section(name, name) for name in MANY),
        "asked must be a number that leaves at most 1048576 sets of sections "
        "(now 118264581564861424 sets of 30 out of 60), got 30",
    ),
    "no questions": (
        "",
        section("pay") + section("hours", "nights"),
        "sections[0].questions is missing; it must be a list of 1 to 100 tables",
    ),
    "one name twice": (
        "",
        section("pay", "late") + section("pay", "nights"),
        "sections[1].id must be used by no other section, got 'pay'",
    ),
    "one question twice": (
        "asked = 1",
        section("pay", "late") + section("hours", "late"),
        "sections[1].questions[0].id must be used by no other question or column, got 'late'",
    ),
    "no section": ("sections = []", "", "sections must be a list of 1 to 100 tables, got []"),
    "a misspelt section": (
        "",
        PAIR.replace("sections", "section"),
        "section must be absent (known keys here: asked, budget, candor, closing, consent, contact, help, "
        "information, invitations, kept_until, languages, organisation, outcome, preview, questions, "
        "quick_exit, results, sections, slug, title), got [",
    ),
}  # fmt: skip
"""What is wrong -> a line above the sections, the sections, and what is said."""

ALWAYS = (
    section("about", "old", "sick", "tired", more="always = true") + PAIR,
    "budget.limit must be at least 4.0, the epsilon of the sections that one person is asked "
    "(3.0000 of it always), got 2.5",
)


@pytest.fixture
def candor(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CANDOR_DATABASE", "here.db")
    SQLiteStorage(tmp_path / "here.db").create()
    return lambda *arguments: CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def write(tmp_path):
    def write(line, sections):
        path = tmp_path / "work.toml"
        path.write_text(f"{HEAD}{line}\n{sections}")
        return path

    return write


@pytest.mark.parametrize("name", BAD)
def test_check_and_import_say_the_same_and_nothing_is_stored(candor, write, tmp_path, name):
    line, sections, said = BAD[name]
    file = write(line, sections)
    for command in ("check", "import"):
        result = candor("survey", command, file)
        assert result.exit_code == 1
        assert f"{file}: {said}" in result.stderr
    assert SQLiteStorage(tmp_path / "here.db").read(surveys.all_surveys) == []


def test_what_is_asked_always_may_cost_more_than_the_limit_by_itself(candor, write):
    sections, said = ALWAYS
    file = write("asked = 1", sections)
    result = candor("survey", "check", file)
    assert result.exit_code == 1
    assert f"{file}: {said}" in result.stderr
    assert candor("survey", "check", write("asked = 1", PAIR)).exit_code == 0


def test_the_editor_s_import_says_it_too_and_keeps_the_text(admin, storage):
    line, sections, said = BAD["more are asked than there are"]
    answer = admin.post("/admin/import", text=f"{HEAD}{line}\n{sections}")
    assert answer.status_code == 422
    assert said in unescape(answer.text)
    assert 'id = "nights"' in unescape(answer.text)
    assert storage.read(surveys.all_surveys) == []


def test_a_file_comes_back_from_the_database_as_it_was_read(candor, write, tmp_path):
    about = section("about", "old", more='title = { en = "About you" }\nalways = true')
    file = write("asked = 1", about + PAIR)
    assert candor("survey", "check", file).output.startswith(f"{file}: good: work, 3 questions")
    assert candor("survey", "import", file).exit_code == 0
    other = tmp_path / "other.toml"
    other.write_text(candor("survey", "export", "work").output)
    assert candor("survey", "check", other).stdout == f"{other}: good: work, 3 questions, in en, " + (
        "epsilon 2 in all; each person is asked 1 of 2 drawn sections\n"
    )
