"""Numbers asked that the draw does not give: who was asked left, or forged reports chose a section."""

import numpy as np
import pytest
from scipy.stats import binom

from survey.estimate.oddity import asked_oddities


def codes(*arguments):
    return [notice.code for notice in asked_oddities(*arguments)]


@pytest.mark.parametrize(
    ("asked", "found"), [(100, []), (70, []), (55, ["asked_fewer"]), (150, ["asked_more"]), (130, [])]
)
def test_of_a_thousand_who_are_asked_one_of_ten_sections_a_hundred_are_expected(asked, found):
    assert codes(asked, 1000, 1, 10) == found


def test_the_notice_says_how_likely_chance_is():
    (notice,) = asked_oddities(55, 1000, 1, 10)
    assert notice.values["expected"] == pytest.approx(100)
    assert notice.values["p_value"] == pytest.approx(binom.cdf(55, 1000, 0.1))
    (notice,) = asked_oddities(150, 1000, 1, 10)
    assert notice.values["p_value"] == pytest.approx(binom.sf(149, 1000, 0.1))
    assert "about 100" in str(notice)


def test_nobody_and_everybody_can_be_odd_too():
    assert codes(0, 200, 1, 10) == ["asked_fewer"]
    assert codes(200, 200, 1, 10) == ["asked_more"]
    assert codes(0, 3, 1, 10) == []


def test_surveys_that_nobody_left_are_hardly_ever_flagged():
    """At most one in a hundred, over all sections; of 2000, 40 would come once in a million times."""
    random, people, sections, drawn = np.random.default_rng(20261122), 300, 8, 2
    order = random.random((2000, people, sections)).argsort(axis=2)[:, :, :drawn]
    asked = np.stack([(order == section).sum(axis=(1, 2)) for section in range(sections)], axis=1)
    flagged = sum(any(codes(int(n), people, drawn, sections) for n in row) for row in asked)
    assert flagged < 40
