"""The people that each mechanism of a question needs for what is wanted of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from survey.channel import Channel
from survey.design.wants import MEAN, SHARES
from survey.mechanisms import NumberChannel
from survey.plan.mechanism_variance import figure_values, moments_of
from survey.plan.mechanism_ways import Z, with_mechanism
from survey.plan.outlook import estimated, span
from survey.plan.planned_channel import planned_channel
from survey.plan.variance import mean_variance, reporting
from survey.plan.wanted import USUAL_MARGINS
from survey.privacy import USUAL_DELTA
from survey.question import Choice, Number, Question


def people_by_mechanism(question: Choice | Number) -> dict[str, float]:
    """Return how many people each mechanism needs at the question's epsilon, with the usual margins.

    Parameters
    ----------
    question : Choice or Number
        Not linked. What is wanted of it is what its channel is designed for, or else what its mechanism
        estimates. A number without a delta is compared with `gaussian` at the usual one.

    Returns
    -------
    dict of str to float
        By the name of the mechanism; infinite where nothing that is wanted can be estimated. A mechanism
        that refuses the question is left out.
    """
    usual = {MEAN: 1.0} if estimated(question) == "mean" else {SHARES: 1.0}
    wants = dict(question.wants or usual)
    listed = {}
    for mechanism in question.mechanisms:
        designed_for = tuple(wants.items()) if mechanism == "designed" else None
        chosen = with_mechanism(question, mechanism, designed_for)
        if isinstance(chosen, Number) and mechanism == "gaussian":
            chosen = replace(chosen, delta=chosen.delta or USUAL_DELTA)
        try:
            listed[mechanism] = people_with(chosen, tuple(wants))
        except ValueError:
            continue
    return listed


def people_with(question: Question, figures: tuple[str, ...]) -> float:
    """Return how many people a question needs for all of some figures: (z/margin)^2 n Var, the most.

    Raises
    ------
    ValueError
        If the mechanism refuses the question, or its reports say too little.
    """
    channel = planned_channel(question)
    if isinstance(channel, NumberChannel):
        classes = channel.classes
        if set(figures) == {MEAN}:
            variances = {MEAN: mean_variance(channel) / span(question) ** 2}
        elif classes is None:
            return math.inf
        else:
            variances = variances_through(classes.channel, figures)
    else:
        variances = variances_through(channel, figures)
    needed = max((Z / USUAL_MARGINS[figure]) ** 2 * each for figure, each in variances.items())
    return needed / reporting(channel)


def variances_through(channel: Channel, figures: tuple[str, ...]) -> dict[str, float]:
    """Return n times the variance of the least precise number of each figure, at equal shares."""
    truth = np.full(channel.answers, 1 / channel.answers)
    moments = moments_of(channel, figure_values(figures, channel.answers))
    return {figure: float(moments[figure].largest(figure, truth)[0]) for figure in figures}
