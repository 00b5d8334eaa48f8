"""Everything that is wrong with a draft or missing in it, each thing with its field and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from server.drafts.unit_names import unit_name
from server.language.problems import allowed_in
from server.language.request_language import current, translate
from server.runtime import offload
from server.services import services
from server.store.lifecycle import life, opening
from server.store.surveys import Survey
from survey.draft import MOST_EXPECTED, at_units, is_expected, is_missing
from survey.fields import Problem, shortened
from survey.privacy import Guess
from survey.promises import overstated
from survey.publication import Publication

LONGEST_VALUE = 80
"""Characters of what was typed that an error repeats."""

PLAN = "plan_total"
"""Stands for the field with which all epsilons are set at once."""


@dataclass(frozen=True)
class Entry:
    """One thing to mend.

    Attributes
    ----------
    unit : str
        Where it is.
    text : str
        What is wrong or missing, with the place.
    said : str
        What is wrong, without the place: at the field itself.
    """

    unit: str
    text: str
    said: str = ""


@dataclass(frozen=True)
class DraftProblems:
    """The things that keep a draft from being opened.

    Attributes
    ----------
    publication : Publication or None
        What would be published; None where anything is wrong or missing.
    faults : tuple of Entry
        What is wrong.
    missing : tuple of Entry
        What is not there yet, or does not go together.
    plannable : bool
        Whether nothing is missing but epsilons that a plan sets.
    """

    publication: Publication | None
    faults: tuple[Entry, ...]
    missing: tuple[Entry, ...]
    plannable: bool

    @property
    def ready(self) -> bool:
        """Return whether the draft can be opened."""
        return self.publication is not None


def draft_problems(survey: Survey) -> DraftProblems:
    """Find what keeps a stored draft from being opened now."""
    held = services().storage.read(life.of, survey.id)
    now = services().clock().timestamp()
    publication, problems = opening.ready(services().storage, survey, held, now)
    document = survey.document or {}
    placed = at_units(document, problems)
    wrong = [problem for problem in placed if not is_missing(problem)]
    missing = [problem for problem in placed if is_missing(problem)]
    expected = document.get("expected")
    if expected is not None and not is_expected(expected):
        wrong.append(Problem("expected", "whole", {"low": 1, "high": MOST_EXPECTED}, expected))
    unset = [problem for problem in missing if is_for_the_plan(problem)]
    lacking = [entry(document, problem) for problem in missing if problem not in unset]
    if unset:
        lacking.append(Entry(PLAN, translate("starting.plan.title", n=len(unset))))
    return DraftProblems(
        publication,
        tuple(entry(document, problem) for problem in wrong),
        tuple(lacking),
        bool(unset) and len(unset) == len(placed),
    )


def entry(document: Mapping[str, Any], problem: Problem) -> Entry:
    """Put a problem at a unit into words. Of what is not there yet, its name says all."""
    name = unit_name(document, problem.path)
    if problem.value is None or problem.value == []:
        return Entry(problem.path, name)
    said = wrong_words(problem)
    return Entry(problem.path, f"{name}: {said[0].lower()}{said[1:]}", said)


def wrong_words(problem: Problem) -> str:
    """Say what a value must be, and what it is."""
    told = allowed_in(current(), problem)
    shown = None if problem.rule == "open_picture" else value_in_words(problem.value)
    if shown is None:
        return translate("editor.must", allowed=told)
    return translate("editor.must_not", allowed=told, value=shown)


def value_in_words(value: object) -> str | None:
    """Write what was typed; None for what nobody types at once, such as a list."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return shortened(value if isinstance(value, str) else f"{value:.15g}", LONGEST_VALUE)


def is_for_the_plan(problem: Problem) -> bool:
    """Return whether what is missing is an epsilon, which a plan sets."""
    return problem.value is None and problem.path.endswith(".epsilon")


def overstatements(survey: Survey) -> tuple[Entry, ...]:
    """List the words of a draft that promise too much, each with its field."""
    document = survey.document or {}
    words = [Problem(path, "promise", {}, said) for path, said in overstated(survey.draft or {})]
    return tuple(
        Entry(problem.path, f"{unit_name(document, problem.path)}: “{problem.value}”")
        for problem in at_units(document, words)
    )


def problems_as_stored(survey: Survey) -> dict[str, Any]:
    """Return what keeps a stored draft from being opened, and the words of it that promise too much."""
    problems, words = draft_problems(survey), overstatements(survey)
    publication = survey.complete if words else None
    return {
        "faults": [asdict(entry) for entry in problems.faults],
        "missing": [asdict(entry) for entry in problems.missing],
        "ready": problems.ready,
        "promises": {
            "words": [asdict(entry) for entry in words],
            "figures": figures_in_words(offload.compute(lambda: publication.guess)) if publication else "",
        },
    }


def figures_in_words(guess: Guess) -> str:
    """Say how often a guess is right, as the page says it beside such words."""
    return translate("editor.promises.figures", right=guess.times_right, telling=guess.times_telling)
