"""The wheel has our packages inside `candor`: no text names a module, so that only imports have to change."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"(?:survey|server)(?:\.\w+)*\.?")
BEGINS = re.compile(r"""["'}](?:survey|server)\b""")
"""The beginning of such a text as it is written: most modules have none, and need not be parsed."""

FILE = "survey.toml"
"""A file of downloads, though there is a module `survey.toml` too."""


def is_module(name):
    path = ROOT.joinpath(*name.rstrip(".").split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def named(source):
    """Every text of a module that names one, also as the beginning of a text that is put together."""
    for node in ast.walk(ast.parse(source)) if BEGINS.search(source) else ():
        text = node.value if isinstance(node, ast.Constant) else None
        if not (isinstance(text, str) and "." in text and NAME.fullmatch(text)) or text == FILE:
            continue
        holder = text.rpartition(".")[0]
        if is_module(text) or ("." in holder and is_module(holder)):  # or something in a module
            yield f"line {node.lineno}: {text}"


def test_no_text_names_one_of_our_modules():
    assert list(named("a = 'server.store'\nb = f'server.store.{a}'\nc = 'survey.toml'")) == [
        "line 1: server.store",
        "line 2: server.store.",
    ]
    texts = {
        path: list(named(path.read_text("utf-8")))
        for p in ("survey", "server")
        for path in (ROOT / p).rglob("*.py")
    }
    assert {path: names for path, names in texts.items() if names} == {}
