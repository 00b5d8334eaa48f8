"""Estimates, tables and charts of a survey's results, wherever they were downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from survey.analysis import frames, plots
from survey.analysis.archive import REPORTS, Files, Unusable
from survey.analysis.reports_file import Codes, blocks
from survey.analysis.tally import count_pairs
from survey.figures.cross_figures import CrossFigures, cross_axes, cross_figures, default_choice, too_large
from survey.figures.questions import Figures, figures_of
from survey.figures.shares import Precision
from survey.figures.table import header, rows
from survey.interval import METHODS
from survey.limits import CONFIDENCE_LEVEL
from survey.publication import Publication
from survey.results import Results

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas as pd


@dataclass(frozen=True)
class Analysis:
    """The results of a survey.

    Attributes
    ----------
    publication : Publication
        The survey as respondents saw it, with the integers of every channel.
    results : Results
        The counts of every code.
    state : str
        ``open`` or ``closed``, on which the loss of the published counts depends.
    files : Files or None
        The files that hold the reports; None where only counts were given.

    Notes
    -----
    The reports stay in their file: counts, cross-tables and frames read it again, block by block.
    """

    publication: Publication
    results: Results
    state: str = "closed"
    files: Files | None = None

    @property
    def codes(self) -> dict[str, int]:
        """Column -> the number of its codes."""
        return {name: column.codes for name, column in self.publication.columns.items()}

    def figures(
        self, confidence_level: float = CONFIDENCE_LEVEL, method: str = METHODS[0], simultaneous: bool = False
    ) -> Figures:
        """Estimate every question, as the results page does.

        Parameters
        ----------
        confidence_level : float
            In (0, 1).
        method : str
            One of `survey.interval.METHODS`.
        simultaneous : bool
            Whether the level is for all intervals of a question together.

        Raises
        ------
        ValueError
            If the level or the method is none.
        """
        precision = Precision(confidence_level, method, simultaneous)
        slug = self.publication.definition.slug
        return figures_of(slug, self.state, self.publication, self.results, precision)

    def rows(self, **settings: Any) -> list[dict[str, Any]]:
        """Return the estimates as a list of rows, with the headings of ``estimates.csv``.

        Parameters
        ----------
        **settings
            As for `figures`.
        """
        figures = self.figures(**settings)
        names = header(figures)
        return [dict(zip(names, row, strict=True)) for row in rows(figures)]

    def estimates(self, **settings: Any) -> pd.DataFrame:
        """Return `rows` as a data frame of pandas.

        Raises
        ------
        ImportError
            Without pandas, which the extra ``analysis`` brings.
        """
        return frames.frame(self.rows(**settings))

    def table(self) -> Codes:
        """Return everybody's codes.

        Returns
        -------
        ndarray of unsigned int, shape (respondents, columns)
            In the order of ``publication.columns``.

        Raises
        ------
        Unusable
            Where only counts were given.
        """
        with self.blocks() as row_blocks:
            read = list(row_blocks)
        return np.concatenate(read) if read else np.empty((0, len(self.codes)), np.uint8)

    def reports(self) -> pd.DataFrame:
        """Return everybody's codes as a data frame of pandas, a column for each of the survey's.

        Raises
        ------
        ImportError
            Without pandas, which the extra ``analysis`` brings.
        Unusable
            Where only counts were given.
        """
        return frames.frame(self.table(), list(self.codes))

    def cross(
        self,
        row: str,
        column: str,
        *,
        answer: str | None = None,
        groups: tuple[str, str] | None = None,
        confidence_level: float = CONFIDENCE_LEVEL,
    ) -> CrossFigures:
        """Estimate from two columns together.

        Parameters
        ----------
        row, column : str
            The column whose share is estimated, and the one that makes the groups.
        answer : str, optional
            The answer whose share is estimated, named as in the downloads; by default yes, or the first
            option.
        groups : tuple of two str, optional
            The answers to `column` that are compared; by default yes and no, or the first two options.
        confidence_level : float
            In (0, 1).

        Raises
        ------
        ValueError
            If a column or an answer is none, or the table would have too many cells.
        Unusable
            Where only counts were given.
        """
        axes = cross_axes(self.publication)
        for name in (row, column):
            if name not in axes:
                raise ValueError(f"a column must be one of {', '.join(axes)}, got {name!r}")
        sides = axes[row], axes[column]
        if row == column or too_large(*sides):
            raise ValueError(f"row and column must be two columns of fewer answers, got {row!r}, {column!r}")
        choice = default_choice(*sides)
        if answer is not None:
            choice = replace(choice, answer=position(answer, sides[0].answers, "answer"))
        if groups is not None:
            first, second = (position(each, sides[1].answers, "a group") for each in groups)
            choice = replace(choice, group=first, other=second)
        places = list(self.codes).index(row), list(self.codes).index(column)
        with self.blocks() as row_blocks:
            table = count_pairs(row_blocks, places, (self.codes[row], self.codes[column]))
        precision = Precision(confidence_level, "likelihood_ratio")
        return cross_figures(self.publication.fingerprint, *sides, table, choice, precision)

    def plot(
        self, question: str, axes: matplotlib.axes.Axes | None = None, **settings: Any
    ) -> matplotlib.axes.Axes:
        """Draw the estimates of a question: a dot for each, and a line for its interval.

        Parameters
        ----------
        question : str
            Its ``id``.
        axes : matplotlib.axes.Axes, optional
            The axes to draw on; by default a new figure.
        **settings
            As for `figures`.

        Raises
        ------
        ImportError
            Without matplotlib, which the extra ``analysis`` brings.
        ValueError
            If the survey has no such question.
        """
        figures = {each.question.id: each for each in self.figures(**settings).questions}
        if question not in figures:
            raise ValueError(f"question must be one of {', '.join(figures)}, got {question!r}")
        language = self.publication.definition.languages[0]
        return plots.question_plot(figures[question], language, axes)

    @contextmanager
    def blocks(self) -> Iterator[Iterator[Codes]]:
        """Open the reports to be read block by block.

        Raises
        ------
        Unusable
            Where only counts were given.
        """
        if self.files is None:
            raise Unusable("reports must be given for this, got counts alone")
        with self.files.lines(REPORTS) as text:
            yield blocks(text, self.files.place(REPORTS), self.codes)


def position(name: str, names: tuple[str, ...], what: str) -> int:
    """Return the position of an answer."""
    if name not in names:
        raise ValueError(f"{what} must be one of {', '.join(names)}, got {name!r}")
    return names.index(name)
