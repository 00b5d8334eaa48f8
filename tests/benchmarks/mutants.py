"""Mutants of the commit path: every small change of what stores a submission must be caught by a test.

Usage: uv run python tests/benchmarks/mutants.py [FILE...]

Each mutant changes one comparison, sign, number, condition or statement. A process that has imported the
libraries forks, imports the mutated file and runs the tests that watch over it, up to the first that fails.
What survives must be explained in `mutants.toml`, with the reason why no test can tell it from the original.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).with_suffix(".toml")
SECONDS = 300
"""How long a file of tests may take; a mutant that hangs is caught."""

FAILED, NO_TESTS = 1, 5
"""What pytest exits with."""

STORE = ("submissions", "layout", "closing", "verify", "campaign", "publishing", "metadata", "immutability")
FILES = {
    "server/store/committer.py": ("committer", "publishing", "respond", "locked", "offload"),
    "server/store/submissions.py": (
        "submissions",
        "committer",
        "drawn_sections",
        "publishing",
        "respond",
        "offload",
        "invitations",
        "life",
    ),
    "server/store/publishing.py": ("publishing", "results", "drawn_sections", "invitations"),
    "server/store/sqlite/reports.py": STORE,
    "server/store/sqlite/buckets.py": STORE,
    "server/store/sqlite/counts.py": STORE,
    "server/store/sqlite/shape.py": STORE,
    "server/store/sqlite/plain.py": (*STORE, "read_once"),
    "server/store/sqlite/turns.py": ("closing", "deleting"),
    "server/store/sqlite/closing.py": ("closing", "layout"),
    "server/store/sqlite/deleting.py": ("deleting", "immutability"),
    "survey/record.py": ("submissions", "verify"),
}
"""File -> the tests that watch over it, in tests/server."""

MORE = {
    "survey/record.py": ["tests/survey/test_record.py", "survey/record.py"],
    "server/store/sqlite/shape.py": ["server/store/sqlite/shape.py"],
    "server/store/publishing.py": ["server/store/publishing.py"],
}
UNUSED = " and ".join(
    f"not {name}"
    for name in ("postgresql", "power_cut", "weaker", "process", "statement", "marks", "base64", "20000")
)
"""Tests that start other processes, which do not see the mutant, and some that take long."""

OPTIONS = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]

LIBRARIES = [
    "pytest",
    "hypothesis.stateful",
    "numpy",
    "scipy.stats",
    "flask",
    "flask_login",
    "flask_wtf",
    "wtforms",
    "sqlite_utils",
    "argon2",
    "babel",
    "brotli",
    "click",
    "limits",
    "secure",
    "psycopg",
    "werkzeug.test",
    "jinja2",
    "tomli_w",
]

OTHER = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
}


@dataclass(frozen=True)
class Mutant:
    """A file in which one place reads otherwise."""

    file: str
    line: int
    right: str
    wrong: str
    text: str

    def __str__(self) -> str:
        right, wrong = (" ".join(part.split())[:60] for part in (self.right, self.wrong))
        return f"{self.file}:{self.line}: {right} -> {wrong}"


def mutants(file: str) -> Iterator[Mutant]:
    """Give every mutant of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    whole = text.encode()
    for node in code(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        right = whole[start:end].decode()
        for wrong in changes(node):
            changed = (whole[:start] + wrong.encode() + whole[end:]).decode()
            yield Mutant(file, node.lineno, right, wrong, changed)


def code(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """Give what runs: no annotations and no decorators."""
    left_out = {"annotation", "returns", "decorator_list"}
    for name, field in ast.iter_fields(tree):
        if name in left_out:
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and getattr(child, "arg", None) != "strict":  # zip's, for defects
                if isinstance(child, ast.stmt | ast.expr):
                    yield child
                yield from code(child)


def changes(node: ast.AST) -> Iterator[str]:
    """Give what may stand in the place of a node instead."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        first = OTHER[type(node.ops[0])]()
        yield f"({ast.unparse(ast.Compare(node.left, [first, *node.ops[1:]], node.comparators))})"
    elif isinstance(node, ast.BoolOp):
        yield f"({ast.unparse(ast.BoolOp(OTHER[type(node.op)](), node.values))})"
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield f"({ast.unparse(ast.BinOp(node.left, OTHER[type(node.op)](), node.right))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield str(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield str(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})"
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "sorted":
        yield ast.unparse(ast.Call(ast.Name("list"), node.args, []))
    elif (
        isinstance(node, ast.Raise | ast.AugAssign | ast.Break | ast.Continue)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript))
    ):
        yield "pass"
    if isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.Name | ast.Call | ast.Attribute):
        yield ast.unparse(type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)).replace(
            "\n", "\n" + " " * node.col_offset
        )


class Seeded(importlib.abc.MetaPathFinder):
    """Imports a mutant in the place of its file."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = mutant.file.removesuffix(".py").replace("/", ".")

    def find_spec(self, name, path=None, target=None):
        """Find the mutated module only."""
        if name != self.name:
            return None
        compiled = compile(self.mutant.text, self.mutant.file, "exec")

        class Loader(SourceFileLoader):
            def get_code(self, fullname):
                return compiled

        file = str(ROOT / self.mutant.file)
        return importlib.util.spec_from_file_location(name, file, loader=Loader(name, file))


def survives(mutant: Mutant | None, tests: list[str]) -> bool:
    """Return whether all tests pass, one file after the other up to the first that does not."""
    return all(passes(mutant, test) for test in tests)


def passes(mutant: Mutant | None, test: str) -> bool:
    """Run a file of tests in a process of its own; return whether all pass in time."""
    number = os.fork()
    if number == 0:
        os.setpgid(0, 0)
        signal.alarm(SECONDS)
        with open(os.devnull, "w") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        code = FAILED
        with contextlib.suppress(BaseException):
            if mutant is not None:
                sys.meta_path.insert(0, Seeded(mutant))
            import pytest

            code = int(pytest.main([*OPTIONS, "-k", UNUSED, test]))
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)
    return code in (0, NO_TESTS)


def main(*files: str) -> int:
    """Print every survivor; 1 if one of them is not explained."""
    os.chdir(ROOT)
    for library in LIBRARIES:
        importlib.import_module(library)
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")) if EXPLAINED.exists() else {}
    caught, unexplained = 0, 0
    for file in files or FILES:
        tests = [f"tests/server/test_{name}.py" for name in FILES[file]] + MORE.get(file, [])
        if not survives(None, tests):
            sys.exit(f"The tests of {file} fail without a mutant: mend them first.")
        begun, made = time.monotonic(), list(mutants(file))
        for mutant in made:
            if not survives(mutant, tests):
                caught += 1
                continue
            why = explained.get(file, {}).get(" ".join(f"{mutant.right} -> {mutant.wrong}".split()))
            unexplained += why is None
            print(f"SURVIVED {mutant}  {why or ''}", flush=True)
        print(f"{file:34} {len(made):4} mutants, {time.monotonic() - begun:5.0f} s", flush=True)
    print(f"{caught} caught, {unexplained} survive without an explanation")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
