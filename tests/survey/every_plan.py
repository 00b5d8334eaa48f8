"""Every way to ask a small survey, tried one after the other: what `survey.plan.choose` is compared with."""

import itertools
import math
from functools import cache

import numpy as np

from survey.estimate import unbiased_inverse
from survey.mechanisms import designed, subset, wheel
from survey.mechanisms.designed import LEAST_EPSILON
from survey.plan.wanted import Want
from survey.privacy import Reports, guess_within
from survey.privacy.hardest_pairs import Told
from survey.question import Choice, YesNo
from survey.section import Section

Z = 1.959963984540054
TEXT = {"en": "-"}
EPSILONS = np.geomspace(0.02, 4.7, 48)
STEPS = 8
FINER = (1, 3, 12)
PAIRS = ("both", "covariance", "difference", "odds_ratio")


def random_survey(rng):
    """Sections of a question each, what is wanted of them, and settings of `choose`."""
    questions, wants = [], []
    for place in range(rng.randint(1, 5)):
        options, ordered = rng.randint(2, 6), rng.random() < 0.5
        if options == 2:
            questions.append(YesNo(f"q{place}", "yes_no", TEXT, "spinner_coin", 1.0, {}))
        else:
            texts = {"wording": TEXT, "note": {}, "options": (TEXT,) * options}
            questions.append(
                Choice(
                    id=f"q{place}", kind="choice", mechanism="wheel", epsilon=1.0, ordered=ordered, **texts
                )
            )
        figures = ["shares"] if options == 2 or not ordered else ["shares", "mean", "curve"]
        chosen = rng.sample(figures, rng.randint(1, len(figures)))
        wants += [Want.usual(figure, place) for figure in chosen]
    pairs = list(itertools.combinations(range(len(questions)), 2))
    chosen = rng.sample(pairs, min(len(pairs), rng.choice([0, 0, 1, 1, 2, 3])))
    wants += [Want.usual(rng.choice(PAIRS), *pair) for pair in chosen]
    wants = [
        Want(each.figure, each.questions, each.margin * math.exp(rng.uniform(-0.4, 0.4))) for each in wants
    ]
    settings = {"wants": wants, "total": round(rng.uniform(0.6, 4.0), 2), "right": 99, "telling": 99}
    if rng.random() < 0.3:
        settings |= {"right": rng.choice([70, 80, 90]), "telling": 95, "total": min(settings["total"], 2.944)}
    if rng.random() < 0.4:
        settings["share"] = rng.choice([0.1, 0.2, 0.35])
    return [Section(each.id, (each,)) for each in questions], settings


def expected(question, share):
    if share is not None and isinstance(question, YesNo):
        return np.array([1 - share, share])
    return np.full(question.answers, 1 / question.answers)


def counted(figure, answers):
    """What each answer counts: a row for each figure."""
    if figure == "shares":
        return np.eye(answers)
    if figure == "mean":
        return np.linspace(0, 1, answers)[None]
    return np.tril(np.ones((answers, answers)))[:-1]


def largest_variance(chances, inverse, figure, truth):
    """n times the variance of the least precise figure, from a channel; of a mean with the worst answer."""
    adds = inverse @ counted(figure, chances.shape[0]).T
    if figure == "mean":
        return max(float(row @ adds[:, 0] ** 2 - (row @ adds[:, 0]) ** 2) for row in chances)
    reported = truth @ chances
    return float((reported @ adds**2 - (reported @ adds) ** 2).max())


@cache
def mechanisms(answers, figures):
    """The channels of every mechanism for a question, at every epsilon."""
    builders = {"wheel": lambda epsilon: wheel(answers, epsilon)}
    if answers > 2:
        builders["subset"] = lambda epsilon: subset(answers, epsilon)
    if set(figures) & {"mean", "curve"}:
        builders["designed"] = lambda epsilon: designed(answers, epsilon, dict.fromkeys(figures, 1.0))
    return [
        (
            build,
            [
                None if name == "designed" and epsilon < LEAST_EPSILON else build(float(epsilon))
                for epsilon in EPSILONS
            ],
        )
        for name, build in builders.items()
    ]


