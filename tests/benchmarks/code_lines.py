"""Lines of code a room, for the product, the tests and some folders, and how dense that code is.

Usage: uv run python tests/benchmarks/code_lines.py [--commit COMMIT] [--before COMMIT] [FOLDER ...]

Without --commit, the files in the work tree are counted; --before puts those of an older commit and the ratio
beside them. The folders (by default EDITOR) get a sum of their own; those that a version does not have count
nothing there. A line of code holds more than white space, comments and docstrings. Tables of words and data
(TOML, JSON) are counted apart.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PRODUCT = ("survey", "server", "static", "templates")
EDITOR = (
    *("server/editor", "server/drafts", "server/surveys", "server/forms"),
    *("static/js/editor", "static/js/drafts", "static/js/surveys"),
    *("templates/editor", "templates/drafts", "templates/surveys"),
)
"""The editor's folders, before and after the rooms were made."""

COMMENTS = {
    ".html": re.compile(r"\{#.*?#\}|<!--.*?-->", re.DOTALL),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
    ".sql": re.compile(r"--.*"),
    ".ts": re.compile(r"^\s*(//|/?\*).*", re.MULTILINE),
    ".R": re.compile(r"^\s*#.*", re.MULTILINE),
    ".toml": re.compile(r"^\s*#.*", re.MULTILINE),
    ".json": re.compile(r"(?!)"),
}
DATA = {".toml", ".json"}
SPACE = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
LOOPS = (ast.For, ast.AsyncFor, ast.While)
BRANCHES = (*LOOPS, ast.If, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.match_case)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def files_of(tree: Path, commit: str | None) -> list[Path]:
    """List the files of the work tree, or of a commit that is unpacked into a folder first."""
    if commit is None:
        listed = git("ls-files", "-z").decode().split("\0")
        return [tree / name for name in listed if (tree / name).is_file()]
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit))) as archive:
        archive.extractall(tree, filter="data")
    return [path for path in tree.rglob("*") if path.is_file()]


def git(*arguments: str) -> bytes:
    """Run git on this repository and return what it prints."""
    return subprocess.check_output(["git", "-C", TOP, *arguments])


def measure(tree: Path, files: list[Path]) -> dict[str, Counter[str]]:
    """Measure every file of the product and the tests: path from the top -> lines, and more of a program."""
    wanted = [path for path in files if path.relative_to(tree).parts[0] in (*PRODUCT, "tests")]
    scripts = [path for path in wanted if path.suffix == ".js"]
    node = ["node", TOP / "tests/js/code_measures.js"]
    printed = subprocess.check_output(node, input="\n".join(map(str, scripts)), text=True)
    measures = {path: Counter[str](script) for path, script in json.loads(printed).items()}
    for path in wanted:
        if path.suffix == ".py":
            measures[str(path)] = measure_python(path.read_text())
        elif path.suffix in COMMENTS:
            text = COMMENTS[path.suffix].sub("", path.read_text())
            measures[str(path)] = Counter(lines=sum(map(bool, map(str.strip, text.splitlines()))))
    return {str(Path(path).relative_to(tree)): counted for path, counted in measures.items()}


def measure_python(source: str) -> Counter[str]:
    """Count lines with code, tokens, statements, functions and the paths through these (McCabe 1976)."""
    nodes = list(ast.walk(ast.parse(source)))
    texts = [node for node in nodes if isinstance(node, ast.Expr) and is_text(node)]
    described = {line for node in texts for line in range(node.lineno, (node.end_lineno or 0) + 1)}
    tokens = [
        token
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in {*SPACE, tokenize.COMMENT} and token.start[0] not in described
    ]
    blank = {line for line, text in enumerate(source.splitlines(), 1) if not text.strip()}
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return Counter(
        lines=len(lines - blank),
        tokens=len(tokens),
        statements=sum(isinstance(node, ast.stmt) for node in nodes) - len(texts),
        functions=sum(isinstance(node, FUNCTIONS) for node in nodes),
        paths=sum(paths_added(node) for node in nodes),
    )


def is_text(node: ast.Expr) -> bool:
    """Return whether a statement is a string alone, as docstrings are."""
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def paths_added(node: ast.AST) -> int:
    """Count the paths that a function or a branch adds."""
    match node:
        case ast.BoolOp(values=values):
            return len(values) - 1
        case ast.comprehension(ifs=ifs):
            return 1 + len(ifs)
    return int(isinstance(node, (*FUNCTIONS, *BRANCHES)))


def room(path: str) -> str:
    """Return the folder that a line of the table sums up."""
    parts = Path(path).parts[:-1]
    return "/".join(parts[: 3 if parts[:2] == ("static", "js") else 2])


def sums(measures: dict[str, Counter[str]], folders: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Sum up the lines of each room, and of all that the table names."""
    rooms: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for path, measured in measures.items():
        lines, part = measured["lines"], "tests" if path.startswith("tests/") else "product"
        if Path(path).suffix in DATA:
            totals[f"= {part}: words and data"] += lines
        else:
            rooms[room(path)] += lines
            totals[f"= {part}"] += lines
            totals["= folders"] += lines * path.startswith(tuple(f"{folder}/" for folder in folders))
    yield from rooms.items()
    yield from totals.items()
    for language, suffix in (("Python", ".py"), ("JavaScript", ".js")):
        total: Counter[str] = Counter()
        for path, measured in measures.items():
            if path.endswith(suffix) and path.startswith(PRODUCT):
                total += measured
        yield f"= tokens a statement, {language}", total["tokens"] / total["statements"]
        yield f"= paths a function, {language}", total["paths"] / total["functions"]


def figures_of(commit: str | None, folders: tuple[str, ...]) -> dict[str, float]:
    """Measure the work tree or a commit: line of the table -> figure."""
    with tempfile.TemporaryDirectory() as unpacked:
        tree = Path(unpacked) if commit else TOP
        return dict(sums(measure(tree, files_of(tree, commit)), folders))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--commit")
    parser.add_argument("--before")
    parser.add_argument("folders", nargs="*", default=EDITOR)
    options = parser.parse_args()
    now = figures_of(options.commit, tuple(options.folders))
    before = figures_of(options.before, tuple(options.folders)) if options.before else {}
    for name in sorted({*now, *before}, key=lambda name: (name.startswith("="), name)):
        figures = [before.get(name, 0), now.get(name, 0)] if options.before else [now[name]]
        ratio = f"{figures[1] / figures[0]:8.3f}" if len(figures) == 2 and figures[0] else ""
        shown = (f"{figure:8.2f}" if isinstance(figure, float) else f"{figure:8}" for figure in figures)
        print(f"{name:40}", *shown, ratio)


if __name__ == "__main__":
    main()
