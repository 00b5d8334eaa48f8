"""The results of a survey: the counts of its reports, and the people in them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reached:
    """The number of people in the counts of a section.

    Attributes
    ----------
    asked : int
        The number who were asked the section.
    respondents : int
        The number of all who had sent the survey when these counts were taken.
    """

    asked: int
    respondents: int


@dataclass(frozen=True)
class Results:
    """Counts that may be shown.

    Attributes
    ----------
    respondents : int
        The number of respondents in the latest of these counts; in an open survey 0 or at least its step.
    counts : dict[str, list[int]]
        Column -> the counts of its codes; `survey.column.Column` separates them.
    final : bool
        True if the survey is closed, so that the counts will not change.
    prepared : bool
        True if the survey is open, or `Storage.finish` has completed its closing.
    sections : dict[str, Reached]
        Section -> the people in its counts. Where all are asked everything these are all respondents.
    blocks : dict[str, list[int]]
        Section whose questions are linked -> the counts of its rows of codes, in the order of its block.
    withheld : bool
        True if the survey asks one of several groups and was closed before a step of them answered. Then
        nothing of it is shown, and all counts are 0.
    """

    respondents: int
    counts: dict[str, list[int]]
    final: bool
    prepared: bool
    sections: dict[str, Reached]
    withheld: bool = False
    blocks: dict[str, list[int]] = field(default_factory=dict)
