"""Print how often the intervals of quartiles hold the truth, where people round their numbers and elsewhere.

    python tests/benchmarks/shapes.py

The intervals promise 95 % for any shape of the distribution. At 20 to 20 000 respondents, on a fine and on a
coarse grid, each quartile must be held in at least .95 of 500 surveys: of people who round their numbers, and
of populations made to break the intervals. Those are everybody at one point, all but two people at one end,
all just inside or just outside of an edge, and for each quartile the answers for which its bound leaves no
slack. Seeds are fixed.

A survey is counted without solving for the ends: a limit holds a share exactly where the likelihood ratio
there is small enough, which is computed for all surveys at once. Of some surveys the product's intervals are
asked for too, and must hold the truth wherever the count says so. A quartile of which no grid point can be
ruled out is not shown; the column `shown` has the part of the quartiles that are.
"""

import itertools
import math
import sys

import numpy as np
from means import shortfalls
from scipy.special import chdtri, ndtri

from survey.estimate import estimate_quantiles
from survey.estimate.bins import MOST_BINS, equal_bins
from survey.interval.any_shape import FINENESS, dominating_values, merge
from survey.interval.saturated_likelihood import with_continuity
from survey.mechanisms import gaussian, hybrid, laplace

DESIGNS = ((101, 1.0), (101, 2.0), (101, 4.0), (101, 8.0), (11, 4.0), (11, 10.0))
"""Points of the grid, and epsilon."""
RESPONDENTS = (20, 200, 2000, 20_000)
SAMPLES = 500
SOLVED = 2
LOWEST = 0.95
Z = float(-ndtri(0.025))
DROP = float(chdtri(1, 0.05)) / 2
QUARTILES = (0.25, 0.5, 0.75)
NUMBERS = {
    "laplace": laplace,
    "gaussian": lambda *settings: gaussian(*settings, 1e-6),
    "hybrid": hybrid,
}


class Cuts:
    """The values that bound the share below each cut of the grid, for one number of respondents."""

    def __init__(self, channel, respondents):
        self.points = channel.answers
        self.cuts = equal_bins(channel.answers, min(channel.answers, MOST_BINS))[1:-1]
        self.sets = np.arange(channel.answers) < np.array(self.cuts)[:, np.newaxis]
        self.merged, self.starts = merge(channel.probabilities)
        error = FINENESS ** round(math.log(Z / math.sqrt(respondents), FINENESS))
        self.above = dominating_values(self.merged, self.sets, error)
        self.others = dominating_values(self.merged, ~self.sets, error)

    def not_below(self, counts, index, share):
        """Whether the upper limit of the share below a cut is at least a number, for many counts."""
        return held(self.above[index], np.add.reduceat(counts, self.starts, axis=1), share)

    def not_above(self, counts, index, share):
        """Whether the lower limit of the share below a cut is at most a number, for many counts."""
        return held(self.others[index], np.add.reduceat(counts, self.starts, axis=1), 1 - share)

    def held(self, population, counts, probability):
        """Whether the interval of a quantile holds the truth, for many counts."""
        enough = population.cumsum()[np.array(self.cuts) - 1] >= probability - 1e-12
        both = np.ones(len(counts), bool)
        if enough.any():  # the first cut that must not be passed from below
            both &= self.not_below(counts, int(enough.argmax()), probability)
        if not enough.all():  # the last cut that must not be passed from above
            both &= self.not_above(counts, int((~enough).sum()) - 1, probability)
        return both

    def shown(self, counts, probability):
        """Whether a quantile is shown: whether the lowest or the highest cut is passed, for many counts."""
        return ~(self.not_below(counts, 0, probability) & self.not_above(counts, -1, probability))


def held(values, counts, share):
    """Whether the highest mean of the values that the counts allow is at least a number."""
    counts = with_continuity(values, counts)
    if share <= 0 or np.ptp(values) < 1e-9:
        return np.ones(len(counts), bool)
    reached = counts @ values / counts.sum(axis=1) >= share
    return reached | (shortfalls(values, counts, np.full(len(counts), share)) <= DROP + 1e-9)


