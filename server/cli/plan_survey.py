"""``candor plan FILE``: plan what is linked, the number of sections asked and every epsilon."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from server.cli.shared.numbers import shown
from server.cli.shared.progress_bar import progress_bar
from server.cli.shared.survey_file import read
from server.option_types import CheckedType
from survey.definition import Definition
from survey.design.wants import WANTS
from survey.fields import DefinitionError
from survey.plan import Outlook, outlook
from survey.plan.pair_figures import PAIR_FIGURES
from survey.plan.proposal import UNLINKED, Proposal, propose
from survey.plan.stand_ins import fill_in
from survey.plan.wanted import USUAL_MARGINS, Want
from survey.privacy import times_in_100


def weight(text: str) -> tuple[str, float]:
    """Read a question and its weight, such as ``copied=2``."""
    name, _, number = text.rpartition("=")
    value = float(number)
    if not (name and 0 < value < float("inf")):
        raise ValueError
    return name, value


WEIGHT = CheckedType("weight", "a question and a number above 0, such as copied=2", weight)


def want(text: str) -> tuple[tuple[str, ...], str, float | None]:
    """Read a question, or two, with the figure that is wanted and its margin: ``smokes,drinks=both:0.05``."""
    names, _, rest = text.partition("=")
    figure, colon, margin = rest.partition(":")
    questions = tuple(name.strip() for name in names.split(","))
    figure = figure or ("both" if len(questions) == 2 else "shares")
    wanted = 2 if figure in PAIR_FIGURES else 1
    if figure not in USUAL_MARGINS or not len({*questions}) == len(questions) == wanted:
        raise ValueError
    return questions, figure, float(margin) if colon else None


WANT = CheckedType(
    "want",
    f"a question and one of {', '.join(WANTS)}, or two and one of {', '.join(PAIR_FIGURES)}, and perhaps a "
    "margin, such as mood=curve or smokes,drinks=odds_ratio:0.7",
    want,
)


def plan_file(
    file: Path,
    respondents: int,
    *,
    settings: dict[str, Any],
    wants: Sequence[tuple[tuple[str, ...], str, float | None]],
    known: Sequence[str],
    weights: Sequence[tuple[str, float]],
    confidence_level: float,
    output: Path | None,
    as_json: bool,
) -> None:
    """Plan the survey of a file, print the changes, and write the planned file to `output` if it is given.

    Parameters
    ----------
    file : Path
        Its questions may lack epsilons and mechanisms.
    respondents : int
    settings : dict[str, Any]
        ``total``, ``right``, ``telling``, ``about``, ``asked``, ``share`` and ``linked``, as of
        `survey.plan.propose`.
    wants, known, weights
        By the names of questions.
    confidence_level : float
    output : Path or None
    as_json : bool

    Raises
    ------
    click.ClickException
        If a file cannot be used.
    click.UsageError
        If no plan stays within the limits.
    """
    filled: list[frozenset[str]] = []
    try:
        definition = read(file, lambda table: filled.extend(fill_in(table)))
    except DefinitionError as error:
        raise click.ClickException(str(error)) from error
    try:
        places = place_of(definition)
        with progress_bar("Planning"):
            proposals = propose(
                definition.sections,
                respondents,
                wants=[
                    Want.usual(figure, *(places("--want", name) for name in names), margin=margin)
                    for names, figure, margin in wants
                ],
                known=frozenset(places("--known", name) for name in known),
                weights=weights_of(definition, weights),
                waves=definition.waves,
                **settings,
            )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    best = proposals.best[0]
    planned = replace(definition, sections=best.sections, asked=best.asked, limit=best.total)
    both = [
        outlook(each.sections, each.asked, respondents, settings["share"], confidence_level)
        for each in (definition, planned)
    ]
    after = {each.question.id: each for each in both[1]}
    result = {
        "way": best.family,
        "total": best.total,
        **limits_table(best),
        "limit": definition.limit,
        "respondents": respondents,
        "confidence_level": confidence_level,
        "asked": best.drawn if best.asked is None else best.asked,
        "drawn": best.drawn,
        "plans": [plan_table(each) for each in proposals.best],
        "apart": None if proposals.apart is None else plan_table(proposals.apart),
        "questions": [
            change(now, after[now.question.id], lacking) for now, lacking in zip(both[0], filled, strict=True)
        ],
    }
    if output is not None:
        output.write_text(planned.as_toml(), encoding="utf-8")
    click.echo(json.dumps(result, indent=2, allow_nan=False) if as_json else text(result))


def place_of(definition: Definition) -> Callable[[str, str], int]:
    """Return what finds the place of a question by its name."""
    names = [question.id for question in definition.questions]

    def place(option: str, name: str) -> int:
        """Find it.

        Raises
        ------
        ValueError
            If there is no such question.
        """
        if name not in names:
            raise ValueError(f"{option} must name questions among {', '.join(names)}, got {name!r}")
        return names.index(name)

    return place


def weights_of(definition: Definition, weights: Sequence[tuple[str, float]]) -> list[float]:
    """Return a weight for every question of a survey, 1 by default.

    Raises
    ------
    ValueError
        If a weight is for no question of the survey.
    """
    names = [question.id for question in definition.questions]
    for name, _ in weights:
        if name not in names:
            raise ValueError(f"--weight must name one of the questions {', '.join(names)}, got {name!r}")
    chosen = dict(weights)
    return [chosen.get(name, 1.0) for name in names]


def plan_table(plan: Proposal) -> dict[str, Any]:
    """Return a plan as a table for JSON: its sections, its figures, and the people that it needs."""
    return {
        "way": plan.family,
        "asked": plan.drawn if plan.asked is None else plan.asked,
        "drawn": plan.drawn,
        "linked": [
            {"section": section.id, "answers": len(section.linked.sizes), "asked": section.linked.asked}
            for section in plan.sections
            if section.linked
        ],
        "total": plan.total,
        **limits_table(plan),
        "knows_one": plan.knows_one,
        "people": plan.people,
    }


def limits_table(plan: Proposal) -> dict[str, int]:
    """Return the times in 100 that a guess is right: at all answers, at a single one, and at worst."""
    return {
        "right": plan.guess.times_right,
        "right_single": times_in_100(plan.single),
        "telling": plan.guess.times_telling,
    }


def change(now: Outlook, then: Outlook, lacking: frozenset[str]) -> dict[str, Any]:
    """Return one question before and after planning, as a table for JSON; None for what it lacked before."""
    shared = {"question": now.question.id, "section": now.section.id, "always": now.section.always}
    unknown = dict.fromkeys({"margin", *lacking} - {"mechanism"}) if lacking else {}
    return shared | {"of": now.of, "now": state(now) | unknown, "planned": state(then)}


def state(prospect: Outlook) -> dict[str, Any]:
    """Return one question's epsilon, askings and margin of error."""
    return {"epsilon": prospect.question.epsilon, "asked": prospect.asked, "margin": prospect.margin}