@cache
def apart(answers, wants, share):
    """Reports, share variances and channels of a question at every epsilon, by the best mechanism at each."""
    truth = np.array(share)
    best = None
    for build, channels in mechanisms(answers, tuple(sorted({figure for figure, _ in wants}))):
        rows = []
        for channel in channels:
            if channel is None:
                rows.append((math.inf,))
                continue
            chances, inverse = channel.probabilities, unbiased_inverse(channel)
            reports = max(
                largest_variance(chances, inverse, figure, truth) * (Z / margin) ** 2
                for figure, margin in wants
            )
            reported = truth @ chances
            rows.append((reports, reported @ inverse**2 - (reported @ inverse) ** 2, build))
        best = (
            rows
            if best is None
            else [min(pair, key=lambda row: row[0]) for pair in zip(best, rows, strict=True)]
        )
    return np.array([row[0] for row in best]), np.array([row[1] for row in best]), [row[2] for row in best]


def partitions(places):
    """Every way to divide some places into groups."""
    if not places:
        yield []
        return
    first, rest = places[0], places[1:]
    for size in range(len(rest) + 1):
        for others in itertools.combinations(rest, size):
            left = [place for place in rest if place not in others]
            for more in partitions(left):
                yield [(first, *others), *more]


def layouts(sections):
    """Every division into groups, and for each group how many questions are on its wheel: 0 for apart."""
    answers = [section.questions[0].answers for section in sections]
    for groups in partitions(list(range(len(sections)))):
        sets = []
        for group in groups:
            largest = sorted((answers[place] for place in group), reverse=True)
            numbers = [m for m in range(2, len(group) + 1) if math.prod(largest[:m]) <= 256]
            sets.append([(group, m) for m in numbers] if len(group) > 1 else [(group, 0)])
        yield from itertools.product(*sets)


def wheel_tables(group, asked, truths, wants):
    """What a wheel needs at every epsilon: reports with the chance of one, and share variances.

    By counting: every set of questions, and every combination of answers on its wheel.
    """
    sets = list(itertools.combinations(group, asked))
    needs, shares = [], {}
    for want in wants:
        inside = [each for each in sets if set(want.questions) <= set(each)]
        variances = variances_on_wheels(inside, truths, want.figure, want.questions)
        reports = variances.reshape(-1, len(EPSILONS)).max(axis=0) * (Z / want.margin) ** 2
        needs.append((reports, len(inside) / len(sets)))
    for place in group:
        inside = [each for each in sets if place in each]
        shares[place] = variances_on_wheels(inside, truths, "shares", (place,))[:, 0].T
    return needs, shares


def variances_on_wheels(sets, truths, figure, questions):
    """n times the variance of every figure, for every population and epsilon; all wheels count alike."""
    parts = [moments_on_wheel(places, truths, figure, questions) for places in sets]
    bright, means, squares = (sum(part) / len(sets) for part in zip(*parts, strict=True))
    return (squares - means**2) / bright**2


def moments_on_wheel(places, truths, figure, questions):
    """The bright share, and the mean and the mean square of what reports count."""
    shape = tuple(len(truths[place]) for place in places)
    combinations = math.prod(shape)
    joint = np.ones(shape)
    for axis, place in enumerate(places):
        joint = joint * truths[place].reshape([-1 if other == axis else 1 for other in range(len(shape))])
    axes = [places.index(question) for question in questions]
    answers = np.indices(shape).reshape(len(shape), -1)[axes]
    if len(questions) == 1:
        counts = counted(figure, shape[axes[0]])[:, answers[0]]
    else:
        a, b = (truths[question] for question in questions)
        counts = []
        for x, y in itertools.product(range(len(a)), range(len(b))):
            has_x, has_y = answers[0] == x, answers[1] == y
            if figure == "both":
                counts.append(has_x * has_y)
                continue
            times = {
                "covariance": 1,
                "difference": 1 / (a[x] * (1 - a[x])),
                "odds_ratio": 1 / (a[x] * (1 - a[x]) * b[y] * (1 - b[y])),
            }[figure]
            counts.append((has_x - a[x]) * (has_y - b[y]) * times)
        counts = np.array(counts, float)
    populations = [joint.ravel()]
    if figure == "mean":  # everybody has one answer
        populations = [
            (answers[0] == answer) / (answers[0] == answer).sum() for answer in range(shape[axes[0]])
        ]
    ratio = np.exp(EPSILONS)
    bright = (ratio - 1) / (ratio + combinations - 1)
    means, squares = [], []
    for population in populations:
        reported = np.outer(population, bright) + (1 - bright) / combinations
        means.append(counts @ reported)
        squares.append(counts**2 @ reported)
    return bright, np.stack(means, axis=1), np.stack(squares, axis=1)


