"""A text that a parser would take minutes for is refused first, in a time like that of reading a good one."""

import statistics
import time
import tomllib
from contextlib import suppress

import pytest

from survey.toml import LONGEST_WORD, MOST_NAMES, MOST_NESTED, Unreadable, read

SIZE = 40_000
SLOW = {
    "a dotted key": ("a." * (SIZE // 2) + "a = 1", "a line with keys of at most 8 names"),
    "with spaces": (" . ".join(["a"] * (SIZE // 4)) + " = 1", "a line with keys of at most 8 names"),
    "of quoted names": (
        ".".join(['"a"', "'a'"] * (SIZE // 8)) + " = 1",
        "a line with keys of at most 8 names",
    ),
    "in a heading": ("[" + "a." * (SIZE // 2) + "a]", "a line with keys of at most 8 names"),
    "in a table": ("a = {" + "b." * (SIZE // 2) + "b = 1}", "a line with keys of at most 8 names"),
    "after a text that looks like a comment": (
        'x = "#"\n' + "a." * 20_000 + "a = 1",
        "a line with keys of at most 8 names",
    ),
    "lists in lists": ("a = " + "[" * SIZE, "a line with at most 8 open brackets"),
    "tables in tables": ("a = " + "{a = " * (SIZE // 5), "a line with at most 8 open brackets"),
    "a long name": ("a" * SIZE + " = 1", "a line with names and numbers of at most 100 characters"),
    "a long number": ("a = " + "9" * SIZE, "a line with names and numbers of at most 100 characters"),
    "texts without an end": ('"\\' * (SIZE // 2), "TOML"),
}


@pytest.mark.parametrize(("text", "allowed"), SLOW.values(), ids=SLOW)
def test_what_would_take_long_is_refused_with_its_line(text, allowed):
    with pytest.raises(Unreadable) as refused:
        read(f"candor = 1\n{text}\n")
    assert f"must be {allowed}" in str(refused.value)
    assert len(str(refused.value)) < 400


def test_the_line_is_that_of_the_file_even_after_texts_of_several_lines():
    with pytest.raises(Unreadable, match=r"^line 5 must be a line with keys"):
        read('a = """\n1.2\n"""\n\n' + "a." * 10 + "b = 1")


@pytest.mark.parametrize(
    "text",
    [
        ".".join("abcdefgh"[:MOST_NAMES]) + " = 1",
        "a = " + "[" * MOST_NESTED + "]" * MOST_NESTED,
        "a" * LONGEST_WORD + " = 1",
        f"a = \"{'.' * 500}\"\nb = '{'[' * 500}'  # {'a.' * 500}",
        'a = """\n' + "a." * 500 + '\\""" ""\n"""',
        "a = '''\n" + "[" * 500 + "''  \n'''''",
        "u = [[" + ", ".join(["0.5"] * 50) + "], [" + ", ".join(["1.5"] * 50) + "]]",
        "a = 1979-05-27T07:32:00.999999-07:00",
        'a = ""\nb = \'\'\nc = "\\\\"',
    ],
)
def test_what_a_survey_may_hold_is_read_as_any_parser_reads_it(text):
    assert read(text) == tomllib.loads(text)


def seconds(text):
    """Read a text five times, if it can be read; return the median seconds of processor time."""
    taken = []
    for _ in range(5):
        before = time.thread_time()
        with suppress(Unreadable):
            read(text)
        taken.append(time.thread_time() - before)
    return statistics.median(taken)


def test_no_text_takes_much_longer_than_a_good_one_of_its_length():
    good = seconds("\n".join(f"[t{n}]\na = 1" for n in range(SIZE // 12)))
    for name, (text, _) in SLOW.items():
        assert seconds(text) <= 5 * good, name
