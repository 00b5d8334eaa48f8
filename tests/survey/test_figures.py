"""The figures of a whole survey: what is known of its questions together."""

import pytest
from scipy.stats import binom

from survey.analysis.analysis import Analysis
from survey.estimate import estimate_proportions
from survey.mechanisms import wheel
from survey.publication import publish
from survey.read_definition import from_dict
from survey.results import Reached, Results

TEXT = {"en": "A text"}
COIN = {"mechanism": "coin", "wording": TEXT}


def figures(questions, counts):
    """Estimate a survey from the counts of its columns."""
    table = {"candor": 1, "slug": "exams", "languages": ["en"], "title": TEXT, "information": TEXT}
    publication = publish(from_dict(table | {"consent": TEXT, "questions": questions}, "a test"))
    people = sum(next(iter(counts.values())))
    sections = {each.id: Reached(people, people) for each in publication.definition.sections}
    return Analysis(publication, Results(people, counts, True, True, sections)).figures()


@pytest.mark.parametrize(("questions", "warned"), [(1, True), (4, True), (5, False)])
def test_a_noisy_share_is_odd_only_where_chance_among_all_questions_hardly_goes_so_far(questions, warned):
    names = [f"question_{number}" for number in range(questions)]
    # Where nobody is a yes, a quarter report one.
    counts = {name: [70, 30] for name in names} | {names[0]: [87, 13]}
    found = figures([COIN | {"id": name} for name in names], counts).questions[0].first.shares
    assert warned == (binom.cdf(13, 100, 0.25) * questions < 0.01)
    assert ("infeasible" in [notice.code for notice in found.notices]) is warned


def test_an_estimate_lies_in_its_interval_where_all_options_together_would_have_another():
    question = {"id": "field", "kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "wording": TEXT}
    options = [{"en": f"Field {number}"} for number in range(5)]
    counts = {"field": [0, 2, 12, 16, 0]}
    share = figures([question | {"options": options}], counts).questions[0].first.best.shares[3]
    likely = estimate_proportions(wheel(5, 1.0), counts["field"]).maximum_likelihood[3]
    assert likely < share.low == share.estimate


def test_a_question_that_only_real_coins_were_used_for_shows_their_share():
    coins = COIN | {"id": "copied", "by_hand": "coin"}
    (found,) = figures([coins], {"copied": [0, 0, 40, 60]}).questions
    assert found.first.best is found.first.by_hand