def interpolated(rows, epsilon):
    """A table of variances at an epsilon, in between along a line on logarithmic paper."""
    place = min(max(1, int(np.searchsorted(EPSILONS, epsilon))), len(EPSILONS) - 1)
    below, above = EPSILONS[place - 1], EPSILONS[place]
    part = (math.log(epsilon) - math.log(below)) / (math.log(above) - math.log(below))
    return np.exp((1 - part) * np.log(rows[place - 1]) + part * np.log(rows[place]))


def apart_pair(figure, varying, truths):
    """n times the variance of the least precise figure of two questions that draw apart."""
    (v, w), (a, b) = varying, truths
    if figure == "both":
        return float((np.outer(v + a**2, w + b**2) - np.outer(a, b) ** 2).max())
    first = v / (a * (1 - a)) ** 2 if figure in ("difference", "odds_ratio") else v
    second = w / (b * (1 - b)) ** 2 if figure == "odds_ratio" else w
    return float(first.max() * second.max())


class Trial:
    """One layout with so many of its groups asked."""

    def __init__(self, sections, settings, layout, asked):
        self.questions = [section.questions[0] for section in sections]
        self.truths = [expected(question, settings.get("share")) for question in self.questions]
        self.layout, self.asked, self.settings = layout, asked, settings
        wants = settings["wants"]
        self.tables, self.channels = [], []
        self.pairs = [want for want in wants if len(want.questions) == 2]
        for group, number in layout:
            if number:
                inside = [want for want in wants if set(want.questions) <= set(group)]
                self.pairs = [want for want in self.pairs if want not in inside]
                self.tables.append(wheel_tables(group, number, self.truths, inside))
                self.channels.append(None)
            else:
                (place,) = group
                own = tuple((want.figure, want.margin) for want in wants if want.questions == group)
                reports, shares, channels = apart(len(self.truths[place]), own, tuple(self.truths[place]))
                self.tables.append(([(reports, 1.0)], {place: shares}))
                self.channels.append(channels)

    def part(self, groups):
        """The chance that a person is asked all of some groups."""
        if groups > self.asked:
            return 0
        return math.comb(len(self.layout) - groups, self.asked - groups) / math.comb(
            len(self.layout), self.asked
        )

    def people(self, place, epsilon):
        """What the wants of one group need."""
        return max(
            (float(interpolated(reports, epsilon)) + 1 - self.part(1) * chance) / (self.part(1) * chance)
            for reports, chance in self.tables[place][0]
        )

    def least(self, place, people):
        """The least epsilon of a group with so many people."""
        low, high = EPSILONS[0], self.settings["total"]
        if self.people(place, high) > people:
            return math.inf
        while high / low > 1.0005:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self.people(place, middle) <= people else (middle, high)
        return high

    def pair_people(self, want, epsilons):
        """What a pair in two groups needs."""
        varying, chance = [], self.part(2)
        for question in want.questions:
            place = next(n for n, (group, _) in enumerate(self.layout) if question in group)
            group, number = self.layout[place]
            chance *= number / len(group) if number else 1
            varying.append(interpolated(self.tables[place][1][question], epsilons[place]))
        if chance == 0:
            return math.inf
        variance = apart_pair(want.figure, varying, [self.truths[question] for question in want.questions])
        return (variance * (Z / want.margin) ** 2 + 1 - chance) / chance

    def pair_at_best(self, want, least, spare):
        """What a pair needs if all that is left goes to its two groups."""
        places = [next(n for n, (group, _) in enumerate(self.layout) if q in group) for q in want.questions]
        needed = math.inf
        for part in np.linspace(0, 1, 33):
            chosen = list(least)
            chosen[places[0]] += part * spare
            chosen[places[1]] += (1 - part) * spare
            needed = min(needed, self.pair_people(want, chosen))
        return needed

    def cost(self, epsilons):
        return sum(sorted(epsilons)[len(epsilons) - self.asked :])

    def epsilons_for(self, people):
        """The cheapest epsilons that are found with which so few people are enough; None without any."""
        least = [self.least(place, people) for place in range(len(self.layout))]
        total = self.settings["total"]
        if self.cost(least) > total * (1 + 1e-9):
            return None
        if not self.pairs:
            return least
        if self.part(2) == 0:
            return None
        if any(self.pair_at_best(want, least, total - self.cost(least)) > people for want in self.pairs):
            return None
        # What is left of the total is divided in every way, in steps that become finer around the best way.
        spare = total - self.cost(least)
        best, centre = (math.inf, None), None
        for finer in FINER:
            ways = compositions(len(least), self.asked) if centre is None else around(centre, STEPS * finer)
            for way in ways:
                chosen = [low + spare * part for low, part in zip(least, way, strict=True)]
                if self.cost(chosen) > total * (1 + 1e-9):
                    continue
                needed = max(self.pair_people(want, chosen) for want in self.pairs)
                best = min(best, (needed, way))
            centre = best[1]
            if centre is None:
                return None
        if best[0] > people:
            return None
        low, high = 0.0, 1.0
        while high - low > 1e-3:  # less of it may be enough
            middle = (low + high) / 2
            chosen = [a + spare * middle * b for a, b in zip(least, best[1], strict=True)]
            enough = max(self.pair_people(want, chosen) for want in self.pairs) <= people
            low, high = (low, middle) if enough else (middle, high)
        return [a + spare * high * b for a, b in zip(least, best[1], strict=True)]

    def within(self, epsilons):
        """Whether a guess at all answers is right as often as allowed at most."""
        told = []
        for (group, number), epsilon, channels in zip(self.layout, epsilons, self.channels, strict=True):
            if number:
                sizes = sorted(len(self.truths[place]) for place in group)
                told.append([Told.of_wheel(math.prod(sizes[:number]), epsilon)])
            else:
                build = channels[int(np.abs(np.log(EPSILONS / epsilon)).argmin())]
                told.append([build(round(epsilon, 3))])
        return guess_within(Reports.drawn_from(told, self.asked), 1, self.settings["right"])


