"""Print how often the intervals of bins, of the cumulative curve and of quantiles hold the truth.

    python tests/benchmarks/shapes.py

The intervals promise 95 % for any shape of the distribution, so the populations are unkind ones: rounded
numbers, everybody at one point, all but two people at one end, all just inside or just outside of a bin's
edge, and for each bin the answers for which its bound leaves no slack. On a fine and on a coarse grid, for
every bin, every cut between bins and the quartiles, at 20 to 20 000 respondents, no coverage may lie
significantly below .93 (one-sided binomial test at 1e-5). Seeds are fixed.

A survey is counted without solving for the ends: a limit holds a share exactly where the likelihood ratio
there is small enough, which is computed for all surveys at once. Of some surveys the product's intervals are
asked for too, and must say the same. The column `shown` is the part of the bins whose interval is narrow
enough to be shown; the coverage is that of all of them.
"""

import itertools
import math
import sys

import numpy as np
from means import shortfalls
from scipy.special import chdtri, ndtri
from scipy.stats import binom

from survey.estimate.bins import MOST_BINS, bin_starts, equal_bins
from survey.estimate.distribution import WIDEST
from survey.interval.any_shape import dominating_values, merge, share_bounds
from survey.interval.saturated_likelihood import continued
from survey.mechanisms import gaussian, hybrid, laplace

DESIGNS = ((101, 1.0), (101, 2.0), (101, 4.0), (101, 8.0), (11, 4.0), (11, 10.0))
"""Points of the grid, and epsilon."""
RESPONDENTS = (20, 200, 2000, 20_000)
SAMPLES = 500
SOLVED = 2
LOWEST, SIGNIFICANCE = 0.93, 1e-5
Z = float(-ndtri(0.025))
DROP = float(chdtri(1, 0.05)) / 2
QUARTILES = (0.25, 0.5, 0.75)
NUMBERS = {
    "laplace": laplace,
    "gaussian": lambda *settings: gaussian(*settings, 1e-6),
    "hybrid": hybrid,
}


class Shares:
    """The values that bound the shares of some sets of grid points, for one number of respondents."""

    def __init__(self, channel, sets, respondents):
        self.sets = sets
        self.merged, self.starts = merge(channel.probabilities)
        error = Z / math.sqrt(respondents)
        self.above = dominating_values(self.merged, np.array(sets), error)
        self.others = dominating_values(self.merged, ~np.array(sets), error)

    def not_below(self, counts, index, share):
        """Whether the upper limit of a set's share is at least a number, for many counts."""
        return held(self.above[index], np.add.reduceat(counts, self.starts, axis=1), share)

    def not_above(self, counts, index, share):
        """Whether the lower limit of a set's share is at most a number, for many counts."""
        return held(self.others[index], np.add.reduceat(counts, self.starts, axis=1), 1 - share)


def held(values, counts, share):
    """Whether the highest mean of the values that the counts allow is at least a number."""
    counts = continued(values, counts)
    if share <= 0 or np.ptp(values) < 1e-9:
        return np.ones(len(counts), bool)
    reached = counts @ values / counts.sum(axis=1) >= share
    return reached | (shortfalls(values, counts, np.full(len(counts), share)) <= DROP + 1e-9)


