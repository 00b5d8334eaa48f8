"""How often the intervals of every kind hold the truth at 95 %; run by estimates.py.

The intervals of a mean and of quantiles have studies of their own, means.py and shapes.py.
`exact`, and shares of up to 20 respondents where no count is binomial, by enumeration of the counts: coverage
at a share is the sum of the chances of the counts whose interval holds it. All others by samples, at truths
within and at the ends of what can be; the figure is the worst over the truths. The standard
error of a coverage of .95 is .005 in 2000 samples, .014 in 250.
"""

import itertools

import numpy as np
from scipy.special import chdtri
from scipy.stats import binom, multinomial

from survey.counts import binomial_counts
from survey.crosstab import difference_of_pools
from survey.crosstab.comparison import greatest
from survey.crosstab.subgroup_likelihood import SubgroupLikelihood, mixed_quantile
from survey.interval import binomial_interval, proportion_intervals
from survey.interval.saturated_likelihood import saturated_likelihood
from survey.interval.several_shares import ONE_MORE, SPENT_ON_SATURATED, telling_directions
from survey.inverse import least_squares_inverse
from survey.likelihood import most_likely
from survey.mechanisms import exponential, spinner_coin, subset, wheel

EPSILONS = (0.5, 1.0, 2.0, 3.0)
RESPONDENTS = (200, 1000)
GRID = np.linspace(0, 1, 101)
SAMPLES = 2000
ROUNDING = 1e-9


def run(line):
    """Print every figure and count those missed."""
    return sum(part(line) for part in (exact, few, differences, profile, within))


def exact(line):
    """The exact interval of an answer, for the binomial counts of three mechanisms."""
    missed = 0
    for name, make in {"yes/no": spinner_coin, "wheel of 5": lambda e: wheel(5, e),
                       "subset of 10": lambda e: subset(10, e)}.items():  # fmt: skip
        for n in RESPONDENTS:
            for epsilon in EPSILONS:
                channel = make(epsilon)
                nobody = np.zeros(channel.reports, int)
                line_of = binomial_counts(channel, nobody)[1]
                ends = []
                for count in range(n + 1):
                    counted = type(line_of)(n, count, line_of.lowest, line_of.highest)
                    interval = binomial_interval(counted, 0.95, "exact")
                    ends.append((interval.low, interval.high))
                low, high = np.array(ends).T
                chances = line_of.lowest + (line_of.highest - line_of.lowest) * GRID
                held = (low <= GRID[:, None] + ROUNDING) & (GRID[:, None] <= high + ROUNDING)
                covered = (binom.pmf(np.arange(n + 1), n, chances[:, None]) * held).sum(axis=1)
                place = f"{name}, n = {n}, epsilon {epsilon:g}"
                inside = covered[(GRID >= 0.1 - ROUNDING) & (GRID <= 0.9 + ROUNDING)]
                missed += line(f"exact, {place}: worst coverage", covered.min(), low=0.95 - ROUNDING)
                missed += line(
                    f"exact, {place}: greatest coverage, shares .1 to .9", inside.max(), high=0.975
                )
    return missed


def few(line):
    """Shares of few respondents through the exponential mechanism, beside every end of an interval."""
    missed = 0
    for categories, respondents in (
        (3, (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)),
        (4, (1, 2, 3, 5, 8, 12)),
        (5, (1, 3, 5, 7)),
    ):
        for epsilon in (1.0, 2.0, 3.0, 4.0, 6.0, 10.0):
            channel = exponential(categories, epsilon)
            worst = {n: least_coverage(channel, n) for n in respondents}
            n = min(worst, key=worst.get)
            what = f"likelihood, exponential of {categories}, up to {respondents[-1]} respondents"
            missed += line(f"{what}, epsilon {epsilon:g}: worst coverage, n = {n}", worst[n], low=0.95)
    return missed


