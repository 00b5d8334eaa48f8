"""The sentence that describes a problem, in each language."""

from __future__ import annotations

from server.language.catalogue import section, written
from survey.fields import Problem
from survey.rules import allowed, listed


def sentence(language: str, problem: Problem) -> str:
    """Write a problem as a sentence: its place, what the rule allows, and the value.

    Parameters
    ----------
    language : str
        One of `server.language.catalogue.LANGUAGES`; a rule that its catalogue lacks is stated in English.
    problem : Problem

    Examples
    --------
    >>> problem = Problem("questions[0].epsilon", "epsilon", {"most": 10.0}, 12)
    >>> print(sentence("en", problem))
    questions[0].epsilon must be a number above 0 and at most 10, got 12
    >>> print(sentence("ko", problem))
    questions[0].epsilon: 0보다 크고 10 이하인 수여야 합니다 (받은 값: 12)
    """
    frame = "rules.missing" if problem.value is None else "rules.wrong"
    told = allowed_in(language, problem)
    return written(language, frame, place=problem.place, allowed=told, value=problem.shown)


def allowed_in(language: str, problem: Problem) -> str:
    """Return what the rule of a problem allows, in words."""
    key = f"allowed.{problem.rule}"
    if key not in section(language, "rules"):
        return allowed(problem.rule, problem.limits)
    limits = {name: listed(limit) for name, limit in problem.limits.items()}
    return written(language, f"rules.{key}", **limits)
