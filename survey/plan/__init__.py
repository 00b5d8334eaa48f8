"""How many respondents a question needs, and which mechanism needs the fewest."""

from survey.plan.designs import KINDS, Design, compare, suitable
from survey.plan.power import ALTERNATIVES, power, respondents_for_power
from survey.plan.respondents import margin, respondents_for_margin
from survey.plan.variance import design_effect, mean_variance, share_variances

__all__ = [
    "ALTERNATIVES",
    "KINDS",
    "Design",
    "compare",
    "design_effect",
    "margin",
    "mean_variance",
    "power",
    "respondents_for_margin",
    "respondents_for_power",
    "share_variances",
    "suitable",
]
