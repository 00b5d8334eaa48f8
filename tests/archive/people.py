"""Made-up people who answer a whole survey, and the files that come of it, without a server."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from server.results.archive.contents import files
from server.results.files.material import Material
from server.store.results.sorted_reports import SortedReports
from survey.channel import TOTAL
from survey.figures.questions import figures_of
from survey.figures.shares import Precision
from survey.publication import section_columns
from survey.randomize import draw_subsets, randomize_many
from survey.results import Reached, Results

BY_HAND, SKIP = 0.15, 0.1
"""How many use real coins and how many leave a question out, where they may."""


def answer(publication, respondents, random):
    """Return the reports of every person, shape (respondents, columns), in the order of the columns."""
    definition = publication.definition
    left_out = {}
    if definition.samples:
        words = random.integers(0, TOTAL, respondents)
        drawn = draw_subsets(len(definition.drawn), definition.asked, words)
        left_out = {one.id: ~(drawn == place).any(axis=1) for place, one in enumerate(definition.drawn)}
    return np.column_stack(
        [
            np.where(left_out[section.id], column.not_asked_code, codes) if column.drawn else codes
            for section, columns in section_columns(publication)
            for column in columns.values()
            for codes in [asked(column, respondents, random)]
        ]
    )


def asked(column, respondents, random):
    """Return what people report who are asked one column; their true shares are drawn, too."""
    answers = random.choice(
        column.channel.answers, respondents, p=random.dirichlet(np.full(column.channel.answers, 0.7))
    )
    codes = sent(column.channel, answers, random)
    if column.by_hand is not None:
        by_hand = column.channel.reports + sent(column.by_hand, answers, random)
        codes = np.where(random.random(respondents) < BY_HAND, by_hand, codes)
    if column.skip_apart:
        codes = np.where(random.random(respondents) < SKIP, column.skip_code, codes)
    return codes


def sent(channel, answers, random):
    """Return a report for each answer."""
    return randomize_many(channel, answers, random.integers(0, TOTAL, len(answers))).astype(np.int64)


def figures(publication, reports, precision):
    """Estimate a closed survey from everybody's reports."""
    counts = {
        name: np.bincount(reports[:, place], minlength=column.codes).tolist()
        for place, (name, column) in enumerate(publication.columns.items())
    }
    sections = {}
    for section, columns in section_columns(publication):
        first = next(iter(columns.values()))
        sections[section.id] = Reached(first.split(counts[first.name]).asked, len(reports))
    results = Results(len(reports), counts, final=True, prepared=True, sections=sections)
    return figures_of(publication.definition.slug, "closed", publication, results, precision)


def write(folder: Path, publication, reports, precision=None):
    """Write the files of the zip."""
    found = figures(publication, reports, precision or Precision(0.95, "exact"))
    for name, pieces in files(Material(found, SortedReports.of(reports), version="0")):
        (folder / name).write_bytes(b"".join(pieces))
