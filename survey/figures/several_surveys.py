"""The same question in several surveys: waves, groups, or any surveys that ask the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from survey.channel import Channel
from survey.column import Column
from survey.figures.columns import column_figures
from survey.figures.compare_means import compare_means
from survey.figures.compare_shares import compare_shares
from survey.figures.quantity import Quantity
from survey.figures.questions import answer_names
from survey.figures.shares import Precision
from survey.interval import METHODS
from survey.mechanisms import NumberChannel
from survey.publication import Publication
from survey.question import Question


def quantities(
    question: Question,
    publications: Sequence[Publication],
    counts: Sequence[Mapping[str, Sequence[int]]],
    confidence_level: float,
    people: Sequence[int] | None = None,
) -> list[Quantity]:
    """Estimate a question in each of several surveys, and in all of them together.

    Parameters
    ----------
    question : Question
        One of `asked_alike`.
    publications : sequence of Publication
    counts : sequence of Mapping
        Of each survey: column -> how often each code came.
    confidence_level : float
        In (0, 1), of each interval by itself.
    people : sequence of int, optional
        A number for the people of each survey: surveys with the same number may have asked the same people.
        Without it all surveys asked different people.

    Returns
    -------
    list of Quantity
        The mean of a number; the share of yes, of each option, or of each box.

    Raises
    ------
    ValueError
        If the level is none.

    Notes
    -----
    Surveys of different people are taken to be independent. Answers of the same people in two surveys may be
    related in any way.

    The band of a difference reaches from the low end of one survey's band less the high end of the other's to
    the opposite. The standard error of a difference of two normal estimates is at most the sum of theirs,
    whatever their relation. So it holds at least as often as each band.
    """
    asked = range(len(publications)) if people is None else people
    listed = []
    for name in question.column_names:
        columns = [publication.columns[name] for publication in publications]
        codes = [each[name] for each in counts]
        received = [strata_of(column, each) for column, each in zip(columns, codes, strict=True)]
        seen_first = [publication.definition.is_seen_first(question) for publication in publications]
        if isinstance(columns[0].channel, NumberChannel):
            grid = columns[0].channel.grid
            listed.append(compare_means(name, received, confidence_level, asked, grid, seen_first))
            continue
        answers = answer_names(question)
        shown = (1,) if answers[:2] == ("no", "yes") else range(len(answers))
        precision = Precision(confidence_level, METHODS[0])
        alone = [
            column_figures(column, each, answers, precision, seen).best
            for column, each, seen in zip(columns, codes, seen_first, strict=True)
        ]
        listed += [compare_shares(name, place, alone, received, confidence_level, asked) for place in shown]
    return listed


def strata_of(column: Column, counts: Sequence[int]) -> list[tuple[Channel, tuple[int, ...]]]:
    """Return the channels of a column that somebody reported through, each with the counts of its reports."""
    split = column.split(counts)
    ways = [(column.channel, split.device)]
    if column.by_hand is not None and split.by_hand is not None:
        ways.append((column.by_hand, split.by_hand))
    return [(channel, received) for channel, received in ways if sum(received)]