def least_coverage(channel, n):
    """The least coverage of any answer's share, the rest divided among the other answers in quarters."""
    size = channel.answers
    sent = np.array([np.bincount(reports, minlength=size)
                     for reports in itertools.combinations_with_replacement(range(size), n)])  # fmt: skip
    ends = np.array(
        [[(each.low, each.high) for each in proportion_intervals(channel, counts)] for counts in sent]
    )
    rests = [np.bincount(parts, minlength=size - 1) / 4
             for parts in itertools.combinations_with_replacement(range(size - 1), 4)]  # fmt: skip
    worst = 1.0
    for answer in range((size + 1) // 2):
        low, high = ends[:, answer].T
        beside = [end + step for end in ends[:, answer].ravel() for step in (-1e-6, 1e-6)]
        shares = np.unique(np.round([*GRID, *beside], 7).clip(0, 1))
        held = (low <= shares[:, np.newaxis]) & (shares[:, np.newaxis] <= high)
        for rest in rests:
            truth = np.insert(np.outer(1 - shares, rest), answer, shares, axis=1)
            chances = multinomial.pmf(sent, n, (truth @ channel.probabilities)[:, np.newaxis])
            worst = min(worst, (chances * held).sum(axis=1).min())
    return worst


def differences(line):
    """The difference of a share between two groups asked separately, at the ends too."""
    missed = 0
    for n in RESPONDENTS:
        for epsilon in EPSILONS:
            channel = spinner_coin(epsilon)
            rng = np.random.default_rng(5)
            worst = 1.0
            for one, other in ((0, 0), (0, 1), (0.5, 0), (0.1, 0.2), (0.5, 0.5), (1, 0.9)):
                chances = np.array([[1 - one, one], [1 - other, other]]) @ channel.probabilities[:, 1]
                yes = rng.binomial(n, chances[:, np.newaxis], size=(2, SAMPLES))
                held = 0
                for first, second in zip(*yes, strict=True):
                    found = difference_of_pools(
                        [(channel, np.array([n - first, first]))],
                        [(channel, np.array([n - second, second]))],
                        1,
                    )
                    held += found.low - ROUNDING <= one - other <= found.high + ROUNDING
                worst = min(worst, held / SAMPLES)
            missed += line(
                f"difference of groups, n = {n}, epsilon {epsilon:g}: worst coverage", worst, low=0.93
            )
    return missed


def profile(line):
    """Shares where no count is binomial: the exponential mechanism, by both tests its intervals invert."""
    missed = 0
    alpha = 0.05
    one_degree = float(chdtri(1, SPENT_ON_SATURATED * alpha)) / 2
    for categories in (3, 5):
        for n in RESPONDENTS:
            for epsilon in EPSILONS:
                channel = exponential(categories, epsilon)
                chances = channel.probabilities
                inverse = least_squares_inverse(chances)
                drop = float(chdtri(telling_directions(chances, n), (1 - SPENT_ON_SATURATED) * alpha)) / 2
                corners = np.eye(categories)
                middle = categories // 2
                rng = np.random.default_rng(6)
                worst = 1.0
                for truth in (corners[0], corners[middle], (corners[0] + corners[-1]) / 2,
                              0.35 * corners[0] + 0.65 * corners[middle], corners.mean(axis=0)):  # fmt: skip
                    samples = rng.multinomial(n, truth @ chances, size=SAMPLES // 2)
                    held = np.zeros(categories)
                    for counts in samples:
                        top = most_likely(chances, counts).log_likelihood
                        for answer, chosen in enumerate(corners.astype(bool)):
                            fixed = most_likely(chances, counts, chosen, truth[answer]).log_likelihood
                            low, high = saturated_likelihood(inverse[:, answer], counts, one_degree, ONE_MORE)
                            held[answer] += top - fixed <= drop and low <= truth[answer] <= high
                    worst = min(worst, held.min() / len(samples))
                place = f"exponential of {categories}, n = {n}, epsilon {epsilon:g}"
                missed += line(f"likelihood, {place}: worst coverage", worst, low=0.93)
    return missed


def within(line):
    """Shares within a subgroup, and their difference between two, in a table of two questions."""
    missed = 0
    for epsilon in EPSILONS:
        for size, respondents in itertools.product((2, 3), RESPONDENTS):
            channels = [wheel(size, epsilon), wheel(size, epsilon)]
            worst = {"share": 1.0, "difference": 1.0}
            rng = np.random.default_rng(7)
            for one, other, group in ((0.4, 0.2, 0.5), (0, 1, 0.5), (0.5, 0, 0.5), (0.3, 0.3, 0.1)):
                truth = np.zeros((size, size))
                truth[1, :2] = one * group, other * (1 - group)
                truth[0, :2] = (1 - one) * group, (1 - other) * (1 - group)
                chances = channels[0].probabilities.T @ truth @ channels[1].probabilities
                tables = rng.multinomial(respondents, chances.ravel(), size=SAMPLES // 2).reshape(
                    -1, size, size
                )
                held = 0
                for counts in tables:
                    single = SubgroupLikelihood(channels, counts, 1, [0])
                    fall = single.top.log_likelihood - single.log_likelihood(one)
                    held += fall <= mixed_quantile(1, 0.05) / 2
                worst["share"] = min(worst["share"], held / len(tables))
                held = 0
                for counts in tables[: SAMPLES // 8]:  # each takes a search
                    both = SubgroupLikelihood(channels, counts, 1, [0, 1])
                    fall = both.top.log_likelihood - best_difference(both, one - other)
                    held += fall <= mixed_quantile(2, 0.05) / 2
                worst["difference"] = min(worst["difference"], held / (SAMPLES // 8))
            for name, figure in worst.items():
                what = f"{name} within groups, {size} x {size}, n = {respondents}, epsilon {epsilon:g}"
                missed += line(f"{what}: worst coverage", figure, low=0.93)
    return missed


def best_difference(both, difference):
    """The greatest log-likelihood at a difference."""
    return greatest(
        lambda share: both.log_likelihood(min(max(share + difference, 0.0), 1.0), share),
        max(0.0, -difference),
        min(1.0, 1.0 - difference),
    )
