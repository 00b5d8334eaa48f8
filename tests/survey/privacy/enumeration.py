"""How often a guess is right, by trying every pair of sets of answers."""

import math
from functools import reduce
from itertools import combinations, combinations_with_replacement

import numpy as np


def enumerated(reports, waves, most=2e8):
    """(1 + TV)/2 over every pair of sets of answers and every draw; None where they are too many."""
    worst = 0.5
    for draws in combinations_with_replacement(list(combinations(reports.drawn, reports.asked)), waves):
        asked = [*reports.always * waves, *(each for draw in draws for section in draw for each in section)]
        if math.prod(each.answers**2 * each.reports for each in asked) > most:
            return None
        rows = reduce(np.kron, [each.probabilities for each in asked])
        worst = max(worst, *((1 + np.abs(rows - row).sum(axis=1).max() / 2) / 2 for row in rows))
    return worst
