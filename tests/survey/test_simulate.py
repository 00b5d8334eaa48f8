"""A survey whose truth is known: the play, and what many of them show."""

import numpy as np
import pytest

from survey.mechanisms import exponential, laplace, sampled_box, spinner_coin, subset
from survey.simulate import coverage, play, plays


def test_the_same_seed_plays_the_same_survey():
    one, other = (play(spinner_coin(1.0), [0.9, 0.1], 500, np.random.default_rng(3)) for _ in range(2))
    for name in ("truth", "noisy", "estimate", "low", "high"):
        assert (getattr(one, name) == getattr(other, name)).all()


def test_the_noisy_share_is_not_the_truth_and_the_estimate_comes_near_it():
    played = play(spinner_coin(1.0), [0.9, 0.1], 300_000, np.random.default_rng(4))
    assert played.truth[1] == pytest.approx(0.1, abs=0.005)
    assert played.noisy[1] == pytest.approx(0.1 * 0.731 + 0.9 * 0.269, abs=0.005)
    assert played.estimate[1] == pytest.approx(0.1, abs=5 * played.standard_error[1])
    assert played.low[1] < played.estimate[1] < played.high[1]


@pytest.mark.parametrize(
    "channel",
    [subset(4, 1.0), exponential(4, 1.0), sampled_box(4, 1.0)],
    ids=["subset", "exponential", "box"],
)
def test_every_kind_can_be_played(channel):
    truth = np.full(channel.answers, 1 / channel.answers)
    played = play(channel, truth, 2000, np.random.default_rng(5))
    assert played.truth.sum() == pytest.approx(1)
    assert len(played.noisy) == channel.answers
    assert played.estimate.sum() == pytest.approx(1)


def test_a_mean_can_be_played():
    channel = laplace(0, 10, 1, 1.0)
    truth = np.eye(11)[2]
    played = play(channel, truth, 5000, np.random.default_rng(6), of_mean=True)
    assert played.truth.tolist() == [2]
    assert played.noisy[0] > 3  # folded at the ends: who forgets the noise is misled
    assert abs(played.estimate[0] - 2) < 5 * played.standard_error[0]


def test_many_plays_show_the_coverage_and_the_error_that_was_stated():
    played = list(plays(spinner_coin(1.0), [0.7, 0.3], 500, np.random.default_rng(7), 400))
    assert len(played) == 400
    assert coverage(played, [0.7, 0.3]) == pytest.approx([0.95, 0.95], abs=0.045)  # four standard errors
    errors = np.array([play.estimate for play in played]) - [0.7, 0.3]
    stated = np.array([play.standard_error for play in played])
    assert np.sqrt((errors**2).mean(axis=0)) == pytest.approx(stated.mean(axis=0), rel=0.15)


@pytest.mark.parametrize(
    ("proportions", "respondents", "message"),
    [
        ([0.5, 0.6], 10, "proportions must be 2 numbers of 0 or more with sum 1"),
        ([0.5, 0.5], 0, "respondents must be a whole number from 1 to 10000000, got 0"),
    ],
)
def test_a_survey_that_cannot_be_played_is_refused(proportions, respondents, message):
    with pytest.raises(ValueError, match=message):
        play(spinner_coin(1.0), proportions, respondents, np.random.default_rng(8))
