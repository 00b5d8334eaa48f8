"""Help: every command has it under both names, and its examples stand on lines of their own and work."""

import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.cli import demo, main
from server.store import surveys
from server.store.staff import accounts, audit_chain
from server.xlsform.writer import write_xlsform
from survey.publication import publish
from survey.read_definition import from_dict


def commands(command, *path):
    """Every command and group of commands, by the words that call it."""
    yield path
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                yield from commands(command.get_command(context, name), *path, name)


PATHS = list(commands(main))


def shown(*arguments):
    ended = CliRunner().invoke(main, arguments)
    assert (ended.exit_code, ended.stderr) == (0, "")
    return ended.stdout


def examples():
    """The lines of every help text that call the command."""
    return [
        line.strip()
        for path in PATHS
        for line in shown(*path, "--help").splitlines()
        if re.match(r" +candor ", line)
    ]


def test_all_commands_are_looked_at():
    assert len(PATHS) == len(set(PATHS))
    assert {("plan",), ("user", "add"), ("survey", "check")} <= set(PATHS)


def test_the_version_is_that_of_the_distribution():
    assert version("candor-survey") in shown("--version")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: " ".join(path) or "candor")
def test_help_is_had_under_both_names_and_shows_no_mark_of_its_layout(path):
    text = shown(*path, "--help")
    assert shown(*path, "-h") == text
    assert text.startswith(" ".join(("Usage: main", *path)))
    assert "\\" not in text
    assert "\b" not in text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: " ".join(path) or "candor")
def test_every_command_has_examples_of_its_own(path):
    ours = [line.split() for line in shown(*path, "-h").splitlines() if re.match(r" +candor ", line)]
    assert ours
    assert all(line[: 1 + len(path)] == ["candor", *path] for line in ours)


UNTIL_STOPPED = ("demo", "serve")
"""Commands that run until somebody stops them."""

ELSEWHERE = "candor deploy files > files.tar"
"""It packs every file as well as it can, which `test_deploy` waits for."""

EXAMPLES = list(dict.fromkeys(examples()))
ENDED = [line for line in EXAMPLES if line.split()[1] not in UNTIL_STOPPED and line != ELSEWHERE]


@pytest.fixture
def here(tmp_path, monkeypatch, survey_file, door):
    """A folder with what the examples name: a database of an open survey, a draft and two accounts, files."""
    monkeypatch.chdir(tmp_path)  # where the door's database is, candor.db
    for name, role in (("ada", "admin"), ("cleo", "researcher")):
        door.storage.write(accounts.create, name, "a long enough password", role)
    door.storage.write(surveys.create_draft, survey_file("pilot"))
    (tmp_path / "heads.txt").write_text(door.storage.read(audit_chain.head))
    door.storage.close()
    definition = from_dict(survey_file("health"), "here")
    (tmp_path / "health.toml").write_text(definition.as_toml(), encoding="utf-8")
    columns = publish(definition).columns
    row = ",".join("0" for _ in columns)
    (tmp_path / "reports.csv").write_text(f"{','.join(columns)}\n{row}\n{row}\n")
    (tmp_path / "counts.csv").write_text(
        "\n".join(["column,code,count", *(f"{name},0,2" for name in columns)])
    )
    (tmp_path / "form.xlsx").write_bytes(write_xlsform(definition))
    (tmp_path / "password.txt").write_text("another long password\n", encoding="utf-8")
    (tmp_path / "answers.csv").write_text("answer\nsame\ndifferent\n")
    (tmp_path / "matrix.csv").write_text("0.8,0.1,0.1\n0.1,0.8,0.1\n0.1,0.1,0.8\n")
    return tmp_path


@pytest.mark.parametrize("example", ENDED)
def test_every_example_works(example, here, request):
    """Files are redirected as a shell does; the address of a database is that of the tests' own."""
    if example.startswith("candor move"):
        url = request.getfixturevalue("postgresql").text
        if "--undo" in example:
            assert CliRunner().invoke(main, ["move", "candor.db", url]).exit_code == 0
        example = re.sub(r"postgresql://\S+", url, example)
    if " restore " in example:
        assert CliRunner().invoke(main, ["backup", "backup.zip"]).exit_code == 0
    command, _, given = re.sub(r" > \S+$", "", example).partition(" < ")
    given = (here / given).read_text(encoding="utf-8") if given else None
    ended = CliRunner().invoke(main, shlex.split(command)[1:], input=given)
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout or [*here.glob("exams.*")]


def test_the_example_of_the_server_works(here):
    (example,) = (line for line in EXAMPLES if line.split()[1] == "serve")
    command = [Path(sys.executable).with_name("candor"), *shlex.split(example)[1:]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=here) as process:
        try:
            assert any("Press Ctrl-C to stop" in line for line in process.stdout)
        finally:
            process.terminate()
            process.communicate()


def test_the_example_that_is_run_elsewhere_is_one():
    assert ELSEWHERE in EXAMPLES


def test_the_example_of_the_demo_can_be_read():
    """Its options are; `test_demo` runs it, which takes long enough for one time."""
    (example,) = (line for line in EXAMPLES if line.split()[1] == "demo")
    with demo.demo.make_context("demo", shlex.split(example)[2:]) as context:
        assert context.params["port"] == 0
