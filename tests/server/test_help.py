"""Help: every command has it under both names, and its examples stand on lines of their own and work."""

import re
import shlex
from importlib.metadata import version

import click
import pytest
from click.testing import CliRunner

from server.cli import main
from server.exchange.writing import write_xlsform
from survey.definition import from_dict
from survey.publication import publish


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


@pytest.mark.parametrize("command", ["estimate", "explain", "plan", "simulate"])
def test_the_examples_of_a_command_are_its_own(command):
    ours = [line for line in shown(command, "-h").splitlines() if re.match(r" +candor ", line)]
    assert len(ours) >= 2
    assert all(line.count("candor") == 1 and line.split()[1] == command for line in ours)


@pytest.mark.parametrize("example", examples())
def test_every_example_works(example, tmp_path, monkeypatch, survey_file, door):
    monkeypatch.chdir(tmp_path)  # where the door's database is, candor.db
    door.storage.close()
    definition = from_dict(survey_file() | {"slug": "health"}, "here")  # the door's is called exams
    (tmp_path / "health.toml").write_text(definition.as_toml(), encoding="utf-8")
    columns = publish(definition).columns
    row = ",".join("0" for _ in columns)
    (tmp_path / "reports.csv").write_text(f"{','.join(columns)}\n{row}\n{row}\n")
    (tmp_path / "counts.csv").write_text(
        "\n".join(["column,code,count", *(f"{name},0,2" for name in columns)])
    )
    (tmp_path / "form.xlsx").write_bytes(write_xlsform(definition))
    if " restore " in example:
        assert CliRunner().invoke(main, ["backup", "backup.zip"]).exit_code == 0
    ended = CliRunner().invoke(main, shlex.split(example)[1:])
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout
