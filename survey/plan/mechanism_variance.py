"""n times the variance of what is wanted of one question, under every mechanism and at every epsilon."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from survey.channel import Channel
from survey.counts import informative_reports
from survey.design.wants import MEAN
from survey.estimate import unbiased_inverse
from survey.limits import WORST_CONDITION
from survey.plan.pair_figures import Matrix, Vector
from survey.plan.wanted import values
from survey.progress import stretch

KNOTS = 12
"""The number of epsilons at which a channel is built; between them the variance is interpolated."""


@dataclass(frozen=True, eq=False)
class Moments:
    """The mean and the mean square of what a report adds to each figure, under each answer.

    Attributes
    ----------
    means, squares : ndarray, shape (figures, answers, epsilons)
    """

    means: Matrix
    squares: Matrix

    def variances(self, truth: Vector) -> Matrix:
        """Return n times the variance of each figure at the true shares, shape (figures, epsilons)."""
        mean = np.einsum("fae,a->fe", self.means, truth)
        return np.asarray(np.einsum("fae,a->fe", self.squares, truth) - mean**2)

    def largest(self, figure: str, truth: Vector) -> Vector:
        """Return the variance of the least precise figure; of a mean, where all have the worst answer."""
        if figure == MEAN:
            return np.asarray((self.squares - self.means**2).max(axis=(0, 1)))
        return np.asarray(self.variances(truth).max(axis=0))


def through_sets(counted: Matrix, size: int, epsilons: Vector) -> Moments:
    """Return the moments where a set of `size` answers is reported, the answer's own E times as likely.

    Parameters
    ----------
    counted : ndarray, shape (figures, answers)
        What each answer counts.
    size : int
        w; 1 is the wheel.
    epsilons : ndarray

    Notes
    -----
    The answer x is in the set with a = wE/(wE + k - w), any other one with b = (a (w - 1) + (1 - a) w)/(k -
    1); x and another with a (w - 1)/(k - 1), two others with c = (w - 1)(a (w - 2) + (1 - a) w)/((k - 1)(k -
    2)). A set adds its values over a - b, less a constant.

    References
    ----------
    Ye & Barg (2018), Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy.
    """
    k, w = counted.shape[1], size
    ratio = np.exp(epsilons)
    own = w * ratio / (w * ratio + k - w)
    other = (own * (w - 1) + (1 - own) * w) / (k - 1)
    own_and_other = own * (w - 1) / (k - 1)
    two_others = (w - 1) * (own * (w - 2) + (1 - own) * w) / ((k - 1) * (k - 2)) if k > 2 else 0 * own
    of_answer = counted[:, :, None]
    rest = counted.sum(axis=1)[:, None, None] - of_answer
    rest_squares = (counted**2).sum(axis=1)[:, None, None] - of_answer**2
    means = own * of_answer + other * rest
    squares = own * of_answer**2 + other * rest_squares
    squares = squares + 2 * own_and_other * of_answer * rest + two_others * (rest**2 - rest_squares)
    apart = own - other
    return Moments(means / apart, squares / apart**2)


def through_channels(
    build: Callable[[float], Channel], figures: Mapping[str, Matrix], epsilons: Vector, knots: int = KNOTS
) -> dict[str, Moments]:
    """Return the moments of every figure, from channels at a few epsilons.

    Notes
    -----
    As in `survey.plan.curve`, a cubic spline goes through the products with epsilon squared. Where a channel
    says too little or is refused, all is infinite.
    """
    places, known = [], []
    tried = np.linspace(epsilons[0], epsilons[-1], min(knots, len(epsilons))).tolist()
    for place, epsilon in enumerate(tried):
        try:
            with stretch(place, place + 1, of=len(tried)):
                known.append(moments_of(build(epsilon), figures))
        except ValueError:  # it says too little, or is not built
            continue
        places.append(epsilon)
    if not places:
        nothing = {name: np.zeros((*counted.shape, len(epsilons))) for name, counted in figures.items()}
        return {name: Moments(zeros, zeros + np.inf) for name, zeros in nothing.items()}
    listed = {}
    for name in figures:
        at = [np.stack([getattr(each[name], part)[..., 0] for each in known], -1) for part in PARTS]
        listed[name] = Moments(*(between(np.array(places), part, epsilons) for part in at))
    return listed


PARTS = ("means", "squares")


def between(places: Vector, known: Matrix, epsilons: Vector) -> Matrix:
    """Interpolate numbers that grow like 1/epsilon squared; infinite below the first place."""
    from scipy.interpolate import CubicSpline  # which imports `scipy.optimize`: see `survey.solvers`

    if len(places) == 1:
        return np.repeat(known, len(epsilons), axis=-1)
    through = CubicSpline(places, known * places**2, axis=-1)(epsilons) / epsilons**2
    through[..., epsilons < places[0] * (1 - 1e-12)] = np.inf
    return np.asarray(through)


def moments_of(channel: Channel, figures: Mapping[str, Matrix]) -> dict[str, Moments]:
    """Return the moments of the unbiased estimates from a channel's reports.

    Raises
    ------
    ValueError
        If the reports say too little about the answers.
    """
    inverse = unbiased_inverse(channel)
    informative = informative_reports(channel)
    chances = channel.probabilities[:, informative]
    if not (condition := float(np.linalg.cond(chances))) <= WORST_CONDITION:
        raise ValueError(f"a condition number of {condition:.3g}, at most {WORST_CONDITION:g}")
    heard = float(chances[0].sum())
    adds = {name: inverse[informative] @ counted.T for name, counted in figures.items()}
    return {
        name: Moments((chances @ each / heard).T[..., None], (chances @ each**2 / heard).T[..., None])
        for name, each in adds.items()
    }


def figure_values(figures: tuple[str, ...], answers: int) -> dict[str, Matrix]:
    """Return the values of several figures by name."""
    return {figure: values(figure, answers) for figure in figures}
