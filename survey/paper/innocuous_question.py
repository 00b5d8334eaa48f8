"""A second question, about something harmless whose share of yes is known, hides the answer to the first."""

from __future__ import annotations

from fractions import Fraction

from survey.paper.design import Design, require_chance, yes_no
from survey.rules import Refusal


def unrelated(truth: object, prevalence: object) -> Design:
    """Build the unrelated-question design with a known share of yes to the other question.

    P(yes | yes) = p + (1 - p) u and P(yes | no) = (1 - p) u, so pi = (share of yes - (1 - p) u) / p.

    Parameters
    ----------
    truth : chance
        p, how often people answer the sensitive question; otherwise they answer the other one.
    prevalence : chance
        u, the share of yes to the other question. It must not depend on the answer to the first.

    Raises
    ------
    ValueError
        If one is no chance, or `truth` is 0.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), The Unrelated Question Randomized Response Model:
    Theoretical Framework, JASA 64. For two samples and an unknown share see
    `survey.estimate.two_samples`.

    Examples
    --------
    >>> unrelated("3/4", "1/4").chances[1]
    (Fraction(3, 16), Fraction(13, 16))
    """
    p, u = require_chance("truth", truth, above=True), require_chance("prevalence", prevalence)
    return yes_no("unrelated", (1 - p) * u, p + (1 - p) * u)


def crosswise(prevalence: object) -> Design:
    """Crosswise model: people say only whether their answers to both questions are the same.

    P(same | yes) = u and P(same | no) = 1 - u, so pi = (share of same + u - 1) / (2 u - 1): Warner's
    design, whose chance device is the other question.

    Parameters
    ----------
    prevalence : chance
        u, the share of yes to the other question. It must not depend on the answer to the first.

    Raises
    ------
    ValueError
        If it is no chance, or 1/2, at which reports say nothing.

    References
    ----------
    Yu, Tian & Tang (2008), Two new models for survey sampling with sensitive characteristic: design and
    analysis, Metrika 67.

    Examples
    --------
    >>> crosswise("1/4").chances
    ((Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4)))
    """
    u = require_chance("prevalence", prevalence)
    if u == Fraction(1, 2):
        raise Refusal("prevalence", "half")
    return yes_no("crosswise", 1 - u, u, ("different", "same"))


def triangular(prevalence: object) -> Design:
    """Triangular model: people say only whether both answers are no.

    P(at least one yes | yes) = 1 and P(at least one yes | no) = u, so
    pi = (share of at least one yes - u) / (1 - u). The report "both no" proves a no.

    Parameters
    ----------
    prevalence : chance
        u, the share of yes to the other question. It must not depend on the answer to the first.

    Raises
    ------
    ValueError
        If it is no chance, or 1, at which nobody can report "both no".

    References
    ----------
    Yu, Tian & Tang (2008), Two new models for survey sampling with sensitive characteristic: design and
    analysis, Metrika 67.

    Examples
    --------
    >>> triangular("1/4").chances
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(0, 1), Fraction(1, 1)))
    """
    u = require_chance("prevalence", prevalence)
    if u == 1:
        raise Refusal("prevalence", "below_one", 1)
    return yes_no("triangular", u, Fraction(1), ("both no", "at least one yes"))