WAYS = {
    "one": "each person one section",
    "some": "each person some sections",
    "split": "everything, each answer apart",
    "linked": "everything on one wheel",
    "sets": "some answers, on one wheel",
    "mixed": "apart and linked",
}
"""The words for each way, in the table of plans."""


def text(result: Mapping[str, Any]) -> str:
    """Lay a plan out for reading."""
    rows = [["question", "of", "epsilon now", "then", "asked now", "then", "± now", "± then"]]
    for question in result["questions"]:
        pairs = ((question["now"][key], question["planned"][key]) for key in ("epsilon", "asked", "margin"))
        rows.append([question["question"], question["of"], *(shown(one) for pair in pairs for one in pair)])
    head = (
        f"Ask each person {asked_words(result)}: total epsilon {result['total']:g}, "
        f"{result['respondents']} respondents, {result['confidence_level']:.0%} confidence"
    )
    heading = "the best plans", "sections", "total epsilon", "a guess is right", "at one answer"
    plans = [[*heading, "most telling", "people"]]
    for plan in result["plans"]:
        figures = (plan[key] for key in ("right", "right_single", "telling", "people"))
        sections = f"{plan['asked']} of {plan['drawn']}" if plan["drawn"] else "all"
        boxes = ", boxes linked" if plan["linked"] and plan["way"] in UNLINKED else ""
        plans.append([WAYS[plan["way"]] + boxes, sections, f"{plan['total']:.4g}", *map(str, figures)])
    lines = [*aligned_lines(rows), "", *aligned_lines(plans), *linked_lines(result)]
    return "\n".join([head, "", *lines, *limit_lines(result["limit"], result["total"])])


def asked_words(result: Mapping[str, Any]) -> str:
    """Say what each person is asked."""
    always = " and those that are always asked" if any(q["always"] for q in result["questions"]) else ""
    asked, drawn = result["asked"], result["drawn"]
    words = f"{asked} of the {drawn} sections{always}" if asked < drawn else "everything"
    linked = result["plans"][0]["linked"]
    if linked and len(linked) == drawn == 1:
        what = "boxes" if len(result["questions"]) == 1 else "questions"
        words = f"{linked[0]['asked']} of {linked[0]['answers']} {what} on one wheel"
    return words


def linked_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the lines that compare what is linked with the best plan that links nothing."""
    best, apart = result["plans"][0], result["apart"]
    if not best["linked"]:
        return []
    without = "nothing else yields all of it" if apart is None else f"apart it takes {apart['people']}"
    told = (
        f"Linked, it takes {best['people']} people; {without}. All answers of a wheel stand or fall "
        "together: over all waves, who knows one of them can be right about another up to "
        f"{best['knows_one']} times in 100. "
        "So link nothing that others know, such as age group or role."
    )
    return ["", *textwrap.wrap(told, 110)]


def limit_lines(now: float | None, then: float) -> list[str]:
    """Return the lines that announce a changed limit of the survey."""
    if now is None or now == then:
        return []
    return ["", f"The planned survey's limit is {then:g}, and no longer {now:g}."]


def aligned_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table, its first column aligned to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
