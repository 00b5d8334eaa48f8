"""Names and docstrings that say too little, listed from Python's syntax trees.

Usage: uv run python tests/documentation/naming.py [FOLDER_OR_FILE ...]

Prints each breach as `file:line: message`; without arguments, those of the whole product.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("survey", "server")
VAGUE = {"found", "each", "one", "given", "kept"}
"""Names that say nothing of what they hold; a local may have one where all that reads it stands close by."""

REACH = 5
"""How many lines after its binding a local with a vague name may be read."""

OPENINGS = {"What", "Who", "Whether", "Which", "Where", "How", "Give"}
"""Words that open no docstring: it says what is done to what, or names what it describes."""

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.expr
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Breach(NamedTuple):
    """A line that breaks a rule."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        """Return the breach as compilers write it."""
        return f"{self.file}:{self.line}: {self.message}"


def sources(folders: Iterable[str] = PRODUCT) -> dict[str, ast.Module]:
    """Parse the Python files of some folders: path from the top -> syntax tree."""
    paths: list[Path] = []
    for start in (ROOT / folder for folder in folders):
        paths += [start] if start.is_file() else sorted(start.rglob("*.py"))
    return {str(path.relative_to(ROOT)): ast.parse(path.read_bytes()) for path in paths}


def breaches(trees: dict[str, ast.Module]) -> list[Breach]:
    """List all breaches in some files, except those of two files together."""
    checks = (vague_modules, vague_definitions, vague_locals, docstring_openings)
    return sorted(
        Breach(file, line, message)
        for file, tree in trees.items()
        for check in checks
        for line, message in check(file, tree)
    )


@cache
def nodes(tree: ast.Module) -> list[ast.AST]:
    """List the nodes of a file, which every check but one goes through."""
    return [*ast.walk(tree)]


def vague_modules(file: str, _: ast.Module) -> Iterator[tuple[int, str]]:
    """Find a vague name among those of a file and its folders."""
    for name in Path(file).with_suffix("").parts:
        if name in VAGUE:
            yield 1, f"`{name}` names a module"


def vague_definitions(_: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find the functions, parameters and attributes with vague names."""
    for node in nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in VAGUE:
                yield node.lineno, f"`{name}` names a function"
            case ast.arg(arg=name) if name in VAGUE:
                yield node.lineno, f"`{name}` names a parameter"
            case ast.Attribute(attr=name, ctx=ast.Store()) if name in VAGUE:
                yield node.lineno, f"`{name}` names an attribute"
            case ast.ClassDef(body=body):
                for name, line in bindings(body):
                    if name in VAGUE:
                        yield line, f"`{name}` names an attribute"


def vague_locals(_: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find the names of functions, comprehensions and the module that are read far from their binding."""
    if any(isinstance(node, ast.Name) and node.id in VAGUE for node in nodes(tree)):
        yield from far_reads(tree, [])


def far_reads(scope: Scope, around: list[dict[str, list[int]]]) -> Iterator[tuple[int, str]]:
    """Find reads of vague names in a scope, and in those within it, far from the binding that they see.

    Parameters
    ----------
    around : list of dict
        The lines where each name is bound, for each scope around this one, the innermost last.
    """
    bound: dict[str, list[int]] = defaultdict(list)
    for name, line in bindings(ast.iter_child_nodes(scope)):
        bound[name].append(line)
    visible = around if isinstance(scope, ast.ClassDef) else [*around, bound]
    for node in within(ast.iter_child_nodes(scope)):
        if isinstance(node, SCOPES):
            yield from far_reads(node, visible)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in VAGUE:
            lines = next((lines[node.id] for lines in reversed(visible) if node.id in lines), [node.lineno])
            nearest = max((line for line in lines if line <= node.lineno), default=min(lines))
            if abs(node.lineno - nearest) > REACH:
                yield node.lineno, f"`{node.id}` is read {node.lineno - nearest} lines after its binding"


def bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """List the names that a scope binds itself, but for its definitions, with their lines."""
    for node in within(nodes):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name, node.lineno
            case ast.alias(name=name, asname=alias):
                yield alias or name, node.lineno


def within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk through the nodes of one scope; of the scopes within it, only the nodes that open them."""
    for node in nodes:
        yield node
        if not isinstance(node, SCOPES):
            yield from within(ast.iter_child_nodes(node))


def docstring_openings(_: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find docstrings, and those of constants and attributes, that open with a question word."""
    for node in nodes(tree):
        if not isinstance(node, (ast.Module, *DEFINITIONS)):
            continue
        for statement in node.body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    opening = text.split(maxsplit=1)[0].strip(",.:;") if text.strip() else ""
                    if opening in OPENINGS:
                        yield statement.lineno, f"the docstring opens with {opening}"


def shared_class_names(trees: dict[str, ast.Module]) -> list[Breach]:
    """List public classes of one name in one room, and those of `server` that `survey` has too."""
    places: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[room(file), node.name].append((file, node.lineno))
    domain = {name for where, name in places if where == "survey"}
    listed = []
    for (where, name), files in sorted(places.items()):
        if where != "survey" and name in domain:
            listed += [Breach(*place, f"`survey` has a class `{name}` too") for place in files]
        if len(files) > 1:
            listed += [Breach(*place, f"{where} has {len(files)} classes `{name}`") for place in files]
    return listed


def room(file: str) -> str:
    """Return the room of a file: all of `survey`, or a folder of `server`."""
    parts = Path(file).parts
    return "/".join(parts[:2] if parts[0] == "server" and len(parts) > 2 else parts[:1])


def main() -> None:
    """Print the breaches in the folders that are named."""
    folders = [str(Path(argument).resolve().relative_to(ROOT)) for argument in sys.argv[1:]] or PRODUCT
    shared = [breach for breach in shared_class_names(sources()) if breach.file.startswith(tuple(folders))]
    listed = sorted(breaches(sources(folders)) + shared)
    print(*listed, f"{len(listed)} breaches", sep="\n")


if __name__ == "__main__":
    main()
