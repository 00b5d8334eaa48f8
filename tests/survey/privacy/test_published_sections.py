"""What the published counts of drawn sections reveal, to who knows who was asked and to who does not."""

import math
from itertools import combinations, product

import numpy as np
import pytest

from survey.mechanisms import coin, spinner_coin
from survey.privacy import Reports, Shuffled, amplified, published_survey, shuffled, together

DELTA = 1e-6


def figure(epsilon, delta=DELTA, people=50, reason=None):
    return Shuffled(epsilon, delta, people, exact=False, reason=reason)


def test_the_whole_survey_has_the_figures_of_the_dearest_sections():
    parts = Reports((figure(0.2),), ((figure(0.3), figure(0.4)), (figure(0.5),), (figure(0.1, 1e-3),)), 2)
    found = published_survey(parts, waves=3)
    assert found.epsilon == pytest.approx(3 * (0.2 + 0.7 + 0.5))
    assert found.delta == pytest.approx(3 * (1e-6 + 1e-3 + 2e-6))
    assert not found.exact
    assert published_survey(parts, waves=1000).delta == 1


def test_where_nothing_is_drawn_it_is_the_sum():
    parts = [shuffled(coin(), 50, DELTA), shuffled(spinner_coin(1.0), 50, DELTA)]
    assert published_survey(Reports.of(parts), waves=2) == together(parts * 2)
    assert published_survey(Reports.of(parts[:1])) == parts[0]
    assert published_survey(Reports.of([])) is None


def test_a_section_without_a_figure_leaves_the_survey_without_one():
    """Also where another is dearer: a person may be asked it."""
    parts = Reports((), ((figure(0.3),), (figure(None, people=7, reason="short"),)), 1)
    found = published_survey(parts)
    assert (found.epsilon, found.reason, found.respondents) == (None, "short", 7)


def test_of_several_without_a_figure_the_one_with_the_fewest_people_says_why():
    parts = Reports((), ((figure(None, reason="too_few"),), (figure(None, people=7, reason="short"),)), 1)
    assert (published_survey(parts).reason, published_survey(parts).respondents) == ("short", 7)


def test_who_does_not_know_who_was_asked_learns_less():
    found = amplified(figure(2.0), asked=100, respondents=1000)
    assert found.epsilon == pytest.approx(math.log(1 + 0.1 * (math.e**2 - 1)))
    assert found.delta == pytest.approx(1e-7)
    assert not amplified(shuffled(coin(), 50, DELTA), asked=50, respondents=51).exact
    assert amplified(figure(1000.0), asked=1, respondents=10).epsilon == pytest.approx(1000 - math.log(10))


def test_added_up_over_ten_sections_it_would_exceed_what_one_of_them_costs():
    """Each person is asked one of ten: the sum is no bound worth having, and the draws hang together."""
    one = amplified(figure(2.0), asked=100, respondents=1000)
    assert 10 * one.epsilon == pytest.approx(4.94, abs=0.01)
    assert published_survey(Reports((), ((figure(2.0),),) * 10, 1)).epsilon == 2.0


def test_asked_of_everybody_nothing_is_gained_and_no_figure_stays_none():
    exact = shuffled(coin(), 1, DELTA)
    assert amplified(exact, asked=1, respondents=1) == exact
    assert amplified(figure(None, reason="apart"), asked=5, respondents=50).epsilon is None


@pytest.mark.parametrize("asked", [0, 51, 2.5])
def test_no_number_of_people_is_refused(asked):
    with pytest.raises(ValueError, match="asked must be a whole number from 1 to 50, got"):
        amplified(figure(0.5), asked, respondents=50)


def counts_of_a_section(channel, answers, asked):
    """P(how many say yes) where so many of these people are asked one question, each set being as likely."""
    chances = np.zeros(asked + 1)
    sets = list(combinations(answers, asked))
    for chosen in sets:
        found = np.ones(1)
        for answer in chosen:
            found = np.convolve(found, channel.probabilities[answer])
        chances += found / len(sets)
    return chances


def excess(one, other, epsilon):
    return max(np.maximum(p - math.exp(epsilon) * q, 0).sum() for p, q in ((one, other), (other, one)))


@pytest.mark.parametrize("channel", [coin(), spinner_coin(2.0)], ids=["ln 3", "2"])
@pytest.mark.parametrize(("people", "asked"), [(4, 2), (6, 2), (6, 3)])
def test_the_amplified_figure_holds_whatever_the_others_answer(channel, people, asked):
    """Two questions, a section each, of which everybody is asked one: the counts of the first, enumerated.

    The figure of those who are asked is exact here, at a delta that counts; the reader knows every other
    person's answer and how many were asked.
    """
    known = shuffled(channel, asked, 1e-3)
    found = amplified(known, asked, people)
    assert found.epsilon < known.epsilon
    for others in product((0, 1), repeat=people - 1):
        one, other = (counts_of_a_section(channel, (answer, *others), asked) for answer in (0, 1))
        assert excess(one, other, found.epsilon) <= found.delta + 1e-12


def test_it_is_a_figure_for_one_section_by_itself():
    """Two people, each asked one of two questions: who sees both counts may learn who was asked what."""
    first, second = spinner_coin(1.0), spinner_coin(8.0)

    def both(answer):
        """P(report on the first, report on the second): the other person would say no and yes."""
        mine = np.outer(first.probabilities[answer], second.probabilities[1])
        theirs = np.outer(first.probabilities[0], second.probabilities[0])
        return ((mine + theirs) / 2).ravel()

    alone = amplified(figure(first.epsilon, 0.0, 1), asked=1, respondents=2)
    assert excess(both(0), both(1), alone.epsilon) > 0.1
    assert excess(both(0), both(1), first.epsilon) == 0  # what holds for who knows who was asked
