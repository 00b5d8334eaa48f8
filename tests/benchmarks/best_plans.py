"""The people that Candor's own surveys need, as they were at an older commit and as they are.

Usage: uv run python tests/benchmarks/best_plans.py [COMMIT]

For each example, template and the survey at /try: the people with whom every margin is 5 points of what
could come out, the total epsilon, and how many times in 100 a guess is right, at COMMIT (aeb423fe) and today;
and the people of the best plan within the limits that are advised.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from survey.definition import Definition
from survey.plan.outlook import people_for
from survey.plan.plans_within import MARGIN
from survey.plan.proposal import propose
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.publication import publish
from survey.read_definition import parse

TOP = Path(__file__).parents[2]
COMMIT = "aeb423fe"
MOVED = {"server/public/practice.toml": "server/pages/practice.toml"}
"""Name today -> name at that commit, where it was another."""

SHOWN = {"student-life", "practice"}
"""They show every kind of question, each apart, and not what a plan would make of them."""

NEAR = 1.01
"""So many times the people of the best plan a survey may need."""


def read_at(commit: str, path: str) -> Definition:
    """Read a survey file as it was at a commit."""
    name = f"{commit}:{MOVED.get(path, path)}"
    text = subprocess.run(["git", "show", name], cwd=TOP, capture_output=True, check=True, text=True).stdout
    return parse(text, name)


def figures(definition: Definition) -> tuple[float, float, int, int]:
    """Return people, total epsilon, and both guess figures of a survey."""
    publication = publish(definition)
    asked = definition.asked if definition.samples else None
    people = people_for(MARGIN, definition.sections, asked)
    guess = publication.guess
    return people, publication.budget.epsilon, guess.times_right, guess.times_telling


def main(commit: str = COMMIT) -> int:
    """Print the table; return how many surveys miss a limit or the best plan."""
    missed = 0
    heads = f"{'people':>9} {'total':>6} right telling"
    print(f"{'survey':22} {heads}  {heads}  best")
    folders = ("server/examples", "server/starters")
    listed = [path for folder in folders for path in sorted((TOP / folder).glob("*.toml"))]
    for path in [*listed, TOP / "server/public/practice.toml"]:
        now = parse(path.read_text(encoding="utf-8"), path.name)
        both = [figures(read_at(commit, path.relative_to(TOP).as_posix())), figures(now)]
        cells = "  ".join(
            f"{people:9,.0f} {total:6.3f} {right:5} {telling:7}" for people, total, right, telling in both
        )
        people, _, right, telling = both[1]
        best = propose(now.sections, 1000, waves=now.waves).best[0].people
        beyond = right > MOST_RIGHT or telling > MOST_TELLING
        wrong = beyond or (path.stem not in SHOWN and people > NEAR * best)
        missed += wrong
        print(f"{path.stem:22} {cells}  {best:,}{'  MISSED' if wrong else ''}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
