"""One linked answer that somebody knows: what it lets them guess of another, over all waves."""

from itertools import product

import pytest

from survey.linked import Linked
from survey.privacy import guess, times_in_100, times_knowing_one

WHEELS = {
    "two": Linked.spun((2, 2), 0.8),
    "two and a skip": Linked.spun((2, 2), 0.8, skip=True),
    "two and three": Linked.spun((3, 2), 0.5),
    "three": Linked.spun((2, 2, 2), 0.7),
    "two of three": Linked.spun((2, 2, 3), 0.6, asked=2),
    "coins": Linked.tossed(2),
}


def rows_of_wave(linked, answers):
    """Yield what one wave may send under a set of answers, with its chance: the set asked, and a report."""
    for chosen in linked.sets:
        sizes = [linked.sizes[place] for place in chosen]
        own = 0
        for place, size in zip(chosen, sizes, strict=True):
            own = own * size + answers[place]
        for report, share in enumerate(linked.wheel(chosen).probabilities[own]):
            yield (chosen, report), share / len(linked.sets)


def right_knowing_one(linked, waves):
    """Return how often a guess is right at best after any row of all waves, among answers that share one."""
    answers = [*product(*map(range, linked.sizes))]
    chances = {own: dict(rows_of_wave(linked, own)) for own in answers}
    shared = [
        (one, other)
        for one, other in product(answers, answers)
        if one != other and any(a == b for a, b in zip(one, other, strict=True))
    ]
    rows = [*product(chances[answers[0]], repeat=waves)]
    best = 0.0
    for one, other in shared:
        for row in rows:
            ours = theirs = 1.0
            for report in row:
                ours, theirs = ours * chances[one][report], theirs * chances[other][report]
            best = max(best, ours / (ours + theirs))
    return best


@pytest.mark.parametrize("name", WHEELS)
@pytest.mark.parametrize("waves", [1, 2])
def test_the_figure_is_that_of_all_rows_that_can_be_sent(name, waves):
    linked = WHEELS[name]
    assert times_knowing_one([linked], waves) == times_in_100(right_knowing_one(linked, waves))


def test_of_several_wheels_the_one_that_tells_the_most_counts():
    assert times_knowing_one(WHEELS.values(), 3) == times_knowing_one([WHEELS["coins"]], 3)


def test_it_is_never_above_the_most_telling_result_of_all_that_is_sent():
    linked = WHEELS["three"]
    for waves in (1, 2, 5, 1000):
        assert times_knowing_one([linked], waves) == guess([linked.weakest], waves).times_telling
    assert times_knowing_one([linked], 1000) == 100
