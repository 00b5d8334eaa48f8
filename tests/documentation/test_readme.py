"""The README says what is so: its commands run, its numbers come out, its files exist."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import main
from survey.channel import TOTAL
from survey.definition import parse
from survey.mechanisms import spinner_coin
from survey.publication import publish
from survey.randomize import randomize

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:survey|server|static|tests|templates|\.ci)/[\w./]*)`", README)))


def test_it_opens_with_the_two_commands():
    commands = re.findall(r"^pip install uv && (.+)$", README, re.MULTILINE)
    assert commands == ["uv run candor demo", "uv run tests/run"]


def test_the_example_gives_the_numbers_beside_it():
    command = re.search(r"^\$ candor (estimate .+)$", README, re.MULTILINE)[1]
    result = CliRunner().invoke(main, shlex.split(command))
    (yes,) = (option for option in json.loads(result.output)["options"] if option["option"] == "yes")
    assert f"{yes['proportion']:.6f} with standard error {yes['standard_error']:.6f}" in README


def test_the_survey_file_passes_every_check():
    (text,) = re.findall(r"^```toml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    publication = publish(parse(text, "README.md"))
    assert [question.kind for question in publication.definition.questions] == [
        "yes_no",
        "choice",
        "boxes",
        "number",
    ]


def test_every_command_is_listed_and_every_listed_command_exists():
    listed = set(re.findall(r"^candor (\w+)", README, re.MULTILINE))
    assert listed == set(main.list_commands(None))


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path):
    assert (ROOT / path).exists()


def test_the_walk_of_one_answer_shows_what_really_happens():
    channel = spinner_coin(1.0)
    assert str(channel.weights.tolist()) in README
    word, report = re.search(r"word (\d+) → (no|yes)", README).groups()
    assert ("no", "yes")[randomize(channel, 1, int(word))] == report
    bright = (channel.weights[1, 1] - channel.weights[0, 1]) / TOTAL
    assert f"{bright:.1%}".replace("%", " %") in README


def test_every_environment_variable_is_documented():
    source = "".join(path.read_text() for path in (ROOT / "server").rglob("*.py"))
    used = set(re.findall(r"CANDOR_[A-Z_]+", source))
    assert used == set(re.findall(r"CANDOR_[A-Z_]+", README))
