"""Respondents that a question needs, the mechanism that needs the fewest, and whole surveys at one total."""

from survey.plan.compare_mechanisms import KINDS, MechanismPlan, compare, suitable
from survey.plan.outlook import Outlook, estimated, outlook, people_for
from survey.plan.people_by_mechanism import people_by_mechanism
from survey.plan.plans_within import PlanWithin, people_without_skips, plans_within, widest
from survey.plan.power import ALTERNATIVES, power, respondents_for_power
from survey.plan.respondents import ExpectedPrecision, margin, respondents_for_margin
from survey.plan.survey_plan import FEWEST_ASKED, PlanError, SurveyPlan
from survey.plan.variance import mean_variance, share_variances

__all__ = [
    "ALTERNATIVES",
    "FEWEST_ASKED",
    "KINDS",
    "ExpectedPrecision",
    "MechanismPlan",
    "Outlook",
    "PlanError",
    "PlanWithin",
    "SurveyPlan",
    "compare",
    "estimated",
    "margin",
    "mean_variance",
    "outlook",
    "people_by_mechanism",
    "people_for",
    "people_without_skips",
    "plans_within",
    "power",
    "respondents_for_margin",
    "respondents_for_power",
    "share_variances",
    "suitable",
    "widest",
]
