"""Work out every estimate of this survey again, from the noisy reports alone.

    python analysis.py [folder]        needs Python 3.9 or newer with numpy and pandas

reports.csv holds one row for each person and one code for each column; channels.json holds, in integers,
the chance of each code under each answer. That is all that is needed. In the order of this file:

0. Reading           of a channel and its counts.
1. Shares.           What would the shares of the answers have to be, to give the codes that came?
2. Likeliest shares. The same, but never below 0 or above 1.
3. Intervals         of a share whose reports are a simple count, by four methods.
4. Intervals         of a share whose reports are not, by likelihood.
5. Means             of numbers.
6. Pooling           of reports from the browser and from real coins.
7. The band          for people who saw their result and left before they sent it.
8. The comparison    with estimates.csv. It prints the largest difference, and ends with status 1 where one
                     is too large: 1e-9 for what a formula gives, 1e-6 for what is searched for.

Not worked out here: quantiles of numbers, and a share where several are equally likely; the estimate as a
number of people; what answers cost in privacy (epsilon); and how far a forged report reaches (radius).
The script is the same in every download: it knows nothing of this survey but what it reads.
"""

import json
import math
import sys
from functools import lru_cache
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd

# 0. Reading ---------------------------------------------------------------------------------------------


def expand(generator):
    """Return the matrix of a channel that is too large to be written out: answers x reports, integers."""
    if generator["form"] == "tails":  # tails[d] is the weight of noise d or more; both ends collect the rest
        tails = np.array(generator["tails"])
        answer = np.arange(len(tails))
        matrix = np.append(tails[:-1] - tails[1:], 0)[abs(answer[:, None] - answer)]
        matrix[:, 0], matrix[:, -1] = tails, tails[::-1]
        return matrix
    n, answer = generator["answers"] - 1, np.arange(generator["answers"])
    if generator["form"] == "rows":  # rows at knots, linear in between; those left out are others backwards
        rows, s = np.array(generator["rows"]), generator["knots"] - 1
        rows = np.vstack([rows, rows[: s + 1 - len(rows)][::-1, ::-1]])
        q, r = np.divmod(answer * s, n)
        matrix = -(-((n - r)[:, None] * rows[q] + r[:, None] * rows[np.minimum(q + 1, s)]) // n)
        matrix[answer, matrix.argmax(axis=1)] -= matrix.sum(axis=1) - rows[q].sum(axis=1)
        return matrix
    parts = []
    for columns, width, inside, outside in generator["windows"]:  # windows that slide along with the answer
        q, r = np.divmod(answer[:, None] * (columns - width), n)
        report, ramp = np.arange(columns), (inside - outside) * r // n
        edges = (report == q + width).astype(int) - (report == q)
        parts.append(np.where((report >= q) & (report < q + width), inside, outside) + ramp * edges)
    return np.hstack(parts)


class ColumnReports:
    """The reports of one column that came one way: `counts` of each report, and P(report | answer)."""

    def __init__(self, counts, channel):
        weights = np.array(channel["matrix"]) if "matrix" in channel else expand(channel["generator"])
        self.respondents = int(counts.sum())
        self.seen_first = channel["seen_first"]
        self.grid, self.values = (np.array(channel.get(name, [])) for name in ("grid", "values"))
        # "Not sampled" has the same chance under every answer. It says nothing and is left out.
        telling = (np.ptp(weights, axis=0) > 0) | (len(self.grid) > 0)
        self.counts = counts[telling]
        self.reported = int(self.counts.sum())
        self.chances = weights[:, telling] / weights[:, telling].sum(axis=1, keepdims=True)


# 1. Shares ----------------------------------------------------------------------------------------------


def inverse_of(chances):
    """Return what each report adds to each answer's share, so that on average the shares come out right.

    The shares of the reports are on average (shares of the answers) @ chances. For a square matrix this is
    its inverse; with more reports than answers, least squares weighted at equally frequent answers.
    For yes/no it is the familiar (noisy share - 0.5 (1 - p)) / p.
    """
    root = np.sqrt(chances.mean(axis=0))
    return np.linalg.pinv(chances / root) / root[:, None]


def shares_of(reports):
    """Return the unbiased shares and their standard errors; a share may leave [0, 1]."""
    adds = inverse_of(reports.chances)
    shares = reports.counts @ adds / reports.reported
    spread = reports.counts @ (adds - shares) ** 2
    return shares, np.sqrt(spread) / reports.reported


# 2. Likeliest shares ------------------------------------------------------------------------------------


def likeliest(chances, counts, sets=None, masses=None):
    """Return the shares that make the counts likeliest, and their log-likelihood.

    Shares are 0 or more, and those of the answers that row i of `sets` marks have the sum masses[i]; without
    it, all have the sum 1. An interior point method (Boyd & Vandenberghe 2004, Convex Optimization, 11.7).
    """
    sets = np.ones((1, len(chances))) if sets is None else sets
    masses = np.ones(1) if masses is None else masses
    possible, asked = sets[masses > 0].any(axis=0), masses > 0  # a set of mass 0 has shares of 0
    sets, masses = sets[np.ix_(asked, possible)], masses[asked]
    noisy = counts[counts > 0] / counts.sum()
    chances = chances[np.ix_(possible, counts > 0)]
    size, zeros = len(chances), np.zeros((len(masses), len(masses)))
    shares = (masses / sets.sum(axis=1)) @ sets
    slack = np.ones(size)  # the multipliers of "0 or more"; at the top slack * shares is 0
    for _ in range(100):
        expected = shares @ chances
        gains = chances @ (noisy / expected)  # the gradient of sum noisy * log(expected)
        curvature = (chances * (noisy / expected**2)) @ chances.T
        target = shares @ slack / size / 10
        system = np.block([[curvature + np.diag(slack / shares), sets.T], [sets, zeros]])
        step = np.linalg.solve(system, np.append(gains + target / shares, masses - sets @ shares))[:size]
        slack_step = target / shares - slack - slack / shares * step
        shrinking = np.append(-step / shares, -slack_step / slack).max()
        length = min(1, 0.99 / shrinking) if shrinking > 0 else 1
        shares, slack = shares + length * step, slack + length * slack_step
        if shares @ slack < 1e-15:
            break
    found = np.zeros(len(possible))
    found[possible] = shares
    return found, counts.sum() * float(noisy @ np.log(shares @ chances))


# 3. Intervals where reports are a simple count ------------------------------------------------------------
#
# How often "yes" was reported is binomial, and its chance is on a line: a + (b - a) * share. The same holds
# for each option of a wheel, and for the sets that contain an option. An interval for the chance becomes one
# for the share, cut to [0, 1].


def simple_counts(reports):
    """Return (n, x, a, b) for each answer, or None where no set of reports hangs on one share alone."""
    chances, answers = reports.chances, len(reports.chances)
    speaks = np.eye(answers, dtype=bool)
    if chances.shape[1] != answers:  # reports are sets of answers: those that it is likelier under
        speaks = chances > (chances.min(axis=0) + chances.max(axis=0)) / 2
    elif answers == 2 and chances[1, 1] < chances[0, 1]:
        speaks = ~speaks  # report 0 is the one that says yes
    support = chances @ speaks.T  # [i, j]: the chance that answer i sends a report that speaks for j
    own = np.diag(support)
    lowest = (support.sum(axis=0) - own) / (answers - 1)
    others = np.where(np.eye(answers), lowest, support)
    if (own <= lowest).any() or (abs(others - lowest).max(axis=0) > 1e-3 * (own - lowest)).any():
        return None
    return [
        (reports.reported, int(reports.counts[for_it].sum()), a, b)
        for for_it, a, b in zip(speaks, lowest, own)
    ]


def turning_point(holds, low, high):
    """Return where `holds` turns from false to true between two points, by bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def log_likelihood(n, x, chance):
    """Return the log-likelihood of x reports among n; no chance is 0 or 1, or a report would be certain."""
    return x * np.log(chance) + (n - x) * np.log1p(-chance)


@lru_cache(maxsize=4)
def log_factorials(n):
    """Return log(0!), ..., log(n!)."""
    return np.array([math.lgamma(count + 1) for count in range(n + 1)])


def p_value(n, at_least, at_most, chance):
    """Return P(X >= at_least) + P(X <= at_most) of a binomial; 9 sqrt(n) from the mean nothing is left."""
    mean, reach = int(n * chance), int(9 * math.sqrt(n)) + 1
    outcomes = np.arange(max(0, mean - reach), min(n, mean + reach) + 1)
    logs = log_factorials(n)
    chances = np.exp(logs[n] - logs[outcomes] - logs[n - outcomes] + log_likelihood(n, outcomes, chance))
    return chances[outcomes >= at_least].sum() + chances[outcomes <= at_most].sum()


def exact_low(n, x, a, b, level):
    """Return the low end of the exact test's interval for the chance, within [a, b].

    A chance is rejected if the outcomes at least as extreme as x have a probability of 1 - level or less. One
    outcome is more extreme than another if its likelihood, over the greatest that it can have in [a, b], is
    smaller (Feldman & Cousins 1998, Physical Review D 57). From low chances up, all outcomes above x are
    more extreme, and an outcome below x is so from its tie with x on. So the p-value jumps at the ties and is
    smooth between them, and the end is at the first tie that is accepted or on the stretch before it.
    """
    alpha = 1 - level
    if x / n <= a or p_value(n, x, -1, a) > alpha:
        return a

    def greatest(outcome):
        return log_likelihood(n, outcome, np.clip(outcome / n, a, b))

    def tie(j):
        return max(1 / (1 + math.exp((greatest(j) - greatest(x)) / (x - j))), a)

    def accepted(j):
        return p_value(n, x, math.ceil(j), tie(math.ceil(j))) > alpha

    # From tie to tie the p-value rises, as the mean moves by less than one outcome.
    first = math.ceil(turning_point(accepted, -1, x - 1))
    start = tie(first - 1) if first else a
    return turning_point(lambda chance: p_value(n, x, first - 1, chance) > alpha, start, tie(first))


def likelihood_low(n, x, a, b, level):
    """Return the lowest chance in [a, b] whose log-likelihood is not far below the greatest there.

    "Far" is half the quantile of chi-square with 1 degree of freedom (Wilks 1938).
    """
    best = min(max(x / n, a), b)
    least = log_likelihood(n, x, best) - normal_quantile(level) ** 2 / 2

    def holds(chance):
        return log_likelihood(n, x, chance) >= least

    return a if holds(a) else turning_point(holds, a, best)


def normal_quantile(level):
    """Return how many standard errors a two-sided interval of this level reaches: 1.96 for 0.95."""
    return -NormalDist().inv_cdf((1 - level) / 2)


def simple_interval(n, x, a, b, level, method):
    """Return the interval of a share by one of four methods."""
    share, z = x / n, normal_quantile(level)
    if method == "wald":  # estimate plus and minus z standard errors
        ends = share + np.array([-1, 1]) * z * math.sqrt(share * (1 - share) / n)
    elif method == "wilson":  # (share - chance)^2 = z^2 chance (1 - chance) / n, solved for the chance
        margin = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
        ends = (share + z**2 / (2 * n) + np.array([-1, 1]) * margin) / (1 + z**2 / n)
    else:  # the high end of yes is the low end of no, turned around
        low_of = exact_low if method == "exact" else likelihood_low
        best = min(max(share, a), b)
        ends = min(low_of(n, x, a, b, level), best), max(1 - low_of(n, n - x, 1 - b, 1 - a, level), best)
    return np.clip([(end - a) / (b - a) for end in ends], 0, 1)


# 4. Intervals by likelihood -------------------------------------------------------------------------------
#
# Where no count is simple (the exponential mechanism), two tests are combined; what neither rejects is in the
# interval. The first has 0.8 of 1 - level: the likelihood of the mean of what reports add to the share, with
# one more report of the end's extreme value, so that it holds for few respondents too. The second has the
# rest: the likelihood of all shares together, which knows that none is below 0.


def shortfall(apart, counts):
    """Return by how much the log-likelihood falls if what is above 0 on average must have the mean 0.

    It is the greatest sum of counts * log(1 + m apart) over m (Owen 1988, Biometrika 75).
    """
    if apart.min() >= 0:
        return math.inf if counts[apart > 0].sum() else 0.0
    apart_received, received = apart[counts > 0], counts[counts > 0]
    most = -1 / apart.min()
    m = turning_point(lambda m: received @ (apart_received / (1 + m * apart_received)) <= 0, 0, most)
    # Rounding may leave m at its limit, where the logarithm has no value.
    m = min(m, most * (1 - 1e-12)) if apart_received.min() == apart.min() else m
    return float(received @ np.log1p(m * apart_received))


def mean_low(values, counts, drop, more):
    """Return the lowest mean in [0, 1] whose log-likelihood is at most `drop` below the greatest there.

    Values below it count by so much more; see 7.
    """

    def fall(mean):
        apart = values - mean
        apart = np.where(apart < 0, (1 + more) * apart, apart)
        return shortfall(apart, counts) if counts @ apart > 0 else 0.0

    allowed = drop + fall(1)
    return 0.0 if fall(0) <= allowed else turning_point(lambda mean: fall(mean) <= allowed, 0, 1)


def mean_interval(values, counts, drop, continuity, more=0.0):
    """Return the interval of a mean within [0, 1]. `continuity` adds reports of the end's extreme value."""
    low_counts, high_counts = counts.astype(float), counts.astype(float)
    low_counts[values.argmin()] += continuity
    high_counts[values.argmax()] += continuity
    return mean_low(values, low_counts, drop, more), 1 - mean_low(1 - values, high_counts, drop, more)


def chi_square_quantile(freedom, tail):
    """Return what a chi-square variable exceeds with probability `tail`."""

    def above(x):
        total = math.erfc(math.sqrt(x / 2)) if freedom % 2 else math.exp(-x / 2)
        steps = range(1 if freedom % 2 else 2, freedom, 2)
        return total + sum(math.exp(-x / 2 + k / 2 * math.log(x / 2) - math.lgamma(k / 2 + 1)) for k in steps)

    return turning_point(lambda x: above(x) <= tail, 1e-300, 1e4)


def joint_intervals(reports, level):
    """Return the interval of each answer's share, from all reports together."""
    chances, counts, alpha = reports.chances, reports.counts, 1 - level
    adds = inverse_of(chances)
    # Degrees of freedom: in how many directions the reports can tell populations apart.
    scaled = (chances - chances.mean(axis=0)) / np.sqrt(chances.mean(axis=0))
    sizes = np.linalg.svd(scaled, compute_uv=False) * math.sqrt(counts.sum())
    drop = chi_square_quantile(max(int((sizes > 0.1).sum()), 1), 0.2 * alpha) / 2
    one_drop = chi_square_quantile(1, 0.8 * alpha) / 2
    best, greatest = likeliest(chances, counts)
    bounds = []
    for answer in range(len(chances)):
        chosen = np.arange(len(chances)) == answer
        low, high = mean_interval(adds[:, answer], counts, one_drop, continuity=1.0)

        def profile_low(chosen, start, share):
            def holds(mass):
                sets = np.array([chosen, ~chosen]) * 1.0
                return likeliest(chances, counts, sets, np.array([mass, 1 - mass]))[1] >= greatest - drop

            if share <= start + 1e-9:
                return min(start, share)
            return start if holds(start) else turning_point(holds, start, share)

        share = min(best[answer], 1)
        low, high = profile_low(chosen, low, share), 1 - profile_low(~chosen, 1 - high, 1 - share)
        bounds.append((low, max(high, share)))
    return bounds


# 5. Means -----------------------------------------------------------------------------------------------


MEAN = ("estimate", "value", "unbiased")


def gives_mean(reports):
    """Say if a mean follows from the values of the reports: not of options, nor of a number in classes."""
    return len(reports.grid) > 0 and len(np.unique(reports.chances, axis=0)) == len(reports.grid)


def mean_row(reports, level):
    """Return a number's mean, its standard error and its interval.

    Each report has a value whose mean under every answer is that answer, which is checked here. So the mean
    of the values is on average the mean of the answers.
    """
    grid, values, counts, n = reports.grid, reports.values, reports.counts, reports.reported
    low, span = grid[0], grid[-1] - grid[0]
    assert abs(reports.chances @ values - grid).max() <= 1e-6 * span, "the values do not give the mean"
    if n == 0:
        ends = grid[0], grid[-1]
        return dict.fromkeys(MEAN, sum(ends) / 2) | dict(zip(ENDS, ends)) | band(reports, ends)
    mean = counts @ values / n
    error = math.sqrt(counts @ (values - mean) ** 2) / n
    if len(values) == 2:  # one bit: how often the high end was reported is a simple count
        line = reports.chances[[0, -1], 1]
        ends = simple_interval(n, counts[1], *line, level, "exact")
        wider = line_band(*ends, *line)
    else:
        ends = mean_interval((values - low) / span, counts, normal_quantile(level) ** 2 / 2, continuity=0.5)
        wider = likelihood_band((values - low) / span, counts, level, ends, continuity=0.5)
    ends, wider = low + span * np.array(ends), low + span * np.array(wider)
    shown = dict.fromkeys(MEAN, min(max(mean, ends[0]), ends[1]))
    own = {"unbiased": mean, "standard_error": error}
    return shown | own | dict(zip(ENDS, ends)) | band(reports, wider)


# 6. Pooling ---------------------------------------------------------------------------------------------


def pooled_row(strata, answer, level):
    """Return a yes/no share from browsers and real coins together, each weighted by 1 / its variance.

    The variances are those at one share for all: first at one half, then at what that gives. The interval is
    normal, after adding one report for and one against (Agresti & Caffo 2000).
    """
    n, x, a, b = (np.array(each) for each in zip(*(simple_counts(each)[answer] for each in strata)))
    shares = (x / n - a) / (b - a)
    share = 0.5
    for _ in range(2):
        chance = a + (b - a) * share
        weights = n * (b - a) ** 2 / (chance * (1 - chance))
        weights = weights / weights.sum()
        share = min(max(weights @ shares, 0), 1)
    errors = np.sqrt(x / n * (1 - x / n) / n) / (b - a)
    more = (x + 1) / (n + 2)
    variances = more * (1 - more) / (n + 2)

    def ends(drawn, slopes):
        centre = weights @ ((drawn - a) / (b - a))
        margin = normal_quantile(level) * math.sqrt(weights**2 @ (slopes**2 * variances / (b - a) ** 2))
        return np.clip([centre - margin, centre + margin], 0, 1)

    # Yes is 1. Where results are seen first, one in ten who saw a yes may have left: for the share of no,
    # the same of those who did not report it.
    seen = np.array([each.seen_first for each in strata])
    sent = more if answer else 1 - more
    drawn = np.where(seen, share_drawn(sent), sent)
    slopes = np.where(seen, (drawn / sent) ** 2 * (1 - LEAVING), 1)
    low, high = ends(more, np.ones(len(n)))
    wider = ends(drawn if answer else 1 - drawn, slopes)
    unbiased = weights @ shares
    return {
        "estimate": min(max(unbiased, low), high),
        "unbiased": unbiased,
        "standard_error": math.sqrt(weights**2 @ errors**2),
        "low": low,
        "high": high,
        "band_low": low if answer else wider[0],
        "band_high": wider[1] if answer else high,
    }


# 7. The band ----------------------------------------------------------------------------------------------
#
# Where people see their result before they send it, some may leave over it. Let a part of up to LEAVING have
# left of those who saw any one result. Then it stands for itself and for up to MORE others. An estimate is a
# mean of what each result adds. It is least if people left over every result that adds less than this mean,
# and greatest if they left over every one that adds more. The band reaches from the one to the other, with
# the interval outside. Of no and yes, people leave over yes alone.

LEAVING = 0.1
MORE = LEAVING / (1 - LEAVING)
ENDS = ("low", "high")


def band(reports, ends):
    """Return the ends of the band, or nothing where nobody sees a result before it is sent."""
    return dict(zip(("band_low", "band_high"), ends if reports.seen_first else (None, None)))


def share_drawn(sent):
    """Return how often chance gave results, from their share of those sent, if LEAVING of them were not."""
    return sent / (1 - LEAVING * (1 - sent))


def line_band(low, high, a, b):
    """Return the band of a share whose reports are a simple count."""
    sent_low, sent_high = a + (b - a) * low, a + (b - a) * high
    lowest = 1 - share_drawn(1 - sent_low)  # if people left over all other reports
    return max((lowest - a) / (b - a), 0), min((share_drawn(sent_high) - a) / (b - a), 1)


def likelihood_band(values, counts, level, ends, continuity):
    """Return the band of a mean within [0, 1], no narrower than its interval."""
    low, high = mean_interval(values, counts, normal_quantile(level) ** 2 / 2, continuity, MORE)
    return min(low, ends[0]), max(high, ends[1])


def share_bands(reports, simple, intervals, level):
    """Return the band of each answer's share."""
    if simple is None:
        adds, spent = inverse_of(reports.chances).T, 1 - 0.8 * (1 - level)
        pairs = zip(adds, intervals)
        return [likelihood_band(each, reports.counts, spent, ends, continuity=1.0) for each, ends in pairs]
    bands = [line_band(*ends, a, b) for ends, (_, _, a, b) in zip(intervals, simple)]
    if len(bands) == 2:
        low, high = intervals[1][0], bands[1][1]
        bands = [(1 - high, 1 - low), (low, high)]
    return bands


# 8. The comparison ----------------------------------------------------------------------------------------


SHOWN = ("estimate", "low", "high", "count")
SEARCHED = ("estimate", "low", "high", "band_low", "band_high")
"""Numbers that are found by bisection or in steps, and so to fewer digits than those of a formula."""


def share_rows(reports, level, method):
    """Return the numbers of every answer's share."""
    answers, n = len(reports.chances), reports.respondents
    simple = simple_counts(reports)
    shared = {"respondents": n, "reported": reports.reported}
    if reports.reported == 0:
        nothing = {"estimate": 1 / answers, "unbiased": 1 / answers, "low": 0, "high": 1}
        supporting = {"count": 0} if simple or reports.chances.shape[1] == answers else {}
        return [shared | nothing | supporting | band(reports, (0, 1))] * answers
    shares, errors = shares_of(reports)
    if answers == 2 and simple:
        best = np.clip(shares, 0, 1)
    elif np.linalg.matrix_rank(reports.chances[:, reports.counts > 0]) == answers:
        best = likeliest(reports.chances, reports.counts)[0]
    else:
        best = [None] * answers  # so few different reports that several shares are likeliest
    if simple:
        intervals = [simple_interval(*each, level, method) for each in simple]
        counts = [x for _, x, _, _ in simple]
    else:
        intervals = joint_intervals(reports, level)
        counts = reports.counts if reports.chances.shape[1] == answers else [None] * answers
    bands = share_bands(reports, simple, intervals, level)
    return [
        {
            **shared,
            "count": count,
            "noisy_share": None if count is None else count / reports.reported,
            "unbiased": share,
            "standard_error": error,
            **dict(zip(ENDS, ends)),
            **band(reports, wider),
        }
        | ({} if likely is None else {"estimate": min(max(likely, ends[0]), ends[1])})
        for count, share, error, likely, ends, wider in zip(counts, shares, errors, best, intervals, bands)
    ]


def column_rows(codes, channel, published):
    """Yield each published row of a column, what is worked out here, and the range of what it estimates."""
    came = codes.value_counts()

    def counts_of(first, codes):
        return came.reindex(range(first, first + codes), fill_value=0).to_numpy()

    strata = {
        name: ColumnReports(counts_of(each["first_code"], each["codes"]), each)
        for name, each in channel["strata"].items()
    }
    apart = {"skipped": channel["skip_code"], "not_asked": channel["not_asked_code"]}
    apart = {name: int(came.get(code, 0)) for name, code in apart.items()}
    for (stratum, quantity), rows in published.groupby(["stratum", "quantity"], sort=False):
        level, method = rows["interval_level"].iloc[0], rows["method"].iloc[0]
        span = 1.0
        if stratum in apart:
            asked = len(codes) - (apart["not_asked"] if stratum == "skipped" else 0)
            found = [{"count": apart[stratum], "respondents": asked}]
        elif quantity == "mean" and not gives_mean(strata[stratum]):
            print(f"the mean of {rows['column'].iloc[0]} is not worked out here")
            continue
        elif quantity == "mean":
            found = [mean_row(strata[stratum], level)]
            span = np.ptp(strata[stratum].grid)
        elif stratum == "pooled":
            found = [pooled_row(list(strata.values()), answer, level) for answer in range(2)]
        else:
            found = share_rows(strata[stratum], level, method)
        assert len(found) == len(rows), "estimates.csv has other answers than channels.json"
        for (_, row), ours in zip(rows.iterrows(), found):
            yield row, ours, span


def difference(ours, theirs, span):
    """Return the relative difference; for what is near 0, that to a hundredth of the range."""
    if ours is None or pd.isna(theirs):
        return 0.0 if ours is None and pd.isna(theirs) else math.inf
    return abs(ours - theirs) / max(abs(theirs), span / 100)


def main(folder):
    """Work everything out, print it, and return the exit status."""
    channels = json.loads((folder / "channels.json").read_text(encoding="utf-8"))["columns"]
    # An option may be called "NA": only an empty cell is missing.
    read = {"encoding": "utf-8-sig", "keep_default_na": False, "na_values": [""]}
    reports = pd.read_csv(folder / "reports.csv", **read)
    published = pd.read_csv(folder / "estimates.csv", dtype={"column": str, "answer": str}, **read)
    published = published[published["quantity"].isin(["proportion", "mean", "count"])]
    allowed = {"by formula": 1e-9, "searched for": 1e-6}
    largest = dict.fromkeys(allowed, 0.0)
    compared = 0
    print(f"{'column':16}{'stratum':11}{'answer':8}", *(f"{each:>13}" for each in SHOWN))
    for name, channel in channels.items():
        for row, ours, span in column_rows(reports[name], channel, published[published["column"] == name]):
            shown = [f"{ours[key]:.6g}" if ours.get(key) is not None else "" for key in SHOWN]
            answer = "" if pd.isna(row["answer"]) else row["answer"]
            print(f"{name:16}{row['stratum']:11}{answer:8}", *(f"{each:>13}" for each in shown))
            by_formula = row["method"] in ("wald", "wilson", "normal")
            for field, value in ours.items():
                kind = "searched for" if field in SEARCHED and not by_formula else "by formula"
                apart = difference(value, row[field], span)
                compared += 1
                largest[kind] = max(largest[kind], apart)
                if apart > allowed[kind]:
                    print(f"    {field} differs: {value} here, {row[field]} in estimates.csv")
    print(f"{compared} numbers compared with estimates.csv. The largest relative difference:")
    for kind, found in largest.items():
        print(f"{found:.1e} {kind}, {allowed[kind]:.0e} allowed")
    return int(compared == 0 or any(largest[kind] > allowed[kind] for kind in allowed))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent))
