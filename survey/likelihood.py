"""The most likely proportions: a concave maximum on the simplex, exact or certified.

The log-likelihood of proportions pi is sum over reports of counts_y log(sum over answers of pi_a P[a][y]).
At its maximum no answer's gain g_a = sum over y of f_y P[a][y] / (pi P)_y, with f the shares of the
reports, exceeds 1, and it is 1 wherever pi_a > 0 (Karush, Kuhn and Tucker). By concavity the greatest
gain minus 1 bounds what is missing to the maximum, in log-likelihood per respondent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.solvers import nnls

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

OPTIMAL = 1e-9
"""The largest gap to the maximum with which a result is returned."""
ROUNDING = 1e-14
"""A gap this small is rounding; no further step is tried."""
MOST_STEPS = 200


@dataclass(frozen=True, eq=False)
class Maximum:
    """The most likely proportions.

    Attributes
    ----------
    proportions : ndarray, shape (answers,)
        0 or more, with sum 1.
    log_likelihood : float
        The sum over reports of counts_y log(chance of y).
    gap : float
        A bound on the distance to the greatest log-likelihood, per respondent.
    """

    proportions: Array
    log_likelihood: float
    gap: float


def most_likely(
    probabilities: Array,
    counts: npt.ArrayLike,
    chosen: Mask | None = None,
    mass: float = 1.0,
    start: Array | None = None,
) -> Maximum:
    """Find the proportions of greatest likelihood, by Newton steps that are nonnegative least squares.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
        P(report | answer).
    counts : array_like, shape (reports,)
        The counts of the reports; not all 0.
    chosen : ndarray of bool, shape (answers,), optional
        Answers whose proportions must have the sum `mass`; by default their sum is free.
    mass : float
        In [0, 1].
    start : ndarray, shape (answers,), optional
        Proportions near the maximum, from which fewer steps lead to it.

    Returns
    -------
    Maximum

    Raises
    ------
    ArithmeticError
        If the optimality conditions do not hold to 1e-9; not known to happen.

    Notes
    -----
    Near pi' the log-likelihood per respondent is, with A_ya = sqrt(f_y) P[a][y] / (pi' P)_y, a constant
    minus |A pi - 2 sqrt(f)|^2 / 2. For a set B of answers with the fixed sum t and the multiplier
    l = sum over B of pi_a g_a / t, adding l (s - t) + l (s - t)^2 / (2 t) = l s^2 / (2 t) + constant, s the
    sum over B, changes no solution; so the row sqrt(l / t) over B with target 0 keeps the sum.

    References
    ----------
    Kim, Carbonetto, Stephens & Anitescu (2020), A Fast Algorithm for Maximum Likelihood Estimation of
    Mixture Proportions Using Sequential Quadratic Programming, JCGS 29, sections 2 and 3.
    """
    counts = np.asarray(counts, np.float64)
    received = counts > 0
    sets, masses = fixed_sums(len(probabilities), chosen, mass)
    possible = sets.any(axis=0)
    problem = MultinomialLikelihood(
        chances=probabilities[possible][:, received],
        shares=counts[received] / counts.sum(),
        sets=sets[:, possible],
        masses=masses,
    )
    solution, gap = problem.solve(None if start is None else start[possible])
    if gap > OPTIMAL:
        raise ArithmeticError(f"the maximum of the likelihood was missed by {gap:.3g} per respondent")
    proportions = np.zeros(len(probabilities))
    proportions[possible] = solution / solution.sum()
    return Maximum(proportions, float(counts.sum()) * problem.log_likelihood(solution), max(gap, 0.0))


def fixed_sums(answers: int, chosen: Mask | None, mass: float) -> tuple[Mask, Array]:
    """Return the sets of answers whose proportions have a fixed sum above 0, and those sums."""
    if chosen is None:
        return np.ones((1, answers), np.bool_), np.ones(1)
    masses = np.array([mass, 1 - mass])
    sets: Mask = np.array([chosen, ~chosen])
    return sets[masses > 0], masses[masses > 0]


@dataclass(frozen=True, eq=False)
class MultinomialLikelihood:
    """The log-likelihood per respondent, over the reports received and the answers that are possible."""

    chances: Array
    shares: Array
    sets: Mask
    masses: Array

    def log_likelihood(self, proportions: Array) -> float:
        """Return sum over y of f_y log (pi P)_y; minus infinity where a report received cannot be."""
        with np.errstate(divide="ignore"):
            return float(self.shares @ np.log(proportions @ self.chances))

    def gains(self, proportions: Array) -> Array:
        """Return the gain of each answer."""
        gains: Array = self.chances @ (self.shares / (proportions @ self.chances))
        return gains

    def gap(self, gains: Array) -> float:
        """Bound the distance to the maximum by the most that each set of answers could still gain."""
        return float(self.masses @ np.where(self.sets, gains, -np.inf).max(axis=1)) - 1

    def solve(self, start: Array | None = None) -> tuple[Array, float]:
        """Return the proportions of greatest likelihood and their gap."""
        proportions: Array = (self.masses / self.sets.sum(axis=1)) @ self.sets
        if start is not None and (sums := self.sets @ start).all():
            moved = start * ((self.masses / sums) @ self.sets)
            proportions = moved if np.isfinite(self.log_likelihood(moved)) else proportions
        if not np.isfinite(self.log_likelihood(proportions)):
            return proportions, 0.0  # nothing can be: a report was received that no answer here sends
        best, gap = proportions, np.inf
        for _ in range(MOST_STEPS):
            gains = self.gains(proportions)
            if (here := self.gap(gains)) < gap:
                best, gap = proportions, here
            elif gap <= OPTIMAL:
                break
            if gap <= ROUNDING:
                break
            proportions = self.next(proportions, gains, near=gap <= OPTIMAL)
        return best, gap

    def next(self, proportions: Array, gains: Array, near: bool) -> Array:
        """Return better proportions; near the top, where the likelihood is rounded, take the whole step."""
        multipliers = self.sets @ (proportions * gains) / self.masses
        target = self.newton(proportions, multipliers)
        if near:
            return target
        # The best step, not the first that rises: whole steps may lead to and fro across the top for ever.
        steps = [proportions + step * (target - proportions) for step in (1.0, 0.5, 0.25, 0.125)]
        heights = [self.log_likelihood(step) for step in steps]
        if max(heights) > self.log_likelihood(proportions):
            return steps[heights.index(max(heights))]
        if self.gap(self.gains(target)) < self.gap(gains):
            return target  # the rise is hidden by rounding
        # A step of expectation-maximization never lowers the likelihood.
        return np.asarray(proportions * gains / (multipliers @ self.sets))

    def newton(self, proportions: Array, multipliers: Array) -> Array:
        """Return the maximum of the quadratic that fits the log-likelihood at the proportions."""
        root = np.sqrt(self.shares)
        rows = np.vstack(
            [
                (self.chances * (root / (proportions @ self.chances))).T,
                np.sqrt(multipliers / self.masses)[:, np.newaxis] * self.sets,
            ]
        )
        solution = nonnegative(rows, np.concatenate([2 * root, np.zeros(len(self.masses))]))
        sums = self.sets @ solution
        if not (sums > 0).all():
            return proportions
        return np.asarray(solution * ((self.masses / sums) @ self.sets))


def nonnegative(rows: Array, target: Array) -> Array:
    """Return x >= 0 of least |rows x - target|; a tall table is folded to a small one of equal distances."""
    if len(rows) > 2 * rows.shape[1]:
        folded = np.asarray(np.linalg.qr(np.column_stack([rows, target]), mode="r"))
        rows, target = folded[:, :-1], folded[:, -1]
    return nnls(rows, target, maxiter=100 * rows.shape[1])


def water_filling(probabilities: Array, counts: npt.ArrayLike) -> Array | None:
    """Return the most likely proportions in closed form, where the channel has one.

    It has one where every report y has the same chance q_y under every answer but its own, and q_y + kappa
    under its own: k-ary randomized response, and every question with two answers. The likelihood is that
    of lambda_y = q_y + kappa pi_y, so at the maximum lambda_y = tau counts_y wherever pi_y > 0:

        pi_y = max(0, tau counts_y - q_y) / kappa,

    water of level tau poured over the thresholds q_y / counts_y. With the answers in the order of
    their thresholds and the first r of them above 0, tau = (kappa + q_1 + ... + q_r) / (c_1 + ... + c_r).

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
    counts : array_like, shape (reports,)
        Not all 0.

    Returns
    -------
    ndarray, shape (answers,), or None
        None where the channel is of another form.

    References
    ----------
    arXiv 2601.08603 gives the maximum-likelihood estimate of k-ary randomized response in closed form; the
    derivation above is from the conditions of Karush, Kuhn and Tucker.
    """
    answers, reports = probabilities.shape
    if answers != reports:
        return None
    others = ~np.eye(answers, dtype=np.bool_)
    thresholds = probabilities.min(axis=0)
    kappas = np.diag(probabilities) - thresholds
    if (np.where(others, probabilities, thresholds) != thresholds).any() or not kappas.min() > 0:
        return None
    # Every row sums to 1, so kappa is the same for all but for the rounding of that sum.
    kappa = 1 - thresholds.sum()
    counts = np.asarray(counts, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(thresholds / counts, kind="stable")
    levels = (kappa + thresholds[order].cumsum()) / counts[order].cumsum()
    # As long as the next answer's threshold lies below the level, its water counts.
    wet = int((levels * counts[order] > thresholds[order]).sum())
    filled: Array = np.maximum(levels[wet - 1] * counts - thresholds, 0)
    return np.asarray(filled / filled.sum())
