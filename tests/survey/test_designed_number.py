"""Numbers through a designed channel: a short grid, classes of a fine one, or lattice points."""

import importlib
import json

import numpy as np
import pytest

from survey.channel import TOTAL, Channel
from survey.compact_form import from_dict
from survey.estimate import estimate_mean, estimate_number_curve, estimate_quantiles
from survey.mechanisms import NumberChannel, classes_of, designed, designed_number
from survey.mechanisms.designed import MOST_POINTS
from survey.privacy.hardest_pairs import furthest, hardest_pairs
from survey.publication import canonical_json
from survey.randomize import randomize
from survey.rules import Refusal
from survey.simulate import coverage, play, plays, scale_names, scale_truth

MODULE = importlib.import_module("survey.mechanisms.designed")
PLACES = 7
CURVE, MEAN = {"curve": 1.0}, {"mean": 1.0}


@pytest.fixture(autouse=True)
def few_places(monkeypatch):
    """The search among 21 places takes seconds; 7 show the same."""
    monkeypatch.setattr(MODULE, "MOST_ANSWERS_OF_SETS", PLACES)


def heaped(points):
    """People who round: five times as many at every tenth point."""
    shares = np.where(np.arange(points) % 10 == 0, 5.0, 1.0) * np.exp(-np.arange(points) / points)
    return shares / shares.sum()


@pytest.mark.parametrize("epsilon", [0.05, 0.7, 2.0, 8.0])
@pytest.mark.parametrize("points", [5, 8, 101, 1000])
@pytest.mark.parametrize("wants", [CURVE, MEAN, {"shares": 1, "mean": 2, "curve": 1}], ids=str)
def test_whatever_the_grid_the_integers_keep_epsilon_and_use_it(epsilon, points, wants):
    channel = designed_number(0, points - 1, 1, epsilon, wants)
    assert channel.answers == points
    assert epsilon - 1e-5 < channel.epsilon <= epsilon
    assert channel.weights.sum(axis=1).tolist() == [TOTAL] * points
    form = json.loads(canonical_json(channel.form.as_dict()))
    again = NumberChannel(weights=from_dict(form).weights(), form=from_dict(form), grid=channel.grid)
    assert again == channel
    assert np.array_equal(again.values, channel.values)


def test_of_a_fine_grid_the_mean_alone_is_rounded_at_random_and_stays_what_it_is():
    channel = designed_number(0, 100, 1, 1.0, MEAN)
    assert channel.form.rounded
    assert channel.mean_only
    assert channel.classes is None
    assert channel.probabilities @ channel.values == pytest.approx(channel.grid, abs=1e-5)
    with pytest.raises(ValueError, match="more than the mean"):
        estimate_number_curve(channel, np.ones(channel.reports, int))


def test_of_a_fine_grid_anything_else_is_put_into_classes():
    channel = designed_number(0, 100, 1, 1.0, CURVE | MEAN)
    classes = channel.classes
    assert not channel.mean_only
    assert [classes.lowest[0], classes.highest[-1]] == [0, 100]
    assert (classes.lowest[1:] == classes.highest[:-1] + 1).all()
    for first, last, row in zip(classes.lowest, classes.highest, classes.channel.weights, strict=True):
        assert (channel.weights[int(first) : int(last) + 1] == row).all()


def test_a_grid_of_few_points_needs_no_classes():
    channel = designed_number(1, 3, 0.5, 1.0, CURVE)
    assert np.array_equal(channel.weights, designed(5, 1.0, CURVE).weights)
    assert channel.classes.lowest.tolist() == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert channel.probabilities @ channel.values == pytest.approx(channel.grid)


@pytest.mark.parametrize("wants", [CURVE, MEAN], ids=str)
def test_no_two_numbers_are_told_apart_better_than_two_places(wants):
    channel = designed_number(0, 100, 1, 2.0, wants)
    (hardest,) = hardest_pairs(channel)
    first, second = furthest(Channel(channel.weights))
    apart = np.abs(channel.probabilities[first] - channel.probabilities[second]).sum() / 2
    assert hardest.delta(0.0) == pytest.approx(apart, abs=1e-6)


@pytest.mark.parametrize("place", [0, -1], ids=["lowest", "highest"])
def test_the_mean_of_classes_is_held_wherever_people_are_in_their_class(place):
    channel = designed_number(0, 100, 1, 2.0, CURVE)
    classes = channel.classes
    shares = np.arange(PLACES, 0.0, -1) / sum(range(PLACES + 1))
    counts = np.rint(3000 * shares @ classes.channel.probabilities).astype(int)
    mean = estimate_mean(channel, counts)
    numbers = (classes.lowest, classes.highest)[place]
    assert mean.low <= shares @ numbers <= mean.high
    assert mean.mean == pytest.approx(shares @ (classes.lowest + classes.highest) / 2, abs=0.1)


def test_curve_median_and_shares_hold_the_truth_of_people_who_round():
    channel, truth = designed_number(0, 100, 1, 2.0, CURVE), heaped(101)
    classes = classes_of(channel)
    known = scale_truth(channel, classes, truth)
    assert len(scale_names(classes)) == len(known) == 2 * PLACES + 1
    played = list(plays(channel, truth, 1500, np.random.default_rng(24), 120))
    # 120 surveys: .95 less three standard errors; the mean's bounds allow for classes.
    assert coverage(played, known).min() >= 0.95 - 3 * (0.95 * 0.05 / 120) ** 0.5
    assert np.mean([each.band for each in played]) >= 0.95 - 3 * (0.95 * 0.05 / 120) ** 0.5


def test_quantiles_are_numbers_of_the_grid():
    channel, truth = designed_number(0, 100, 1, 4.0, CURVE), heaped(101)
    counts = np.rint(5000 * truth @ channel.probabilities).astype(int)
    for quantile in estimate_quantiles(channel, counts, (0.25, 0.5, 0.75)):
        true = float(np.searchsorted(truth.cumsum(), quantile.probability))
        assert quantile.low <= true <= quantile.high
        assert quantile.low <= quantile.value <= quantile.high
    assert estimate_quantiles(channel, np.zeros(channel.reports, int)) == []


def test_a_play_of_ordered_options_names_places():
    channel = designed(3, 2.0)
    assert scale_names(classes_of(channel)) == ["1", "2", "3", "mean", "<= 1", "<= 2", "median"]
    played = play(channel, [0.2, 0.5, 0.3], 10_000, np.random.default_rng(1))
    assert played.estimate[3] == pytest.approx(2.1, abs=0.1)


def test_any_word_gives_a_report_of_the_channel():
    channel = designed_number(0, 100, 1, 1.0, MEAN)
    for answer in (0, 37, 100):
        for word in (0, TOTAL - 1):
            assert channel.weights[answer, randomize(channel, answer, word)] > 0


def test_more_points_than_a_design_takes_are_refused():
    message = f"step must be larger: a designed channel takes at most {MOST_POINTS} points, not 1001"
    with pytest.raises(Refusal, match=message):
        designed_number(0, 1000, 1, 1.0, CURVE)