@cache
def compositions(numbers, asked):
    """Parts of 1 for each of some groups, of which the largest that are asked add up to 1."""
    counted = itertools.product(range(STEPS + 1), repeat=numbers)
    return [
        tuple(count / STEPS for count in counts)
        for counts in counted
        if sum(sorted(counts)[-asked:]) == STEPS
    ]


def around(centre, steps):
    """Parts that are a step or two off."""
    for moved in itertools.product((-2, -1, 0, 1, 2), repeat=len(centre)):
        parts = tuple(max(0.0, part + move / steps) for part, move in zip(centre, moved, strict=True))
        yield parts


def better_plan(sections, settings, people):
    """A plan that needs at most so many people, if any layout has one."""
    for layout in layouts(sections):
        for asked in range(1, len(layout) + 1):
            trial = Trial(sections, settings, layout, asked)
            epsilons = trial.epsilons_for(people)
            if epsilons is not None and (settings["right"] == 99 or trial.within(epsilons)):
                return layout, asked, epsilons
    return None


def people_of(sections, asked, settings):
    """What everything wanted needs with epsilons that a plan has set, each question drawing apart."""
    wants, part = settings["wants"], (len(sections) if asked is None else asked) / len(sections)
    both = part if part == 1 else part * (asked - 1) / (len(sections) - 1)
    truths, channels = [], []
    for section in sections:
        truths.append(expected(section.questions[0], settings.get("share")))
        channels.append(section.questions[0].channel())
    needed = 0.0
    for want in wants:
        chance = part if len(want.questions) == 1 else both
        if chance == 0:
            return math.inf
        known = []
        for place in want.questions:
            chances, inverse = channels[place].probabilities, unbiased_inverse(channels[place])
            reported = truths[place] @ chances
            known.append((chances, inverse, reported @ inverse**2 - (reported @ inverse) ** 2))
        if len(known) == 1:
            variance = largest_variance(*known[0][:2], want.figure, truths[want.questions[0]])
        else:
            variance = apart_pair(
                want.figure, [each[2] for each in known], [truths[p] for p in want.questions]
            )
        needed = max(needed, (variance * (Z / want.margin) ** 2 + 1 - chance) / chance)
    return needed