def populations(starts, bins, respondents):
    """Who answers; the last ones are for each of three bins where its upper bound leaves no slack."""
    points = np.eye(starts[-1])
    tens = points[:: (starts[-1] - 1) // 10]
    edge = starts[len(starts) // 2]
    yield "heaped", 0.5 * tens[0] + 0.125 * tens[[1, 2, 3, 5]].sum(axis=0)
    yield "tens", tens.mean(axis=0)
    yield "uniform", points.mean(axis=0)
    yield "one end", points[0]
    yield "two at the other end", points[0] + 2 / respondents * (points[-1] - points[0])
    yield "two next to the rest", points[0] + 2 / respondents * (points[1] - points[0])
    yield "outside an edge", points[edge]
    yield "both sides of an edge", points[[edge - 1, edge]].mean(axis=0)
    for index in sorted({0, len(bins.sets) // 2, len(bins.sets) - 1}):
        slack = bins.merged @ bins.above[index] - bins.sets[index]
        tight = slack < slack.min() + 1e-4
        yield f"tight for bin {index + 1}", points[tight].mean(axis=0)


def coverages(channel, population, bins, cuts, counts):
    """The coverage of every bin, every cut and every quartile."""
    found = {}
    for name, shares in (("bin", bins), ("cut", cuts)):
        for index, chosen in enumerate(shares.sets):
            truth = float(population[chosen].sum())
            both = shares.not_below(counts, index, truth) & shares.not_above(counts, index, truth)
            found[f"{name} {index + 1}"] = int(both.sum())
    below = np.array([population[chosen].sum() for chosen in cuts.sets])
    for probability in QUARTILES:
        enough = below >= probability - 1e-12
        both = np.ones(len(counts), bool)
        if enough.any():  # the first cut that must not be passed from below
            both &= cuts.not_below(counts, int(enough.argmax()), probability)
        if not enough.all():  # the last cut that must not be passed from above
            both &= cuts.not_above(counts, int((~enough).sum()) - 1, probability)
        found[f"quantile {probability:g}"] = int(both.sum())
    return found


def agree(channel, population, bins, counts):
    """Fail unless the product's intervals of the bins hold the truth exactly where the values say so."""
    for row in counts[:SOLVED]:
        limits = share_bounds(channel.probabilities, row, bins.sets, 0.95)
        for index, (low, high) in enumerate(limits):
            truth = float(population[bins.sets[index]].sum())
            expected = bins.not_below(row[None], index, truth) & bins.not_above(row[None], index, truth)
            close = min(abs(low - truth), abs(high - truth)) < 1e-6
            assert close or bool(expected[0]) == (low <= truth <= high), (row.tolist(), low, truth, high)


def main():
    """Print a line for each mechanism, epsilon and number of respondents; fail where a figure is missed."""
    missed = 0
    print(f"{'mechanism':10}{'points':>8}{'epsilon':>8}{'n':>8}{'bins':>6}{'shown':>7}{'worst':>8}  where")
    for name, (points, epsilon), n in itertools.product(NUMBERS, DESIGNS, RESPONDENTS):
        channel = NUMBERS[name](0, points - 1, 1, epsilon)
        grid = np.arange(points)
        starts = bin_starts(channel, MOST_BINS)
        bins = Shares(channel, [(grid >= a) & (grid < b) for a, b in itertools.pairwise(starts)], n)
        cuts = Shares(channel, [grid < cut for cut in equal_bins(points, min(points, MOST_BINS))[1:-1]], n)
        here, shown = {}, []
        for seed, (people, population) in enumerate(populations(starts, bins, n)):
            rng = np.random.default_rng(seed)
            counts = rng.multinomial(n, population @ channel.probabilities, size=SAMPLES)
            agree(channel, population, bins, counts)
            shown += [
                high - low < WIDEST
                for low, high in share_bounds(channel.probabilities, counts[0], bins.sets, 0.95)
            ]
            for what, times in coverages(channel, population, bins, cuts, counts).items():
                here[f"{people}, {what}"] = times
        place = min(here, key=here.get)
        low = [cell for cell, times in here.items() if binom.cdf(times, SAMPLES, LOWEST) < SIGNIFICANCE]
        print(
            f"{name:10}{points:>8}{epsilon:>8g}{n:>8}{len(starts) - 1:>6}{np.mean(shown):>7.2f}"
            f"{here[place] / SAMPLES:>8.3f}  {place}{'  MISSED ' * bool(low)}{'; '.join(low)}",
            flush=True,
        )
        missed += len(low)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
