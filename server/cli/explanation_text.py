"""The text that ``candor explain`` prints: at most 100 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from server.cli.shared.numbers import shown
from server.language.rounding import at_least, at_most
from survey.privacy import times_in_100

WIDTH = 100
LABEL = 20
TINY = 1e-4
"""Least distance from 0 or 1 of a probability that is written out."""

Row = tuple[str, str]

REASONS = {
    "approximate": "no figure is known, because the mechanism has a delta",
    "too_few": "no bound is below epsilon itself with so few people",
    "short": "no figure, because closing would add less than a step to them",
    "apart": "no figure, because skips or real coins are counted separately",
}
"""Reason for the lack of a figure for published counts -> its words; see `survey.privacy.Shuffled`."""

ROW_CAN_BE_FOUND = (
    "who knows which parts somebody was asked may find their row; what it says about an answer is still "
    "bounded by this epsilon"
)


def text(explanation: dict[str, Any]) -> str:
    """Lay out an explanation: a block for each question, and one for the total."""
    people, waves = explanation["respondents"], explanation["budget"]["waves"]
    blocks = [block(heading(each), question_rows(each, people, waves)) for each in explanation["questions"]]
    return "\n\n".join([*blocks, block(total_title(explanation), total_rows(explanation))])


def total_title(explanation: dict[str, Any]) -> str:
    """Return the title of the last block."""
    return "All that one person is asked" if "asked" in explanation["budget"] else "All questions together"


def heading(question: dict[str, Any]) -> str:
    """Name a question, its kind and its mechanism."""
    skip = {None: "", "randomized": ", skip randomized", "apart": ", skip not protected"}[question["skip"]]
    return f"{question['question']} ({question['kind']}, {question['mechanism']}{skip})"


def block(title: str, rows: Iterator[Row]) -> str:
    """Lay out labels and texts in two columns, under a title."""
    lines = [title]
    for label, value in rows:
        first, rest = f"  {label:<{LABEL}}", " " * (LABEL + 2)
        lines += textwrap.wrap(value, WIDTH, initial_indent=first, subsequent_indent=rest)
    return "\n".join(lines)


def question_rows(question: dict[str, Any], people: int | None, waves: int) -> Iterator[Row]:
    """Yield the rows about one question."""
    yield "epsilon", promise(question)
    if "by_hand_epsilon" in question:
        yield "", f"with real coins {question['by_hand_epsilon']:.4f}; epsilon is the larger of the two"
    if "boxes" in question:
        drawn = "" if question["sampled"] == question["boxes"] else f", {question['sampled']} of them drawn"
        yield "", f"{question['box_epsilon']:.4f} for each box; {question['boxes']} boxes{drawn}"
    for index, each in enumerate(question["odds"]):
        answer, report = each["answer"], each["recorded_as"]
        chances = (
            f"of {each['people']:,} whose answer is {answer}, {each['recorded']:,} are recorded as {report}"
        )
        yield ("" if index else "odds of a box" if "boxes" in question else "odds"), chances
    yield "guess", guess(question["guess"], question["exceeds"])
    if linked := question.get("linked"):
        yield "linked", f"one spin decides for all answers of {linked['section']} together"
        knows = "whoever knows one of them can be right about another"
        yield "", f"{knows} up to {linked['knows_one']} times in 100{over_waves(waves)}"
    yield from suspicion_rows(question["suspicion"], question["exceeds"])
    if "boxes" in question:
        yield from suspicion_rows(question["box_suspicion"], 0.0, " about one box")
    worst = question["worst"]
    times = f"{worst['ratio']:.4g} times as likely under {worst['answer']} as under {worst['other']}"
    yield "worst report", f"{worst['report']}: {times}"
    if people is not None:
        yield "margin of error", margin(question)
        yield "forgery radius", radius(question)
        yield "published counts", published(question)


def total_rows(explanation: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows about the whole survey."""
    total = explanation["budget"]
    over = f"{len(explanation['questions'])} questions"
    if "asked" in total:
        over = f"the {total['asked']} of {total['sections']} parts that one person is asked, at most"
    yield "epsilon", f"{promise(total)}, the sum over {over}{over_waves(total['waves'])}"
    if total["limit"] is not None:
        yield "limit", f"{total['limit']:g}"
    composed = total["composed"]
    if composed and f"{composed['epsilon']:.4f}" != f"{total['epsilon']:.4f}":
        yield "composed", f"{composed['epsilon']:.4f} at delta {composed['delta']:.3g}"
    yield "guess", guess(total["guess"], total["exceeds"])
    yield from suspicion_rows(explanation["suspicion"], total["exceeds"])
    if "asked" in total:
        yield "not protected", ROW_CAN_BE_FOUND
    if explanation["respondents"] is not None:
        yield "published counts", published(explanation)
        yield "", explanation["shuffle_assumption"]


