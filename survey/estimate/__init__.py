"""Estimates of the population from the counts: the analyst's half of the survey."""

from survey.estimate.mean import MeanEstimate, estimate_mean, numbers_and_values
from survey.estimate.proportions import Estimate, estimate_proportions, unbiased_inverse, unbiased_proportions
from survey.estimate.quantiles import estimate_quantiles

__all__ = [
    "Estimate",
    "MeanEstimate",
    "estimate_mean",
    "estimate_proportions",
    "estimate_quantiles",
    "numbers_and_values",
    "unbiased_inverse",
    "unbiased_proportions",
]
