"""One spin for several answers against a spin for each: widths, variances and coverage.

    python tests/benchmarks/linked.py                     8 min
    python tests/benchmarks/linked.py widths variances    some parts
    python tests/benchmarks/linked.py --repeats 100       a look

`widths`: exact 95 % intervals of shares of 1000 people, the mean over the first shares of .1, .2, .3, .4, at
the same total linked and split. `variances`: n times the variance of what is wanted, from the estimators' own
covariance at expected counts, and the people that random sets of ten questions need. `coverage`: how often
intervals hold the truth: exact ones, and by likelihood those of shares among those who answered and of a
difference between linked questions. A width or a variance that is off by more than 5 %, or a coverage that is
too low by more than chance allows, is an error.
"""

import argparse
import itertools
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from survey.crosstab import difference_within, estimate_joint
from survey.crosstab.linked_pair import estimate_linked, read_reports
from survey.interval import proportion_intervals
from survey.interval.answered_shares import answered_shares
from survey.linked import Linked
from survey.mechanisms import spinner_coin
from survey.plan.linking_cost import best_apart, people_for_pair
from survey.plan.outlook import people_for
from survey.plan.pair_figures import joint_table, slope
from survey.plan.plans_within import MARGIN
from survey.plan.proposal import unlinked
from survey.plan.wanted import Want
from survey.privacy import guess
from survey.question import YesNo
from survey.randomize import randomize_many
from survey.randomize_linked import randomize_linked_many
from survey.section import Section

PEOPLE = 1000
SHARES = np.array([0.1, 0.2, 0.3, 0.4])
WIDTHS = {(2, 2.0): (0.126, 0.091), (3, 3.0): (0.128, 0.080), (4, 4.0): (0.130, 0.073)}
"""Questions and total -> the width of an interval where each draws for itself, and linked."""

OFF = 0.05
LARGE = 10**12
NORMAL = 1.959964
LEAST = {"exact": 0.945, "likelihood": 0.94}
PARTS = ("widths", "variances", "coverage")


