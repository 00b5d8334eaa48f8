"""`candor completion`: the script is one that its shell can read, and click completes our words."""

import shutil
import subprocess

import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner

from server.cli import completion, main


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_each_shell_gets_a_script_that_asks_our_command(shell):
    ended = CliRunner().invoke(main, ["completion", shell])
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert f"{completion.VARIABLE}={shell}_complete" in ended.stdout
    if shutil.which(shell):
        checked = subprocess.run([shell, "-n"], input=ended.stdout, capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "last", "expected"),
    [
        ([], "ba", ["backup"]),
        (["database"], "", ["migrate", "roles"]),
        (["user", "add"], "--ro", ["--role"]),
        (["completion"], "z", ["zsh"]),
    ],
)
def test_words_are_completed(words, last, expected):
    found = BashComplete(main, {}, "candor", completion.VARIABLE).get_completions(words, last)
    assert [each.value for each in found] == expected
