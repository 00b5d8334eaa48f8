"""How often a guess is right, against an enumeration of every pair of sets of answers."""

import math
from collections import Counter
from itertools import islice, pairwise, permutations

import numpy as np
import pytest
from enumeration import enumerated

from survey.channel import Channel
from survey.column import Column
from survey.mechanisms import (
    coin,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner_coin,
    subset,
    wheel,
)
from survey.privacy import Reports, dearest_draws, guess, reports_of, times_in_100, variation
from survey.privacy.curve import nowhere_below
from survey.privacy.guess import ROUNDED, Guess, guess_within
from survey.privacy.hardest_pairs import Told, hardest_pairs
from survey.privacy.loss import LossDistribution
from survey.privacy.variation import (
    AGREED,
    CLOSE,
    POINTS,
    added_up,
    exceeds,
    greatest_variation,
    settled_variation,
    variations,
)

BOXES = [Column(f"box_{number}", sampled_box(4, 0.9506)) for number in range(4)]

STUDENT_LIFE = [
    wheel(3, 0.9506),
    coin(),
    wheel(5, 0.9506),
    exponential(5, 0.9506),
    one_bit(0, 10, 1, 0.9506),
    hybrid(0, 40, 1, 0.9506),
    laplace(0, 30, 1, 0.9506),
    gaussian(0, 100, 1, 0.9506, 1e-6),
]