def main():
    """Print the parts that are asked for; return the number of figures that are missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--repeats", type=int, default=1000)
    chosen = parser.parse_args()
    parts = {
        "widths": lambda random: widths(random, max(10, chosen.repeats // 20)),
        "variances": lambda _: variances(),
        "coverage": lambda random: coverage(random, chosen.repeats),
    }
    missed = [parts[name](np.random.default_rng(13)) for name in chosen.parts or PARTS]
    return sum(missed)


def words(random, people):
    """Draw two words for each person."""
    return random.integers(0, 2**32, (people, 2), dtype=np.uint32)


def row(name, found, wanted, at_least=False, chance=0.0):
    """Print a figure beside what it must be; return 1 if it is missed by more than chance allows."""
    is_missed = found + chance < wanted if at_least else abs(found / wanted - 1) > OFF
    sign = "at least " if at_least else ""
    print(
        f"{name:64}{found:>9.4g}{sign + format(wanted, 'g'):>18}{'  MISSED' if is_missed else ''}", flush=True
    )
    return int(is_missed)


def widths(random, seeds):
    """Compare the widths of intervals at the same total; return how many are missed."""
    print(f"\nwidth of a 95 % interval, n {PEOPLE}, {seeds} seeds")
    missed = 0
    for (questions, total), wanted in WIDTHS.items():
        linked = Linked.spun((2,) * questions, total)
        channels = [spinner_coin(total / questions)] * questions
        split, joint = [], []
        for _ in range(seeds):
            answers = (random.random((PEOPLE, questions)) < SHARES[:questions]).astype(int)
            codes = randomize_linked_many(linked, answers, words(random, PEOPLE))
            for place, channel in enumerate(channels):
                apart = randomize_many(channel, answers[:, place], words(random, PEOPLE)[:, 0])
                split.append(width(channel, np.bincount(apart, minlength=2)))
                joint.append(width(linked.marginal(place), np.bincount(codes[:, place], minlength=2)))
        name = f"{questions} yes/no questions, total {total:g}"
        missed += row(f"{name}, split", np.mean(split), wanted[0])
        missed += row(f"{name}, linked", np.mean(joint), wanted[1])
    return missed


def width(channel, counts):
    """Return the width of the exact interval of yes."""
    yes = proportion_intervals(channel, counts, 0.95, "exact")[1]
    return yes.high - yes.low


def variances():
    """Compare what pairs and random sets need; return how many figures are missed."""
    print("\ntwo independent questions, total 2: people split over linked")
    missed = 0
    for shares, both, covariance in (((0.2, 0.3), 4.5, 7.9), ((0.5, 0.5), 3.9, 8.3)):
        gains = {figure: gain(figure, shares) for figure in ("both", "covariance")}
        missed += row(f"the share of both, shares {shares}", gains["both"], both)
        missed += row(f"the covariance, shares {shares}", gains["covariance"], covariance)
        missed += row(f"the covariance, shares {shares}", gains["covariance"], 7, at_least=True)
    print("\nten yes/no questions at one half: n x variance of a share and of the share of both")
    sections = {
        asked: ten(asked, total) for asked, total in ((2, 2.0), (3, most_within(3)), (4, most_within(4)))
    }
    plain = unlinked([sections[2]])
    pairs = [Want.usual("both", *pair) for pair in itertools.combinations(range(10), 2)]
    missed += row("best unlinked, total 2: a share", variance(best_apart(plain, 2.0, ())), 4.31)
    missed += row("best unlinked, total 2: both", variance(best_apart(plain, 2.0, pairs)), 88)
    wanted = {2: (3.31, 22.3), 3: (2.31, 7.8), 4: (2.23, 5.0)}
    for asked, section in sections.items():
        limits = "total 2" if asked == 2 else f"limits 80 and 95, total {section.epsilon:.4g}"
        name = f"random sets of {asked}, {limits}"
        missed += row(f"{name}: a share", variance(people_for(MARGIN, [section], None)), wanted[asked][0])
        missed += row(f"{name}: both", variance(people_for_pair(section.questions, (0, 1))), wanted[asked][1])
    return missed


def gain(figure, shares):
    """Return the variance split over that linked, from the covariances at the expected counts."""
    table = joint_table(*shares)
    slopes = slope(figure, table, 1, 1).ravel()
    linked = Linked.spun((2, 2), 2.0)
    pair = [linked.marginal(0), linked.marginal(1)]
    apart = [spinner_coin(1.0)] * 2
    reports = (table.ravel() @ linked.wheels[0].probabilities).reshape(2, 2)
    estimate = estimate_linked(read_reports(pair, np.round(LARGE * reports).astype(np.int64)))
    reports = apart[0].probabilities.T @ table @ apart[1].probabilities
    split = estimate_joint(apart, np.round(LARGE * reports).astype(np.int64))
    of_split, of_linked = (slopes @ each.covariance.reshape(4, 4) @ slopes for each in (split, estimate))
    return of_split / of_linked


def ten(asked, total):
    """Return ten yes/no questions of which random sets are linked."""
    questions = tuple(YesNo(f"q{n}", "yes_no", {}, "spinner_coin", 1.0, {}) for n in range(10))
    return Section("ten", questions, epsilon=total).with_wheel(Linked.spun((2,) * 10, total, asked))


def most_within(asked):
    """Return the largest total at which a guess is right at most 80 times in 100, and 95 at worst."""
    total = min(math.log1p(2**asked * 0.6 / 0.4), math.log(19)) - 1e-6
    figures = guess([ten(asked, total).linked.weakest])
    assert figures.times_right <= 80, figures
    assert figures.times_telling <= 95, figures
    return total


def variance(people):
    """Return n times the variance with which so many people have a margin of 5 points."""
    return people * (MARGIN / NORMAL) ** 2


def coverage(random, repeats):
    """Count how often intervals hold the truth; return how many do too rarely."""
    print(f"\ncoverage of 95 % intervals, n {PEOPLE}, {repeats} repeats")
    cells = {}
    for _ in range(repeats):
        for questions, skip in ((2, False), (3, False), (4, False), (2, True)):
            name = f"{questions} questions{', left out by .2' if skip else ''}, total {questions}"
            for kind, held in played(random, questions, skip):
                cells.setdefault((f"{name}: {kind[0]}", kind[1]), []).append(held)
    missed = 0
    for (name, method), held in cells.items():
        found, least = np.mean(held), LEAST[method]
        chance = 2.33 * math.sqrt(least * (1 - least) / len(held))
        missed += row(name, found, least, at_least=True, chance=chance)
    return missed


def played(random, questions, skip):
    """Yield each kind of interval of one play with its method, and whether it held the truth."""
    linked = Linked.spun((2,) * questions, float(questions), None, skip)
    answers = (random.random((PEOPLE, questions)) < SHARES[:questions]).astype(int)
    share = SHARES[:questions]
    if skip:
        answers[random.random(PEOPLE) < 0.2] = -1
        share = 0.8 * share
    codes = randomize_linked_many(linked, answers, words(random, PEOPLE))
    for place in range(questions):
        channel = linked.marginal(place)
        counts = np.bincount(codes[:, place], minlength=channel.reports)
        yes = proportion_intervals(channel, counts, 0.95, "exact")[1]
        yield ("shares", "exact"), yes.low <= share[place] <= yes.high
        if skip:
            among = answered_shares(channel, counts, 0.95)[1]
            yield ("among those who answered", "likelihood"), among.low <= SHARES[place] <= among.high
    pair = linked.marginal(0, 1)
    side = 2 + skip
    table = np.zeros((side, side), np.int64)
    np.add.at(table, (codes[:, 0], codes[:, 1]), 1)
    if skip:
        return
    both = proportion_intervals(pair, table.ravel(), 0.95, "exact")[3]
    yield ("both of two", "exact"), both.low <= share[0] * share[1] <= both.high
    if questions == 2:
        channels = [linked.marginal(0), linked.marginal(1)]
        difference = difference_within(channels, table, 1, 1, 0)
        yield ("a difference", "likelihood"), difference.low <= 0 <= difference.high


if __name__ == "__main__":
    sys.exit(main())