def over_waves(waves: int) -> str:
    """Say over how many waves a figure is; nothing where there is one."""
    return "" if waves == 1 else f" over {waves} waves"


def promise(table: dict[str, Any]) -> str:
    """Write an epsilon, and its delta if it has one."""
    return f"{table['epsilon']:.4f}" + (f" with delta {table['delta']:.3g}" if table["delta"] else "")


def guess(shares: dict[str, float], exceeds: float) -> str:
    """Write how often a guess between two answers is right at most, and how rarely it exceeds that."""
    right, telling = (times_in_100(shares[key]) for key in ("right", "most_telling"))
    rarely = f" (more for at most {at_most(exceeds)} of what is sent)" if exceeds else ""
    return f"right at most {right} times in 100; after the most telling result, {telling} times{rarely}"


def suspicion_rows(suspicions: list[dict[str, Any]], exceeds: float, about: str = "") -> Iterator[Row]:
    """Yield how far reports can move each suspicion, and how rarely they move it further."""
    exception = f", except for at most {at_most(exceeds)} of all reports" if exceeds else ""
    for each in suspicions:
        prior, after = each["prior"], f"after any report{about}{exception}"
        moved = f"{least(each['low'], prior)} to {most(each['high'], prior)}"
        yield f"{percent(prior)} suspicion", f"{moved} {after}"


def least(low: float, prior: float) -> str:
    """Write a lower end in percent, rounded down; 0 only if the suspicion was 0 before."""
    if prior > 0 and low < TINY:
        return f"below {percent(TINY)}"
    return f"{at_least(100 * low, 4)} %"


def most(high: float, prior: float) -> str:
    """Write an upper end in percent, rounded up; 100 only if the suspicion was certain before."""
    if prior < 1 and high > 1 - TINY:
        return f"above {percent(1 - TINY)}"
    return f"{at_most(100 * high, 4)} %"


def percent(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.6g} %"


def margin(question: dict[str, Any]) -> str:
    """Write the expected margin of error, as ``candor plan`` does."""
    what = {"mean": "the mean", "share": "the least certain share"}[question["margin_of"]]
    return f"± {shown(question['margin'])} for {what}, at 95 % confidence"


def radius(question: dict[str, Any]) -> str:
    """Write how far one forged report moves an estimate at most."""
    people = question["respondents"]
    moved = at_most(question["radius"], 4)
    what = "the mean" if question["kind"] == "number" else "a share"
    given = " if everybody answers in the browser" if "by_hand_epsilon" in question else ""
    return f"one forged report among {people:,} moves {what} by at most {moved}{given}"


def published(table: dict[str, Any]) -> str:
    """Write the epsilon of published counts for one respondent."""
    people = f"{table['shuffle_respondents']:,} people, the fewest by which two results differ"
    if table["shuffle_epsilon"] is None:
        return f"{REASONS[table['shuffle_reason']]} (of {people})"
    bound = "" if table["shuffle_exact"] else "at most "
    epsilon, delta = at_most(table["shuffle_epsilon"], 4), f"{table['shuffle_delta']:.3g}"
    return f"{bound}{epsilon} at delta {delta} for one of {people}"
