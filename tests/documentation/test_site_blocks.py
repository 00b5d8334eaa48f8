"""What a page tells its reader to do works, and what it shows comes out."""

import shutil

import matplotlib.pyplot
import pytest
from blocks import (
    INCLUDED,
    NOT_RUN,
    PAGES,
    ROOT,
    blocks,
    compare,
    matches,
    needs,
    run_page,
    steps,
    unknown_words,
)

from server.cli import demo

TEXTS = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in (*PAGES, *INCLUDED)}
LANGUAGES = {"console", "python", "text", "toml"}
WITH_BLOCKS = {
    name: text for name, text in TEXTS.items() if any(block.language in LANGUAGES for block in blocks(text))
}
COMMANDS = [
    command
    for text in TEXTS.values()
    for block in blocks(text)
    if block.language == "console"
    for command, _ in steps(block.text)
]


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """Somebody with an empty folder, and nothing set."""
    monkeypatch.chdir(tmp_path)
    for name in ("CANDOR_DATABASE", "CANDOR_STRANGERS_SHARE"):
        monkeypatch.delenv(name, raising=False)
    matplotlib.pyplot.switch_backend("agg")
    yield tmp_path
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", WITH_BLOCKS)
def test_every_block_of_a_page_works(name, reader, request):
    for what in needs(TEXTS[name]):
        shutil.copytree(request.getfixturevalue(what), reader, dirs_exist_ok=True)
    run_page(TEXTS[name])


def test_what_is_not_run_is_shown_somewhere_with_a_reason():
    assert set(NOT_RUN) <= set(COMMANDS)
    assert all(len(reason.split()) > 3 for reason in NOT_RUN.values())


@pytest.mark.parametrize("command", NOT_RUN)
def test_what_is_not_run_names_commands_and_options_that_exist(command):
    assert unknown_words(command) == []


def test_a_wrong_word_is_noticed():
    line = "sudo CANDOR_BIND=[::]:80 /opt/candor/bin/candor backup --too /x --every day all.zip > log"
    assert unknown_words(line) == ["--too"]
    assert unknown_words("candor serv --bind x") == ["serv"]
    assert unknown_words("candor user ad ada") == ["ad"]


def test_a_wrong_output_is_noticed():
    page = "```python\nprint(6 * 7)\n```\n\n```text\n41\n```\n"
    with pytest.raises(AssertionError, match="42"):
        run_page(page)
    with pytest.raises(AssertionError, match="No such command"):
        run_page("```console\n$ candor demonstrate\n```\n")
    with pytest.raises(AssertionError, match="not\nsomething"):
        compare("true", "", "something")


def test_a_console_is_taken_apart_into_commands_and_what_they_print():
    console = "$ candor plan \\\n  health.toml\n$ ls\na.csv\nb.csv\n"
    assert list(steps(console)) == [("candor plan   health.toml", ""), ("ls", "a.csv\nb.csv\n")]
    (block,) = blocks("```{code-block} toml\n:caption: a.toml\n\ncandor = 1\nb = 2\n```\n")
    assert (block.language, block.name, block.text) == ("toml", "a.toml", "candor = 1\nb = 2\n")


def test_what_a_page_leaves_out_may_be_anything():
    assert matches("a\nb\nc 12 d\n", "a\n…\nc … d")
    assert matches("a\n", "a\n…\n")
    assert not matches("a\nb\n", "a\n")
    assert not matches("a.b\n", "a+b\n")


def test_blocks_have_a_language():
    other = [
        (name, block.text)
        for name, text in TEXTS.items()
        for block in blocks(text)
        if block.language not in LANGUAGES and not block.language.startswith("{")
    ]
    assert other == []


def test_the_demo_prints_what_the_first_page_shows(capsys):
    shown = [block.text for block in blocks(TEXTS[".docs/start.md"]) if block.language == "text"]
    demo.announce("http://127.0.0.1:8000", {"researcher": "one", "admin": "another"})
    assert matches(capsys.readouterr().out, *shown)
