"""The page on results in Python: its blocks run in order, and print what stands under them."""

import contextlib
import io
import re
from pathlib import Path

import matplotlib.pyplot
import pytest

PAGE = Path(__file__).parents[2] / "survey" / "README.md"
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cells(text):
    """Each block of Python, with what must be printed: nothing, unless a block of text follows."""
    found = []
    for kind, block in BLOCK.findall(text):
        if kind == "python":
            found.append([block, ""])
        else:
            found[-1][1] = block
    return found


def run(found):
    """Run the blocks one after another, as a notebook does; yield what each prints."""
    names = {"__name__": "page"}
    for number, (code, _) in enumerate(found):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"block {number}", "exec"), names)
        yield printed.getvalue()


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.pyplot.switch_backend("agg")
    yield
    matplotlib.pyplot.close("all")


def test_every_block_prints_what_stands_under_it(elsewhere):
    found = cells(PAGE.read_text(encoding="utf-8"))
    assert len(found) >= 6
    assert list(run(found)) == [printed for _, printed in found]
    assert Path("subject.svg").read_text(encoding="utf-8").count("<svg") == 1


def test_a_block_that_prints_something_else_is_noticed():
    page = "```python\nx = 6\n```\n\n```python\nprint(x * 7)\n```\n\n```text\n41\n```\n"
    found = cells(page)
    assert [printed for _, printed in found] == ["", "41\n"]
    assert list(run(found)) == ["", "42\n"]
