"""What published counts reveal: the loss of one column, of a question, and of all questions together."""

import math

import pytest

from survey.column import Column
from survey.mechanisms import coin, gaussian, per_box, sampled_box, spinner_coin, wheel
from survey.privacy import bound, published_column, published_question, shuffled, together

N, DELTA = 2000, 1e-6


def columns(channel, count):
    return tuple(Column(f"box_{index}", channel) for index in range(count))


@pytest.mark.parametrize("channel", [coin(), wheel(5, 1.0)], ids=["exact", "bound"])
def test_the_counts_of_one_column_have_the_figure_of_its_channel(channel):
    column = Column("asked", channel)
    assert published_column(column, N, DELTA) == shuffled(channel, N, DELTA)
    assert published_question((column,), N, DELTA) == shuffled(channel, N, DELTA)


@pytest.mark.parametrize("apart", [{"skip_apart": True}, {"by_hand": coin()}], ids=["skip", "coins"])
def test_where_it_can_be_seen_who_is_counted_elsewhere_nothing_is_promised(apart):
    found = published_question((Column("asked", coin(), **apart),), 1, DELTA)
    assert (found.epsilon, found.reason, found.respondents, found.exact) == (None, "apart", 1, False)


def test_boxes_of_their_own_add_up_delta_included():
    one = shuffled(spinner_coin(0.5), N, DELTA)
    found = published_question(columns(per_box(4, 0.5, "box"), 4), N, DELTA)
    assert found.epsilon == pytest.approx(4 * one.epsilon, rel=1e-6)
    assert found.delta == pytest.approx(4 * DELTA)
    assert not found.exact


def test_sampled_boxes_hang_together_and_are_bounded_by_the_loss_of_the_whole_question():
    channel = sampled_box(6, 2.0)
    found = published_question(columns(channel, 6), N, DELTA)
    assert found == bound(channel.question_epsilon, N, DELTA)
    assert found.delta == DELTA


def test_questions_add_up():
    parts = [shuffled(coin(), N, DELTA), shuffled(wheel(5, 1.0), N, DELTA)]
    found = together(parts)
    assert found.epsilon == pytest.approx(math.fsum(part.epsilon for part in parts))
    assert (found.delta, found.respondents, found.exact) == (2 * DELTA, N, False)
    assert together([shuffled(coin(), N, 0.6)] * 2).delta == 1


def test_there_is_no_sum_where_one_part_has_no_figure_and_its_reason_is_given():
    parts = [shuffled(coin(), N, DELTA), shuffled(gaussian(0, 10, 1, 1.0, 1e-6), N, DELTA)]
    found = together(parts)
    assert (found.epsilon, found.reason, found.exact) == (None, "approximate", False)
    few = together([shuffled(coin(), 10, DELTA), shuffled(wheel(5, 5.0), 10, DELTA)])
    assert (few.epsilon, few.reason) == (None, "too_few")


def test_the_only_part_stays_exact():
    assert together([shuffled(coin(), N, DELTA)]).exact


@pytest.mark.parametrize(("people", "delta"), [(0, DELTA), (2.5, DELTA), (N, 0.0), (N, 1.0)])
def test_no_respondents_and_no_such_delta_are_refused_for_every_column(people, delta):
    for apart in (False, True):
        with pytest.raises(ValueError, match=r"(respondents|delta) must be .*, got "):
            published_column(Column("asked", coin(), skip_apart=apart), people, delta)