KNOWN = {
    "two of five, one by two coins": (
        Reports.drawn_from([[spinner_coin(0.9013)]] * 4 + [[coin()]], asked=2),
        1,
        0.75,
        75,
        89,
    ),
    "three of nine, of every kind": (
        Reports.drawn_from([*([each] for each in STUDENT_LIFE), reports_of(BOXES)], asked=3),
        1,
        0.82176,
        83,
        96,
    ),
    "one of two, twice": (Reports.drawn_from([[spinner_coin(0.75)] * 2] * 2, asked=1), 2, 0.75726, 76, 96),
    "one of three": (Reports.drawn_from([[spinner_coin(1.0)] * 2] * 3, asked=1), 1, 0.73106, 74, 89),
    "ten at a quarter": (Reports((spinner_coin(0.25),) * 10), 1, 0.64990, 65, 93),
    "nothing at all": (Reports(()), 1, 0.5, 50, 50),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_figures_of_known_surveys(name):
    reports, waves, right, times_right, times_telling = KNOWN[name]
    found = guess(reports, waves)
    assert found.right == pytest.approx(right, abs=5e-6)
    assert (found.times_right, found.times_telling) == (times_right, times_telling)


def test_three_quarters_is_75_times_in_100_exactly_and_no_share_is_above_1():
    assert guess([spinner_coin(0.9013), coin()]).right == pytest.approx(0.75, abs=1e-12)
    assert guess([spinner_coin(10.0)] * 20).right == 1
    assert times_in_100(0.75 + 0.9e-6) == 75 < times_in_100(0.75 + 1.1e-6)


def test_real_coins_count_where_they_promise_less():
    either = reports_of([Column("tired", spinner_coin(0.5), by_hand=coin(), skip_apart=True)])
    assert guess(either).right == pytest.approx(0.75, abs=1e-12)


def test_after_the_most_telling_result_a_gaussian_counts_at_its_stated_epsilon():
    found = guess([gaussian(0, 4, 1, 1.0, 1e-4)] * 2)
    assert (found.most_telling, found.delta) == pytest.approx((1 / (1 + math.exp(-2)), 2e-4))
    assert found.right < found.most_telling


PLAIN = [
    spinner_coin(0.3),
    spinner_coin(1.2),
    coin(),
    wheel(3, 0.8),
    wheel(4, 2.5),
    subset(4, 1.0, 2),
    exponential(4, 1.5),
    one_bit(0, 3, 1, 1.0),
    hybrid(0, 4, 1, 3.0),
    laplace(0, 4, 1, 1.0),
    laplace(0, 4, 1, 3.0),
    gaussian(0, 2, 1, 3.0, 0.3),
    per_box(2, 2.0).box,
]


def own_tables(random):
    """Exponential mechanisms of random tables, whose pairs of answers may cross."""
    while True:
        size = int(random.integers(2, 5))
        table = (
            random.integers(0, 4, (size, size)) if random.random() < 0.5 else random.normal(size=(size, size))
        )
        if np.ptp(table - table.max(axis=1, keepdims=True), axis=0).any():
            yield exponential(size, float(random.choice([0.3, 1.0, 2.5])), table)


TABLES = [*islice(own_tables(np.random.default_rng(4)), 12)]


def random_survey(random, channels):
    """A small survey: some sections that everybody is asked, others drawn, one wave or two."""
    sections = [
        [channels[at] for at in random.integers(0, len(channels), random.integers(1, 3))]
        for _ in range(random.integers(1, 5))
    ]
    waves = int(random.integers(1, 3)) if len(sections) < 3 else 1
    if random.random() < 0.3 or len(sections) < 2:
        return Reports(tuple(sections[0])), waves
    always = sections.pop()[:1] if len(sections) > 2 else []
    return Reports.drawn_from(sections, int(random.integers(1, min(2, len(sections)) + 1)), always), waves


def some_surveys(count, channels):
    """Random small surveys with their enumerated figures."""
    random = np.random.default_rng(20)
    found = []
    while len(found) < count:
        survey = random_survey(random, channels)
        if (exact := enumerated(*survey, most=1e7)) is not None:
            found.append((*survey, exact))
    return found


def test_where_one_pair_dominates_it_is_the_enumerated_figure():
    for reports, waves, exact in some_surveys(100, PLAIN):
        assert guess(reports, waves).right == pytest.approx(exact, abs=1e-6), (reports, waves)


def test_elsewhere_it_is_never_below_and_hardly_above():
    for reports, waves, exact in some_surveys(40, [*PLAIN[:4], *TABLES]):
        assert -1e-9 <= guess(reports, waves).right - exact <= 0.005, (reports, waves)


def test_where_there_is_too_much_to_try_it_is_an_upper_bound(monkeypatch):
    for reports, waves, exact in some_surveys(8, [*PLAIN, *TABLES]):
        for most in (0, 3):
            monkeypatch.setattr(dearest_draws, "MOST_CANDIDATES", most)
            assert guess_anew(reports, waves) >= exact - 1e-9
    monkeypatch.setattr(dearest_draws, "MOST_CANDIDATES", 0)
    assert guess_anew(Reports((coin(),) * 2), 3) == pytest.approx(guess([coin()] * 6).right, abs=1e-9)


def test_coarse_grids_compare_a_figure_with_a_limit_as_the_fine_one_would_or_not_at_all():
    said = []
    for reports, waves, _ in some_surveys(15, PLAIN):
        parts = dearest_draws.candidates(reports, waves)
        figure = greatest_variation(parts)
        for off in (1e-3, 1e-6):
            above, below = exceeds(parts, figure - off), exceeds(parts, figure + off)
            assert above in (True, None)
            assert below in (False, None)
            said += [above, below] if off == 1e-3 else []
    assert said.count(None) < len(said) / 20


def yes_no(epsilon):
    return LossDistribution(
        np.array([-epsilon, epsilon]), np.array([1, math.exp(epsilon)]) / (1 + math.exp(epsilon))
    )


def one_with(variation):
    """One yes/no question with this total variation distance, which every grid gives exactly."""
    return [(yes_no(2 * math.atanh(variation)), 1)]


OFF_GRID = [(yes_no(epsilon), 1) for epsilon in (1.0, 0.7, 0.3)]
"""Its figure is 2.4e-5 too large on the first grid, and then a quarter of that on each."""


def test_whatever_is_just_below_a_limit_is_left_to_finer_grids():
    half = one_with(0.5)
    limits = (0.5 - 1e-9, 0.5 + 0.9 * CLOSE, 0.5 + 1.1 * CLOSE)
    assert [exceeds([half], limit) for limit in limits] == [True, None, False]
    assert exceeds([one_with(0.5 - 1e-6), half], 0.5 - 1e-9) is True


def test_finer_grids_are_taken_until_two_figures_agree():
    parts = [(yes_no(0.2), 5), (yes_no(1.0), 1)]
    figures = [added_up(parts, points) for points in POINTS]
    fallen = [figure - finer for figure, finer in pairwise(figures)]
    assert fallen[1] > AGREED > fallen[2] > fallen[3] > 1e-8
    assert settled_variation(parts, POINTS) == figures[3]


def test_only_what_a_coarse_grid_cannot_tell_from_the_greatest_needs_a_finer_one(monkeypatch):
    settled = settled_variation(OFF_GRID, POINTS)
    within, beyond = settled + 0.5 * AGREED, settled + 10 * AGREED
    tried = []

    def counted(candidates, points):
        tried.append(len(candidates))
        return variations(candidates, points)

    monkeypatch.setattr(variation, "variations", counted)
    assert greatest_variation([OFF_GRID, one_with(within)]) == pytest.approx(within, abs=1e-12)
    assert tried == [2]
    assert greatest_variation([OFF_GRID, one_with(within), one_with(beyond)]) == pytest.approx(
        beyond, abs=1e-12
    )
    assert tried == [2, 3, 1]


def test_where_the_finest_grid_leaves_it_open_a_figure_is_not_too_small(monkeypatch):
    monkeypatch.setattr(variation, "POINTS", POINTS[:1])
    far = [(Told.of_wheel(10**6, 8.0).pairs[0], 1)]
    settled, greater = settled_variation(OFF_GRID, POINTS[:1]), variations([OFF_GRID, far], POINTS[0])[0]
    assert greater - settled > 1e-5
    between = (settled + greater) / 2
    assert greatest_variation([OFF_GRID, one_with(between), far]) >= between


def test_more_sums_than_points_are_not_added_up():
    assert added_up([(yes_no(1.0), 3)], 16) is None


def test_what_shows_the_answer_outright_adds_to_each_report():
    shown = Channel([[2**31, 0, 2**31], [0, 2**31, 2**31]])
    assert guess([shown]).right == pytest.approx(0.75)
    assert guess([shown] * 2).right == pytest.approx(0.875)


def test_what_is_added_up_sum_by_sum_is_the_figure_of_the_same_grid():
    few = 0
    for reports, waves, _ in some_surveys(30, PLAIN):
        for parts in dearest_draws.candidates(reports, waves)[:5]:
            figure = added_up(parts, 2**15)
            few += figure is not None
            assert figure is None or figure == pytest.approx(variations([parts], 2**15)[0], abs=1e-11)
    assert few > 30


def test_all_but_one_of_many_sections_are_found_at_once(monkeypatch):
    monkeypatch.setattr(dearest_draws, "outdone", lambda sections: [set() for _ in sections])
    many = Reports.drawn_from([[spinner_coin(0.01 * number)] for number in range(1, 41)], asked=39)
    assert len(list(dearest_draws.dearest_draws(many, 1))) == 40


def test_of_sections_that_can_be_ordered_only_the_dearest_are_drawn():
    coins = [spinner_coin(0.1 * number) for number in range(1, 6)]
    *_, less, most = coins
    mirrored = Channel(most.weights[:, ::-1])
    for asked, draw in ((1, {most: 3}), (3, {most: 3, mirrored: 3, less: 3})):
        drawn = Reports.drawn_from([[coin] for coin in (*coins, mirrored)], asked)
        assert list(dearest_draws.dearest_draws(drawn, 3)) == [draw]
    twice = Reports.drawn_from([[less], [most], [most, less], [most, less]], asked=3)
    assert list(dearest_draws.dearest_draws(twice, 1)) == [{most: 3, less: 2}]


def test_a_section_of_several_hardest_pairs_makes_no_other_needless():
    table = next(table for table in TABLES if len(hardest_pairs(table)) > 1)
    drawn = Reports.drawn_from([[table, spinner_coin(1.0)], [spinner_coin(0.01)]], asked=1)
    assert len(list(dearest_draws.dearest_draws(drawn, 1))) == 2


def test_ways_of_giving_reports_their_pairs_are_counted_as_they_are_tried():
    several = [table for table in TABLES if len(hardest_pairs(table)) > 1]
    draw = Counter({several[0]: 3, several[1]: 2, coin(): 4})
    assert dearest_draws.ways(draw) == len(list(dearest_draws.assignments(draw))) > 10


def guess_anew(reports, waves):
    return (1 + greatest_variation(dearest_draws.candidates(reports, waves))) / 2


@pytest.mark.parametrize(
    "channel",
    [
        *PLAIN,
        *(
            one_bit(0, 9, 1, 8.0),
            hybrid(0, 30, 1, 0.7),
            hybrid(-1, 1, 0.1, 6.0),
            laplace(0, 40, 1, 0.05),
            gaussian(0, 20, 1, 0.5, 1e-6),
            gaussian(0, 12, 1, 8.0, 0.01),
            exponential(9, 0.2),
            exponential(9, 8.0),
            subset(7, 0.5),
            subset(7, 5.0, 3),
            wheel(20, 4.0),
        ),
    ],
    ids=repr,
)
def test_the_ends_are_told_apart_best_at_every_epsilon(channel):
    assert channel.form.ends_dominate
    rows = channel.probabilities
    ratios = np.exp(np.linspace(-9, 9, 61))[:, None]
    ends = np.maximum(rows[0] - ratios * rows[-1], 0).sum(axis=1)
    # A weight may be off by a word for each report of its row.
    off = 2 * channel.reports / 2**32 * (1 + ratios[:, 0])
    for one, other in permutations(range(channel.answers), 2):
        assert (np.maximum(rows[one] - ratios * rows[other], 0).sum(axis=1) <= ends + off).all()


def test_ends_that_are_not_told_apart_best_are_not_taken_for_it():
    middle = Channel([[2**31, 2**31, 0], [0, 2**31, 2**31], [2**31, 2**31, 0]])
    assert not middle.form.ends_dominate
    assert guess([middle]).right == pytest.approx(0.75)
    uneven = Channel(np.full((60, 60), 2**32 // 60) + np.eye(60, dtype=int) * (2**32 % 60)).weights.copy()
    uneven[30, :30] += 10**7
    uneven[30, 30:] -= 10**7
    large = Channel(uneven)  # too large to compare every pair: the bound of its epsilon stands for it
    assert len(hardest_pairs(large)) == 1
    assert guess([large]).right == pytest.approx(1 / (1 + math.exp(-large.epsilon)))
    assert guess([Channel(np.roll(np.eye(60, dtype=int), 2, axis=0) * 2**32)]).right == 1


def test_no_pair_of_the_hardest_is_needed_twice():
    for table in TABLES:
        for one, other in permutations(hardest_pairs(table), 2):
            assert not nowhere_below(one, other)


@pytest.mark.parametrize("combinations", [2, 3, 10])
def test_a_wheel_needs_no_table(combinations):
    (told,), (pair,) = Told.of_wheel(combinations, 0.9).pairs, hardest_pairs(wheel(combinations, 0.9))
    assert told.losses.tolist() == pytest.approx(pair.losses.tolist(), abs=1e-6)
    assert told.chances.tolist() == pytest.approx(pair.chances.tolist(), abs=1e-6)


def test_a_guess_is_compared_with_a_limit_as_it_is_rounded():
    for right, within in (
        (75, True),
        (75 - 0.99 * ROUNDED, True),
        (75 - 1.01 * ROUNDED, False),
        (90, True),
        (60, False),
    ):
        assert guess_within([coin()], 1, right) is within


def test_where_coarse_grids_leave_it_open_the_guess_itself_is_compared():
    channels = [spinner_coin(epsilon) for epsilon in (1.0, 0.7, 0.3)]
    right = 100 * guess(channels).right - ROUNDED
    assert exceeds(dearest_draws.candidates(Reports.of(channels), 1), 2 * guess(channels).right - 1) is None
    assert guess_within(channels, 1, right + 1e-6)
    assert not guess_within(channels, 1, right - 1e-6)


def test_shares_are_published_with_seven_places():
    assert Guess(1 / 3, 2 / 3, 0.0).as_dict() == {"right": 0.3333333, "most_telling": 0.6666667}
