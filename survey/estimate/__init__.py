"""Estimates of the population from the counts: the analyst's half of the survey."""

from survey.estimate.cumulative_curve import (
    AnswerQuantile,
    CumulativeCurve,
    curve_quantiles,
    estimate_curve,
)
from survey.estimate.mean import MeanEstimate, estimate_mean, numbers_and_values
from survey.estimate.number_curve import NumberCurve, estimate_number_curve
from survey.estimate.proportions import Estimate, estimate_proportions, unbiased_inverse, unbiased_proportions
from survey.estimate.quantiles import estimate_quantiles

__all__ = [
    "AnswerQuantile",
    "CumulativeCurve",
    "Estimate",
    "MeanEstimate",
    "NumberCurve",
    "curve_quantiles",
    "estimate_curve",
    "estimate_mean",
    "estimate_number_curve",
    "estimate_proportions",
    "estimate_quantiles",
    "numbers_and_values",
    "unbiased_inverse",
    "unbiased_proportions",
]
