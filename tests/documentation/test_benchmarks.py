"""Benchmarks run seldom: what they take from the product is there, even if nobody has run them since."""

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
FILES = sorted(path.relative_to(FOLDER) for path in FOLDER.rglob("*.py"))


def missing(source: str) -> list[str]:
    """Return the names that a source takes from modules of the product, and that these lack.

    A module whose name a parameter of some function has too is not looked at.
    """
    tree, modules, lacking = ast.parse(source), {}, set()
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("server", "survey"):
            for alias in node.names:
                try:
                    value = getattr(import_module(node.module), alias.name, None)
                    value = value or import_module(f"{node.module}.{alias.name}")
                except ImportError:
                    lacking.add(f"{node.module}.{alias.name}")
                    continue
                if isinstance(value, ModuleType):
                    modules[alias.asname or alias.name] = value
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module and node.value.id not in bound and not hasattr(module, node.attr):
                lacking.add(f"{module.__name__}.{node.attr}")
    return sorted(lacking)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_each_name_that_a_benchmark_takes_is_there(file):
    assert not missing((FOLDER / file).read_text(encoding="utf-8"))


def test_names_that_are_not_there_are_found():
    source = (
        "from server.store import surveys, nothing\nfrom survey import record\nrecord.layout_of, surveys.lost"
    )
    assert missing(source) == ["server.store.nothing", "server.store.surveys.lost"]
