"""A name says, with its room, what it holds, and a docstring what is done to what."""

import ast
from pathlib import Path

from naming import PRODUCT, Breach, breaches, shared_class_names, sources

UNFINISHED = {
    "server",
    "server/ethics",
    "server/forms",
    "server/results",
    "server/results/archive",
    "server/results/charts",
    "server/results/downloads",
    "server/results/files",
    "server/store",
    "server/store/postgresql",
    "server/store/sqlite",
    "server/store/upkeep",
}
"""Folders, without those within them, in which older names and docstrings still stand."""

SAMPLE = '''
class Bag:
    kept: int
    """How many."""

    def __init__(self, one, *, given=()):
        """Give it a number."""
        self.found = given

    def found(self):
        """Return what was found."""
        each = [each for each in self.bags]
        for found in each:
            print(found)





            print(found, lambda: each)
'''


def test_names_and_docstrings_say_what_they_stand_for():
    trees = sources(PRODUCT)
    listed = [*breaches(trees), *shared_class_names(trees)]
    unexcused = [str(breach) for breach in listed if str(Path(breach.file).parent) not in UNFINISHED]
    assert not unexcused, "\n".join(unexcused)


def test_a_vague_name_is_seen_wherever_it_stands():
    assert [breach[1:] for breach in breaches({"server/given.py": ast.parse(SAMPLE)})] == [
        (1, "`given` names a module"),
        (3, "`kept` names an attribute"),
        (4, "the docstring opens with How"),
        (6, "`given` names a parameter"),
        (6, "`one` names a parameter"),
        (7, "the docstring opens with Give"),
        (8, "`found` names an attribute"),
        (10, "`found` names a function"),
        (20, "`each` is read 8 lines after its binding"),
        (20, "`found` is read 7 lines after its binding"),
    ]


def test_a_class_shares_its_name_with_none_of_its_room_and_none_of_the_domain():
    classes = {
        "survey/plan/a.py": "Row",
        "server/store/a.py": "Made",
        "server/store/sqlite/b.py": "Made",
        "server/d.py": "Row",
    }
    trees = {file: ast.parse(f"class {name}: ...") for file, name in classes.items()}
    assert shared_class_names(trees) == [
        Breach("server/d.py", 1, "`survey` has a class `Row` too"),
        Breach("server/store/a.py", 1, "server/store has 2 classes `Made`"),
        Breach("server/store/sqlite/b.py", 1, "server/store has 2 classes `Made`"),
    ]
