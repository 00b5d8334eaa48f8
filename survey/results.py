"""What is known of how a survey was answered: the counts of its reports, and whom they hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reached:
    """How many people the counts of one section hold.

    Attributes
    ----------
    asked : int
        Who were asked the section.
    respondents : int
        Everybody who had sent the survey when these counts were taken, whatever they were asked.
    """

    asked: int
    respondents: int


@dataclass(frozen=True)
class Results:
    """Counts that may be shown.

    Attributes
    ----------
    respondents : int
        How many respondents the latest of these counts hold; in an open survey 0 or at least its step.
    counts : dict[str, list[int]]
        Column -> how often each code came, indexed by code; `survey.column.Column` takes them apart.
    final : bool
        Whether the survey is closed and the counts are all there will ever be.
    prepared : bool
        Whether the survey is open, or `Storage.finish` has done what closing it left to do.
    sections : dict[str, Reached]
        Section -> whom its counts hold. Where all are asked everything these are all respondents.
    withheld : bool
        Whether the survey asks one of several groups and was closed before a step of them answered: then
        nothing of it is shown, and all counts are 0.
    """

    respondents: int
    counts: dict[str, list[int]]
    final: bool
    prepared: bool
    sections: dict[str, Reached]
    withheld: bool = False
