"""The figures of what an observer can learn, computed from the integers in use."""

from survey.privacy.budget import (
    USUAL_DELTA,
    Budget,
    Composed,
    budget,
    compose,
    keeps_limit,
    plain_sum,
    reports_of,
)
from survey.privacy.forgery import expected_radius, radius, spread
from survey.privacy.guess import Guess, guess, guess_within, times_in_100
from survey.privacy.hardest_pairs import Told
from survey.privacy.known_answer import times_knowing_one
from survey.privacy.loss import LossDistribution, exceeding, loss_distribution
from survey.privacy.published_counts import (
    amplified,
    published_column,
    published_question,
    published_survey,
    together,
)
from survey.privacy.reports import Reports, dearest
from survey.privacy.shuffle import ASSUMPTION, Shuffled, bound, shuffled, smallest_group
from survey.privacy.suspicion import bounds, odds

__all__ = [
    "ASSUMPTION",
    "USUAL_DELTA",
    "Budget",
    "Composed",
    "Guess",
    "LossDistribution",
    "Reports",
    "Shuffled",
    "Told",
    "amplified",
    "bound",
    "bounds",
    "budget",
    "compose",
    "dearest",
    "exceeding",
    "expected_radius",
    "guess",
    "guess_within",
    "keeps_limit",
    "loss_distribution",
    "odds",
    "plain_sum",
    "published_column",
    "published_question",
    "published_survey",
    "radius",
    "reports_of",
    "shuffled",
    "smallest_group",
    "spread",
    "times_in_100",
    "times_knowing_one",
    "together",
]
