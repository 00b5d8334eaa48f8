"""The mutants of a file: a comparison, sign, number, end, condition or statement of each reads otherwise."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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

CALLED = {"any": "all", "all": "any", "sorted": "list", "floor": "ceil", "ceil": "floor"}
"""Name of a function or method -> one that may stand in its place."""

TOLERANCE = 1e-3
"""A smaller number is a tolerance: a mutant has none, or a thousand times as much."""


@dataclass(frozen=True)
class Mutant:
    """A file in which one place reads otherwise; whoever runs none of its lines cannot tell it."""

    file: str
    line: int
    lines: frozenset[int]
    right: str
    wrong: str
    text: str

    @property
    def change(self) -> str:
        """What stood there, and what stands there instead, in one line."""
        return " ".join(f"{self.right} -> {self.wrong}".split())

    def __str__(self) -> str:
        right, wrong = (" ".join(part.split())[:60] for part in (self.right, self.wrong))
        return f"{self.file}:{self.line}: {right} -> {wrong}"


def mutants(file: str) -> Iterator[Mutant]:
    """Give every mutant of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    whole = text.encode()
    for node, lines in code(ast.parse(text), frozenset()):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        right = whole[start:end].decode()
        for wrong in changes(node):
            changed = (whole[:start] + wrong.encode() + whole[end:]).decode()
            yield Mutant(file, node.lineno, lines, right, wrong, changed)


def code(tree: ast.AST, lines: frozenset[int]) -> Iterator[tuple[ast.stmt | ast.expr, frozenset[int]]]:
    """Give what runs, no annotations, `Literal` types or decorators, each with the lines that run with it."""
    left_out = {"annotation", "returns", "decorator_list"}
    for name, field in ast.iter_fields(tree):
        if name in left_out:
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.Subscript) and ast.unparse(child.value) == "Literal":
                continue
            if isinstance(child, ast.AST) and getattr(child, "arg", None) != "strict":  # zip's, for defects
                around = own_lines(child) if isinstance(child, ast.stmt) else lines
                if isinstance(child, ast.stmt | ast.expr):
                    yield child, around | own_lines(child)
                yield from code(child, around)


def own_lines(node: ast.stmt | ast.expr) -> frozenset[int]:
    """Return the lines of an expression or a statement, without those of the statements in it."""
    body = getattr(node, "body", None)
    end = body[0].lineno if isinstance(body, list) else node.end_lineno + 1
    return frozenset(range(node.lineno, max(end, node.lineno + 1)))


def changes(node: ast.AST) -> Iterator[str]:
    """Give what may stand in the place of a node instead."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        first = OTHER[type(node.ops[0])]()
        yield f"({ast.unparse(ast.Compare(node.left, [first, *node.ops[1:]], node.comparators))})"
    elif isinstance(node, ast.BoolOp):
        yield f"({ast.unparse(ast.BoolOp(OTHER[type(node.op)](), node.values))})"
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield f"({ast.unparse(ast.BinOp(node.left, OTHER[type(node.op)](), node.right))})"
        if isinstance(node.op, ast.FloorDiv) and not isinstance(node.right, ast.Constant):
            yield f"(-(-({ast.unparse(node.left)}) // {ast.unparse(node.right)}))"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield f"({ast.unparse(node.left)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield str(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield str(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is float and 0 < node.value < TOLERANCE:
        yield from ("0.0", str(1000 * node.value))
    elif isinstance(node, ast.Slice) and node.upper and not isinstance(node.upper, ast.Constant):
        yield f"{ast.unparse(node.lower) if node.lower else ''}:({ast.unparse(node.upper)}) - 1"
    elif isinstance(node, ast.Tuple | ast.Set) and all(map(is_text, node.elts)):
        for place in range(len(node.elts)):
            yield ast.unparse(type(node)([*node.elts[:place], *node.elts[place + 1 :]]))
    elif isinstance(node, ast.IfExp):
        yield f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})"
    elif isinstance(node, ast.Call) and called(node) in ("max", "min") and node.args[1:]:
        yield from map(ast.unparse, node.args)
    elif isinstance(node, ast.Call) and (name := called(node)) in CALLED:
        func = ast.unparse(node.func).removesuffix(name) + CALLED[name]
        keywords = [] if name == "sorted" else node.keywords
        yield ast.unparse(ast.Call(ast.Name(func), node.args, keywords))
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


def called(call: ast.Call) -> str:
    """Return the name of the function or method that is called."""
    return ast.unparse(call.func).rpartition(".")[2]


def is_text(node: ast.AST) -> bool:
    """Return whether a node is a string."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def module_of(file: str) -> str:
    """Return the name of the module that stands in a file."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class Seeded(importlib.abc.MetaPathFinder):
    """Imports a mutant in the place of its file."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = module_of(mutant.file)

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
