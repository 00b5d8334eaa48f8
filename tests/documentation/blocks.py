"""The blocks of a page: what a reader would type, and what the page says comes out."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from markdown_it import MarkdownIt

from server.cli import main
from survey.publication import publish
from survey.read_definition import parse

ROOT = Path(__file__).parents[2]
DOCS = ROOT / ".docs"
PAGES = sorted(DOCS.rglob("*.md"))
INCLUDED = sorted(
    {
        (page.parent / file).resolve()
        for page in PAGES
        for file in re.findall(r"^```\{include\} (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
)
"""Files elsewhere in the repository that pages show, the README among them."""

NOT_RUN = tomllib.loads((DOCS / "not_run.toml").read_text(encoding="utf-8"))
"""Command that no test can run -> the reason."""

ANYTHING = "…"
"""On a line of its own: any lines; within a line: anything."""


PROGRESS = "Simulating\n"
"""What a bar of progress leaves where there is no terminal."""


@dataclass(frozen=True)
class Block:
    """A fenced block, its language, and the name of the file that it stands for."""

    language: str
    text: str
    name: str = ""


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page."""
    for token in MarkdownIt().parse(text):
        if token.type != "fence":
            continue
        directive = re.fullmatch(r"\{code-block\} *(\w+)", token.info)
        options, content = re.match(r"((?::[^\n]*\n)*)\n*(.*)", token.content, re.DOTALL).groups()
        if directive:
            (name,) = re.findall(r"^:caption: (.+)$", options, re.MULTILINE)
            yield Block(directive[1], content, name)
        else:
            yield Block(token.info, token.content)


def needs(text: str) -> list[str]:
    """Return what the page asks to have in its folder before it begins."""
    asked = re.match(r"---\nneeds: \[(.*)\]\n---\n", text)
    return re.findall(r"\w+", asked[1]) if asked else []


def steps(console: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console, and what is shown under it."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, shown = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, re.DOTALL).groups()
        yield command.replace("\\\n", ""), shown


def run_page(text: str) -> None:
    """Do in the working directory what a page says, block by block."""
    names: dict[str, Any] = {"__name__": "page"}
    before = ""
    printed = ""
    for block in blocks(text):
        if block.name:
            Path(block.name).write_text(block.text, encoding="utf-8")
        if block.language == "console":
            for command, shown in steps(block.text):
                if command not in NOT_RUN:
                    compare(command, run(command), shown)
        elif block.language == "python":
            printed = output(block.text, names)
        elif block.language == "text" and before == "python":
            compare("the block of Python", printed, block.text)
        elif block.language == "toml" and block.text.startswith("candor = "):
            publish(parse(block.text, block.name or "the page"))
        before = block.language


def output(code: str, names: dict[str, Any]) -> str:
    """Run a block of Python and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "the page", "exec"), names)
    return printed.getvalue()


def run(command: str) -> str:
    """Run a command and return what a terminal shows, with the code that it exits with unless that is 0."""
    code, shown = in_process(command) if is_plain(command) else by_shell(command)
    return shown + (f"[exit {code}]\n" if code else "")


def is_plain(command: str) -> bool:
    """Tell whether no shell is needed, but for files to read from and to write to."""
    return command.startswith("candor ") and not re.search(r"[|;&$`*?~]", command)


def in_process(command: str) -> tuple[int, str]:
    """Run one of our commands here, which saves the second that it takes to start."""
    command, _, target = command.partition(" > ")
    command, _, source = command.partition(" < ")
    given = Path(source.strip()).read_bytes() if source else None
    result = CliRunner().invoke(main, shlex.split(command)[1:], input=given, prog_name="candor")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if not target:
        return result.exit_code, result.output.replace(PROGRESS, "")
    Path(target.strip()).write_bytes(result.stdout_bytes)
    return result.exit_code, result.stderr


def by_shell(command: str) -> tuple[int, str]:
    """Run a command by the shell, which finds Python and Candor where the tests run."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    return ended.returncode, ended.stdout


def compare(command: str, printed: str, shown: str) -> None:
    """Compare what came out with what the page shows, if it shows something; a failure must be shown."""
    failed = re.search(r"^\[exit \d+\]$", printed, re.MULTILINE)
    if not (shown.strip() or failed):
        return
    assert matches(printed, shown), f"{command}\nprints\n{printed}\nand not\n{shown}"


def matches(printed: str, shown: str) -> bool:
    """Compare two texts, of which the second may leave things out."""
    lines = re.escape(tidy(shown) + "\n")
    pattern = re.sub(rf"(?m)^{ANYTHING}\\?\n", r"(?:.*\\n)*", lines).replace(ANYTHING, ".*")
    return re.fullmatch(pattern, tidy(printed) + "\n") is not None


def tidy(text: str) -> str:
    """Leave out spaces where lines and the text end, which no reader sees."""
    return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def unknown_words(command: str) -> list[str]:
    """Return the words of a command line of ours that no command and no option is called."""
    words = shlex.split(re.sub(r" [|>&].*", "", command))
    start = next((place for place, word in enumerate(words) if re.fullmatch(r"(\S+/)?candor", word)), None)
    if start is None:
        return []
    here: click.Command = main
    unknown = []
    for word in words[start + 1 :]:
        if isinstance(here, click.Group) and not word.startswith("-"):
            found = here.get_command(click.Context(here), word)
            if found is None:
                return [word]
            here = found
        elif word.startswith("-") and len(word) > 1:
            options = {option for each in here.params for option in (*each.opts, *each.secondary_opts)}
            unknown += [word] if word.partition("=")[0] not in {*options, "--help", "-h"} else []
    return unknown
