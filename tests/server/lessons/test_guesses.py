"""What readers are told once they have guessed: the figures in it are so."""

from math import exp, log, sqrt

import numpy as np
import pytest

from server.language.catalogue import LANGUAGES, section
from survey.design.wants import contrasts
from survey.linked import Linked
from survey.mechanisms import designed, spinner_coin, wheel
from survey.privacy import guess


def bright(epsilon):
    """Give the bright share of a wheel with a coin."""
    return (exp(epsilon) - 1) / (exp(epsilon) + 1)


def in_100(share):
    return f"{100 * share:.0f}"


def tens(number):
    return f"{10 * round(number / 10):,}"


def one_wheel(epsilon, questions=2):
    """Give the bright share of one wheel for several yes/no answers."""
    row = Linked.spun((2,) * questions, epsilon).wheels[0].probabilities[0]
    return row[0] - row[1]


def after(before, times):
    """Give the belief in Yes after a record that multiplies its odds."""
    return before * times / (before * times + 1 - before)


DISTANCES = (1, 0, 1, 2, 3)
"""From "rarely" to each of the five options, on a scale whose ends are four apart."""

FIGURES = {
    "two_coins": [f"{200 / 4:.0f}", f"{sqrt(200 * 3 / 4):.0f}", tens(sqrt(20_000 * 3 / 4))],
    "suspicion": [in_100(after(0.9, 3)), in_100(after(0.5, 3)), "9", "27"],
    "simulation": [tens(2000 * (1 - bright(1)) / 2), tens(2000 * (1 - bright(1)))],
    "spinner_and_coin": [in_100(1 - bright(4)), in_100(1 - bright(0.1))],
    "spinner_only": [
        in_100((1 + bright(1)) / 2),
        in_100(bright(1)),
        in_100((1 - bright(1)) / 2),
    ],
    "asked_together": [
        in_100(bright(1) ** 2),
        in_100(one_wheel(2)),
        f"{one_wheel(2) / bright(1) ** 2:.1f}",
    ],
    "choices": [in_100(exp(-2 * 3 / 4) / sum(exp(-2 * each / 4) for each in DISTANCES))],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", FIGURES)
def test_the_answer_to_a_guess_has_the_right_figures(language, lesson):
    answer = section(language, f"learn_{lesson}")["guess.answer"]
    assert [each for each in FIGURES[lesson] if each not in answer] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_two_numbers_about_a_survey_are_those_of_ten_questions(language):
    figures = guess([spinner_coin(0.25)] * 10)
    said = section(language, "learn_suspicion")
    for number in (figures.times_right, 100):
        assert str(number) in said["both.average"]
    kept = spinner_coin(0.25).probabilities[1, 1]
    for number in (figures.times_telling, round(1000 * (kept**10 + (1 - kept) ** 10))):
        assert str(number) in said["both.telling"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_wheel_for_two_answers_gains_and_costs_is_so(language):
    said = section(language, "learn_asked_together")
    apart, together = guess([spinner_coin(1.0)] * 2), guess([wheel(4, 2.0)])
    for key in ("so_what", "cost.guess"):
        for figures in (apart, together):
            assert str(figures.times_right) in said[key]
    assert guess([spinner_coin(1.0)]).times_right == apart.times_right  # of one answer alone too
    alone = Linked.spun((2, 2), 2.0).marginal(0)
    assert guess([alone]).times_right == together.times_right
    assert f"{(one_wheel(2) / bright(1) ** 2) ** 2:.1f}" in said["step.people"]

    as_rarely = log((1 + 3 * bright(1)) / (1 - bright(1)))  # p = (E - 1)/(E + 3), solved for epsilon
    assert guess([wheel(4, as_rarely)]).right == pytest.approx(apart.right, abs=1e-6)
    assert str(apart.times_right) in said["cost.equal"]
    assert f"{(bright(1) / bright(1) ** 2) ** 2:.1f}" in said["cost.equal"]
    assert str(together.times_telling) in said["cost.known"]
    assert one_wheel(2, 5) < bright(2 / 5)
    for share in (one_wheel(2, 5), bright(2 / 5)):
        assert in_100(share) in said["cost.many"]
    assert in_100(one_wheel(log(5))) == "50"
    assert f"{log(5):.2f}" in said["cost.coins"]


@pytest.mark.parametrize(("language", "three"), [("en", "three times"), ("ko", "세 배")])
def test_the_wheel_needs_three_times_the_people_for_a_mean(language, three):
    rows = contrasts("mean", 8)

    def people(channel):
        chances = channel.probabilities
        means = chances.mean(axis=0)
        return float(np.trace(rows @ np.linalg.inv((chances / means) @ chances.T) @ rows.T))

    assert round(people(wheel(8, 1.0)) / people(designed(8, 1.0, {"mean": 1.0}))) == 3
    said = section(language, "learn_made_to_order")
    assert three in said["so_what"]
    assert three in said["guess.answer"].lower()
