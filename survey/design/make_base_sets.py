"""Search for base sets whose turns around a circle tell all answers apart evenly, and write their table.

Usage: uv run python survey/design/make_base_sets.py

For each number of answers from 13 to 50 and each size of a set that is best at one of a few epsilons, the
fewest base sets, at most six, that are uneven by at most 2 %; otherwise six.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from survey.design.subset_variance import total_variance
from survey.design.unevenness import unevenness

ANSWERS = range(13, 51)
EPSILONS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0)
MOST_BLOCKS = 6
UNEVEN = 1.02
STARTS = 12
SMALL = 4
"""Of sets smaller than this the next size is searched for too: few of them tell answers apart evenly."""

TABLE = Path(__file__).with_name("base_sets.py")

HEAD = '''"""Base sets whose turns around a circle tell all answers apart evenly: made by `make_base_sets`."""

from __future__ import annotations

BASE_SETS: dict[int, tuple[str, ...]] = {
'''
FOOT = '''}
"""Number of answers -> families of base sets, in hexadecimal: bit i of a set is 1 if answer i is in it."""
'''

Members = npt.NDArray[np.bool_]


def sizes(answers: int) -> list[int]:
    """Return the sizes of sets that are best at some epsilon."""
    best = [
        min(range(1, answers), key=lambda size: total_variance(answers, epsilon, size))
        for epsilon in EPSILONS
    ]
    return sorted({1, *best, *(size + 1 for size in best if size < SMALL)})


def family(answers: int, size: int, random: np.random.Generator) -> list[list[int]]:
    """Search for the fewest base sets that are even enough."""
    if size == 1:
        return [[0]]
    most_even: list[list[int]] = []
    for blocks in range(1, MOST_BLOCKS + 1):
        trials = [improved(at_random(answers, size, blocks, random)) for _ in range(STARTS)]
        most_even = min(trials, key=lambda trial: unevenness(trial, answers))
        if unevenness(most_even, answers) <= UNEVEN:
            break
    return sorted(most_even)


def at_random(answers: int, size: int, blocks: int, random: np.random.Generator) -> Members:
    """Return base sets at random, shape (blocks, answers)."""
    members = np.zeros((blocks, answers), dtype=bool)
    for row in members:
        row[random.permutation(answers)[:size]] = True
    return members


def improved(members: Members) -> list[list[int]]:
    """Exchange one answer for another as long as that makes the base sets more even."""
    answers = members.shape[1]
    waves = np.fft.fft(np.eye(answers), axis=1)[:, 1:]  # of the set {answer}
    reached = np.inf
    while True:
        spectra = members @ waves
        trials = []
        for block, row in enumerate(members):
            leaving, coming = np.flatnonzero(row), np.flatnonzero(~row)
            exchanged = spectra[block] - waves[leaving, None] + waves[None, coming]
            others = (np.abs(np.delete(spectra, block, axis=0)) ** 2).sum(axis=0)
            powers = np.maximum(others + np.abs(exchanged) ** 2, 1e-12)
            uneven = powers.mean(axis=2) * (1 / powers).mean(axis=2)
            place = np.unravel_index(uneven.argmin(), uneven.shape)
            trials.append((float(uneven[place]), block, leaving[place[0]], coming[place[1]]))
        best, block, leaves, comes = min(trials)
        if best >= reached - 1e-9:
            return [np.flatnonzero(row).tolist() for row in members]
        reached = best
        members[block, leaves], members[block, comes] = False, True


def main() -> None:
    """Write the table."""
    random = np.random.default_rng(13)
    lines = []
    for answers in ANSWERS:
        lines.append(f"    {answers}: (\n")
        for size in sizes(answers):
            masks = (sum(1 << answer for answer in block) for block in family(answers, size, random))
            lines.append(f'        "{" ".join(f"{mask:x}" for mask in masks)}",\n')
        lines.append("    ),\n")
    TABLE.write_text(HEAD + "".join(lines) + FOOT, encoding="utf-8")


if __name__ == "__main__":
    main()