def rounded(points):
    """People who round, to tens and fives of a hundred: half of them to 0; to each ten; mostly to fives."""
    step = (points - 1) / 100
    tens, fives = (np.unique(np.rint(np.arange(0, 101, by) * step).astype(int)) for by in (10, 5))
    heaped, grid = np.zeros(points), np.arange(points)
    np.add.at(heaped, tens[[0, 1, 2, 3, 5]], [0.5, 0.125, 0.125, 0.125, 0.125])
    hump = np.exp(-(((grid - 0.35 * points) / (0.15 * points)) ** 2))
    yield "half at 0", heaped
    yield "tens", np.isin(grid, tens) / len(tens)
    yield "fives of a hump", hump * np.where(np.isin(grid, fives), 20, 1)


def unkind(cuts, respondents):
    """Populations made to break the intervals; the last ones leave the bound of a quartile no slack."""
    points = np.eye(cuts.points)
    edge = cuts.cuts[len(cuts.cuts) // 2]
    yield "uniform", points.mean(axis=0)
    yield "one end", points[0]
    yield "two at the other end", points[0] + 2 / respondents * (points[-1] - points[0])
    yield "two next to the rest", points[0] + 2 / respondents * (points[1] - points[0])
    yield "outside an edge", points[edge]
    yield "both sides of an edge", points[[edge - 1, edge]].mean(axis=0)
    for probability in QUARTILES:
        index = int(probability * len(cuts.cuts))
        below = cuts.sets[index]
        slack = cuts.merged @ cuts.above[index] - below
        sides = [side & (slack < slack[side].min() + 1e-4) for side in (below, ~below)]
        shares = (probability, 1 - probability)
        tight = sum(share * side / side.sum() for share, side in zip(shares, sides, strict=True))
        yield f"tight at {probability:g}", tight


def agree(channel, population, cuts, counts):
    """Fail unless the product shows an interval where the values say so, and holds the truth if they do."""
    below = population.cumsum()
    for row, probability in itertools.product(counts[:SOLVED], QUARTILES):
        quantiles = estimate_quantiles(channel, row, (probability,))
        assert bool(quantiles) == bool(cuts.shown(row[None], probability)[0]), (row.tolist(), probability)
        true = channel.grid[int((below < probability - 1e-12).sum())]
        if quantiles and cuts.held(population, row[None], probability)[0]:
            assert quantiles[0].low <= true <= quantiles[0].high, (row.tolist(), probability)


def coverages(channel, cuts, populations, n):
    """Return the coverage of each quartile of each population, and the part of them that is shown."""
    times, shown = {}, []
    for seed, (people, population) in enumerate(populations):
        population = population / population.sum()
        counts = np.random.default_rng(seed).multinomial(n, population @ channel.probabilities, size=SAMPLES)
        agree(channel, population, cuts, counts)
        for probability in QUARTILES:
            times[f"{people}, {probability:g}"] = int(cuts.held(population, counts, probability).sum())
            shown.append(cuts.shown(counts, probability).mean())
    return times, float(np.mean(shown))


def main():
    """Print a line for each mechanism, epsilon and number of respondents; fail where a figure is missed."""
    missed = False
    print(
        f"{'mechanism':10}{'points':>8}{'epsilon':>8}{'n':>8}{'shown':>7}{'rounded':>9}{'others':>8}  where"
    )
    for name, (points, epsilon), n in itertools.product(NUMBERS, DESIGNS, RESPONDENTS):
        channel = NUMBERS[name](0, points - 1, 1, epsilon)
        cuts = Cuts(channel, n)
        those_who_round, shown = coverages(channel, cuts, rounded(points), n)
        others, _ = coverages(channel, cuts, unkind(cuts, n), n)
        everybody = those_who_round | others
        low = [place for place, times in everybody.items() if times < LOWEST * SAMPLES]
        worst = min(others, key=others.get)
        print(
            f"{name:10}{points:>8}{epsilon:>8g}{n:>8}{shown:>7.2f}"
            f"{min(those_who_round.values()) / SAMPLES:>9.3f}{others[worst] / SAMPLES:>8.3f}"
            f"  {worst}{'  MISSED ' * bool(low)}{'; '.join(low)}",
            flush=True,
        )
        missed |= bool(low)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
